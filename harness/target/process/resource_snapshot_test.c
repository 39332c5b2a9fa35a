/* resource_snapshot_test.c: the test takes a known number of resources, and the counts must rise by exactly that
 * number. */
#include "base/suite.h"
#include "target/process/guard.h"
#include "target/process/resource_snapshot.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

static char folder[64];

static struct ndp_resource_snapshot take_census(void) {
    const struct ndp_resource_snapshot_scope place = {
        .process = (int)getpid(), .root = (int)getpid(), .folder = folder, .depth = 1};
    struct ndp_resource_snapshot census;
    assert_int_equal(ndp_resource_snapshot_take(&place, &census), NDP_OK);
    return census;
}

/* Expects that only `resource` has changed, by `by`. Shared memory is skipped because the whole machine uses it. */
static void assert_grown(const struct ndp_resource_snapshot *before, enum ndp_resource resource, uint64_t by) {
    const struct ndp_resource_snapshot after = take_census();
    for (uint32_t i = 0; i < NDP_RESOURCE_COUNT; i++) {
        if (i == NDP_RESOURCE_SHARED && resource != NDP_RESOURCE_SHARED) continue;
        assert_int_equal(after.counts[i], before->counts[i] + (i == resource ? by : 0));
    }
}

static void descriptors_and_maps_are_counted(void **state) {
    const struct ndp_resource_snapshot before = take_census();
    const int fd = open("/proc/self/exe", O_RDONLY);
    assert_grown(&before, NDP_RESOURCE_DESCRIPTORS, 1);
    void *map = mmap(NULL, 1, PROT_READ, MAP_SHARED, fd, 0);
    assert_ptr_not_equal(map, MAP_FAILED);
    assert_int_equal(close(fd), 0);
    assert_grown(&before, NDP_RESOURCE_MAPS, 1);
    assert_int_equal(munmap(map, 1), 0);
    assert_grown(&before, NDP_RESOURCE_MAPS, 0);
}

static void files_are_counted_as_deep_as_asked(void **state) {
    char path[128];
    const struct ndp_resource_snapshot before = take_census();
    snprintf(path, sizeof path, "%s/a", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/a/b", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_grown(&before, NDP_RESOURCE_FILES, 2);
    snprintf(path, sizeof path, "%s/a/b/c", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_grown(&before, NDP_RESOURCE_FILES, 2);
}

static void children_count_until_they_are_waited_for(void **state) {
    const struct ndp_resource_snapshot before = take_census();
    const pid_t child = fork();
    if (child == 0) _exit(0);
    assert_true(child > 0);
    /* Waiting first keeps the resources of a dying child out of the count. */
    siginfo_t ended;
    assert_int_equal(waitid(P_PID, (id_t)child, &ended, WEXITED | WNOWAIT), 0);
    assert_grown(&before, NDP_RESOURCE_CHILDREN, 1);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_grown(&before, NDP_RESOURCE_CHILDREN, 0);
}

/* Each child reports when its files are open and then waits for permission to end. */
static void resources_of_children_are_counted(void **state) {
    enum { OPENED = 5 };
    int told[2], let_go[2];
    char byte = 0;
    assert_int_equal(pipe(told), 0);
    assert_int_equal(pipe(let_go), 0);
    const struct ndp_resource_snapshot before = take_census();
    const pid_t child = fork();
    if (child == 0) {
        if (write(told[1], &byte, 1) != 1 || read(let_go[0], &byte, 1) != 1) _exit(1);
        for (int i = 0; i < OPENED; i++) (void)open("/dev/null", O_RDONLY);
        if (write(told[1], &byte, 1) != 1) _exit(1);
        _exit((int)read(let_go[0], &byte, 1) == 1 ? 0 : 1);
    }
    assert_true(child > 0);
    assert_int_equal(read(told[0], &byte, 1), 1);
    const struct ndp_resource_snapshot with_child = take_census();
    assert_true(with_child.counts[NDP_RESOURCE_DESCRIPTORS] > before.counts[NDP_RESOURCE_DESCRIPTORS]);
    assert_true(with_child.counts[NDP_RESOURCE_MAPS] > before.counts[NDP_RESOURCE_MAPS]);
    assert_int_equal(write(let_go[1], &byte, 1), 1);
    assert_int_equal(read(told[0], &byte, 1), 1);
    assert_grown(&with_child, NDP_RESOURCE_DESCRIPTORS, OPENED);
    assert_int_equal(write(let_go[1], &byte, 1), 1);
    assert_int_equal(waitpid(child, NULL, 0), child);
    for (int i = 0; i < 2; i++) assert_int_equal(close(told[i]) + close(let_go[i]), 0);
}

static void a_process_that_is_gone_is_an_error(void **state) {
    struct ndp_resource_snapshot census;
    const pid_t child = fork();
    if (child == 0) _exit(0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    const struct ndp_resource_snapshot_scope place = {.process = (int)child, .root = (int)child, .folder = folder};
    assert_int_equal(ndp_resource_snapshot_take(&place, &census), NDP_GONE);
}

static int set_up_suite(void **state) {
    snprintf(folder, sizeof folder, "/tmp/ndproof-census-XXXXXX");
    if (mkdtemp(folder) == NULL) return 1;
    return 0;
}

static int tear_down_suite(void **state) {
    ndp_guard_remove_folder(folder);
    return 0;
}

NDP_SUITE_FIXTURE(resource_snapshot_test, set_up_suite, tear_down_suite, NDP_TEST(descriptors_and_maps_are_counted),
                  NDP_TEST(files_are_counted_as_deep_as_asked), NDP_TEST(children_count_until_they_are_waited_for),
                  NDP_TEST(resources_of_children_are_counted), NDP_TEST(a_process_that_is_gone_is_an_error));
