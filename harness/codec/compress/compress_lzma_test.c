/* compress_lzma_test.c: expected streams: CPython 3.11, lzma.compress(text, preset=level), with
 * format=lzma.FORMAT_ALONE for .lzma, which has no checksum. */
#include "base/suite.h"
#include "codec/compress/compress_coder_run.h"

static const struct ndp_bytes text = {(const uint8_t *)CODER_TEXT, sizeof(CODER_TEXT)};

static const struct {
    bool is_xz;
    int level;
    const char *hex;
} rows[] = {
    {true, 0,
     "fd377a585a000004e6d6b446020021010c0000008f98419ce0001c00125d00309b80051263c6b5818be60732799080000000000004c22af2e"
     "29094c700012e1dded087481fb6f37d010000000004595a"},
    {true, 6,
     "fd377a585a000004e6d6b4460200210116000000742fe5a3e0001c00125d00309b80051268539d8b125bcca7551000000000000004c22af2e"
     "29094c700012e1dded087481fb6f37d010000000004595a"},
    {false, 0, "5d00000400ffffffffffffffff00309b80051263c6b5818be6073279937cc8ebfffe987000"},
    {false, 6, "5d00008000ffffffffffffffff00309b80051268539d8b125bcca755624b6e5fffd5c44000"},
};

static enum ndp_status start_xz(struct ndp_block_pool *pool, struct ndp_coder *out) {
    return ndp_compress_lzma_reader(pool, true, UINT64_C(1) << 27, out);
}

static enum ndp_status start_alone(struct ndp_block_pool *pool, struct ndp_coder *out) {
    return ndp_compress_lzma_reader(pool, false, UINT64_C(1) << 27, out);
}

/* Level 6 needs 8 MiB and some overhead. */
static enum ndp_status start_poor_xz(struct ndp_block_pool *pool, struct ndp_coder *out) {
    return ndp_compress_lzma_reader(pool, true, UINT64_C(1) << 22, out);
}

static enum ndp_status start_poor_alone(struct ndp_block_pool *pool, struct ndp_coder *out) {
    return ndp_compress_lzma_reader(pool, false, UINT64_C(1) << 22, out);
}

static void streams_are_read_and_no_cut_or_change_passes(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        coder_check_reader(rows[i].is_xz ? start_xz : start_alone, rows[i].hex, text);
        if (rows[i].is_xz) coder_check_changes(start_xz, rows[i].hex, text);
    }
    coder_check_reader(start_xz, "fd377a585a000004e6d6b446000000001cdf44211fb6f37d010000000004595a",
                       (struct ndp_bytes){NULL, 0});
    /* Without a checksum, lzma.CHECK_NONE. */
    coder_check_reader(
        start_xz,
        "fd377a585a000000ff12d9410200210116000000742fe5a3e0001c00125d00309b80051268539d8b125bcca7551000000"
        "00000000001261dd65a5e8006729e7a010000000000595a",
        text);
}

/* As lzma.compress(data, filters=[{"id": lzma.FILTER_LZMA2, "preset": level, "dict_size": d}]) of CPython 3.11, or
 * FILTER_LZMA1 in FORMAT_ALONE: d is 4096 for inputs below that size, 65536 up to that size, and the preset's default
 * above. */
