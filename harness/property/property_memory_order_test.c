#include "base/suite.h"
#include "property/property_fixture.h"

extern const struct ndp_property ndp_property_memory_order;

static void kept(void **state) {
    struct fixture f;
    fixture_init(&f, "<f8", "npy", "memory", "memory", 0);
    f.value.base.order = NDP_MEMORY_F;
    fixture_trip(&f);
    assert_true(f.trial.promised.flags & NDP_FLAG_F_CONTIGUOUS);
    expect_pass(&f, &ndp_property_memory_order);
    fixture_clear(&f);
}

static void f_that_becomes_c_is_seen(void **state) {
    struct fixture f;
    fixture_init(&f, "<f8", "npy", "memory", "memory", 0);
    f.value.base.order = NDP_MEMORY_F;
    struct ndp_observation *result = fixture_trip(&f);
    result->flags ^= NDP_FLAG_F_CONTIGUOUS | NDP_FLAG_C_CONTIGUOUS;
    expect_broken(&f, &ndp_property_memory_order, "flags.f_contiguous");
    fixture_clear(&f);
}

static void c_that_becomes_f_is_another_thing(void **state) {
    struct fixture f;
    fixture_init(&f, "<f8", "npy", "memory", "memory", 0);
    struct ndp_observation *result = fixture_trip(&f);
    result->flags ^= NDP_FLAG_F_CONTIGUOUS | NDP_FLAG_C_CONTIGUOUS;
    expect_broken(&f, &ndp_property_memory_order, "flags.c_contiguous");
    fixture_clear(&f);
}

static void strides_are_compared(void **state) {
    static const int64_t strides_bytes[] = {8, 16};
    struct fixture f;
    fixture_init(&f, "<f8", "npy", "memory", "memory", 0);
    struct ndp_observation *result = fixture_trip(&f);
    result->strides_bytes = strides_bytes;
    expect_broken(&f, &ndp_property_memory_order, "strides");
    fixture_clear(&f);
}

static void a_permutation_becomes_c_but_for_protocol_5(void **state) {
    struct fixture f;
    fixture_init(&f, "<f8", "pickle", "c", "c", 5);
    fixture_permute(&f);
    struct ndp_observation *result = fixture_trip(&f);
    expect_pass(&f, &ndp_property_memory_order);
    assert_int_equal(result->strides_bytes[0], 32);
    result->flags |= NDP_FLAG_C_CONTIGUOUS;
    expect_broken(&f, &ndp_property_memory_order, "flags.contiguous");
    fixture_clear(&f);
}

NDP_SUITE(property_memory_order_test, cmocka_unit_test(kept), cmocka_unit_test(f_that_becomes_c_is_seen),
          cmocka_unit_test(c_that_becomes_f_is_another_thing), cmocka_unit_test(strides_are_compared),
          cmocka_unit_test(a_permutation_becomes_c_but_for_protocol_5));
