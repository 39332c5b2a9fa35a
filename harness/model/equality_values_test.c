#include "base/suite.h"
#include "model/dtype_samples.h"
#include "model/equality.h"

static struct ndp_observation seen(const struct ndp_dtype *dtype, uint32_t ndim, const int64_t *shape,
                                   const void *bytes, uint64_t size_bytes) {
    return (struct ndp_observation){.dtype = dtype, .ndim = ndim, .shape = shape, .elements = {bytes, size_bytes}};
}

static void equal_values_count_their_leaves(void **state) {
    uint8_t bytes[2 * 37] = {0};
    struct ndp_comparison out = {.count = 0};
    const struct ndp_observation a = seen(&sample_pack, 1, I64(2), bytes, sizeof bytes);
    ndp_equality_compare_values(&a, &a, NDP_MASK_NONE, &out);
    assert_int_equal(out.comparisons, 2 * 9);
    assert_int_equal(out.total, 0);
}

/* Elements in another byte order are the same numbers. Source: int.from_bytes of both. */
static void byte_order_does_not_matter(void **state) {
    const uint8_t little[] = {1, 0, 2, 0, 0xff, 0xff};
    const uint8_t big[] = {0, 1, 0, 2, 0xff, 0xfe};
    struct ndp_comparison out = {.count = 0};
    const struct ndp_observation a = seen(&sample_i2, 2, I64(3, 1), little, sizeof little);
    const struct ndp_observation b = seen(&sample_bigi2, 2, I64(3, 1), big, sizeof big);
    ndp_equality_compare_values(&a, &b, NDP_MASK_NONE, &out);
    assert_int_equal(out.comparisons, 3);
    assert_int_equal(out.total, 1);
    assert_string_equal(out.list[0].path, "[2,0]");
    assert_string_equal(out.list[0].expected, "-1");
    assert_string_equal(out.list[0].got, "-2");
}

static void padding_does_not_count_and_fields_are_named(void **state) {
    uint8_t x[2 * 37] = {0}, y[2 * 37] = {0};
    struct ndp_comparison out = {.count = 0};
    const struct ndp_observation a = seen(&sample_pack, 1, I64(2), x, sizeof x);
    const struct ndp_observation b = seen(&sample_pack, 1, I64(2), y, sizeof y);
    y[0] = y[17] = y[20] = y[37 + 24] = 0x99; /* bytes outside of all fields */
    ndp_equality_compare_values(&a, &b, NDP_MASK_NONE, &out);
    assert_int_equal(out.total, 0);
    y[37 + 11] = 1;
    y[37 + 22] = 7;
    ndp_equality_compare_values(&a, &b, NDP_MASK_NONE, &out);
    assert_int_equal(out.total, 2);
    assert_string_equal(out.list[0].path, "[1].b[1,0]");
    assert_string_equal(out.list[0].got, "256");
    assert_string_equal(out.list[1].path, "[1].c.y");
    assert_string_equal(out.list[1].got, "hex 000700");
}

/* The same fields in another layout: they match by position, at any offset. */
static void fields_meet_by_position_in_the_list(void **state) {
    static const struct ndp_field fields[] = {AT("k", 8, &sample_u1), AT("v", 0, &sample_bigi8)};
    const struct ndp_dtype turned = {.kind = NDP_KIND_STRUCT, .itemsize_bytes = 10, .fields = fields, .field_count = 2};
    const uint8_t x[16] = {5, 0, 0, 0, 0, 0, 0, 0, 1, 2};
    const uint8_t y[10] = {0, 0, 0, 0, 0, 0, 2, 1, 5, 0xee};
    struct ndp_comparison out = {.count = 0};
    const struct ndp_observation a = seen(&sample_aligned, 0, NULL, x, sizeof x);
    const struct ndp_observation b = seen(&turned, 0, NULL, y, sizeof y);
    ndp_equality_compare_values(&a, &b, NDP_MASK_NONE, &out);
    assert_int_equal(out.comparisons, 2);
    assert_int_equal(out.total, 0);
}

static void a_scalar_has_an_empty_index(void **state) {
    const uint8_t x[8] = {1}, y[8] = {2};
    struct ndp_comparison out = {.count = 0};
    const struct ndp_observation a = seen(&sample_i8, 0, NULL, x, sizeof x);
    const struct ndp_observation b = seen(&sample_i8, 0, NULL, y, sizeof y);
    ndp_equality_compare_values(&a, &b, NDP_MASK_NONE, &out);
    assert_string_equal(out.list[0].path, "[]");
}

static void differences_are_counted_past_the_list(void **state) {
    const uint8_t x[20] = {0};
    uint8_t y[20];
    struct ndp_comparison out = {.count = 0};
    memset(y, 1, sizeof y);
    const struct ndp_observation a = seen(&sample_u1, 1, I64(20), x, sizeof x);
    const struct ndp_observation b = seen(&sample_u1, 1, I64(20), y, sizeof y);
    ndp_equality_compare_values(&a, &b, NDP_MASK_NONE, &out);
    assert_int_equal(out.total, 20);
    assert_int_equal(out.count, NDP_MAX_DIFFERENCES);
    assert_string_equal(out.list[7].path, "[7]");
}

