#include "base/suite.h"
#include "codec/data_memory.h"
#include "codec/source.h"

enum { ALL_BYTES = 300000 };

/* A stream of `size_bytes` bytes, in which byte k is `byte_at(k)`. Delivers at most `piece_bytes` per call, then
 * returns `end`. */
struct stream {
    uint64_t size_bytes;
    uint64_t piece_bytes;
    uint64_t at_bytes;
    uint64_t largest_room_bytes;
    enum ndp_status end;
};

static uint8_t byte_at(uint64_t k) {
    return (uint8_t)(k % 1000 == 999 ? '\n' : 'a' + k / 1000 % 26);
}

static enum ndp_status read_stream(void *from, void *to, uint64_t room_bytes, uint64_t *got_bytes) {
    struct stream *stream = from;
    uint64_t got = stream->size_bytes - stream->at_bytes;
    assert_true(room_bytes > 0);
    if (room_bytes > stream->largest_room_bytes) stream->largest_room_bytes = room_bytes;
    if (got == 0 && stream->end != NDP_OK) return stream->end;
    if (got > room_bytes) got = room_bytes;
    if (got > stream->piece_bytes) got = stream->piece_bytes;
    for (uint64_t i = 0; i < got; i++) ((uint8_t *)to)[i] = byte_at(stream->at_bytes + i);
    stream->at_bytes += got;
    *got_bytes = got;
    return NDP_OK;
}

static void check_bytes(struct ndp_bytes bytes, uint64_t at, uint64_t size) {
    assert_int_equal(bytes.size_bytes, size);
    for (uint64_t i = 0; i < size; i++)
        if (bytes.data[i] != byte_at(at + i)) fail_msg("byte %u of the piece at %u", (unsigned)i, (unsigned)at);
}

/* Reads pieces, lines and blobs of sizes near those of the window, in rotation. */
static void read_all(struct ndp_source *source, bool is_memory) {
    static const uint64_t sizes[] = {1, 0, 17, 65535, 65536, 65537, 40000, 3};
    struct ndp_bytes bytes;
    struct ndp_blob blob;
    uint64_t at = 0;
    for (size_t i = 0; i < NDP_ARRAY_LEN(sizes); i++) {
        assert_int_equal(ndp_source_offset(source), at);
        if (i % 2 == 0) {
            assert_int_equal(ndp_source_take(source, sizes[i], &bytes), NDP_OK);
        } else {
            assert_int_equal(ndp_source_blob(source, sizes[i], &blob), NDP_OK);
            assert_int_equal(blob.owned == NULL, is_memory);
            bytes = blob.bytes;
        }
        check_bytes(bytes, at, sizes[i]);
        if (i % 2 != 0) ndp_data_free(blob.owned);
        at += sizes[i];
        assert_int_equal(ndp_source_line(source, &bytes), NDP_OK);
        check_bytes(bytes, at, 999 - at % 1000);
        at += bytes.size_bytes + 1;
    }
    assert_int_equal(ndp_source_take(source, ALL_BYTES - at, &bytes), NDP_OK);
    check_bytes(bytes, at, ALL_BYTES - at);
    assert_int_equal(ndp_source_take(source, 1, &bytes), NDP_TRUNCATED);
    assert_int_equal(ndp_source_line(source, &bytes), NDP_TRUNCATED);
    assert_int_equal(ndp_source_take(source, 0, &bytes), NDP_OK);
    assert_int_equal(bytes.size_bytes, 0);
    assert_non_null(bytes.data);
    assert_int_equal(ndp_source_offset(source), ALL_BYTES);
}

static void memory_is_borrowed_and_read_to_its_end(void **state) {
    uint8_t *all = malloc(ALL_BYTES);
    assert_non_null(all);
    for (uint64_t k = 0; k < ALL_BYTES; k++) all[k] = byte_at(k);
    struct ndp_source source = ndp_source_memory((struct ndp_bytes){all, ALL_BYTES});
    read_all(&source, true);
    struct ndp_bytes bytes;
    source = ndp_source_memory((struct ndp_bytes){all, ALL_BYTES});
    assert_int_equal(ndp_source_take(&source, 5, &bytes), NDP_OK);
    assert_ptr_equal(bytes.data, all);
    assert_int_equal(ndp_source_take(&source, ALL_BYTES - 4, &bytes), NDP_TRUNCATED);
    assert_int_equal(ndp_source_take(&source, UINT64_MAX, &bytes), NDP_TRUNCATED);
    assert_int_equal(ndp_source_offset(&source), 5);
    assert_ptr_equal(bytes.data, all);
    source = ndp_source_memory((struct ndp_bytes){NULL, 0});
    assert_int_equal(ndp_source_take(&source, 0, &bytes), NDP_OK);
    assert_int_equal(ndp_source_line(&source, &bytes), NDP_TRUNCATED);
    free(all);
}