static void small_inputs_have_small_dictionaries(void **state) {
    static const struct {
        bool is_xz;
        int level;
        uint32_t count; /* number of "a"; 0: the text */
        const char *hex;
    } written[] = {
        {true, 0, 0,
         "fd377a585a000004e6d6b4460200210100000000372797d6e0001c00125d00309b80051263c6b5818be60732799080000000000004c22"
         "af2e29094c700012e1dded087481fb6f37d010000000004595a"},
        {true, 0, 4095,
         "fd377a585a000004e6d6b4460200210100000000372797d6e00ffe001a5d0030effbbffea3b15ee5f83fb2aa2655f868704170150d5fc"
         "827000000000b7ece91230c9c19000136ff1f00000028b068d3b1c467fb020000000004595a"},
        {true, 0, 4096,
         "fd377a585a000004e6d6b4460200210108000000d80f2313e00fff00195d0030effbbffea3b15ee5f83fb2aa2655f868704170150e241"
         "8cf0000000029a60d599be5108300013580200000006f5d3686b1c467fb020000000004595a"},
        {true, 0, 65536,
         "fd377a585a000004e6d6b4460200210108000000d80f2313e0ffff004c5d0030effbbffea3b15ee5f83fb2aa2655f868704170150f8df"
         "d1e4c1b8a42b719f4691871ae66238a8a4d2fa30dd97fa6e38c231153e05918c5758ae277f8b6947f0c6ac0de7449645c9e3ad1000070"
         "049e7062cd34e000016880800400009ff7447cb1c467fb020000000004595a"},
        {true, 0, 65537,
         "fd377a585a000004e6d6b446020021010c0000008f98419ce10000004c5d0030effbbffea3b15ee5f83fb2aa2655f868704170150f8df"
         "d1e4c1b8a42b719f4691871ae66238a8a4d2fa30dd97fa6e38c231153e05918c5758ae277f8b6947f0c6ac0de7449645ce2aed100007b"
         "9883543878f8d100016881800400002fde2441b1c467fb020000000004595a"},
        {true, 6, 0,
         "fd377a585a000004e6d6b4460200210100000000372797d6e0001c00125d00309b80051268539d8b125bcca7551000000000000004c22"
         "af2e29094c700012e1dded087481fb6f37d010000000004595a"},
        {false, 0, 0, "5d00100000ffffffffffffffff00309b80051263c6b5818be6073279937cc8ebfffe987000"},
        {false, 0, 4095, "5d00100000ffffffffffffffff0030effbbffea3b15ee5f83fb2aa2655f868704170150db887f8fdffdb6b0000"},
        {false, 0, 4096, "5d00000100ffffffffffffffff0030effbbffea3b15ee5f83fb2aa2655f868704170150ee40930ffffb52c0000"},
        {false, 0, 65536,
         "5d00000100ffffffffffffffff0030effbbffea3b15ee5f83fb2aa2655f868704170150f8dfd1e4c1b8a42b719f4691871ae66238a8a4"
         "d2fa30dd97fa6e38c231153e05918c5758ae277f8b6947f0c6ac0de7449645ca3cde7a3ffff0c1c0000"},
        {false, 0, 65537,
         "5d00000400ffffffffffffffff0030effbbffea3b15ee5f83fb2aa2655f868704170150f8dfd1e4c1b8a42b719f4691871ae66238a8a4"
         "d2fa30dd97fa6e38c231153e05918c5758ae277f8b6947f0c6ac0de7449645ce84235d3ffff0c100000"},
        {false, 6, 0, "5d00100000ffffffffffffffff00309b80051268539d8b125bcca755624b6e5fffd5c44000"},
    };
    static uint8_t many[65537];
    memset(many, 'a', sizeof(many));
    for (size_t i = 0; i < NDP_ARRAY_LEN(written) * 2; i++) {
        const uint32_t count = written[i / 2].count;
        struct ndp_coder coder;
        assert_int_equal(ndp_compress_lzma_writer(NULL, written[i / 2].is_xz, written[i / 2].level, &coder), NDP_OK);
        coder_check_writer(&coder, i % 2 == 0 ? 100000 : 1, count == 0 ? text : (struct ndp_bytes){many, count},
                           written[i / 2].hex);
    }
}

static void requests_for_too_much_memory_are_a_limit(void **state) {
    assert_int_equal(coder_status(start_poor_xz, rows[1].hex), NDP_LIMIT);
    assert_int_equal(coder_status(start_poor_alone, rows[3].hex), NDP_LIMIT);
    assert_int_equal(coder_status(start_poor_xz, rows[0].hex), NDP_OK);
    assert_int_equal(coder_status(start_poor_alone, rows[2].hex), NDP_OK);
    /* A dictionary of 4 GiB. */
    assert_int_equal(coder_status(start_alone, "5d00000080ffffffffffffffff00"), NDP_LIMIT);
}

static void invalid_streams_are_refused(void **state) {
    assert_int_equal(coder_status(start_xz, rows[2].hex), NDP_INVALID);
    assert_int_equal(coder_status(start_alone, rows[0].hex), NDP_INVALID);
    assert_int_equal(coder_status(start_alone, "e100000400ffffffffffffffff00"), NDP_INVALID);
    struct ndp_coder coder = {0};
    for (int is_xz = 0; is_xz < 2; is_xz++) {
        assert_int_equal(ndp_compress_lzma_writer(NULL, is_xz, 10, &coder), NDP_INVALID);
        assert_int_equal(ndp_compress_lzma_writer(NULL, is_xz, -1, &coder), NDP_INVALID);
    }
    assert_null(coder.state);
}

NDP_SUITE(compress_lzma_test, NDP_TEST(streams_are_read_and_no_cut_or_change_passes),
          NDP_TEST(small_inputs_have_small_dictionaries), NDP_TEST(requests_for_too_much_memory_are_a_limit),
          NDP_TEST(invalid_streams_are_refused));
