/* Expected orders are those of PEP 440. */
#include "base/bytes.h"
#include "base/suite.h"
#include "property/version_compare.h"

static const struct {
    const char *older;
    const char *newer;
} versions[] = NDP_ROWS({"1.9.3", "1.10.0"}, {"1.23.5", "1.24"}, {"2.0.0rc1", "2.0.0"}, {"2.0.0rc1", "2.0.0rc2"},
                        {"2.0.0b1", "2.0.0rc1"}, {"2.6.0.dev0+git2", "2.6.0a1"}, {"2.6.0.dev0", "2.6.0"},
                        {"2.4.6", "2.4.6.post1"}, {"2", "2.0.1"}, {"", "0.0.1"}, {"1.0.0", "99999999999999999999"});

static void versions_are_ordered(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(versions); i++) {
        assert_true(ndp_version_compare(versions[i].older, versions[i].newer) < 0);
        assert_true(ndp_version_compare(versions[i].newer, versions[i].older) > 0);
        assert_int_equal(ndp_version_compare(versions[i].newer, versions[i].newer), 0);
    }
    assert_int_equal(ndp_version_compare("2.0", "2.0.0"), 0);
    assert_int_equal(ndp_version_compare("2.4.6+local.1", "2.4.6"), 0);
}

NDP_SUITE(version_compare_test, NDP_TEST(versions_are_ordered));
