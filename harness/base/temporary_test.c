#define _GNU_SOURCE /* for unshare */

#include "base/suite.h"
#include "base/temporary.h"

#include <sched.h>
#include <sys/mount.h>

static void an_absolute_tmpdir_wins(void **state) {
    assert_int_equal(setenv("TMPDIR", "/var/tmp", 1), 0);
    assert_string_equal(ndp_temporary_parent(), "/var/tmp");
}

static void the_chosen_folder_is_writable(void **state) {
    assert_int_equal(setenv("TMPDIR", "relative", 1), 0);
    const char *relative = ndp_temporary_parent();
    assert_int_equal(relative[0], '/');
    assert_int_equal(unsetenv("TMPDIR"), 0);
    assert_string_equal(ndp_temporary_parent(), relative);
    assert_int_equal(access(relative, W_OK | X_OK), 0);
}

static void a_full_folder_is_reported(void **state) {
    char folder[] = "/tmp/ndproof-test-XXXXXX";
    struct ndp_error error = {.status = NDP_OK};
    assert_non_null(mkdtemp(folder));
    assert_int_equal(setenv("TMPDIR", folder, 1), 0);
    assert_int_equal(ndp_temporary_check(&error), NDP_OK);
    const bool is_small =
        unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 && mount("none", folder, "tmpfs", 0, "size=1m") == 0;
    const enum ndp_status status = ndp_temporary_check(&error);
    if (is_small) (void)umount(folder);
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(ndp_temporary_check(&error), NDP_IO);
    assert_non_null(strstr(error.text, folder));
    if (!is_small) skip();
    assert_int_equal(status, NDP_FAULT);
}

static void a_file_system_without_a_size_may_have_room(void **state) {
    assert_int_equal(setenv("TMPDIR", "/proc", 1), 0);
    assert_int_equal(ndp_temporary_check(NULL), NDP_OK);
}

NDP_SUITE(temporary_test, NDP_TEST(an_absolute_tmpdir_wins), NDP_TEST(the_chosen_folder_is_writable),
          NDP_TEST(a_file_system_without_a_size_may_have_room), NDP_TEST(a_full_folder_is_reported));
