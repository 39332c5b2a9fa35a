#include "base/suite.h"
#include "property/property_fixture.h"

extern const struct ndp_property ndp_property_byte_order;

static void kept(void **state) {
    struct fixture f;
    fixture_init(&f, ">f8", "npy", "memory", "memory", 0);
    fixture_trip(&f);
    expect_pass(&f, &ndp_property_byte_order);
    fixture_clear(&f);
}

static void native_is_promised_by_protocol_4(void **state) {
    struct fixture f;
    fixture_init(&f, ">f8", "pickle", "c", "c", 4);
    struct ndp_observation *result = fixture_trip(&f);
    expect_pass(&f, &ndp_property_byte_order);
    result->dtype = f.trial.expected.dtype;
    expect_broken(&f, &ndp_property_byte_order, "dtype.order");
    fixture_clear(&f);
}

static void native_where_the_order_was_promised(void **state) {
    struct fixture f;
    fixture_init(&f, ">f8", "npy", "memory", "memory", 0);
    struct ndp_dtype native;
    struct ndp_observation *result = fixture_trip(&f);
    assert_int_equal(ndp_typestr_read(ndp_bytes_view("<f8"), &native, NULL), NDP_OK);
    result->dtype = &native;
    expect_broken(&f, &ndp_property_byte_order, "dtype.order");
    fixture_clear(&f);
}

static void a_refusal_is_the_business_of_values(void **state) {
    struct fixture f;
    fixture_init(&f, ">f8", "npy", "memory", "memory", 0);
    fixture_trip(&f);
    fixture_refuse(&f, NDP_SLOT_RESULT);
    expect_nothing(&f, &ndp_property_byte_order);
    fixture_clear(&f);
}

NDP_SUITE(property_byte_order_test, cmocka_unit_test(kept), cmocka_unit_test(native_is_promised_by_protocol_4),
          cmocka_unit_test(native_where_the_order_was_promised), cmocka_unit_test(a_refusal_is_the_business_of_values));
