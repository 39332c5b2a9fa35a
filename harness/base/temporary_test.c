#include "base/temporary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static void an_absolute_tmpdir_wins(void **state) {
    (void)state;
    assert_int_equal(setenv("TMPDIR", "/var/tmp", 1), 0);
    assert_string_equal(ndp_temporary_parent(), "/var/tmp");
}

static void what_is_chosen_can_be_written(void **state) {
    (void)state;
    assert_int_equal(setenv("TMPDIR", "relative", 1), 0);
    const char *relative = ndp_temporary_parent();
    assert_int_equal(relative[0], '/');
    assert_int_equal(unsetenv("TMPDIR"), 0);
    assert_string_equal(ndp_temporary_parent(), relative);
    assert_int_equal(access(relative, W_OK | X_OK), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_absolute_tmpdir_wins),
        cmocka_unit_test(what_is_chosen_can_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
