/* withheld_test.c: which entry points may run code of given bytes. */
#include "base/suite.h"
#include "engine/withheld.h"

static const struct ndp_entry claims[] = {
    {.format = "pickle", .entry = "c", .protocol = 5, .buffers = "in-band", .decodes = true},
    {.format = "pickle", .entry = "own", .protocol = 5, .buffers = "in-band", .decodes = true, .is_inert = true},
    {.format = "joblib", .entry = "file", .decodes = true},
    {.format = "npy", .entry = "file", .decodes = true},
    {.format = "torch", .entry = "file", .decodes = true},
};

static void code_runs_where_the_format_allows_it(void **state) {
    static const struct {
        struct ndp_route route;
        bool runs_code;
    } rows[] = {
        {{.format = "pickle", .protocol = 5, .buffers = "in-band", .decode = "c"}, true},
        {{.format = "pickle", .protocol = 5, .buffers = "in-band", .decode = "own"}, false},
        {{.format = "joblib", .decode = "file"}, true},
        {{.format = "npy", .decode = "file"}, false},
        {{.format = "torch", .decode = "file"}, true}, /* a format that this program does not know */
        {{.format = "pickle", .protocol = 5, .buffers = "in-band", .decode = "unclaimed"}, true},
    };
    struct ndp_target_info info = {.entry_count = NDP_ARRAY_LEN(claims)};
    memcpy(info.entries, claims, sizeof claims);
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++)
        assert_int_equal(ndp_withheld_runs_code(&info, &rows[i].route), rows[i].runs_code);
}

static void each_format_of_a_library_is_noted_once(void **state) {
    struct ndp_withheld withheld = {.count = 0};
    ndp_withheld_add(&withheld, "numpy", "pickle");
    ndp_withheld_add(&withheld, "joblib", "joblib");
    ndp_withheld_add(&withheld, "numpy", "pickle");
    assert_int_equal(withheld.count, 2);
    assert_string_equal(withheld.list[1].library, "joblib");
    for (int i = 0; i < 2 * NDP_MAX_WITHHELD; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d", i);
        ndp_withheld_add(&withheld, name, "pickle");
    }
    assert_int_equal(withheld.count, NDP_MAX_WITHHELD);
}

NDP_SUITE(withheld_test, NDP_TEST(code_runs_where_the_format_allows_it),
          NDP_TEST(each_format_of_a_library_is_noted_once));
