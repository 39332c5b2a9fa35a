#include "base/suite.h"
#include "property/property.h"

static void properties_are_found_by_exact_name(void **state) {
    uint32_t count;
    const struct ndp_property *const *all = ndp_property_all(&count);
    assert_in_range(count, 1, NDP_MAX_PROPERTIES);
    for (uint32_t i = 0; i < count; i++) {
        assert_ptr_equal(ndp_property_find(all[i]->name), all[i]);
        assert_true(strlen(all[i]->name) < NDP_WORD_BYTES);
        if (i > 0) assert_true(strcmp(all[i - 1]->name, all[i]->name) < 0);
    }
    assert_null(ndp_property_find(""));
    assert_null(ndp_property_find("value"));
    assert_null(ndp_property_find("values2"));
}

static void properties_apply_by_case_and_value_kind(void **state) {
    static const struct {
        struct ndp_property property;
        bool round_trip[3]; /* by enum ndp_value_kind: an array, a graph, a dict */
        bool decode[3];
    } rows[] = {
        {{.for_round_trip = true, .values = NDP_VALUE_BIT(ARRAY)}, {true, false, false}, {false, false, false}},
        {{.for_decode = true, .values = NDP_VALUE_BIT(ARRAY)}, {false, false, false}, {true, false, false}},
        {{.for_round_trip = true, .values = NDP_VALUE_BIT(GRAPH)}, {false, true, false}, {false, false, false}},
        {{.for_round_trip = true, .values = NDP_VALUE_BIT(DICT)}, {false, false, true}, {false, false, false}},
        {{.for_round_trip = true, .values = NDP_VALUE_BIT(ARRAY) | NDP_VALUE_BIT(GRAPH)},
         {true, true, false},
         {false, false, false}},
        {{.for_decode = true, .values = NDP_VALUE_BIT(ARRAY) | NDP_VALUE_BIT(GRAPH)},
         {false, false, false},
         {true, true, false}},
    };
    static const enum ndp_value_kind kinds[] = {NDP_VALUE_ARRAY, NDP_VALUE_GRAPH, NDP_VALUE_DICT};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        for (size_t k = 0; k < NDP_ARRAY_LEN(kinds); k++) {
            assert_int_equal(ndp_property_applies(&rows[i].property, NDP_CASE_ROUND_TRIP, kinds[k]),
                             rows[i].round_trip[k]);
            assert_int_equal(ndp_property_applies(&rows[i].property, NDP_CASE_DECODE, kinds[k]), rows[i].decode[k]);
        }
    }
}

static void a_set_has_what_was_added(void **state) {
    struct ndp_property_set set = {0};
    struct ndp_error error = {0};
    const struct ndp_property *values = ndp_property_find("values"), *shape = ndp_property_find("shape");
    uint32_t count, at = 0;
    const struct ndp_property *const *all = ndp_property_all(&count);
    assert_true(ndp_property_set_is_empty(set));
    assert_null(ndp_property_set_next(set, &at));
    ndp_property_set_add(&set, values);
    ndp_property_set_add(&set, shape);
    assert_true(ndp_property_set_has(set, values) && ndp_property_set_has(set, shape));
    assert_false(ndp_property_set_has(set, ndp_property_find("dtype")));
    at = 0;
    assert_ptr_equal(ndp_property_set_next(set, &at), shape);
    assert_ptr_equal(all[at], shape);
    at++;
    assert_ptr_equal(ndp_property_set_next(set, &at), values);
    at++;
    assert_null(ndp_property_set_next(set, &at));
    assert_int_equal(ndp_property_set_slots(set, NDP_VALUE_ARRAY), values->needs | shape->needs);
    assert_int_equal(ndp_property_set_slots(set, NDP_VALUE_GRAPH), 0);
    assert_int_equal(ndp_property_set_all(false).bits & ndp_property_set_all(true).bits, 0);
    assert_int_equal(ndp_property_set_all(false).bits | ndp_property_set_all(true).bits, (UINT64_C(1) << count) - 1);
    struct ndp_descriptor descriptor = {.property_count = 0};
    assert_int_equal(ndp_property_set_named(&descriptor, &set, &error), NDP_OK);
    assert_int_equal(set.bits, ndp_property_set_all(false).bits);
    strcpy(descriptor.properties[descriptor.property_count++], "leaks");
    assert_int_equal(ndp_property_set_named(&descriptor, &set, &error), NDP_OK);
    assert_int_equal(set.bits, ndp_property_set_of(ndp_property_find("leaks")).bits);
    strcpy(descriptor.properties[descriptor.property_count++], "nothing");
    assert_int_equal(ndp_property_set_named(&descriptor, &set, &error), NDP_INVALID);
    assert_non_null(strstr(error.text, "nothing"));
}

NDP_SUITE(property_test, NDP_TEST(properties_are_found_by_exact_name),
          NDP_TEST(properties_apply_by_case_and_value_kind), NDP_TEST(a_set_has_what_was_added));
