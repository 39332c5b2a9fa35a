/* guard_test.c: guards whose testee is this program, started with the name of a deed. */
#include "base/suite.h"
#include "base/temporary.h"
#include "target/process/guard.h"
#include "target/process/own_testee.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* A guard and the other ends of its channels. */
struct guarded {
    char folder[256];
    pid_t guard;
    int control, write_fd, read_fd, print_fd;
};

static void make_folder(char *out, size_t out_bytes) {
    snprintf(out, out_bytes, "%s/ndproof-guard-XXXXXX", ndp_temporary_parent());
    assert_non_null(mkdtemp(out));
}

/* The guard replaces the standard descriptors, so no channel may use them. */
static void make_pair(int pair[2], int type) {
    assert_int_equal(type != 0 ? socketpair(AF_UNIX, type, 0, pair) : pipe(pair), 0);
    assert_true(pair[0] > 2 && pair[1] > 2);
}

static void guard_start(struct guarded *out, char *const *argv, uint64_t memory_bytes) {
    int control[2], to[2], from[2], print[2];
    make_folder(out->folder, sizeof out->folder);
    make_pair(control, SOCK_SEQPACKET);
    make_pair(to, SOCK_STREAM);
    make_pair(from, 0);
    make_pair(print, 0);
    const struct ndp_guard_job job = {.argv = argv,
                                      .folder = out->folder,
                                      .control_fd = control[1],
                                      .to_testee_fd = to[1],
                                      .from_testee_fd = from[1],
                                      .print_fd = print[1],
                                      .feedback_fd = -1,
                                      .memory_bytes = memory_bytes};
    out->guard = fork();
    assert_true(out->guard >= 0);
    if (out->guard == 0) ndp_guard_run(&job);
    (void)close(control[1]);
    (void)close(to[1]);
    (void)close(from[1]);
    (void)close(print[1]);
    out->control = control[0];
    out->write_fd = to[0];
    out->read_fd = from[0];
    out->print_fd = print[0];
}

static struct ndp_guard_message read_message(const struct guarded *guarded) {
    struct ndp_guard_message message;
    assert_int_equal(recv(guarded->control, &message, sizeof message, 0), sizeof message);
    return message;
}

/* Reads until the other side closes. */
static void read_all(int fd, char *out, size_t out_bytes) {
    size_t at = 0;
    for (ssize_t got; (got = read(fd, out + at, out_bytes - 1 - at)) > 0;) at += (size_t)got;
    out[at] = '\0';
}

static void guard_finish(struct guarded *guarded) {
    int status = 0;
    (void)close(guarded->write_fd);
    (void)close(guarded->read_fd);
    (void)close(guarded->print_fd);
    (void)close(guarded->control);
    assert_int_equal(waitpid(guarded->guard, &status, 0), guarded->guard);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_int_equal(access(guarded->folder, F_OK), -1);
}

