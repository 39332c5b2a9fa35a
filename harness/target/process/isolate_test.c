/* isolate_test.c: each test runs in a child, because the restrictions are permanent. */
#include "base/suite.h"
#include "target/process/isolate.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

#define MIB (UINT64_C(1) << 20)

enum { GOOD = 42, NOT_HERE = 43 };

/* Runs `work` in a child. NOT_HERE when the machine does not allow it. */
static int run_in_child(int (*work)(void)) {
    int status = 0;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) _exit(work());
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status)) fail_msg("the child ended with status %d", status);
    return WEXITSTATUS(status);
}

/* A child that waits to be killed. */
static pid_t start_waiting(void) {
    const pid_t child = fork();
    if (child != 0) return child;
    for (;;) (void)pause();
}

static void a_tree_is_listed(void **state) {
    int ready[2], tree[8] = {0};
    char told = 0;
    assert_int_equal(pipe(ready), 0);
    assert_int_equal(ndp_isolate_tree_list((int)getpid(), 0, tree, 8), 0);
    assert_int_equal(ndp_isolate_tree_first_child((int)getpid()), 0);
    const pid_t first = fork();
    if (first == 0) {
        (void)start_waiting();
        if (write(ready[1], "x", 1) != 1) _exit(1);
        for (;;) (void)pause();
    }
    const pid_t second = start_waiting();
    assert_int_equal(read(ready[0], &told, 1), 1);
    assert_int_equal(ndp_isolate_tree_first_child((int)getpid()), first);
    assert_int_equal(ndp_isolate_tree_list((int)getpid(), 0, tree, 8), 3);
    assert_int_equal(tree[0], first);
    assert_int_equal(tree[1], second);
    assert_int_equal(ndp_isolate_tree_first_child((int)first), tree[2]);
    /* Fills no more than there is room for, but counts all. */
    int little[2] = {0, -1};
    assert_int_equal(ndp_isolate_tree_list((int)getpid(), 0, little, 1), 3);
    assert_int_equal(little[0], first);
    assert_int_equal(little[1], -1);
    assert_int_equal(ndp_isolate_tree_list((int)second, 0, tree + 4, 1), 0);
    assert_int_equal(kill(tree[2], SIGKILL), 0);
    assert_int_equal(kill(first, SIGKILL), 0);
    assert_int_equal(kill(second, SIGKILL), 0);
    assert_int_equal(waitpid(first, NULL, 0), first);
    assert_int_equal(waitpid(second, NULL, 0), second);
    (void)close(ready[0]);
    (void)close(ready[1]);
}

/* Written memory counts, also that of children. A process that is gone counts nothing. */
static void memory_includes_the_whole_tree(void **state) {
    int ready[2];
    char told = 0;
    char *own = malloc(32 * MIB);
    assert_non_null(own);
    for (size_t i = 0; i < 32 * MIB; i += 512) own[i] = (char)i;
    assert_int_equal(pipe(ready), 0);
    const uint64_t before = ndp_isolate_tree_memory_bytes((int)getpid());
    assert_true(before >= 32 * MIB);
    const pid_t child = fork();
    if (child == 0) {
        char *memory = malloc(64 * MIB);
        for (size_t i = 0; memory != NULL && i < 64 * MIB; i += 512) memory[i] = (char)i;
        if (memory == NULL || write(ready[1], memory + 512, 1) != 1) _exit(1);
        for (;;) (void)pause();
    }
    assert_int_equal(read(ready[0], &told, 1), 1);
    const uint64_t below = ndp_isolate_tree_memory_bytes((int)child);
    assert_true(below >= 64 * MIB);
    assert_true(ndp_isolate_tree_memory_bytes((int)getpid()) >= below + 32 * MIB);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(ndp_isolate_tree_memory_bytes((int)child), 0);
    free(own);
    (void)close(ready[0]);
    (void)close(ready[1]);
}

/* Uses this much CPU time. */
static void use_cpu(uint64_t us) {
    while ((uint64_t)clock() * 1000000 / CLOCKS_PER_SEC < us) continue;
}

/* Counts a running child, its child, and one that it has waited for. */
static void cpu_time_includes_all_descendants(void **state) {
    enum { SPENT_US = 60000, TICKS_US = 40000 };
    /* Under an emulator, /proc/self/stat contains no times. */
    const char *emulator = getenv("EMULATOR");
    if (emulator != NULL && *emulator != '\0') skip();
    int ready[2];
    char told = 0;
    assert_int_equal(pipe(ready), 0);
    const uint64_t before = ndp_isolate_tree_cpu_us((int)getpid());
    const pid_t child = fork();
    if (child == 0) {
        const pid_t ended = fork();
        if (ended == 0) {
            use_cpu(SPENT_US);
            _exit(0);
        }
        if (waitpid(ended, NULL, 0) != ended || fork() != 0) pause();
        use_cpu(SPENT_US);
        if (write(ready[1], "x", 1) != 1) _exit(1);
        for (;;) (void)pause();
    }
    assert_int_equal(read(ready[0], &told, 1), 1);
    const uint64_t below = ndp_isolate_tree_cpu_us((int)getpid()) - before;
    assert_in_range(below, 2 * SPENT_US - TICKS_US, UINT32_MAX);
    /* The child itself only waits. */
    assert_in_range(ndp_isolate_tree_cpu_us((int)child), 2 * SPENT_US - TICKS_US, below + TICKS_US);
    assert_int_equal(kill(ndp_isolate_tree_first_child((int)child), SIGKILL), 0);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_in_range(ndp_isolate_tree_cpu_us((int)getpid()) - before, SPENT_US - TICKS_US, UINT32_MAX);
    assert_int_equal(ndp_isolate_tree_cpu_us((int)child), 0);
    (void)close(ready[0]);
    (void)close(ready[1]);
}

