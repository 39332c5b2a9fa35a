/* compress_lz4_test.c: expected frames: Python's lz4 4.4: lz4.frame.LZ4FrameFile for the writer, and lz4.frame.compress
 * with checksums and content size for frames that are only read. */
#include "base/suite.h"
#include "codec/compress/compress_coder_run.h"

static const struct ndp_bytes text = {(const uint8_t *)CODER_TEXT, sizeof(CODER_TEXT)};
static const char frame[] = "04224d184040c013000000aa616e2061727261792c200a0050727261790000000000";
static const char checked[] =
    "04224d187c401d000000000000008e13000000aa616e2061727261792c200a0050727261790099edf6a80000000"
    "0ac217092";

static void frames_are_read_and_no_cut_or_change_passes(void **state) {
    coder_check_reader(ndp_compress_lz4_reader, frame, text);
    coder_check_reader(ndp_compress_lz4_reader, checked, text);
    coder_check_changes(ndp_compress_lz4_reader, checked, text);
    coder_check_reader(ndp_compress_lz4_reader,
                       "04224d18604082000000"
                       "00",
                       (struct ndp_bytes){NULL, 0});
}

static void frames_are_those_of_python(void **state) {
    static const int levels[] = {0, 3, 9};
    for (size_t i = 0; i < NDP_ARRAY_LEN(levels) * 2; i++) {
        struct ndp_coder coder;
        assert_int_equal(ndp_compress_lz4_writer(NULL, levels[i / 2], &coder), NDP_OK);
        coder_check_writer(&coder, i % 2 == 0 ? 1000 : 64, text, frame);
    }
}

/* Pending output waits for room, down to one byte at a time. */
static void pending_output_waits_for_room(void **state) {
    struct ndp_coder coder;
    uint8_t byte = 0;
    bool is_end = false;
    NDP_BUFFER_SCOPED(out, CODER_BYTES_MAX);
    NDP_BUFFER_SCOPED(digits, CODER_BYTES_MAX);
    assert_int_equal(ndp_compress_lz4_writer(NULL, 0, &coder), NDP_OK);
    struct ndp_coder_io io = {text.data, (size_t)text.size_bytes, &byte, 1, true, false};
    for (uint32_t i = 0; i < 100 && !is_end; i++) {
        io.out = &byte;
        io.out_bytes = 1;
        assert_int_equal(coder.step(coder.state, &io), NDP_OK);
        assert_int_equal(ndp_buffer_add(&out, &byte, 1 - io.out_bytes), NDP_OK);
        is_end = io.is_end;
    }
    coder.free(coder.state);
    assert_true(is_end);
    assert_int_equal(ndp_hex_add(&digits, ndp_buffer_view(&out)), NDP_OK);
    assert_true(ndp_bytes_is_equal(ndp_buffer_view(&digits), ndp_bytes_view(frame)));
}

/* The frame above with an oversized last block: its text is returned first, with any amount of room. */
static void output_before_a_corrupt_block_is_returned(void **state) {
    static const uint8_t broken[] = "\x04\"M\x18@@\xc0\x13\0\0\0\xaa"
                                    "an array, \n\0Prray\0\xff\xff\xff\x7f";
    for (size_t room = 1; room < text.size_bytes + 2; room++) {
        struct ndp_coder coder;
        uint8_t out[64];
        size_t got = 0;
        enum ndp_status status = NDP_OK;
        assert_int_equal(ndp_compress_lz4_reader(NULL, &coder), NDP_OK);
        struct ndp_coder_io io = {.in = broken, .in_bytes = sizeof broken - 1, .is_last = true};
        for (uint32_t i = 0; i < 100 && status == NDP_OK; i++) {
            io.out = out + got;
            io.out_bytes = got + room < sizeof out ? room : 0;
            status = coder.step(coder.state, &io);
            if (status == NDP_OK) got = (size_t)(io.out - out);
        }
        coder.free(coder.state);
        assert_int_equal(status, NDP_INVALID);
        assert_int_equal(got, text.size_bytes);
        assert_memory_equal(out, text.data, got);
    }
}

static void invalid_frames_are_refused(void **state) {
    static const char *const bad[] = {
        "04224d194040c013000000", /* the magic */
        "04224d188040c013000000", /* an unsupported version */
        "04224d184040c113000000", /* the checksum of the header */
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(bad); i++)
        if (coder_status(ndp_compress_lz4_reader, bad[i]) != NDP_INVALID) fail_msg("%s", bad[i]);
}

NDP_SUITE(compress_lz4_test, NDP_TEST(frames_are_read_and_no_cut_or_change_passes),
          NDP_TEST(frames_are_those_of_python), NDP_TEST(pending_output_waits_for_room),
          NDP_TEST(output_before_a_corrupt_block_is_returned), NDP_TEST(invalid_frames_are_refused));