static void a_stream_gives_the_same_bytes_in_pieces_of_any_size(void **state) {
    static const uint64_t pieces[] = {1, 7, 4096, 65535, 65536, ALL_BYTES};
    for (size_t i = 0; i < NDP_ARRAY_LEN(pieces); i++) {
        struct stream stream = {.size_bytes = ALL_BYTES, .piece_bytes = pieces[i]};
        struct ndp_source source = ndp_source_stream(read_stream, &stream, UINT64_MAX);
        read_all(&source, false);
        ndp_source_clear(&source);
    }
}

static void a_truncated_read_does_not_advance(void **state) {
    struct stream stream = {.size_bytes = 70000, .piece_bytes = 1000};
    struct ndp_source source = ndp_source_stream(read_stream, &stream, UINT64_MAX);
    struct ndp_bytes bytes;
    assert_int_equal(ndp_source_take(&source, 10, &bytes), NDP_OK);
    assert_int_equal(ndp_source_take(&source, 69991, &bytes), NDP_TRUNCATED);
    assert_int_equal(ndp_source_offset(&source), 10);
    assert_int_equal(ndp_source_take(&source, 69990, &bytes), NDP_OK);
    check_bytes(bytes, 10, 69990);
    ndp_source_clear(&source);
}

/* A claimed length of 2^62 bytes is never allocated; a length that is known to exist is read at once. */
static void claimed_lengths_are_not_allocated_but_known_ones_are(void **state) {
    struct stream stream = {.size_bytes = ALL_BYTES, .piece_bytes = ALL_BYTES};
    struct ndp_source source = ndp_source_stream(read_stream, &stream, UINT64_MAX);
    struct ndp_blob blob = {{NULL, 77}, NULL};
    assert_int_equal(ndp_source_blob(&source, UINT64_C(1) << 62, &blob), NDP_TRUNCATED);
    assert_int_equal(blob.bytes.size_bytes, 77);
    assert_true(stream.largest_room_bytes <= ALL_BYTES);
    ndp_source_clear(&source);
    stream = (struct stream){.size_bytes = ALL_BYTES, .piece_bytes = ALL_BYTES};
    source = ndp_source_stream(read_stream, &stream, UINT64_MAX);
    source.known_bytes = ALL_BYTES;
    assert_int_equal(ndp_source_blob(&source, ALL_BYTES, &blob), NDP_OK);
    assert_int_equal(stream.largest_room_bytes, ALL_BYTES);
    check_bytes(blob.bytes, 0, ALL_BYTES);
    ndp_data_free(blob.owned);
    ndp_source_clear(&source);
}

static void nothing_past_the_limit_is_read(void **state) {
    for (uint64_t i = 0; i < 6; i++) {
        const uint64_t limit = i / 2 * 35000;
        struct stream stream = {.size_bytes = ALL_BYTES, .piece_bytes = ALL_BYTES};
        struct ndp_source source = ndp_source_stream(read_stream, &stream, limit);
        struct ndp_bytes bytes;
        struct ndp_blob blob;
        if (i % 2 == 0) assert_int_equal(ndp_source_take(&source, limit + 1, &bytes), NDP_TRUNCATED);
        if (i % 2 == 1) assert_int_equal(ndp_source_blob(&source, limit + 1, &blob), NDP_TRUNCATED);
        assert_int_equal(stream.at_bytes, limit);
        ndp_source_clear(&source);
    }
}

static void errors_of_the_stream_are_returned(void **state) {
    struct stream stream = {.size_bytes = 500, .piece_bytes = 100, .end = NDP_IO};
    struct ndp_source source = ndp_source_stream(read_stream, &stream, UINT64_MAX);
    struct ndp_bytes bytes;
    struct ndp_blob blob;
    assert_int_equal(ndp_source_line(&source, &bytes), NDP_IO);
    assert_int_equal(ndp_source_take(&source, 501, &bytes), NDP_IO);
    assert_int_equal(ndp_source_offset(&source), 0);
    assert_int_equal(ndp_source_blob(&source, 501, &blob), NDP_IO);
    ndp_source_clear(&source);
}

NDP_SUITE(source_test, NDP_TEST(memory_is_borrowed_and_read_to_its_end),
          NDP_TEST(a_stream_gives_the_same_bytes_in_pieces_of_any_size), NDP_TEST(a_truncated_read_does_not_advance),
          NDP_TEST(claimed_lengths_are_not_allocated_but_known_ones_are), NDP_TEST(nothing_past_the_limit_is_read),
          NDP_TEST(errors_of_the_stream_are_returned));
