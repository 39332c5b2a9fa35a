#include "base/suite.h"
#include "report/untested.h"

static struct ndp_untested item_of(enum ndp_untested_kind kind, const char *name, const char *needs) {
    struct ndp_untested item = {.kind = kind, .reason = "r", .is_expected = true};
    snprintf(item.name, sizeof item.name, "%s", name);
    snprintf(item.needs, sizeof item.needs, "%s", needs);
    return item;
}

static void names_permit_items(void **state) {
    static const struct {
        enum ndp_untested_kind kind;
        const char *name;
        const char *needs;
        const char *allowed;
        bool is_allowed;
    } rows[] = {
        {NDP_UNTESTED_TARGET, "numba@current", "", "numba", true},
        {NDP_UNTESTED_TARGET, "numba@current", "", "numba@current", true},
        {NDP_UNTESTED_TARGET, "numba@current", "", "numba@old", false},
        {NDP_UNTESTED_TARGET, "numba@current", "", "num", false},
        {NDP_UNTESTED_TARGET, "numba", "", "numba@current", false},
        {NDP_UNTESTED_TARGET, "numpy-1.26.4", "", "numpy", true},
        {NDP_UNTESTED_LIBRARY, "joblib@current", "", "joblib", true},
        {NDP_UNTESTED_FORMAT, "joblib.hash", "", "joblib", false},
        {NDP_UNTESTED_FORMAT, "npz", "", "npz", true},
        {NDP_UNTESTED_PROPERTY, "identity", "", "identity", true},
        {NDP_UNTESTED_ROUTE, "numpy>numpy npy:file>file", "", "numpy", false},
        {NDP_UNTESTED_BASELINE, "3f9a12bc", "numpy@old", "numpy", true},
        {NDP_UNTESTED_BASELINE, "3f9a12bc", "numpy@old", "3f9a12bc", true},
        {NDP_UNTESTED_BASELINE, "3f9a12bc", "", "numpy", false},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        /* Before and after the item is added. */
        for (int is_late = 0; is_late < 2; is_late++) {
            struct ndp_untested_list list = {.count = 0};
            const struct ndp_untested item = item_of(rows[i].kind, rows[i].name, rows[i].needs);
            if (!is_late) ndp_untested_allow(&list, &rows[i].allowed, 1);
            assert_int_equal(ndp_untested_add(&list, &item), NDP_OK);
            if (is_late) ndp_untested_allow(&list, &rows[i].allowed, 1);
            if (list.items[0].is_allowed != rows[i].is_allowed ||
                ndp_untested_gates(&list.items[0]) == rows[i].is_allowed)
                fail_msg("%s allowed by %s", rows[i].name, rows[i].allowed);
            ndp_untested_clear(&list);
        }
    }
}

static void an_item_is_listed_once(void **state) {
    struct ndp_untested_list list = {.count = 0};
    const struct ndp_untested items[] = {item_of(NDP_UNTESTED_FORMAT, "npz", ""),
                                         item_of(NDP_UNTESTED_TARGET, "npz", ""),
                                         item_of(NDP_UNTESTED_FORMAT, "npy", "")};
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < NDP_ARRAY_LEN(items); i++) assert_int_equal(ndp_untested_add(&list, &items[i]), NDP_OK);
    assert_int_equal(list.count, 3);
    assert_ptr_equal(ndp_untested_find(&list, NDP_UNTESTED_TARGET, "npz"), &list.items[1]);
    assert_null(ndp_untested_find(&list, NDP_UNTESTED_ROUTE, "npz"));
    ndp_untested_remove(&list, NDP_UNTESTED_FORMAT);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.items[0].kind, NDP_UNTESTED_TARGET);
    ndp_untested_clear(&list);
}

static void the_list_is_bounded(void **state) {
    struct ndp_untested_list list = {.count = 0};
    for (int i = 0; i < NDP_MAX_UNTESTED + 3; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d", i);
        const struct ndp_untested item = item_of(NDP_UNTESTED_ROUTE, name, "");
        assert_int_equal(ndp_untested_add(&list, &item), NDP_OK);
    }
    assert_int_equal(list.count, NDP_MAX_UNTESTED);
    ndp_untested_clear(&list);
}

NDP_SUITE(untested_test, NDP_TEST(names_permit_items), NDP_TEST(an_item_is_listed_once), NDP_TEST(the_list_is_bounded));
