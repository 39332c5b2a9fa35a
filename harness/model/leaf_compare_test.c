#include "base/suite.h"
#include "model/dtype_samples.h"
#include "model/equality.h"
#include "model/leaf.h"

struct pair {
    const char *what;
    const char *left;
    const char *left_hex;
    const char *right;
    const char *right_hex;
    bool is_equal;      /* strictly */
    bool is_equal_nuls; /* trailing NULs masked */
    bool is_equal_nans; /* payloads of NaNs masked */
};

/* IEEE 754 encodings, the x87 format, and NumPy's rules for S and U, where trailing NULs do not count. */
static const struct pair pairs[] = {
    {"same order", "<i4", "01020304", "<i4", "01020304", true, true, true},
    {"other order", "<i4", "01020304", ">i4", "04030201", true, true, true},
    {"other order, same bytes", "<i4", "01020304", ">i4", "01020304", false, false, false},
    {"both zeros", "<f4", "00000000", "<f4", "00000080", false, false, false},
    {"NaN payload", "<f4", "0000c07f", "<f4", "0100c07f", false, false, true},
    {"NaN sign", "<f8", "000000000000f87f", ">f8", "fff8000000000000", false, false, true},
    {"quiet and signalling", "<f2", "007e", "<f2", "017c", false, false, true},
    {"infinity is not a NaN", "<f2", "007c", "<f2", "017c", false, false, false},
    {"imaginary parts", "<c8", "0000803f0000c07f", ">c8", "3f8000007fc00001", false, false, true},
    {"real parts swapped", "<c8", "0000803f00000040", "<c8", "000000400000803f", false, false, false},
    {"tail of a long double", "<f16", "0000000000000080ff3fa1a2a3a4a5a6", "<f16", "0000000000000080ff3f000000000000",
     true, true, true},
    {"tail before a big-endian one", ">f16", "a1a2a3a4a5a63fff8000000000000000", "<f16",
     "0000000000000080ff3f000000000000", true, true, true},
    {"value of a long double", "<f16", "0100000000000080ff3f000000000000", "<f16", "0000000000000080ff3f000000000000",
     false, false, false},
    {"pseudo-NaN is not a NaN", "<f16", "0000000000000040ff7f000000000000", "<f16", "01000000000000c0ff7f000000000000",
     false, false, false},
    {"long double NaNs", "<f16", "00000000000000c0ff7f000000000000", "<f16", "01000000000000c0ff7f000000000000", false,
     false, true},
    {"bool bytes", "|b1", "01", "|b1", "02", false, false, false},
    {"S shorter", "|S1", "41", "|S3", "410000", false, true, false},
    {"S with more", "|S1", "41", "|S3", "410042", false, false, false},
    {"S of the same size", "|S2", "4100", "|S2", "4100", true, true, true},
    {"U shorter, other order", "<U1", "41000000", ">U2", "0000004100000000", false, true, false},
    {"S0 and NULs", "|S0", "", "|S2", "0000", false, true, false},
    {"V counts every byte", "|V2", "4100", "|V2", "4101", false, false, false},
    {"nothing at all", "|V0", "", "|V0", "", true, true, true},
};

static struct ndp_dtype leaf_of(const char *typestr) {
    struct ndp_dtype leaf;
    assert_int_equal(ndp_dtype_read_typestr(ndp_bytes_view(typestr), &leaf, NULL), NDP_OK);
    return leaf;
}

static struct ndp_bytes bytes_of(struct ndp_arena *arena, const char *hex) {
    struct ndp_bytes bytes;
    assert_int_equal(ndp_hex_read(arena, hex, &bytes, NULL), NDP_OK);
    return bytes;
}

static void check_pair(struct ndp_arena *arena, const struct pair *row, uint32_t mask, bool is_equal) {
    const struct ndp_dtype a = leaf_of(row->left), b = leaf_of(row->right);
    const struct ndp_bytes x = bytes_of(arena, row->left_hex), y = bytes_of(arena, row->right_hex);
    assert_int_equal(x.size_bytes, a.itemsize_bytes);
    assert_int_equal(y.size_bytes, b.itemsize_bytes);
    if (a.itemsize_bytes != b.itemsize_bytes && (mask & NDP_MASK_TRAILING_NULS) == 0) return;
    if (ndp_leaf_is_equal(&a, x.data, &b, y.data, mask) != is_equal) fail_msg("%s, mask %u", row->what, mask);
    if (ndp_leaf_is_equal(&b, y.data, &a, x.data, mask) != is_equal) fail_msg("%s, swapped, mask %u", row->what, mask);
}

static void leaves_are_equal_by_value(void **state) {
    NDP_ARENA_SCOPED(arena, 1 << 16);
    for (size_t i = 0; i < NDP_ARRAY_LEN(pairs); i++) {
        check_pair(&arena, &pairs[i], NDP_MASK_NONE, pairs[i].is_equal);
        check_pair(&arena, &pairs[i], NDP_MASK_TRAILING_NULS, pairs[i].is_equal_nuls);
        check_pair(&arena, &pairs[i], NDP_MASK_NAN_PAYLOAD, pairs[i].is_equal_nans);
    }
}

struct printed {
    const char *typestr;
    const char *hex;
    const char *text;
};

/* Numbers in Python's format (int.from_bytes, struct.unpack with "%.17g" and "%.9g"). */
static const struct printed printed[] = {
    {"<i2", "ffff", "-1"},
    {">i2", "8000", "-32768"},
    {"|i1", "80", "-128"},
    {"<u2", "ffff", "65535"},
    {"<i8", "ffffffffffffff7f", "9223372036854775807"},
    {"<M8[s]", "0000000000000080", "NaT"},
    {"<m8[s]", "0100000000000000", "1"},
    {"|b1", "02", "0x02"},
    {"<f4", "0000803f", "1 0x3f800000"},
    {">f8", "bff8000000000000", "-1.5 0xbff8000000000000"},
    {"<f2", "003c", "0x3c00"},
    {"<f16", "0000000000000080ff3fa1a2a3a4a5a6", "0x3fff8000000000000000"},
    {"<c8", "0000803f00000040", "1 0x3f800000, 2 0x40000000"},
    {"|S3", "410042", "hex 410042"},
    {">U2", "000000410010ffff", "U+0041 U+10FFFF"},
    {"|V0", "", "empty"},
    {"|O", "feffffffffffffff", "-2"},
};

static void leaves_print_readably(void **state) {
    NDP_ARENA_SCOPED(arena, 1 << 16);
    for (size_t i = 0; i < NDP_ARRAY_LEN(printed); i++) {
        char text[NDP_DIFFERENCE_TEXT_BYTES];
        const struct ndp_dtype leaf = leaf_of(printed[i].typestr);
        ndp_leaf_print(&leaf, bytes_of(&arena, printed[i].hex).data, text, sizeof text);
        assert_string_equal(text, printed[i].text);
    }
}

static void a_long_text_is_truncated(void **state) {
    uint8_t bytes[64] = {1};
    char text[8];
    struct ndp_dtype leaf = leaf_of("|S64");
    ndp_leaf_print(&leaf, bytes, text, sizeof text);
    assert_string_equal(text, "hex 010");
    leaf = leaf_of("<f8");
    ndp_leaf_print(&leaf, bytes, text, sizeof text);
    assert_int_equal(strlen(text), 7);
}

NDP_SUITE(leaf_compare_test, NDP_TEST(leaves_are_equal_by_value), NDP_TEST(leaves_print_readably),
          NDP_TEST(a_long_text_is_truncated));
