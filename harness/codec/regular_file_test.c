/* Decoders open only regular files and never block. Expected: POSIX.1-2008, open and read. */
#include "base/suite.h"
#include "base/temporary.h"
#include "codec/regular_file.h"

#include <fcntl.h>
#include <sys/stat.h>

/* Creates in a folder of its own: a file of ten bytes, a link to it, a link to itself, a FIFO, a folder. */
static int setup(void **state) {
    char *folder = malloc(512);
    assert_non_null(folder);
    (void)snprintf(folder, 512, "%s/ndproof-regular-XXXXXX", ndp_temporary_parent());
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    const int fd = open("ten", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "0123456789", 10), 10);
    assert_int_equal(close(fd), 0);
    assert_int_equal(symlink("ten", "link") | symlink("loop", "loop") | mkfifo("pipe", 0600) | mkdir("folder", 0700),
                     0);
    *state = folder;
    return 0;
}

static int teardown(void **state) {
    static const char *const names[] = {"ten", "link", "loop", "pipe"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(names); i++) assert_int_equal(unlink(names[i]), 0);
    assert_int_equal(rmdir("folder") | chdir("/") | rmdir(*state), 0);
    free(*state);
    return 0;
}

static const struct {
    const char *path;
    int flags;
    enum ndp_status status;
} opened[] = {
    {"ten", O_RDONLY, NDP_OK},         {"link", O_RDONLY, NDP_OK},       {"link", O_RDONLY | O_NOFOLLOW, NDP_INVALID},
    {"loop", O_RDONLY, NDP_INVALID},   {"pipe", O_RDONLY, NDP_INVALID},  {"pipe", O_WRONLY, NDP_INVALID},
    {"folder", O_RDONLY, NDP_INVALID}, {"folder", O_RDWR, NDP_INVALID},  {"/dev/null", O_RDONLY, NDP_INVALID},
    {"absent", O_RDONLY, NDP_IO},      {"ten/absent", O_RDONLY, NDP_IO},
};

static void only_regular_files_are_opened(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(opened); i++) {
        struct ndp_error error = {.status = NDP_OK};
        uint64_t size = 77;
        int fd = -77;
        const enum ndp_status status = ndp_regular_open(AT_FDCWD, opened[i].path, opened[i].flags, &fd, &size, &error);
        if (status != opened[i].status) fail_msg("%s: %s", opened[i].path, ndp_status_name(status));
        assert_int_equal(size, status == NDP_OK ? 10 : 77);
        assert_int_equal(error.status, status);
        if (status == NDP_OK)
            assert_int_equal(close(fd), 0);
        else
            assert_int_equal(fd, -77);
    }
}

static void a_file_is_opened_in_a_folder(void **state) {
    const int folder = open(*state, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    uint64_t size = 0;
    int fd = -1;
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(ndp_regular_open(folder, "ten", O_RDONLY, &fd, &size, NULL), NDP_OK);
    assert_int_equal(fchdir(folder) | close(fd) | close(folder), 0);
}

static void the_rest_is_known_only_of_regular_files(void **state) {
    uint64_t rest = 77, size = 0;
    int fd = -1, ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_false(ndp_regular_knows_rest(ends[0], &rest));
    assert_int_equal(rest, 77);
    assert_int_equal(close(ends[0]) | close(ends[1]), 0);
    assert_int_equal(ndp_regular_open(AT_FDCWD, "ten", O_RDONLY, &fd, &size, NULL), NDP_OK);
    assert_int_equal(lseek(fd, 4, SEEK_SET), 4);
    assert_true(ndp_regular_knows_rest(fd, &rest));
    assert_int_equal(rest, 6);
    assert_int_equal(lseek(fd, 40, SEEK_SET), 40);
    assert_true(ndp_regular_knows_rest(fd, &rest));
    assert_int_equal(rest, 0);
    assert_int_equal(close(fd), 0);
    assert_int_equal(ndp_regular_size(fd, &size, NULL), NDP_IO);
}

static void short_reads_occur_only_at_the_end_of_a_file(void **state) {
    char text[16] = "";
    uint64_t got = 0, size = 0;
    int fd = -1;
    assert_int_equal(ndp_regular_open(AT_FDCWD, "ten", O_RDONLY, &fd, &size, NULL), NDP_OK);
    assert_int_equal(ndp_fd_read_at(fd, text, 3, 5, &got), NDP_OK);
    assert_int_equal(got, 3);
    assert_memory_equal(text, "567", 3);
    assert_int_equal(ndp_fd_read_at(fd, text, sizeof text, 8, &got), NDP_OK);
    assert_int_equal(got, 2);
    assert_int_equal(ndp_fd_read(&fd, text, sizeof text, &got), NDP_OK);
    assert_int_equal(got, 10);
    assert_memory_equal(text, "0123456789", 10);
    assert_int_equal(ndp_fd_read(&fd, text, sizeof text, &got), NDP_OK);
    assert_int_equal(got, 0);
    assert_int_equal(close(fd), 0);
    assert_int_equal(ndp_fd_read(&fd, text, sizeof text, &got), NDP_IO);
    assert_int_equal(ndp_fd_read_at(fd, text, 1, 0, &got), NDP_IO);
}

NDP_SUITE_FIXTURE(regular_file_test, setup, teardown, NDP_TEST(only_regular_files_are_opened),
                  NDP_TEST(a_file_is_opened_in_a_folder), NDP_TEST(the_rest_is_known_only_of_regular_files),
                  NDP_TEST(short_reads_occur_only_at_the_end_of_a_file));
