#include "base/suite.h"
#include "report/compare.h"
#include "report/report_sample.h"

static void test_changes(void **state) {
    struct ndp_report old_report, new_report;
    struct ndp_compare compare;
    sample_report(&old_report);
    sample_report(&new_report);
    sample_finding(&old_report, "gone", NDP_SEVERITY_DEFECT, 3);
    sample_finding(&old_report, "still", NDP_SEVERITY_DEFECT, 3);
    sample_finding(&new_report, "new", NDP_SEVERITY_DEFECT, 3);
    sample_finding(&new_report, "still", NDP_SEVERITY_DEFECT, 3);
    sample_finding(&new_report, "new too", NDP_SEVERITY_DEFECT, 3);
    assert_int_equal(ndp_compare_reports(&old_report, &new_report, &compare), NDP_OK);
    static const struct {
        enum ndp_change change;
        const char *signature;
    } expected[] = {
        {NDP_CHANGE_NEW, "new"},
        {NDP_CHANGE_NEW, "new too"},
        {NDP_CHANGE_STILL, "still"},
        {NDP_CHANGE_NOT_GENERATED, "gone"},
    };
    assert_int_equal(compare.count, NDP_ARRAY_LEN(expected));
    for (size_t i = 0; i < NDP_ARRAY_LEN(expected); i++) {
        assert_int_equal(compare.items[i].change, expected[i].change);
        assert_string_equal(compare.items[i].view.cause->cause.key, expected[i].signature);
    }
    ndp_compare_clear(&compare);
    ndp_report_clear(&old_report);
    ndp_report_clear(&new_report);
}

static void test_nothing(void **state) {
    struct ndp_report report;
    struct ndp_compare compare;
    sample_report(&report);
    assert_int_equal(ndp_compare_reports(&report, &report, &compare), NDP_OK);
    assert_int_equal(compare.count, 0);
    ndp_compare_clear(&compare);
    ndp_report_clear(&report);
}

NDP_SUITE(compare_test, NDP_TEST(test_changes), NDP_TEST(test_nothing));