static void incomparable_arrays_are_one_difference(void **state) {
    const uint8_t bytes[32] = {0};
    struct ndp_comparison shape = {.count = 0}, kind = {.count = 0}, size = {.count = 0}, bytes_missing = {.count = 0};
    const struct ndp_observation a = seen(&sample_f8, 1, I64(2), bytes, 16);
    const struct ndp_observation long_one = seen(&sample_f8, 1, I64(3), bytes, 24);
    const struct ndp_observation integer = seen(&sample_i8, 1, I64(2), bytes, 16);
    const struct ndp_observation narrow = seen(&sample_f4, 1, I64(2), bytes, 8);
    const struct ndp_observation cut = seen(&sample_f8, 1, I64(2), bytes, 15);
    ndp_equality_compare_values(&a, &long_one, NDP_MASK_NONE, &shape);
    assert_int_equal(shape.total, 1);
    assert_string_equal(shape.list[0].path, "shape[0]");
    ndp_equality_compare_values(&a, &integer, NDP_MASK_NONE, &kind);
    assert_int_equal(kind.total, 1);
    assert_string_equal(kind.list[0].path, "dtype");
    assert_string_equal(kind.list[0].expected, "<f8");
    assert_string_equal(kind.list[0].got, "<i8");
    ndp_equality_compare_values(&a, &narrow, NDP_MASK_NONE, &size);
    assert_int_equal(size.total, 1);
    ndp_equality_compare_values(&a, &cut, NDP_MASK_NONE, &bytes_missing);
    assert_int_equal(bytes_missing.total, 1);
    assert_string_equal(bytes_missing.list[0].path, "elements");
    assert_true(shape.comparisons > 0 && kind.comparisons > 0 && bytes_missing.comparisons > 0);
}

static void strings_of_other_sizes_are_equal_only_with_the_mask(void **state) {
    const uint8_t x[] = "abcabc", y[] = "abc\0\0abc\0";
    struct ndp_comparison strict = {.count = 0}, masked = {.count = 0};
    const struct ndp_observation a = seen(&sample_S3, 1, I64(2), x, 6);
    const struct ndp_observation b = seen(&sample_S5, 1, I64(2), y, 10);
    ndp_equality_compare_values(&a, &b, NDP_MASK_NONE, &strict);
    assert_int_equal(strict.total, 1);
    assert_string_equal(strict.list[0].path, "dtype");
    ndp_equality_compare_values(&a, &b, NDP_MASK_TRAILING_NULS, &masked);
    assert_int_equal(masked.total, 0);
    assert_int_equal(masked.comparisons, 2);
}

static void the_tail_of_a_long_double_does_not_count(void **state) {
    uint8_t x[32] = {0}, y[32] = {0};
    struct ndp_comparison out = {.count = 0};
    const struct ndp_observation a = seen(&sample_f16, 1, I64(2), x, sizeof x);
    const struct ndp_observation b = seen(&sample_f16, 1, I64(2), y, sizeof y);
    y[10] = y[31] = 1;
    ndp_equality_compare_values(&a, &b, NDP_MASK_NONE, &out);
    assert_int_equal(out.total, 0);
    y[25] = 1;
    ndp_equality_compare_values(&a, &b, NDP_MASK_NONE, &out);
    assert_int_equal(out.total, 1);
    assert_string_equal(out.list[0].path, "[1]");
}

static const struct ndp_field overlapping_fields[] = {
    AT("v", 0, &sample_V24),
    AT("f", 8, &sample_f16),
};
static const struct ndp_dtype overlapping = {
    .kind = NDP_KIND_STRUCT, .itemsize_bytes = 32, .fields = overlapping_fields, .field_count = 2};

/* NumPy 2.5 copies such items field by field when one is an object, and long doubles without their tail. */
static void nor_does_it_in_an_overlapping_field(void **state) {
    uint8_t x[32] = {0}, y[32] = {0};
    struct ndp_comparison out = {.count = 0};
    const struct ndp_observation a = seen(&overlapping, 0, NULL, x, sizeof x);
    const struct ndp_observation b = seen(&overlapping, 0, NULL, y, sizeof y);
    y[18] = y[23] = 1;
    ndp_equality_compare_values(&a, &b, NDP_MASK_NONE, &out);
    assert_int_equal(out.total, 0);
    y[17] = 1; /* the last byte of the long double */
    ndp_equality_compare_values(&a, &b, NDP_MASK_NONE, &out);
    assert_int_equal(out.total, 2);
}

static void items_without_a_byte_are_equal(void **state) {
    struct ndp_comparison out = {.count = 0};
    const struct ndp_observation a = seen(&sample_V0, 1, I64(3), NULL, 0);
    const struct ndp_observation endless = seen(&sample_V0, 1, I64(INT64_C(1) << 62), NULL, 0);
    ndp_equality_compare_values(&a, &a, NDP_MASK_NONE, &out);
    ndp_equality_compare_values(&endless, &endless, NDP_MASK_NONE, &out);
    assert_int_equal(out.total, 0);
    assert_int_equal(out.comparisons, 2);
}

NDP_SUITE(equality_values_test, NDP_TEST(equal_values_count_their_leaves), NDP_TEST(byte_order_does_not_matter),
          NDP_TEST(padding_does_not_count_and_fields_are_named), NDP_TEST(fields_meet_by_position_in_the_list),
          NDP_TEST(a_scalar_has_an_empty_index), NDP_TEST(differences_are_counted_past_the_list),
          NDP_TEST(incomparable_arrays_are_one_difference),
          NDP_TEST(strings_of_other_sizes_are_equal_only_with_the_mask),
          NDP_TEST(the_tail_of_a_long_double_does_not_count), NDP_TEST(nor_does_it_in_an_overlapping_field),
          NDP_TEST(items_without_a_byte_are_equal));
