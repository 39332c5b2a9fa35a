#include "base/suite.h"
#include "property/property_fixture.h"

extern const struct ndp_property ndp_property_byte_order;

static void a_correct_result_passes(void **state) {
    FIXTURE(f, ">f8", "npy", "memory", "memory", 0);
    fixture_trip(&f);
    expect_pass(&f, &ndp_property_byte_order);
}

static void native_is_promised_by_protocol_4(void **state) {
    FIXTURE(f, ">f8", "pickle", "c", "c", 4);
    struct ndp_observation *result = fixture_trip(&f);
    expect_pass(&f, &ndp_property_byte_order);
    result->dtype = f.trial.expected.dtype;
    expect_broken(&f, &ndp_property_byte_order, "dtype.order");
}

static void an_order_that_becomes_native_is_reported(void **state) {
    FIXTURE(f, ">f8", "npy", "memory", "memory", 0);
    struct ndp_dtype native;
    struct ndp_observation *result = fixture_trip(&f);
    assert_int_equal(ndp_dtype_read_typestr(ndp_bytes_view("<f8"), &native, NULL), NDP_OK);
    result->dtype = &native;
    expect_broken(&f, &ndp_property_byte_order, "dtype.order");
}

static void a_refusal_is_left_to_values(void **state) {
    FIXTURE(f, ">f8", "npy", "memory", "memory", 0);
    fixture_trip(&f);
    fixture_refuse(&f, NDP_SLOT_RESULT);
    expect_nothing(&f, &ndp_property_byte_order);
}

NDP_SUITE(property_byte_order_test, NDP_TEST(a_correct_result_passes), NDP_TEST(native_is_promised_by_protocol_4),
          NDP_TEST(an_order_that_becomes_native_is_reported), NDP_TEST(a_refusal_is_left_to_values));
