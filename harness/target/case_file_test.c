#include "base/suite.h"
#include "target/case_file.h"

#include <fcntl.h>
#include <sys/mman.h>

#define ARENA_BYTES (UINT64_C(1) << 20)

/* TMPDIR is a folder of this test. A folder that stays behind makes its removal fail. */
static char parent[] = "/tmp/ndproof-test-XXXXXX";

static int setup(void **state) {
    return mkdtemp(parent) && setenv("TMPDIR", parent, 1) == 0 ? 0 : -1;
}

static int teardown(void **state) {
    return rmdir(parent);
}

static void keeps_bytes(void **state) {
    struct ndp_case_folder folder = {.path = ""};
    struct ndp_case_file file;
    struct ndp_bytes bytes;
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    ndp_case_file_remove_folder(&folder); /* removing a folder that does not exist does nothing */
    for (int i = 0; i < 2; i++) {
        const char *text = i == 0 ? "the first content" : "";
        assert_int_equal(ndp_case_file_make(&folder, 3, ndp_bytes_view(text), &file), NDP_OK);
        assert_int_equal(ndp_case_file_read(&file, &arena, &bytes), NDP_OK);
        assert_true(ndp_bytes_is_equal(bytes, ndp_bytes_view(text)));
    }
    assert_int_equal(strncmp(file.path, parent, strlen(parent)), 0);
    ndp_arena_fail_at(&arena, 1);
    assert_int_equal(ndp_case_file_read(&file, &arena, &bytes), NDP_NOMEM);
    const struct ndp_case_file gone = file;
    ndp_case_file_remove(&file);
    assert_int_equal(ndp_case_file_read(&gone, &arena, &bytes), NDP_IO);
    ndp_case_file_remove_folder(&folder);
}

/* A rewritten file is a new file, so a map of the old one keeps its content. */
static void finds_the_place_in_a_mapping(void **state) {
    static uint8_t bytes[8192];
    struct ndp_case_folder folder = {.path = ""};
    struct ndp_case_file file;
    uint64_t position = 77;
    memset(bytes, 5, sizeof bytes);
    assert_int_equal(ndp_case_file_make(&folder, 0, (struct ndp_bytes){bytes, sizeof bytes}, &file), NDP_OK);
    const int fd = open(file.path, O_RDONLY);
    assert_true(fd >= 0);
    const uint8_t *map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 4096);
    assert_true(map != MAP_FAILED);
    assert_true(ndp_case_file_maps(&file, map + 10, &position));
    assert_int_equal(position, 4106);
    position = 77;
    assert_false(ndp_case_file_maps(&file, bytes, &position));
    assert_int_equal(position, 77);
    assert_int_equal(ndp_case_file_make(&folder, 0, ndp_bytes_view("x"), &file), NDP_OK);
    assert_int_equal(map[4095], 5);
    assert_false(ndp_case_file_maps(&file, map, &position));
    assert_int_equal(munmap((void *)(uintptr_t)map, 4096), 0);
    (void)close(fd);
    ndp_case_file_remove(&file);
    ndp_case_file_remove_folder(&folder);
}

static void finds_no_place_outside_of_mappings(void **state) {
    struct ndp_case_folder folder = {.path = ""};
    struct ndp_case_file file = {.path = "kept"};
    assert_int_equal(setenv("TMPDIR", "/nowhere/at/all", 1), 0);
    assert_int_equal(ndp_case_file_make(&folder, 0, ndp_bytes_view("x"), &file), NDP_IO);
    assert_string_equal(file.path, "kept");
    assert_string_equal(folder.path, "");
    assert_int_equal(setenv("TMPDIR", parent, 1), 0);
}

NDP_SUITE_FIXTURE(case_file_test, setup, teardown, NDP_TEST(keeps_bytes), NDP_TEST(finds_the_place_in_a_mapping),
                  NDP_TEST(finds_no_place_outside_of_mappings));
