#include "base/suite.h"
#include "property/property_fixture.h"

extern const struct ndp_property ndp_property_memory_order;

static void a_correct_result_passes(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    f.value.base.order = NDP_MEMORY_F;
    fixture_trip(&f);
    assert_true(f.trial.promised.flags & NDP_FLAG_F_CONTIGUOUS);
    expect_pass(&f, &ndp_property_memory_order);
}

static void f_order_that_becomes_c_is_reported(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    f.value.base.order = NDP_MEMORY_F;
    struct ndp_observation *result = fixture_trip(&f);
    result->flags ^= NDP_FLAG_F_CONTIGUOUS | NDP_FLAG_C_CONTIGUOUS;
    expect_broken(&f, &ndp_property_memory_order, "flags.f_contiguous");
}

static void c_order_that_becomes_f_has_another_name(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    struct ndp_observation *result = fixture_trip(&f);
    result->flags ^= NDP_FLAG_F_CONTIGUOUS | NDP_FLAG_C_CONTIGUOUS;
    expect_broken(&f, &ndp_property_memory_order, "flags.c_contiguous");
}

static void strides_are_compared(void **state) {
    static const int64_t strides_bytes[] = {8, 16};
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    struct ndp_observation *result = fixture_trip(&f);
    result->strides_bytes = strides_bytes;
    expect_broken(&f, &ndp_property_memory_order, "strides");
}

static void a_permutation_becomes_c_but_for_protocol_5(void **state) {
    FIXTURE(f, "<f8", "pickle", "c", "c", 5);
    fixture_permute(&f);
    struct ndp_observation *result = fixture_trip(&f);
    expect_pass(&f, &ndp_property_memory_order);
    assert_int_equal(result->strides_bytes[0], 32);
    result->flags |= NDP_FLAG_C_CONTIGUOUS;
    expect_broken(&f, &ndp_property_memory_order, "flags.contiguous");
}

NDP_SUITE(property_memory_order_test, NDP_TEST(a_correct_result_passes), NDP_TEST(f_order_that_becomes_c_is_reported),
          NDP_TEST(c_order_that_becomes_f_has_another_name), NDP_TEST(strides_are_compared),
          NDP_TEST(a_permutation_becomes_c_but_for_protocol_5));
