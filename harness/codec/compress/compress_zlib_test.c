/* compress_zlib_test.c: expected streams: CPython 3.11: zlib.compress(text, level), and for gzip
 * zlib.compressobj(level, zlib.DEFLATED, 31), which sets the system byte to 3 and the time to 0. */
#include "base/suite.h"
#include "codec/compress/compress_coder_run.h"

static const struct ndp_bytes text = {(const uint8_t *)CODER_TEXT, sizeof(CODER_TEXT)};

static const struct {
    bool is_gzip;
    int level;
    const char *hex;
} rows[] = {
    {false, 0, "7801011d00e2ff616e2061727261792c20616e2061727261792c20616e20617272617900954309c3"},
    {false, 1, "78014bcc53482c2a4aacd45148c460310000954309c3"},
    {false, 6, "789c4bcc53482c2a4aacd45148c460310000954309c3"},
    {false, 9, "78da4bcc53482c2a4aacd45148c460310000954309c3"},
    {true, 1, "1f8b08000000000004034bcc53482c2a4aacd45148c4603100009c6808d51d000000"},
    {true, 9, "1f8b08000000000002034bcc53482c2a4aacd45148c4603100009c6808d51d000000"},
};

static enum ndp_status start_zlib(struct ndp_block_pool *pool, struct ndp_coder *out) {
    return ndp_compress_zlib_reader(pool, false, out);
}

static enum ndp_status start_gzip(struct ndp_block_pool *pool, struct ndp_coder *out) {
    return ndp_compress_zlib_reader(pool, true, out);
}

static void streams_are_read_and_no_cut_or_change_passes(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        coder_check_reader(rows[i].is_gzip ? start_gzip : start_zlib, rows[i].hex, text);
        coder_check_changes(rows[i].is_gzip ? start_gzip : start_zlib, rows[i].hex, text);
    }
    coder_check_reader(start_zlib, "789c030000000001", (struct ndp_bytes){NULL, 0});
}

static void levels_give_the_bytes_of_python(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows) * 2; i++) {
        struct ndp_coder coder;
        assert_int_equal(ndp_compress_zlib_writer(NULL, rows[i / 2].is_gzip, rows[i / 2].level, &coder), NDP_OK);
        coder_check_writer(&coder, i % 2 == 0 ? 1000 : 1, text, rows[i / 2].hex);
    }
}

static void invalid_streams_are_refused(void **state) {
    static const struct {
        coder_start *start;
        const char *hex;
    } bad[] = {
        {start_zlib, "1f8b08000000000004034bcc53482c2a4aacd45148c4603100009c6808d51d000000"},
        {start_gzip, "789c4bcc53482c2a4aacd45148c460310000954309c3"},
        {start_zlib, "789c4bcc53482c2a4aacd45148c460310000954309c4"},                         /* its checksum */
        {start_gzip, "1f8b08000000000004034bcc53482c2a4aacd45148c4603100009c6808d51e000000"}, /* its length */
        {start_zlib, "789d4bcc53482c2a4aacd45148c460310000954309c3"}, /* the checksum of its header */
        {start_zlib, "789c06"},                                       /* an invalid block type */
        /* A preset dictionary: compressobj(6, zdict=b"an array"). */
        {start_zlib, "78bb0d10030f4b84d23a0a982c0600954309c3"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(bad); i++)
        if (coder_status(bad[i].start, bad[i].hex) != NDP_INVALID) fail_msg("row %zu", i);
}

static void invalid_levels_are_refused(void **state) {
    struct ndp_coder coder = {0};
    assert_int_equal(ndp_compress_zlib_writer(NULL, false, 10, &coder), NDP_INVALID);
    assert_int_equal(ndp_compress_zlib_writer(NULL, true, -2, &coder), NDP_INVALID);
    assert_null(coder.state);
}

NDP_SUITE(compress_zlib_test, NDP_TEST(streams_are_read_and_no_cut_or_change_passes),
          NDP_TEST(levels_give_the_bytes_of_python), NDP_TEST(invalid_streams_are_refused),
          NDP_TEST(invalid_levels_are_refused));
