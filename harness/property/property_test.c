#include "property/property.h"

#include <string.h>

#include "base/suite.h"

static void each_is_found_by_its_name_alone(void **state) {
    (void)state;
    uint32_t count;
    const struct ndp_property *const *all = ndp_properties(&count);
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

/* By property.h: graphs, dicts and arrays are judged by others; what is judged by repetition looks at both but dicts.
 */
static void it_says_what_it_judges(void **state) {
    (void)state;
    static const struct {
        struct ndp_property property;
        bool round_trip[3]; /* by enum ndp_value_kind: an array, a graph, a dict */
        bool decode[3];
    } rows[] = {
        {{.for_round_trip = true}, {true, false, false}, {false, false, false}},
        {{.for_decode = true}, {false, false, false}, {true, false, false}},
        {{.for_round_trip = true, .for_graph = true}, {false, true, false}, {false, false, false}},
        {{.for_round_trip = true, .for_dicts = true}, {false, false, true}, {false, false, false}},
        {{.for_round_trip = true, .by_repetition = true}, {true, true, false}, {false, false, false}},
        {{.for_decode = true, .by_repetition = true}, {false, false, false}, {true, true, false}},
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

NDP_SUITE(property_test, cmocka_unit_test(each_is_found_by_its_name_alone), cmocka_unit_test(it_says_what_it_judges));