static void it_reports_how_the_testee_ended(void **state) {
    static const struct {
        const char *deed;
        int signal, exit_code;
    } rows[] = {{"exit7", 0, 7}, {"nothing", 0, 0}, {"crash", SIGKILL, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct guarded guarded;
        struct own_argv own;
        own_init(&own, rows[i].deed);
        guard_start(&guarded, own.argv, 512 * MIB);
        struct ndp_guard_message message = read_message(&guarded);
        assert_int_equal(message.news, NDP_GUARD_STARTED);
        assert_in_range(message.network, 0, NDP_NETWORK_COUNT - 1);
        message = read_message(&guarded);
        assert_int_equal(message.news, NDP_GUARD_ENDED);
        assert_int_equal(message.excess, NDP_EXCESS_NONE);
        assert_int_equal(WIFSIGNALED(message.wait_status) ? WTERMSIG(message.wait_status) : 0, rows[i].signal);
        if (rows[i].signal == 0) assert_int_equal(WEXITSTATUS(message.wait_status), rows[i].exit_code);
        guard_finish(&guarded);
    }
}

/* The testee reads from descriptor 3 and writes to 4. Its working folder, TMPDIR and HOME are its own folder. */
static void the_testee_has_its_descriptors_and_its_folder(void **state) {
    struct guarded guarded;
    struct own_argv own;
    char told[2048], expected[2048];
    assert_int_equal(setenv("NDPROOF_COUNTERS", "of another process", 1), 0);
    own_init(&own, "places");
    guard_start(&guarded, own.argv, 512 * MIB);
    read_all(guarded.read_fd, told, sizeof told);
    snprintf(expected, sizeof expected, "%s\n%s\n%s\nnothing\n", guarded.folder, guarded.folder, guarded.folder);
    assert_string_equal(told, expected);
    guard_finish(&guarded);
    own_init(&own, "echo");
    guard_start(&guarded, own.argv, 512 * MIB);
    assert_int_equal(write(guarded.write_fd, "to and fro", 10), 10);
    assert_int_equal(shutdown(guarded.write_fd, SHUT_WR), 0);
    read_all(guarded.read_fd, told, sizeof told);
    assert_string_equal(told, "to and fro");
    guard_finish(&guarded);
}

static void a_program_that_cannot_start_prints_the_reason(void **state) {
    struct guarded guarded;
    char program[] = "no-such-program", text[512];
    char *argv[] = {program, NULL};
    guard_start(&guarded, argv, 512 * MIB);
    (void)read_message(&guarded);
    const struct ndp_guard_message message = read_message(&guarded);
    assert_int_equal(WEXITSTATUS(message.wait_status), 127);
    read_all(guarded.print_fd, text, sizeof text);
    assert_non_null(strstr(text, "cannot start no-such-program: "));
    guard_finish(&guarded);
}

static void too_much_memory_ends_the_testee(void **state) {
    struct guarded guarded;
    struct own_argv own;
    own_init(&own, "eat");
    guard_start(&guarded, own.argv, 64 * MIB);
    (void)read_message(&guarded);
    const struct ndp_guard_message message = read_message(&guarded);
    assert_int_equal(message.news, NDP_GUARD_ENDED);
    assert_int_equal(message.excess, NDP_EXCESS_MEMORY);
    assert_int_equal(WTERMSIG(message.wait_status), SIGKILL);
    guard_finish(&guarded);
}

/* The guard also ends descendants that left its session, when its starter is gone and on a signal. */
static void all_that_was_started_ends_with_it(void **state) {
    for (int way = 0; way < 2; way++) {
        struct guarded guarded;
        struct own_argv own;
        char text[32] = "";
        own_init(&own, "family");
        guard_start(&guarded, own.argv, 512 * MIB);
        assert_true(read(guarded.read_fd, text, sizeof text - 1) > 0);
        const long child = strtol(text, NULL, 10);
        assert_true(child > 0 && is_alive(child));
        if (way == 0) assert_int_equal(shutdown(guarded.control, SHUT_WR), 0);
        if (way == 1) assert_int_equal(kill(guarded.guard, SIGTERM), 0);
        (void)read_message(&guarded);
        const struct ndp_guard_message message = read_message(&guarded);
        assert_int_equal(WTERMSIG(message.wait_status), SIGKILL);
        assert_int_equal(message.excess, NDP_EXCESS_NONE);
        assert_false(is_alive(child));
        guard_finish(&guarded);
    }
}

static void write_file(const char *path) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
}

/* Folders are removed regardless of their permissions. Links are not followed. */
static void a_folder_is_removed_with_all_in_it(void **state) {
    char folder[256], other[256], path[600], kept[600];
    make_folder(folder, sizeof folder);
    make_folder(other, sizeof other);
    snprintf(kept, sizeof kept, "%s/kept", other);
    write_file(kept);
    snprintf(path, sizeof path, "%s/link", folder);
    assert_int_equal(symlink(other, path), 0);
    snprintf(path, sizeof path, "%s/a", folder);
    for (int depth = 0; depth < 20; depth++) {
        assert_int_equal(mkdir(path, 0700), 0);
        snprintf(path + strlen(path), sizeof path - strlen(path), "/a");
    }
    write_file(path);
    snprintf(path, sizeof path, "%s/closed", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/closed/file", folder);
    write_file(path);
    snprintf(path, sizeof path, "%s/closed", folder);
    assert_int_equal(chmod(path, 0), 0);
    ndp_guard_remove_folder(folder);
    assert_int_equal(access(folder, F_OK), -1);
    assert_int_equal(access(kept, F_OK), 0);
    ndp_guard_remove_folder(folder); /* removing a missing folder does nothing */
    ndp_guard_remove_folder(other);
    assert_int_equal(access(other, F_OK), -1);
}

NDP_SUITE_WITH(guard_test, own_play_role, NULL, NULL, NDP_TEST(it_reports_how_the_testee_ended),
               NDP_TEST(the_testee_has_its_descriptors_and_its_folder),
               NDP_TEST(a_program_that_cannot_start_prints_the_reason), NDP_TEST(too_much_memory_ends_the_testee),
               NDP_TEST(all_that_was_started_ends_with_it), NDP_TEST(a_folder_is_removed_with_all_in_it));
