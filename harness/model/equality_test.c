#include "base/suite.h"
#include "model/dtype_samples.h"
#include "model/equality.h"

static const int64_t plain_shape[] = {2, 3};
static const int64_t plain_strides[] = {24, 8};

static struct ndp_observation plain(void) {
    return (struct ndp_observation){
        .class_name = TEXT("memmap"),
        .dtype = &sample_i8,
        .ndim = 2,
        .shape = plain_shape,
        .strides_bytes = plain_strides,
        .flags = NDP_FLAG_C_CONTIGUOUS | NDP_FLAG_WRITEABLE,
        .backing = {.is_map_class = true,
                    .claims = NDP_BACKING_CASE,
                    .is_mapped = true,
                    .has_mode = true,
                    .mode = NDP_MAP_READ,
                    .has_offset = true,
                    .offset_bytes = 8,
                    .has_position = true,
                    .position_bytes = 16},
    };
}

/* Expects one difference at `path` with these texts. */
static void expect_one(const struct ndp_comparison *out, const char *path, const char *expected, const char *got) {
    assert_int_equal(out->total, 1);
    assert_int_equal(out->count, 1);
    assert_string_equal(out->list[0].path, path);
    assert_string_equal(out->list[0].expected, expected);
    assert_string_equal(out->list[0].got, got);
}

static void equal_observations_have_no_difference(void **state) {
    const struct ndp_observation a = plain();
    struct ndp_comparison out = {.count = 0};
    ndp_equality_compare_shape(&a, &a, &out);
    assert_int_equal(out.comparisons, 3);
    ndp_equality_compare_flags(&a, &a, NDP_FLAG_WRITEABLE | NDP_FLAG_ALIGNED, &out);
    assert_int_equal(out.comparisons, 5);
    ndp_equality_compare_strides(&a, &a, &out);
    assert_int_equal(out.comparisons, 7);
    ndp_equality_compare_class(&a, &a, &out);
    assert_int_equal(out.comparisons, 8);
    ndp_equality_compare_backing(&a, &a, &out);
    assert_int_equal(out.comparisons, 14);
    ndp_equality_compare_dtype(&a, &a, UINT32_MAX, &out);
    assert_int_equal(out.comparisons, 22);
    assert_int_equal(out.total, 0);
}

static void shapes(void **state) {
    const struct ndp_observation a = plain();
    struct ndp_observation b = plain();
    struct ndp_comparison extent = {.count = 0}, ndim = {.count = 0};
    b.shape = I64(2, 4);
    ndp_equality_compare_shape(&a, &b, &extent);
    expect_one(&extent, "shape[1]", "3", "4");
    b.ndim = 1;
    ndp_equality_compare_shape(&a, &b, &ndim);
    expect_one(&ndim, "ndim", "2", "1");
}

static void flags(void **state) {
    const struct ndp_observation a = plain();
    struct ndp_observation b = plain();
    struct ndp_comparison all = {.count = 0}, other = {.count = 0};
    b.flags = NDP_FLAG_C_CONTIGUOUS;
    ndp_equality_compare_flags(&a, &b, UINT32_MAX, &all);
    expect_one(&all, "flags.writeable", "true", "false");
    assert_int_equal(all.comparisons, NDP_FLAG_COUNT);
    ndp_equality_compare_flags(&a, &b, NDP_FLAG_C_CONTIGUOUS, &other);
    assert_int_equal(other.total, 0);
    assert_int_equal(other.comparisons, 1);
}

static void only_defined_strides_count(void **state) {
    struct ndp_observation a = plain(), b = plain();
    struct ndp_comparison out = {.count = 0}, one = {.count = 0}, zero = {.count = 0};
    b.strides_bytes = I64(24, -8);
    ndp_equality_compare_strides(&a, &b, &out);
    expect_one(&out, "strides[1]", "8", "-8");
    a.shape = b.shape = I64(2, 1);
    ndp_equality_compare_strides(&a, &b, &one);
    assert_int_equal(one.total, 0);
    assert_int_equal(one.comparisons, 1);
    a.shape = b.shape = I64(0, 3);
    ndp_equality_compare_strides(&a, &b, &zero);
    assert_int_equal(zero.total, 0);
    assert_int_equal(zero.comparisons, 0);
}

static void classes(void **state) {
    const struct ndp_observation a = plain();
    struct ndp_observation b = plain();
    struct ndp_comparison out = {.count = 0};
    b.class_name = ndp_bytes_view("ndarray");
    ndp_equality_compare_class(&a, &b, &out);
    expect_one(&out, "class", "memmap", "ndarray");
}

static void expect_backing(struct ndp_observation changed, const char *path, const char *expected, const char *got) {
    const struct ndp_observation a = plain();
    struct ndp_comparison out = {.count = 0};
    ndp_equality_compare_backing(&a, &changed, &out);
    expect_one(&out, path, expected, got);
}

static void every_field_of_the_backing(void **state) {
    struct ndp_observation b = plain();
    b.backing.is_map_class = false;
    expect_backing(b, "backing.class", "true", "false");
    b = plain();
    b.backing.claims = NDP_BACKING_OTHER;
    expect_backing(b, "backing.claims", "the case's file", "another file");
    b = plain();
    b.backing.is_mapped = false;
    expect_backing(b, "backing.mapped", "true", "false");
    b = plain();
    b.backing.mode = NDP_MAP_COPY;
    expect_backing(b, "backing.mode", "r", "c");
    b = plain();
    b.backing.has_offset = false;
    expect_backing(b, "backing.offset", "8", "none");
    b = plain();
    b.backing.position_bytes = 17;
    expect_backing(b, "backing.position", "16", "17");
}

static void bytes(void **state) {
    const struct ndp_bytes abc = TEXT("abc"), abd = TEXT("abd"), ab = TEXT("ab"), none = {NULL, 0};
    struct ndp_comparison place = {.count = 0}, length = {.count = 0}, empty = {.count = 0};
    ndp_equality_compare_bytes("encoded", abc, abd, &place);
    expect_one(&place, "encoded[2]", "0x63", "0x64");
    ndp_equality_compare_bytes("encoded", abc, ab, &length);
    expect_one(&length, "encoded.length", "3", "2");
    ndp_equality_compare_bytes("encoded", none, none, &empty);
    assert_int_equal(empty.total, 0);
    assert_int_equal(empty.comparisons, 1);
}

static void long_texts_are_cut(void **state) {
    char text[300];
    struct ndp_comparison out = {.count = 0};
    memset(text, 'x', sizeof text);
    text[299] = '\0';
    ndp_equality_add(&out, text, text, text);
    assert_int_equal(strlen(out.list[0].path), NDP_DIFFERENCE_TEXT_BYTES - 1);
    assert_int_equal(strlen(out.list[0].expected), NDP_DIFFERENCE_TEXT_BYTES - 1);
    assert_int_equal(strlen(out.list[0].got), NDP_DIFFERENCE_TEXT_BYTES - 1);
}

NDP_SUITE(equality_test, NDP_TEST(equal_observations_have_no_difference), NDP_TEST(shapes), NDP_TEST(flags),
          NDP_TEST(only_defined_strides_count), NDP_TEST(classes), NDP_TEST(every_field_of_the_backing),
          NDP_TEST(bytes), NDP_TEST(long_texts_are_cut));
