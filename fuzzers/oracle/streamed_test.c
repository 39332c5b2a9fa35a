#include "oracle/streamed.h"

#include "base/suite.h"
#include "codec/joblib/joblib_write.h"
#include "codec/npy/npy_encode.h"
#include "form/breaking.h"
#include "runtime/hits_fixture.h"

enum { PICKS = 512 };

/* A stream gives what it has before it fails, and its end is no failure. */
static void a_stream_fails_where_it_is_told_to(void **state) {
    (void)state;
    const struct ndp_bytes bytes = {(const uint8_t *)"abcdef", 6};
    for (uint64_t place = 0; place <= bytes.size_bytes; place++) {
        struct fuzz_breaking stream = fuzz_breaking_stream(bytes, place);
        uint8_t got[8];
        uint64_t have = 0, more = 1;
        enum ndp_status status = NDP_OK;
        while (status == NDP_OK && more > 0) {
            more = 0;
            status = fuzz_read_breaking(&stream, got + have, sizeof got - have, &more);
            have += more;
        }
        assert_int_equal(have, place);
        assert_memory_equal(got, bytes.data, place);
        assert_int_equal(status, place < bytes.size_bytes ? NDP_IO : NDP_OK);
        assert_int_equal(stream.has_failed, place < bytes.size_bytes);
        if (place < bytes.size_bytes) {
            assert_int_equal(fuzz_read_breaking(&stream, got, sizeof got, &more), NDP_OK);
            assert_in_range(more, 1, bytes.size_bytes - place);
            assert_int_equal(got[0], bytes.data[place]);
            assert_true(fuzz_is_told(&stream, NDP_IO, NDP_OK) && !fuzz_is_told(&stream, NDP_OK, NDP_OK));
        }
    }
}

static void a_sink_takes_so_many_bytes(void **state) {
    (void)state;
    struct fuzz_breaking sink = {.left_bytes = 4};
    assert_int_equal(fuzz_write_breaking(&sink, "abc", 3), NDP_OK);
    assert_int_equal(fuzz_write_breaking(&sink, "d", 1), NDP_OK);
    assert_true(fuzz_is_told(&sink, NDP_OK, NDP_OK));
    assert_int_equal(fuzz_write_breaking(&sink, "ef", 2), NDP_IO);
    /* Once: what comes behind is taken, and the failure is still to be told. */
    assert_int_equal(fuzz_write_breaking(&sink, "gh", 2), NDP_OK);
    assert_true(fuzz_is_told(&sink, NDP_IO, NDP_OK));
    assert_false(fuzz_is_told(&sink, NDP_OK, NDP_OK));
    assert_false(fuzz_is_told(&sink, NDP_TRUNCATED, NDP_TRUNCATED));
}

static void what_is_told_is_no_hit(void **state) {
    (void)state;
    static struct ndp_block_pool pool = {.limit_bytes = 1 << 25};
    static const char pickle[] = "\x80\2]q\0(K\1X\3\0\0\0abcq\1e.";
    const struct ndp_bytes bytes = {(const uint8_t *)pickle, sizeof pickle - 1};
    const struct ndp_joblib_options options = {.compress = {.pool = &pool}};
    const struct ndp_joblib_output form = {{3, 16, false, NULL}, NDP_NUMPY_1, NDP_COMPRESS_ZLIB, 1, &pool};
    struct ndp_arena arena;
    struct ndp_npy_array first = {0}, loaded = {0};
    struct ndp_buffer dump = {.max_bytes = 1 << 20};
    decode_file(&arena, &first);
    arena.limit_bytes = UINT64_C(1) << 28;
    const struct ndp_elements elements = {first.header.dtype, &first.layout, first.data};
    assert_int_equal(ndp_joblib_encode(&arena, &elements, &form, ndp_write_to_buffer, &dump, NULL), NDP_OK);
    const struct ndp_bytes dumped = ndp_buffer_view(&dump);
    assert_int_equal(ndp_joblib_decode_memory(&arena, dumped, &options, &loaded, NULL), NDP_OK);
    const uint64_t before = fuzz_hits();
    for (uint64_t pick = 0; pick < PICKS; pick++) {
        fuzz_npy_streamed(&arena, npy_bytes, NDP_OK, &first, pick);
        fuzz_joblib_streamed(&arena, dumped, &options, NDP_OK, &loaded, pick);
    }
    ndp_npy_array_clear(&first);
    ndp_npy_array_clear(&loaded);
    for (uint64_t pick = 0; pick < PICKS; pick++) fuzz_check_pickle_breaks(&arena, bytes, 2, 20, pick);
    assert_int_equal(fuzz_hits(), before);
    ndp_buffer_clear(&dump);
    ndp_arena_clear(&arena);
}

static void what_differs_by_a_stream_is_seen(void **state) {
    (void)state;
    struct ndp_arena arena;
    struct ndp_npy_array first = {0}, none = {0};
    decode_file(&arena, &first);
    first.data[5] ^= 1;
    for (uint64_t pick = 0; pick < 8; pick++) {
        const uint64_t before = fuzz_hits();
        const int loud = be_quiet();
        fuzz_npy_streamed(&arena, npy_bytes, NDP_OK, &first, pick);
        const uint64_t of_bytes = fuzz_hits();
        fuzz_npy_streamed(&arena, npy_bytes, NDP_INVALID, &none, pick);
        be_loud(loud);
        assert_true(of_bytes > before && fuzz_hits() > of_bytes);
    }
    ndp_npy_array_clear(&first);
    ndp_arena_clear(&arena);
}

NDP_SUITE(streamed_test, cmocka_unit_test(a_stream_fails_where_it_is_told_to),
          cmocka_unit_test(a_sink_takes_so_many_bytes), cmocka_unit_test(what_is_told_is_no_hit),
          cmocka_unit_test(what_differs_by_a_stream_is_seen));
