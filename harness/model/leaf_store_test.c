#include "base/byteorder.h"
#include "base/suite.h"
#include "model/dtype_samples.h"
#include "model/equality.h"
#include "model/leaf.h"

/* Bytes for k = 0, 1, 7, 255, 300 and `last`. */
enum { NUMBERS = 6 };
struct index_case {
    const char *typestr;
    uint64_t last;
    const char *hex[NUMBERS];
};

/* numpy.array(k, typestr).tobytes() of NumPy 2.4.6; integers from k modulo their size, complex from k + (k + 1)j, S
 * and U from the last three digits; the tail of a long double is zero. */
static const struct index_case indices[] = {
    {"|b1", 1234567, NDP_ROWS("00", "01", "01", "01", "00", "01")},
    {"|i1", 1234567, NDP_ROWS("00", "01", "07", "ff", "2c", "87")},
    {">i2", 1234567, NDP_ROWS("0000", "0001", "0007", "00ff", "012c", "d687")},
    {"<i4", 1234567, NDP_ROWS("00000000", "01000000", "07000000", "ff000000", "2c010000", "87d61200")},
    {">u8", 1234567,
     NDP_ROWS("0000000000000000", "0000000000000001", "0000000000000007", "00000000000000ff", "000000000000012c",
              "000000000012d687")},
    {"<f2", 2047, NDP_ROWS("0000", "003c", "0047", "f85b", "b05c", "ff67")},
    {">f2", 2047, NDP_ROWS("0000", "3c00", "4700", "5bf8", "5cb0", "67ff")},
    {"<f4", 1234567, NDP_ROWS("00000000", "0000803f", "0000e040", "00007f43", "00009643", "38b49649")},
    {">f4", 1234567, NDP_ROWS("00000000", "3f800000", "40e00000", "437f0000", "43960000", "4996b438")},
    {"<f8", 1234567,
     NDP_ROWS("0000000000000000", "000000000000f03f", "0000000000001c40", "0000000000e06f40", "0000000000c07240",
              "0000000087d63241")},
    {">f8", 1234567,
     NDP_ROWS("0000000000000000", "3ff0000000000000", "401c000000000000", "406fe00000000000", "4072c00000000000",
              "4132d68700000000")},
    {"<f16", 1234567,
     NDP_ROWS("00000000000000000000000000000000", "0000000000000080ff3f000000000000",
              "00000000000000e00140000000000000", "00000000000000ff0640000000000000",
              "00000000000000960740000000000000", "000000000038b4961340000000000000")},
    {">f16", 1234567,
     NDP_ROWS("00000000000000000000000000000000", "0000000000003fff8000000000000000",
              "0000000000004001e000000000000000", "0000000000004006ff00000000000000",
              "00000000000040079600000000000000", "000000000000401396b4380000000000")},
    {"<c8", 1234567,
     NDP_ROWS("000000000000803f", "0000803f00000040", "0000e04000000041", "00007f4300008043", "0000964300809643",
              "38b4964940b49649")},
    {">c16", 1234567,
     NDP_ROWS("00000000000000003ff0000000000000", "3ff00000000000004000000000000000",
              "401c0000000000004020000000000000", "406fe000000000004070000000000000",
              "4072c000000000004072d00000000000", "4132d687000000004132d68800000000")},
    {"<M8[s]", 1234567,
     NDP_ROWS("0000000000000000", "0100000000000000", "0700000000000000", "ff00000000000000", "2c01000000000000",
              "87d6120000000000")},
    {">m8[s]", 1234567,
     NDP_ROWS("0000000000000000", "0000000000000001", "0000000000000007", "00000000000000ff", "000000000000012c",
              "000000000012d687")},
    {"|S3", 1234567, NDP_ROWS("300000", "310000", "370000", "323535", "333030", "353637")},
    {"|S2", 9, NDP_ROWS("3000", "3100", "3700", "3535", "3030", "3900")},
    {"<U3", 1234567,
     NDP_ROWS("300000000000000000000000", "310000000000000000000000", "370000000000000000000000",
              "320000003500000035000000", "330000003000000030000000", "350000003600000037000000")},
    {">U3", 1234567,
     NDP_ROWS("000000300000000000000000", "000000310000000000000000", "000000370000000000000000",
              "000000320000003500000035", "000000330000003000000030", "000000350000003600000037")},
};

static struct ndp_dtype leaf_of(const char *typestr) {
    struct ndp_dtype leaf;
    assert_int_equal(ndp_dtype_read_typestr(ndp_bytes_view(typestr), &leaf, NULL), NDP_OK);
    return leaf;
}

static void numbers_are_stored_like_numpy(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(indices) * NUMBERS; i++) {
        const struct index_case *row = &indices[i / NUMBERS];
        const uint64_t numbers[NUMBERS] = {0, 1, 7, 255, 300, row->last}, k = numbers[i % NUMBERS];
        struct ndp_bytes expected;
        uint8_t bytes[40];
        const struct ndp_dtype leaf = leaf_of(row->typestr);
        NDP_ARENA_SCOPED(arena, 4096);
        assert_int_equal(ndp_hex_read(&arena, row->hex[i % NUMBERS], &expected, NULL), NDP_OK);
        memset(bytes, 0xcc, sizeof bytes);
        ndp_leaf_store_index(&leaf, k, bytes);
        if (!ndp_bytes_is_equal(expected, (struct ndp_bytes){bytes, leaf.itemsize_bytes}))
            fail_msg("%s %lu", row->typestr, (unsigned long)k);
        assert_int_equal(bytes[leaf.itemsize_bytes], 0xcc);
    }
}

