/* spares_test.c: the spares run this program. */
#include "base/suite.h"
#include "target/process/own_testee.h"
#include "target/process/spares.h"

#include <errno.h>
#include <sys/wait.h>

static void expect_no_children(void) {
    errno = 0;
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static void the_oldest_is_taken_first(void **state) {
    struct ndp_spares spares = {.count = 0};
    struct ndp_child taken[2] = {{.guard = 0}, {.guard = 0}};
    struct own_argv own;
    own_init(&own, "echo");
    assert_false(ndp_spares_take(&spares, &taken[0]));
    assert_int_equal(taken[0].guard, 0);
    ndp_spares_fill(&spares, 1, own.argv, &own_limits);
    assert_int_equal(spares.count, 1);
    const pid_t first = spares.waiting[0].guard;
    /* Existing spares stay, and the maximum is kept. */
    ndp_spares_fill(&spares, 99, own.argv, &own_limits);
    assert_int_equal(spares.count, NDP_MAX_SPARES);
    assert_int_equal(spares.waiting[0].guard, first);
    const pid_t second = spares.waiting[1].guard;
    ndp_spares_fill(&spares, 1, own.argv, &own_limits);
    assert_int_equal(spares.count, NDP_MAX_SPARES);
    assert_true(ndp_spares_take(&spares, &taken[0]));
    assert_true(ndp_spares_take(&spares, &taken[1]));
    assert_int_equal(taken[0].guard, first);
    assert_int_equal(taken[1].guard, second);
    assert_int_equal(spares.count, 0);
    /* A spare is a child like any other and has received nothing. */
    for (int i = 0; i < 2; i++) {
        uint64_t written = 0, got = 0;
        uint8_t room[8];
        assert_int_equal(ndp_child_write(&taken[i], ndp_bytes_view("?"), &written), NDP_OK);
        assert_int_equal(written, 1);
        while (got == 0) {
            assert_int_equal(ndp_child_wait(&taken[i], false, 60 * SECOND_NS), NDP_OK);
            assert_int_equal(ndp_child_read(&taken[i], room, sizeof room, &got), NDP_OK);
        }
        assert_int_equal(got, 1);
        ndp_child_stop(&taken[i]);
    }
    expect_no_children();
}

static void stopping_leaves_nothing(void **state) {
    struct ndp_spares spares = {.count = 0};
    struct own_argv own;
    char folders[NDP_MAX_SPARES][NDP_FOLDER_PATH_BYTES];
    const int fds = count_fds();
    own_init(&own, "family");
    ndp_spares_fill(&spares, NDP_MAX_SPARES, own.argv, &own_limits);
    assert_int_equal(spares.count, NDP_MAX_SPARES);
    for (int i = 0; i < NDP_MAX_SPARES; i++) memcpy(folders[i], spares.waiting[i].folder, sizeof folders[i]);
    ndp_spares_stop(&spares);
    assert_int_equal(spares.count, 0);
    for (int i = 0; i < NDP_MAX_SPARES; i++) assert_int_equal(access(folders[i], F_OK), -1);
    expect_no_children();
    assert_int_equal(count_fds(), fds);
    ndp_spares_stop(&spares);
}

/* A spare's end is seen by the caller that takes it. A spare that cannot be started is not an error. */
static void a_bad_spare_is_no_error(void **state) {
    struct ndp_spares spares = {.count = 0};
    struct ndp_child taken;
    struct own_argv own;
    own_init(&own, "exit7");
    ndp_spares_fill(&spares, 1, own.argv, &own_limits);
    assert_int_equal(spares.count, 1);
    assert_true(ndp_spares_take(&spares, &taken));
    while (taken.ending == NDP_ENDING_RUNNING) assert_int_equal(ndp_child_wait(&taken, false, 60 * SECOND_NS), NDP_OK);
    assert_int_equal(taken.death.exit_code, 7);
    ndp_child_stop(&taken);
    char *const kept = own_lose_folder();
    ndp_spares_fill(&spares, 2, own.argv, &own_limits);
    assert_int_equal(spares.count, 0);
    own_restore_folder(kept);
    expect_no_children();
}

NDP_SUITE_WITH(spares_test, own_play_role, NULL, NULL, NDP_TEST(the_oldest_is_taken_first),
               NDP_TEST(stopping_leaves_nothing), NDP_TEST(a_bad_spare_is_no_error));
