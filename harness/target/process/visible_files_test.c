/* visible_files_test.c: the files of programs in installations, in wide folders and behind links. */
#include "base/suite.h"
#include "target/process/visible_files.h"

#include <fcntl.h>
#include <sys/stat.h>

static char top[64];

static void make_file(const char *name, const char *text, mode_t mode) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", top, name);
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(path, 0755);
        *slash = '/';
    }
    const int fd = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0644);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    assert_int_equal(fchmod(fd, mode), 0);
    (void)close(fd);
}

static int set_up(void **state) {
    (void)state;
    snprintf(top, sizeof top, "/tmp/ndproof-visible-XXXXXX");
    if (mkdtemp(top) == NULL || chmod(top, 0755) != 0) return -1;
    return setenv("HOME", top, 1) == 0 && setenv("TMPDIR", top, 1) == 0 && unsetenv("PYTHONPATH") == 0 ? 0 : -1;
}

static int tear_down(void **state) {
    char command[96];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", top);
    return system(command);
}

/* Whether a path below the home of the test is visible. */
static bool is_visible(const struct ndp_visible_files *files, const char *name) {
    char path[256];
    snprintf(path, sizeof path, "%s%s%s", top, name[0] != '\0' ? "/" : "", name);
    for (uint32_t i = 0; i < files->count; i++) {
        const size_t length = strlen(files->list[i].path);
        if (strncmp(path, files->list[i].path, length) == 0 && (path[length] == '\0' || path[length] == '/'))
            return true;
    }
    return false;
}

static void find(const char *program, const char *argument, struct ndp_visible_files *out) {
    char first[256], second[256];
    char *argv[] = {first, second, NULL};
    snprintf(first, sizeof first, "%s/%s", top, program);
    snprintf(second, sizeof second, "%s/%s", top, argument);
    ndp_visible_files_find(argv, NULL, out);
}

/* A virtual environment links to the interpreter of another installation; both are needed, their neighbours are not. */
static void an_installation_is_visible_and_the_home_is_not(void **state) {
    static struct ndp_visible_files files;
    char target[256], link[256];
    make_file("versions/3/bin/python3.11", "", 0755);
    make_file("versions/3/lib/library.so", "", 0644);
    make_file("env/lib/package.py", "", 0644);
    make_file("env/bin/activate", "", 0644);
    make_file("secret", "", 0600);
    make_file("tree/testee.py", "", 0644);
    snprintf(target, sizeof target, "%s/versions/3/bin/python3.11", top);
    snprintf(link, sizeof link, "%s/env/bin/python3", top);
    assert_int_equal(symlink(target, link), 0);
    find("env/bin/python3", "tree/testee.py", &files);
    assert_true(is_visible(&files, "env/lib/package.py"));
    assert_true(is_visible(&files, "versions/3/lib/library.so"));
    assert_true(is_visible(&files, "tree/testee.py"));
    assert_false(is_visible(&files, "secret"));
    assert_false(is_visible(&files, ""));
    assert_true(ndp_visible_files_are_public(&files));
    make_file("env/lib/private.py", "", 0600);
    assert_false(ndp_visible_files_are_public(&files));
}

/* A program in the home itself is visible without its neighbours. */
static void a_program_in_a_wide_folder_is_visible_alone(void **state) {
    static struct ndp_visible_files files;
    make_file("program", "", 0755);
    make_file("argument.py", "", 0644);
    find("program", "argument.py", &files);
    assert_true(is_visible(&files, "program"));
    assert_true(is_visible(&files, "argument.py"));
    assert_false(is_visible(&files, "secret"));
}

/* A wrapper names the program that it starts. */
static void the_paths_in_a_short_script_are_visible(void **state) {
    static struct ndp_visible_files files;
    char text[256];
    make_file("far/bin/real", "", 0755);
    make_file("far/lib/library", "", 0644);
    snprintf(text, sizeof text, "#!/bin/sh\nexec '%s/far/bin/real' \"$@\"\n", top);
    make_file("wrapper", text, 0755);
    find("wrapper", "argument.py", &files);
    assert_true(is_visible(&files, "far/lib/library"));
    assert_false(is_visible(&files, "secret"));
}

static void variables_and_editable_installations_add_folders(void **state) {
    static struct ndp_visible_files files;
    char text[256];
    make_file("sources/numpy/init.py", "", 0644);
    make_file("added/module.py", "", 0644);
    snprintf(text, sizeof text, "{\"dir_info\": {\"editable\": true}, \"url\": \"file://%s/sources\"}", top);
    make_file("dev/bin/python3", "", 0755);
    make_file("dev/lib/python3.11/site-packages/numpy-2.dist-info/direct_url.json", text, 0644);
    make_file("beside/package.py", "", 0644);
    make_file("below/package.py", "", 0644);
    snprintf(text, sizeof text, "# none\n%s/beside\nimport site; site.addsitedir('%s/below')\n", top, top);
    make_file("dev/lib/python3.11/site-packages/more.pth", text, 0644);
    snprintf(text, sizeof text, "%s/added", top);
    assert_int_equal(setenv("PYTHONPATH", text, 1), 0);
    find("dev/bin/python3", "tree/testee.py", &files);
    assert_int_equal(unsetenv("PYTHONPATH"), 0);
    assert_true(is_visible(&files, "sources/numpy/init.py"));
    assert_true(is_visible(&files, "added/module.py"));
    assert_true(is_visible(&files, "beside/package.py"));
    assert_true(is_visible(&files, "below/package.py"));
    assert_false(is_visible(&files, "secret"));
}

NDP_SUITE_FIXTURE(visible_files_test, set_up, tear_down, NDP_TEST(an_installation_is_visible_and_the_home_is_not),
                  NDP_TEST(a_program_in_a_wide_folder_is_visible_alone),
                  NDP_TEST(the_paths_in_a_short_script_are_visible),
                  NDP_TEST(variables_and_editable_installations_add_folders));