/* A family of which one member left the session and is orphaned. */
static int kill_tree(void) {
    int status = 0, ready[2];
    char told = 0;
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) return NOT_HERE;
    if (pipe(ready) != 0) return 1;
    const pid_t first = fork();
    if (first == 0) {
        const pid_t middle = fork();
        if (middle == 0) {
            (void)setsid();
            (void)start_waiting();
            if (write(ready[1], "x", 1) != 1) _exit(1);
            _exit(0);
        }
        for (;;) (void)pause();
    }
    if (read(ready[0], &told, 1) != 1) return 2;
    ndp_isolate_tree_kill((int)first, 30, &status);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL) return 3;
    return waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD ? GOOD : 4;
}

static void all_descendants_are_killed(void **state) {
    const int ended = run_in_child(kill_tree);
    if (ended == NOT_HERE) skip();
    assert_int_equal(ended, GOOD);
}

/* No outside address can be reached with any method of isolation, and the attempt does not wait for a timeout. */
static int reach_outside(void) {
    const enum ndp_network network = ndp_isolate_network();
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(9)};
    if (network == NDP_NETWORK_OPEN) return NOT_HERE;
    if ((unsigned)network >= NDP_NETWORK_COUNT) return 1;
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0) return GOOD;
    if (network == NDP_NETWORK_SECCOMP) return 2;
    if (fcntl(fd, F_SETFL, O_NONBLOCK) != 0) return 3;
    /* RFC 5737: a documentation address, which nobody uses. */
    if (inet_pton(AF_INET, "192.0.2.1", &address.sin_addr) != 1) return 4;
    const int reached = connect(fd, (const struct sockaddr *)&address, sizeof address);
    return reached == -1 && errno == ENETUNREACH ? GOOD : 5;
}

static void the_network_is_taken_away(void **state) {
    const int ended = run_in_child(reach_outside);
    if (ended == NOT_HERE) skip();
    assert_int_equal(ended, GOOD);
}

/* Names vanish with the process. A folder that is needed stays visible under its name. */
static char kept_folder[] = "/dev/shm/ndproof-isolate-XXXXXX";
static char hidden_file[] = "/dev/shm/ndproof-hidden-XXXXXX";

static int use_shared_memory(void) {
    char path[80];
    snprintf(path, sizeof path, "%s/within", kept_folder);
    const char *const paths[] = {path, "/somewhere/else", kept_folder, NULL};
    (void)ndp_isolate_network();
    if (!ndp_isolate_shared_memory(paths, MIB)) return NOT_HERE;
    if (access(hidden_file, F_OK) == 0) return 1;
    const int fds[] = {open("/dev/shm/ndproof-isolate-lost", O_CREAT | O_RDWR, 0600),
                       open(path, O_CREAT | O_RDWR, 0600)};
    return fds[0] >= 0 && fds[1] >= 0 ? GOOD : 2;
}

static void shared_memory_is_its_own(void **state) {
    char path[80];
    if (access("/dev/shm", W_OK) != 0 || mkdtemp(kept_folder) == NULL) skip();
    const int hidden = mkstemp(hidden_file);
    assert_true(hidden >= 0);
    const int ended = run_in_child(use_shared_memory);
    snprintf(path, sizeof path, "%s/within", kept_folder);
    const bool is_there = access(path, F_OK) == 0, is_lost = access("/dev/shm/ndproof-isolate-lost", F_OK) != 0;
    (void)unlink(path);
    (void)unlink(hidden_file);
    (void)close(hidden);
    assert_int_equal(rmdir(kept_folder), 0);
    if (ended == NOT_HERE) skip();
    assert_int_equal(ended, GOOD);
    assert_true(is_there);
    assert_true(is_lost);
}

/* Core files are off, and files are at most four times the memory limit. */
static int read_limits(void) {
    struct rlimit core, size, before;
    if (getrlimit(RLIMIT_FSIZE, &before) != 0) return 1;
    ndp_isolate_resources(3 * MIB);
    if (getrlimit(RLIMIT_CORE, &core) != 0 || getrlimit(RLIMIT_FSIZE, &size) != 0) return 2;
    if (core.rlim_cur != 0 || core.rlim_max != 0) return 3;
    const rlim_t wanted = 12 * MIB;
    const rlim_t expected = before.rlim_max != RLIM_INFINITY && before.rlim_max < wanted ? before.rlim_max : wanted;
    return size.rlim_cur == expected && size.rlim_max == expected ? GOOD : 4;
}

static void resources_are_limited(void **state) {
    assert_int_equal(run_in_child(read_limits), GOOD);
}

NDP_SUITE(isolate_test, NDP_TEST(a_tree_is_listed), NDP_TEST(memory_includes_the_whole_tree),
          NDP_TEST(cpu_time_includes_all_descendants), NDP_TEST(all_descendants_are_killed),
          NDP_TEST(the_network_is_taken_away), NDP_TEST(shared_memory_is_its_own), NDP_TEST(resources_are_limited));
