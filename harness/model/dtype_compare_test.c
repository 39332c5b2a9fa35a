#include "base/suite.h"
#include "model/dtype_path.h"
#include "model/dtype_samples.h"

static const struct ndp_dtype seconds = {.kind = NDP_KIND_DATETIME,
                                         .order = NDP_ORDER_LITTLE,
                                         .itemsize_bytes = 8,
                                         .unit = NDP_UNIT_SECOND,
                                         .unit_multiple = 25};
static const struct ndp_dtype micros26 = {.kind = NDP_KIND_DATETIME,
                                          .order = NDP_ORDER_LITTLE,
                                          .itemsize_bytes = 8,
                                          .unit = NDP_UNIT_MICRO,
                                          .unit_multiple = 26};
static const struct ndp_dtype with_metadata = {
    .kind = NDP_KIND_INT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 4, .metadata = TEXT("{\"a\":1}")};
static const struct ndp_dtype two_bytes = {.kind = NDP_KIND_VOID, .itemsize_bytes = 2};
static const struct ndp_dtype registered = {
    .kind = NDP_KIND_REGISTERED, .itemsize_bytes = 2, .registered = TEXT("a:b")};
static const struct ndp_dtype other_registered = {
    .kind = NDP_KIND_REGISTERED, .itemsize_bytes = 2, .registered = TEXT("a:c")};
static const struct ndp_dtype sub3 = SUBARRAY(6, &sample_i2, 3);
static const struct ndp_dtype sub12 = SUBARRAY(4, &sample_i2, 1, 2);
static const struct ndp_dtype big_sub = SUBARRAY(4, &sample_bigi2, 2);
static const struct ndp_dtype pair = STRUCT(8, AT("a", 0, &sample_i4), AT("b", 4, &sample_i4));
static const struct ndp_dtype one = STRUCT(8, AT("a", 0, &sample_i4));
static const struct ndp_dtype renamed = STRUCT(8, AT("a", 0, &sample_i4), AT("c", 4, &sample_i4));
static const struct ndp_dtype moved = STRUCT(12, AT("a", 0, &sample_i4), AT("b", 8, &sample_i4));
static const struct ndp_dtype aligned = ALIGNED_STRUCT(8, AT("a", 0, &sample_i4), AT("b", 4, &sample_i4));
static const struct ndp_dtype titled = STRUCT(8, AT("a", 0, &sample_i4), TITLED("b", "T", 4, &sample_i4));
static const struct ndp_dtype empty_title =
    STRUCT(8, AT("a", 0, &sample_i4), {.name = TEXT("b"), .has_title = true, .offset_bytes = 4, .dtype = &sample_i4});
static const struct ndp_dtype outer = STRUCT(8, AT("o", 0, &pair));
static const struct ndp_dtype outer_renamed = STRUCT(8, AT("o", 0, &renamed));

/* Each row has one difference or none, checked in both directions. Source: the list of differences in model/dtype.h. */
static void each_difference_has_its_bit_and_place(void **state) {
    static const struct {
        const struct ndp_dtype *a;
        const struct ndp_dtype *b;
        uint32_t differences;
        const char *where;
    } rows[] = {
        {&sample_i4, &sample_f4, NDP_DTYPE_KIND, ""},
        {&sample_i4, &sample_i8, NDP_DTYPE_KIND, ""},
        {&two_bytes, &registered, NDP_DTYPE_KIND, ""},
        {&registered, &other_registered, NDP_DTYPE_KIND, ""},
        {&registered, &registered, 0, ""},
        {&sample_i2, &sample_bigi2, NDP_DTYPE_ORDER, ""},
        {&sample_i8, &sample_nativei8, NDP_DTYPE_ORDER, ""},
        {&sample_i4, &sample_bigi8, NDP_DTYPE_KIND | NDP_DTYPE_ORDER, ""},
        {&sample_time, &seconds, NDP_DTYPE_KIND, ""},
        {&sample_time, &micros26, NDP_DTYPE_KIND, ""},
        {&sample_i4, &with_metadata, NDP_DTYPE_METADATA, ""},
        {&sample_sub, &sub3, NDP_DTYPE_SHAPE, ""},
        {&sample_sub, &sub12, NDP_DTYPE_SHAPE, ""},
        {&sample_sub, &big_sub, NDP_DTYPE_ORDER, ""},
        {&pair, &aligned, NDP_DTYPE_ALIGNED, ""},
        {&pair, &renamed, NDP_DTYPE_NAMES, "b"},
        {&pair, &titled, NDP_DTYPE_TITLES, "b"},
        {&pair, &empty_title, NDP_DTYPE_TITLES, "b"},
        {&titled, &empty_title, NDP_DTYPE_TITLES, "b"},
        {&pair, &one, NDP_DTYPE_KIND, ""},
        {&pair, &moved, NDP_DTYPE_OFFSETS, ""},
        {&outer, &outer_renamed, NDP_DTYPE_NAMES, "o.b"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        char where[NDP_ERROR_PATH_BYTES];
        if (ndp_dtype_compare(rows[i].a, rows[i].b, where) != rows[i].differences)
            fail_msg("row %zu: %x", i, ndp_dtype_compare(rows[i].a, rows[i].b, NULL));
        if (strcmp(where, rows[i].where) != 0) fail_msg("row %zu: at '%s'", i, where);
        assert_int_equal(ndp_dtype_compare(rows[i].b, rows[i].a, NULL), rows[i].differences);
    }
}

/* A sample equals a copy of itself, and no other sample. */
static void only_equals_are_equal(void **state) {
    for (size_t i = 0; sample_at(i) != NULL; i++) {
        for (size_t k = 0; sample_at(k) != NULL; k++) {
            const struct ndp_dtype copy = *sample_at(k);
            char where[NDP_ERROR_PATH_BYTES] = "x";
            if ((ndp_dtype_compare(sample_at(i), &copy, where) == 0) != (i == k)) fail_msg("samples %zu and %zu", i, k);
            if (i == k) assert_string_equal(where, "");
        }
    }
}

static void collect(void *context, const struct ndp_dtype_path_difference *finding) {
    struct ndp_dtype_path *path = context;
    ndp_dtype_path_add(path, "%x@%s%s ", finding->bit, finding->path, finding->x != NULL ? "!" : "");
}

static void all_differences_come_in_the_order_of_fields(void **state) {
    const struct ndp_dtype other = ALIGNED_STRUCT(12, AT("a", 1, &sample_f4), AT("c", 4, &sample_i4));
    struct ndp_dtype_path path = {.length = 0};
    ndp_dtype_path_each_difference(&pair, &other, collect, &path);
    /* First itemsize and flag of the whole, then a: offset and kind, then b: name. */
    assert_string_equal(path.text, "10@ 20@ 10@a! 1@a 4@b! ");
}

NDP_SUITE(dtype_compare_test, NDP_TEST(each_difference_has_its_bit_and_place), NDP_TEST(only_equals_are_equal),
          NDP_TEST(all_differences_come_in_the_order_of_fields));
