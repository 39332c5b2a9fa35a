#include "base/suite.h"
#include "cmd/expected.h"

static void packages_above_the_line_are_expected(void **state) {
    struct ndp_expected expected;
    ndp_expected_read(ndp_bytes_view("# comment\nnumpy==2.4.6; python_version == \"3.11\"\nnumpy==2.5.5\n\njoblib\n"
                                     "# ---- needed by these\nPyYAML==6\n"),
                      &expected);
    assert_int_equal(expected.count, 2);
    assert_true(ndp_expected_has(&expected, "numpy"));
    assert_true(ndp_expected_has(&expected, "joblib"));
    assert_false(ndp_expected_has(&expected, "PyYAML"));
}

static void an_empty_list_expects_nothing(void **state) {
    struct ndp_expected expected;
    ndp_expected_read(ndp_bytes_view(""), &expected);
    assert_int_equal(expected.count, 0);
    assert_false(ndp_expected_has(&expected, ""));
}

NDP_SUITE(expected_test, NDP_TEST(packages_above_the_line_are_expected), NDP_TEST(an_empty_list_expects_nothing));
