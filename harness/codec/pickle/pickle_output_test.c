/* pickle_output_test.c: frames. Source: PEP 3154 and CPython, Modules/_pickle.c: a frame of at least four bytes has a
 * header of nine (0x95 and its length), ends between objects once it contains 64 KiB, and excludes payloads of 64 KiB.
 */
#include "base/byteorder.h"
#include "base/suite.h"
#include "codec/pickle/pickle_output.h"

enum { TARGET_BYTES = 1 << 16, HEADER_BYTES = 9 };

static uint8_t filler[2 * TARGET_BYTES];

/* Records the bytes and the number of calls; fails after `calls_left` calls. */
struct sink {
    struct ndp_buffer bytes;
    uint32_t calls;
    uint32_t calls_left;
};

static enum ndp_status write_sink(void *to, const void *bytes, uint64_t size_bytes) {
    struct sink *sink = to;
    assert_true(size_bytes > 0);
    if (sink->calls_left == 0) return NDP_IO;
    sink->calls_left--;
    sink->calls++;
    return ndp_buffer_add(&sink->bytes, bytes, size_bytes);
}

static struct ndp_pickle_output start(struct sink *sink, bool is_framing) {
    *sink = (struct sink){.calls_left = UINT32_MAX};
    ndp_buffer_init(&sink->bytes, 1 << 22);
    struct ndp_pickle_output output = ndp_pickle_output_start(write_sink, sink, NULL, 0);
    output.is_framing = is_framing;
    return output;
}

static void end(struct ndp_pickle_output *output, struct sink *sink) {
    ndp_pickle_output_clear(output);
    ndp_buffer_clear(&sink->bytes);
}

static void check_frame(const struct sink *sink, uint64_t at, uint64_t length) {
    assert_int_equal(sink->bytes.data[at], 0x95);
    assert_int_equal(ndp_load_u64le(sink->bytes.data + at + 1), length);
}

static void shorter_frames_than_four_bytes_lose_their_header(void **state) {
    for (uint64_t size = 0; size < 8; size++) {
        struct sink sink;
        struct ndp_pickle_output output = start(&sink, true);
        for (uint64_t i = 0; i < size; i++)
            assert_int_equal(ndp_pickle_output_add_byte(&output, (uint8_t)('a' + i)), NDP_OK);
        assert_int_equal(ndp_pickle_output_flush(&output), NDP_OK);
        const uint64_t head = size < 4 ? 0 : HEADER_BYTES;
        assert_int_equal(sink.bytes.size_bytes, head + size);
        assert_int_equal(output.passed_bytes, head + size);
        if (size >= 4) check_frame(&sink, 0, size);
        if (size > 0) assert_memory_equal(sink.bytes.data + head, "abcdefgh", size);
        end(&output, &sink);
    }
}

static void a_frame_ends_between_objects_once_it_is_full(void **state) {
    for (uint64_t size = TARGET_BYTES - 1; size <= TARGET_BYTES + 1; size++) {
        struct sink sink;
        struct ndp_pickle_output output = start(&sink, true);
        assert_int_equal(ndp_pickle_output_boundary(&output), NDP_OK);
        assert_int_equal(ndp_pickle_output_add(&output, filler, size), NDP_OK);
        assert_int_equal(sink.calls, 0);
        assert_int_equal(ndp_pickle_output_boundary(&output), NDP_OK);
        const bool is_full = size >= TARGET_BYTES;
        assert_int_equal(sink.calls, is_full ? 1 : 0);
        assert_int_equal(ndp_pickle_output_add(&output, "abcd", 4), NDP_OK);
        assert_int_equal(ndp_pickle_output_flush(&output), NDP_OK);
        check_frame(&sink, 0, is_full ? size : size + 4);
        if (is_full) check_frame(&sink, HEADER_BYTES + size, 4);
        assert_int_equal(sink.bytes.size_bytes, size + 4 + (is_full ? 2U : 1U) * (uint64_t)HEADER_BYTES);
        end(&output, &sink);
    }
}

