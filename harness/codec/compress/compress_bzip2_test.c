/* compress_bzip2_test.c: expected streams: CPython 3.11, bz2.compress(text, level). */
#include "base/suite.h"
#include "codec/compress/compress_coder_run.h"

static const struct ndp_bytes text = {(const uint8_t *)CODER_TEXT, sizeof(CODER_TEXT)};

static const struct {
    int level;
    const char *hex;
} rows[] = {
    {1, "425a6831314159265359b6c5deb8000005518040004004200110202000310c00da469a5d5c628a329463478bb9229c28485b62ef5c00"},
    {9, "425a6839314159265359b6c5deb8000005518040004004200110202000310c00da469a5d5c628a329463478bb9229c28485b62ef5c00"},
};

static void streams_are_read_and_no_cut_or_change_passes(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        coder_check_reader(ndp_compress_bzip2_reader, rows[i].hex, text);
        coder_check_changes(ndp_compress_bzip2_reader, rows[i].hex, text);
    }
    coder_check_reader(ndp_compress_bzip2_reader, "425a683917724538509000000000", (struct ndp_bytes){NULL, 0});
}

static void levels_give_the_bytes_of_python(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows) * 2; i++) {
        struct ndp_coder coder;
        assert_int_equal(ndp_compress_bzip2_writer(NULL, rows[i / 2].level, &coder), NDP_OK);
        coder_check_writer(&coder, i % 2 == 0 ? 1000 : 1, text, rows[i / 2].hex);
    }
}

/* The library treats a step without work as an error of the caller. */
static void a_step_without_input_does_nothing(void **state) {
    struct ndp_coder coder;
    uint8_t room[16];
    struct ndp_coder_io io = {room, 0, room, sizeof(room), false, false};
    assert_int_equal(ndp_compress_bzip2_writer(NULL, 1, &coder), NDP_OK);
    assert_int_equal(coder.step(coder.state, &io), NDP_OK);
    assert_int_equal(io.out_bytes, sizeof(room));
    assert_false(io.is_end);
    coder_check_writer(&coder, 1000, text, rows[0].hex);
}

static void invalid_streams_are_refused(void **state) {
    static const char *const bad[] = {
        "425b6839", "425a6730",         /* the magic, and an invalid block size */
        "425a6839314159265358",         /* no block */
        "425a683917724538509000000001", /* the checksum of an empty stream */
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(bad); i++)
        if (coder_status(ndp_compress_bzip2_reader, bad[i]) != NDP_INVALID) fail_msg("%s", bad[i]);
    struct ndp_coder coder = {0};
    assert_int_equal(ndp_compress_bzip2_writer(NULL, 0, &coder), NDP_INVALID);
    assert_int_equal(ndp_compress_bzip2_writer(NULL, 10, &coder), NDP_INVALID);
    assert_null(coder.state);
}

NDP_SUITE(compress_bzip2_test, NDP_TEST(streams_are_read_and_no_cut_or_change_passes),
          NDP_TEST(levels_give_the_bytes_of_python), NDP_TEST(a_step_without_input_does_nothing),
          NDP_TEST(invalid_streams_are_refused));