static void small_floats_count_modulo_their_exact_range(void **state) {
    const struct ndp_dtype half = leaf_of("<f2"), single = leaf_of("<f4");
    uint8_t a[4], b[4];
    ndp_leaf_store_index(&half, 2048 + 5, a);
    ndp_leaf_store_index(&half, 5, b);
    assert_memory_equal(a, b, 2);
    ndp_leaf_store_index(&single, (1 << 24) + 5, a);
    ndp_leaf_store_index(&single, 5, b);
    assert_memory_equal(a, b, 4);
}

/* Whether one of the first 64 boundary values has these bytes. */
static bool has_special(const char *typestr, const uint8_t *bytes) {
    const struct ndp_dtype leaf = leaf_of(typestr);
    for (uint64_t k = 0; k < 64; k++) {
        uint8_t stored[32];
        ndp_leaf_store_special(&leaf, k, stored);
        if (memcmp(stored, bytes, leaf.itemsize_bytes) == 0) return true;
    }
    return false;
}

#define BYTES(...) ((const uint8_t[]){__VA_ARGS__})

/* Clauses 8.2 rows 17 to 22 (corpus/index.json): IEEE 754-2008 table 3.5, NumPy's NaT, Intel's manual for x87. */
static void boundary_values_are_among_the_special_ones(void **state) {
    assert_true(has_special("|b1", BYTES(2)) && has_special("|b1", BYTES(0xff)));
    assert_true(has_special("|i1", BYTES(0x80)) && has_special("|i1", BYTES(0x7f)) && has_special("|u1", BYTES(0xff)));
    assert_true(has_special(">i4", BYTES(0x80, 0, 0, 0)) && has_special("<i4", BYTES(0xff, 0xff, 0xff, 0x7f)));
    assert_true(has_special("<M8[s]", BYTES(0, 0, 0, 0, 0, 0, 0, 0x80)));
    assert_true(has_special("<f2", BYTES(0x01, 0x7c)) && has_special("<f2", BYTES(0x00, 0x80)));
    assert_true(has_special(">f4", BYTES(0x7f, 0x80, 0, 1)) && has_special(">f4", BYTES(0xff, 0x80, 0, 0)));
    assert_true(has_special(">f8", BYTES(0x7f, 0xf8, 0, 0, 0xde, 0xad, 0xbe, 0xef)));
    assert_true(has_special(">f8", BYTES(0, 0, 0, 0, 0, 0, 0, 1)));
    assert_true(has_special("<U1", BYTES(0, 0xd8, 0, 0)) && has_special(">U1", BYTES(0, 0x10, 0xff, 0xff)));
    assert_true(has_special("|S3", BYTES(0x41, 0, 0xff)));
}

/* Every unit of a text is a code point that Python can represent; NumPy fails on larger ones. */
static void special_texts_are_code_points(void **state) {
    const struct ndp_dtype leaf = leaf_of("<U5");
    for (uint64_t k = 0; k < 64; k++) {
        uint8_t stored[20];
        ndp_leaf_store_special(&leaf, k, stored);
        for (size_t i = 0; i < sizeof stored; i += 4) assert_true(ndp_load_u32le(stored + i) <= 0x10ffff);
    }
}

static void big_endian_is_little_endian_reversed(void **state) {
    static const char *const pairs[][2] = {{"<f2", ">f2"}, {"<f4", ">f4"}, {"<f8", ">f8"}, {"<f16", ">f16"},
                                           {"<i2", ">i2"}, {"<u8", ">u8"}, {"<M8", ">M8"}, {"<U1", ">U1"}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(pairs); i++) {
        const struct ndp_dtype little = leaf_of(pairs[i][0]), big = leaf_of(pairs[i][1]);
        for (uint64_t k = 0; k < 20; k++) {
            uint8_t a[16], b[16], reversed[16];
            ndp_leaf_store_special(&little, k, a);
            ndp_leaf_store_special(&big, k, b);
            ndp_byteorder_copy_reversed(reversed, b, little.itemsize_bytes);
            assert_memory_equal(a, reversed, little.itemsize_bytes);
            assert_true(ndp_leaf_is_equal(&little, a, &big, b, NDP_MASK_NONE));
        }
    }
}

static void the_padding_of_a_long_double_is_set(void **state) {
    uint8_t little[16], big[16];
    bool is_set = false;
    for (uint64_t k = 0; k < 8; k++) {
        ndp_leaf_store_special(&sample_f16, k, little);
        ndp_leaf_store_special(&sample_bigf16, k, big);
        is_set |= little[10] != 0 && little[15] != 0 && big[0] == little[15];
    }
    assert_true(is_set);
}

NDP_SUITE(leaf_store_test, NDP_TEST(numbers_are_stored_like_numpy),
          NDP_TEST(small_floats_count_modulo_their_exact_range), NDP_TEST(boundary_values_are_among_the_special_ones),
          NDP_TEST(special_texts_are_code_points), NDP_TEST(big_endian_is_little_endian_reversed),
          NDP_TEST(the_padding_of_a_long_double_is_set));
