/* A member is the same by every way, and the oracle sees when an archive is not the one that it was told of. */
#include "oracle/npz_member.h"

#include "base/suite.h"
#include "codec/npy/npy_encode.h"
#include "codec/npz/npz_write.h"
#include "runtime/hits_fixture.h"

/* An archive of the fixture's array, of which the last element is this. */
static void make_archive(uint8_t last, struct ndp_buffer *out) {
    struct ndp_arena arena;
    struct ndp_npy_array array = {0};
    decode_file(&arena, &array);
    array.data[5] = last;
    const struct ndp_npz_item item = {.key = ndp_bytes_view("a"),
                                      .elements = {array.header.dtype, &array.layout, array.data}};
    assert_int_equal(ndp_npz_encode(&item, 1, false, ndp_write_to_buffer, out, NULL), NDP_OK);
    ndp_npy_array_clear(&array);
    ndp_arena_clear(&arena);
}

/* How often the oracle finds fault with a member whose array is read out of an archive with another last element. */
static uint64_t hits(enum fuzz_npz_way way, uint8_t last) {
    struct ndp_arena arena = {.limit_bytes = 1 << 24};
    struct ndp_buffer first = {.max_bytes = 1 << 12}, second = first;
    struct ndp_npz *npz = NULL, *by = NULL;
    make_archive(6, &first);
    make_archive(last, &second);
    assert_int_equal(ndp_npz_open_memory(ndp_buffer_view(&first), NULL, &npz, NULL), NDP_OK);
    const char *path = fuzz_path(second.data, second.size_bytes);
    assert_int_equal(ndp_npz_open_file(path, NULL, &by, NULL), NDP_OK);
    const uint64_t before = fuzz_hits();
    const int loud = be_quiet();
    assert_true(fuzz_npz_member(&arena, ndp_buffer_view(&first), npz, by, 0, way, false));
    be_loud(loud);
    ndp_npz_free(npz);
    ndp_npz_free(by);
    ndp_buffer_clear(&first);
    ndp_buffer_clear(&second);
    ndp_arena_clear(&arena);
    return fuzz_hits() - before;
}

static void a_member_is_the_same_by_every_way(void **state) {
    (void)state;
    for (int way = 0; way < FUZZ_NPZ_WAYS; way++) assert_int_equal(hits((enum fuzz_npz_way)way, 6), 0);
}

/* Out of an archive of its own comes what went in, whatever `by` holds. */
static void another_one_is_told(void **state) {
    (void)state;
    for (int way = 0; way < FUZZ_NPZ_AGAIN; way++) assert_int_equal(hits((enum fuzz_npz_way)way, 7), 1);
    assert_int_equal(hits(FUZZ_NPZ_AGAIN, 7), 0);
}

NDP_SUITE(npz_member_test, cmocka_unit_test(a_member_is_the_same_by_every_way), cmocka_unit_test(another_one_is_told));
