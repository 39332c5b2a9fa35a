#include "base/suite.h"
#include "property/property_fixture.h"

extern const struct ndp_property ndp_property_shape;

static void a_correct_result_passes(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    fixture_trip(&f);
    expect_pass(&f, &ndp_property_shape);
}

static void a_zero_extent_is_kept(void **state) {
    static const int64_t shape[] = {2, 0};
    static const int64_t lost[] = {0, 2};
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    f.value.base.shape = shape;
    struct ndp_observation *result = fixture_trip(&f);
    expect_pass(&f, &ndp_property_shape);
    result->shape = lost;
    expect_broken(&f, &ndp_property_shape, "shape");
}

static void zero_dimensions_differ_from_one(void **state) {
    static const int64_t one[] = {1};
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    f.value.base.ndim = 0;
    struct ndp_observation *result = fixture_trip(&f);
    expect_pass(&f, &ndp_property_shape);
    result->ndim = 1;
    result->shape = one;
    result->strides_bytes = one;
    expect_broken(&f, &ndp_property_shape, "shape");
}

static void an_itemsize_of_zero_is_kept(void **state) {
    struct ndp_dtype grown;
    FIXTURE(f, "|S0", "npy", "memory", "memory", 0);
    struct ndp_observation *result = fixture_trip(&f);
    expect_pass(&f, &ndp_property_shape);
    assert_int_equal(ndp_dtype_read_typestr(ndp_bytes_view("|S1"), &grown, NULL), NDP_OK);
    result->dtype = &grown;
    expect_broken(&f, &ndp_property_shape, "itemsize");
}

NDP_SUITE(property_shape_test, NDP_TEST(a_correct_result_passes), NDP_TEST(a_zero_extent_is_kept),
          NDP_TEST(zero_dimensions_differ_from_one), NDP_TEST(an_itemsize_of_zero_is_kept));
