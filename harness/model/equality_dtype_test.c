#include "base/suite.h"
#include "model/dtype_samples.h"
#include "model/equality.h"

#define AB(a_name, a_dtype, b_offset, b_dtype) AT(a_name, 0, a_dtype), AT("b", b_offset, b_dtype)

static const struct ndp_dtype first = STRUCT(16, AB("a", &sample_i8, 8, &sample_f8));
static const struct ndp_dtype renamed = STRUCT(16, AB("z", &sample_i8, 8, &sample_f8));
static const struct ndp_dtype swapped = STRUCT(16, AB("a", &sample_i8, 8, &sample_bigf8));
static const struct ndp_dtype other_kind = STRUCT(16, AB("a", &sample_f8, 8, &sample_f8));
static const struct ndp_dtype shifted = STRUCT(17, AB("a", &sample_i8, 9, &sample_f8));
static const struct ndp_dtype longer = STRUCT(17, AB("a", &sample_i8, 8, &sample_f8));
static const struct ndp_dtype shorter = STRUCT(16, AT("a", 0, &sample_i8));
static const struct ndp_dtype titled = STRUCT(16, AT("a", 0, &sample_i8), TITLED("b", "T", 8, &sample_f8));
static const struct ndp_dtype aligned = ALIGNED_STRUCT(16, AB("a", &sample_i8, 8, &sample_f8));
static const struct ndp_dtype noted = {
    .kind = NDP_KIND_INT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 8, .metadata = TEXT("{\"a\":1}")};
static const struct ndp_dtype pairs_of = SUBARRAY(12, &sample_bigi2, 3, 2);
static const struct ndp_dtype days = {.kind = NDP_KIND_DATETIME,
                                      .order = NDP_ORDER_LITTLE,
                                      .itemsize_bytes = 8,
                                      .unit = NDP_UNIT_DAY,
                                      .unit_multiple = 1};

struct difference_case {
    const struct ndp_dtype *expected;
    const struct ndp_dtype *got;
    uint32_t differences;
    const char *path;
    const char *expected_text;
    const char *got_text;
};

static const struct difference_case cases[] = {
    {&sample_i8, &sample_f8, NDP_DTYPE_KIND, "dtype.kind", "<i8", "<f8"},
    {&sample_f4, &sample_f8, NDP_DTYPE_KIND, "dtype.kind", "<f4", "<f8"},
    {&sample_time, &days, NDP_DTYPE_KIND, "dtype.kind", "<M8[25us]", "<M8[D]"},
    {&sample_f8, &sample_bigf8, NDP_DTYPE_ORDER, "dtype.order", "<f8", ">f8"},
    {&sample_i8, &noted, NDP_DTYPE_METADATA, "dtype.metadata", "", "{\"a\":1}"},
    {&sample_sub23, &pairs_of, NDP_DTYPE_SHAPE, "dtype.shape", "(2, 3)", "(3, 2)"},
    {&first, &sample_i8, NDP_DTYPE_KIND, "dtype.kind", "2 fields", "<i8"},
    {&first, &shorter, NDP_DTYPE_KIND, "dtype.kind", "2 fields", "1 field"},
    {&first, &renamed, NDP_DTYPE_NAMES, "dtype.names of a", "a", "z"},
    {&first, &swapped, NDP_DTYPE_ORDER, "dtype.order of b", "<f8", ">f8"},
    {&first, &other_kind, NDP_DTYPE_KIND, "dtype.kind of a", "<i8", "<f8"},
    {&first, &shifted, NDP_DTYPE_OFFSETS, "dtype.offsets", "itemsize 16", "itemsize 17"},
    {&first, &longer, NDP_DTYPE_OFFSETS, "dtype.offsets", "itemsize 16", "itemsize 17"},
    {&first, &titled, NDP_DTYPE_TITLES, "dtype.titles of b", "no title", "T"},
    {&first, &aligned, NDP_DTYPE_ALIGNED, "dtype.aligned", "false", "true"},
};

static void each_part_is_compared_separately(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(cases); i++) {
        const struct difference_case *row = &cases[i];
        const struct ndp_observation a = {.dtype = row->expected}, b = {.dtype = row->got};
        struct ndp_comparison out = {.count = 0}, masked = {.count = 0};
        assert_int_equal(ndp_dtype_compare(row->expected, row->got, NULL), row->differences);
        ndp_equality_compare_dtype(&a, &b, UINT32_MAX, &out);
        assert_int_equal(out.total, 1);
        assert_string_equal(out.list[0].path, row->path);
        assert_string_equal(out.list[0].expected, row->expected_text);
        assert_string_equal(out.list[0].got, row->got_text);
        ndp_equality_compare_dtype(&a, &b, ~row->differences, &masked);
        assert_int_equal(masked.total, 0);
        assert_int_equal(masked.comparisons, 7);
    }
}

static void the_first_difference_has_a_place(void **state) {
    char where[NDP_ERROR_PATH_BYTES];
    const struct ndp_dtype a = STRUCT(16, AT("x", 0, &first));
    const struct ndp_dtype b = STRUCT(16, AT("x", 0, &swapped));
    assert_int_equal(ndp_dtype_compare(&a, &b, where), NDP_DTYPE_ORDER);
    assert_string_equal(where, "x.b");
    assert_int_equal(ndp_dtype_compare(&a, &a, where), 0);
    assert_string_equal(where, "");
}

NDP_SUITE(equality_dtype_test, NDP_TEST(each_part_is_compared_separately), NDP_TEST(the_first_difference_has_a_place));
