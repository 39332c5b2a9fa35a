#include "base/byteorder.h"
#include "base/suite.h"
#include "model/array.h"
#include "model/dtype_samples.h"

/* {"names": ["t", "o"], "formats": [">U2", "O"], "offsets": [0, 10], "itemsize": 20} */
static const struct ndp_dtype texts = STRUCT(20, AT("t", 0, &sample_bigU2), AT("o", 10, &sample_O));

static void fill_data(enum ndp_pattern pattern, uint64_t seed, const struct ndp_dtype *dtype, uint64_t count,
                      uint8_t *to) {
    const struct ndp_data data = {.pattern = pattern, .seed = seed};
    assert_int_equal(ndp_array_fill_data(&data, dtype, count, to, count * dtype->itemsize_bytes, NULL), NDP_OK);
}

static void zeros_are_zero(void **state) {
    uint8_t bytes[40];
    memset(bytes, 1, sizeof bytes);
    fill_data(NDP_PATTERN_ZEROS, 0, &texts, 2, bytes);
    for (size_t i = 0; i < sizeof bytes; i++) assert_int_equal(bytes[i], 0);
}

/* Leaves are numbered across all items, sub-array elements one by one; padding is zero. */
static void index_numbers_the_leaves(void **state) {
    uint8_t bytes[3 * 37];
    fill_data(NDP_PATTERN_INDEX, 0, &sample_pack, 3, bytes);
    const uint8_t *item = bytes + 37;
    assert_int_equal(ndp_load_u32le(item + 1), 9);
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(item[5 + 2 * i], 0);
        assert_int_equal(item[6 + 2 * i], 10 + i);
    }
    assert_int_equal(ndp_load_u64le(item + 28), UINT64_C(0x4030000000000000)); /* struct.pack("<d", 16) */
    assert_int_equal(item[21], 18);
    assert_int_equal(item[0], 0);
    assert_int_equal(item[36], 0);
    assert_int_equal(item[20], 0);
}

static void special_rotates_with_the_seed(void **state) {
    uint8_t a[8 * 8], b[8 * 8];
    fill_data(NDP_PATTERN_SPECIAL, 3, &sample_f8, 8, a);
    fill_data(NDP_PATTERN_SPECIAL, 4, &sample_f8, 8, b);
    assert_memory_equal(a + 8, b, sizeof b - 8);
    assert_memory_not_equal(a, b, 8);
}

static void special_leaves_marks_in_padding(void **state) {
    uint8_t bytes[37];
    fill_data(NDP_PATTERN_SPECIAL, 0, &sample_pack, 1, bytes);
    assert_int_equal(bytes[0], 0xa5);
    assert_int_equal(bytes[20], 0xa5);
    assert_int_equal(bytes[17], 0xa5);
}

static void random_comes_from_the_seed_alone(void **state) {
    uint8_t a[5 * 37], b[5 * 37];
    fill_data(NDP_PATTERN_RANDOM, 11, &sample_pack, 5, a);
    fill_data(NDP_PATTERN_RANDOM, 11, &sample_pack, 5, b);
    assert_memory_equal(a, b, sizeof a);
    fill_data(NDP_PATTERN_RANDOM, 12, &sample_pack, 5, b);
    assert_memory_not_equal(a, b, sizeof a);
}

static void random_texts_are_code_points_and_objects_small(void **state) {
    static uint8_t bytes[500 * 20];
    bool has_wide = false, has_negative = false, has_padding = false;
    fill_data(NDP_PATTERN_RANDOM, 5, &texts, 500, bytes);
    for (size_t i = 0; i < 500; i++) {
        const uint8_t *item = bytes + 20 * i;
        for (size_t k = 0; k < 8; k += 4) {
            assert_int_equal(item[k], 0);
            assert_true(item[k + 1] <= 0x10);
            has_wide |= item[k + 1] > 0;
        }
        const int64_t object = (int64_t)ndp_load_u64le(item + 10);
        assert_true(object >= -128 && object <= 127);
        has_negative |= object < 0;
        has_padding |= item[18] != 0;
    }
    assert_true(has_wide && has_negative && has_padding);
}

static void hex_must_have_the_size_of_the_base(void **state) {
    uint8_t bytes[8] = {0};
    const struct ndp_data data = {.pattern = NDP_PATTERN_HEX, .bytes = {(const uint8_t *)"abcdefgh", 8}};
    struct ndp_error error;
    assert_int_equal(ndp_array_fill_data(&data, &sample_f8, 1, bytes, 8, &error), NDP_OK);
    assert_memory_equal(bytes, "abcdefgh", 8);
    assert_int_equal(ndp_array_fill_data(&data, &sample_f4, 1, bytes, 4, &error), NDP_INVALID);
    assert_string_equal(error.text, "8 bytes are given, the base has 4");
}

static void memory_of_another_size_is_a_fault(void **state) {
    uint8_t bytes[8] = {0};
    const struct ndp_data data = {.pattern = NDP_PATTERN_INDEX};
    assert_int_equal(ndp_array_fill_data(&data, &sample_f8, 2, bytes, 8, NULL), NDP_FAULT);
    assert_int_equal(ndp_array_fill_data(&data, &sample_f8, UINT64_MAX, bytes, 8, NULL), NDP_FAULT);
}

static void every_sample_takes_every_pattern(void **state) {
    for (size_t i = 0; sample_at(i); i++) {
        static const enum ndp_pattern patterns[] = {NDP_PATTERN_INDEX, NDP_PATTERN_RANDOM, NDP_PATTERN_SPECIAL};
        for (size_t k = 0; k < NDP_ARRAY_LEN(patterns); k++) {
            uint8_t bytes[3 * 40];
            const size_t size_bytes = 3 * sample_at(i)->itemsize_bytes;
            memset(bytes, 0x77, sizeof bytes);
            fill_data(patterns[k], 1, sample_at(i), 3, bytes);
            assert_int_equal(bytes[size_bytes], 0x77);
        }
    }
}

NDP_SUITE(data_test, NDP_TEST(zeros_are_zero), NDP_TEST(index_numbers_the_leaves),
          NDP_TEST(special_rotates_with_the_seed), NDP_TEST(special_leaves_marks_in_padding),
          NDP_TEST(random_comes_from_the_seed_alone), NDP_TEST(random_texts_are_code_points_and_objects_small),
          NDP_TEST(hex_must_have_the_size_of_the_base), NDP_TEST(memory_of_another_size_is_a_fault),
          NDP_TEST(every_sample_takes_every_pattern));