static void large_payloads_are_outside_of_frames(void **state) {
    for (uint64_t size = TARGET_BYTES - 1; size <= TARGET_BYTES; size++) {
        const bool is_outside = size >= TARGET_BYTES;
        struct sink sink;
        struct ndp_pickle_output output = start(&sink, true);
        assert_int_equal(ndp_pickle_output_add(&output, "before", 6), NDP_OK);
        assert_int_equal(
            ndp_pickle_output_add_payload(&output, (const uint8_t *)"head", 4, (struct ndp_bytes){filler, size}),
            NDP_OK);
        assert_int_equal(ndp_pickle_output_add(&output, "behind", 6), NDP_OK);
        assert_int_equal(ndp_pickle_output_flush(&output), NDP_OK);
        check_frame(&sink, 0, is_outside ? 6 : 6 + 4 + size + 6);
        assert_memory_equal(sink.bytes.data + HEADER_BYTES, "beforehead", 10);
        if (is_outside) check_frame(&sink, HEADER_BYTES + 10 + size, 6);
        assert_int_equal(sink.bytes.size_bytes, 16 + size + (is_outside ? 2U : 1U) * (uint64_t)HEADER_BYTES);
        assert_int_equal(output.passed_bytes, sink.bytes.size_bytes);
        assert_memory_equal(sink.bytes.data + sink.bytes.size_bytes - 6, "behind", 6);
        end(&output, &sink);
    }
}

/* Without frames the bytes are passed on at 64 KiB, without additions. */
static void without_frames_bytes_are_unchanged(void **state) {
    struct sink sink;
    struct ndp_pickle_output output = start(&sink, false);
    for (uint32_t i = 0; i < 40000; i++) {
        const uint8_t pair[2] = {(uint8_t)i, (uint8_t)(i >> 8)};
        assert_int_equal(i % 2 == 0 ? ndp_pickle_output_add(&output, pair, 2)
                                    : ndp_pickle_output_add_byte(&output, pair[0]),
                         NDP_OK);
        if (i % 2 == 1) assert_int_equal(ndp_pickle_output_add_byte(&output, pair[1]), NDP_OK);
        assert_int_equal(ndp_pickle_output_boundary(&output), NDP_OK);
    }
    assert_int_equal(sink.calls, 1);
    assert_int_equal(sink.bytes.size_bytes, TARGET_BYTES);
    assert_int_equal(ndp_pickle_output_flush(&output), NDP_OK);
    assert_int_equal(ndp_pickle_output_flush(&output), NDP_OK);
    assert_int_equal(sink.bytes.size_bytes, 80000);
    for (uint32_t i = 0; i < 40000; i++) assert_int_equal(ndp_load_u16le(sink.bytes.data + (size_t)2 * i), i);
    end(&output, &sink);
}

static void errors_of_the_sink_are_returned(void **state) {
    for (uint32_t calls = 0; calls < 4; calls++) {
        struct sink sink;
        struct ndp_pickle_output output = start(&sink, true);
        sink.calls_left = calls;
        enum ndp_status status = ndp_pickle_output_add(&output, "before", 6);
        if (status == NDP_OK)
            status = ndp_pickle_output_add_payload(&output, (const uint8_t *)"h", 1,
                                                   (struct ndp_bytes){filler, sizeof(filler)});
        assert_int_equal(status, calls < 2 ? NDP_IO : NDP_OK);
        if (status == NDP_OK) assert_int_equal(ndp_pickle_output_add(&output, "behind", 6), NDP_OK);
        if (status == NDP_OK) assert_int_equal(ndp_pickle_output_flush(&output), calls < 3 ? NDP_IO : NDP_OK);
        end(&output, &sink);
    }
    struct sink sink;
    struct ndp_pickle_output output = start(&sink, false);
    assert_int_equal(ndp_pickle_output_add(&output, "x", UINT64_MAX - 3), NDP_NOMEM);
    assert_int_equal(ndp_pickle_output_add(&output, "x", UINT64_MAX / 2), NDP_NOMEM);
    end(&output, &sink);
}

NDP_SUITE(pickle_output_test, NDP_TEST(shorter_frames_than_four_bytes_lose_their_header),
          NDP_TEST(a_frame_ends_between_objects_once_it_is_full), NDP_TEST(large_payloads_are_outside_of_frames),
          NDP_TEST(without_frames_bytes_are_unchanged), NDP_TEST(errors_of_the_sink_are_returned));
