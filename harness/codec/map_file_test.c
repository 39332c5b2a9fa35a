/* map_file_test.c: the map backend compared with POSIX mmap and numpy.memmap. Each row of the first table is a
 * combination of mode, offset and size on a file of 10000 bytes. */
#include "base/suite.h"
#include "codec/map_file.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

enum { FILE_BYTES = 10000 };

static char path[64];

static uint8_t byte_at(uint64_t offset) {
    return (uint8_t)(offset * 31 + (offset >> 8));
}

static void fill_file(void) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (uint64_t i = 0; i < FILE_BYTES; i++) assert_int_equal(fputc(byte_at(i), file), byte_at(i));
    assert_int_equal(fclose(file), 0);
}

/* Returns the byte of the file on disk, or -1 past its end. */
static int on_disk(long offset) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, offset, SEEK_SET), 0);
    const int byte = fgetc(file);
    assert_int_equal(fclose(file), 0);
    return byte;
}

static int make_file(void **state) {
    memcpy(path, "/tmp/ndproof-test-XXXXXX", 25);
    const int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state) {
    return unlink(path);
}

static void any_range_inside_the_file_can_be_mapped(void **state) {
    static const uint64_t offsets[] = {0, 1, 63, 64, 4095, 4096, 4097, 8192, 9999, 10000};
    static const enum ndp_map_mode modes[] = {NDP_MAP_READ, NDP_MAP_READ_WRITE, NDP_MAP_COPY};
    fill_file();
    for (size_t i = 0; i < NDP_ARRAY_LEN(offsets); i++) {
        for (size_t k = 0; k < NDP_ARRAY_LEN(modes); k++) {
            const uint64_t rest = FILE_BYTES - offsets[i];
            const uint64_t sizes[] = {0, rest > 0 ? 1 : 0, rest / 2, rest, NDP_MAP_REST};
            for (size_t m = 0; m < NDP_ARRAY_LEN(sizes); m++) {
                struct ndp_map map = {0};
                assert_int_equal(ndp_map_open(path, modes[k], offsets[i], sizes[m], &map, NULL), NDP_OK);
                assert_int_equal(map.size_bytes, sizes[m] == NDP_MAP_REST ? rest : sizes[m]);
                for (uint64_t at = 0; at < map.size_bytes; at++)
                    assert_int_equal(map.data[at], byte_at(offsets[i] + at));
                assert_int_equal(ndp_map_check(&map, NULL), NDP_OK);
                assert_int_equal(ndp_map_flush(&map, NULL), NDP_OK);
                ndp_map_close(&map);
                ndp_map_close(&map);
            }
        }
    }
}

static void ranges_outside_the_file_are_refused(void **state) {
    static const struct {
        uint64_t offset;
        uint64_t size;
        enum ndp_status status;
    } rows[] = {
        {0, 10001, NDP_TRUNCATED},           {10000, 1, NDP_TRUNCATED},
        {10001, 0, NDP_TRUNCATED},           {10001, NDP_MAP_REST, NDP_TRUNCATED},
        {4096, 5905, NDP_TRUNCATED},         {0, INT64_MAX, NDP_TRUNCATED},
        {1, INT64_MAX, NDP_INVALID},         {INT64_MAX, 1, NDP_INVALID},
        {UINT64_C(1) << 63, 0, NDP_INVALID}, {UINT64_MAX, 0, NDP_INVALID},
        {UINT64_MAX, 1, NDP_INVALID},        {UINT64_MAX - 4096, 4097, NDP_INVALID},
        {0, UINT64_MAX - 1, NDP_INVALID},
    };
    static const enum ndp_map_mode modes[] = {NDP_MAP_READ, NDP_MAP_READ_WRITE, NDP_MAP_COPY};
    fill_file();
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        for (size_t k = 0; k < NDP_ARRAY_LEN(modes); k++) {
            struct ndp_map map = {0};
            struct ndp_error error = {0};
            const enum ndp_status status = ndp_map_open(path, modes[k], rows[i].offset, rows[i].size, &map, &error);
            if (status != rows[i].status) fail_msg("row %zu: %s", i, ndp_status_name(status));
            assert_true(error.text[0] != '\0');
            assert_false(map.is_open);
        }
    }
    /* The file did not grow. */
    assert_int_equal(on_disk(FILE_BYTES), -1);
}

static void an_empty_file_has_an_empty_map(void **state) {
    struct ndp_map map = {0};
    assert_int_equal(truncate(path, 0), 0);
    assert_int_equal(ndp_map_open(path, NDP_MAP_READ, 0, NDP_MAP_REST, &map, NULL), NDP_OK);
    assert_int_equal(map.size_bytes, 0);
    assert_non_null(map.data);
    assert_int_equal((uintptr_t)map.data % 64, 0);
    ndp_map_close(&map);
    assert_int_equal(ndp_map_open(path, NDP_MAP_READ, 1, 0, &map, NULL), NDP_TRUNCATED);
}

static void writes_follow_the_mode(void **state) {
    struct ndp_map map = {0};
    fill_file();
    assert_int_equal(ndp_map_open(path, NDP_MAP_COPY, 4097, 100, &map, NULL), NDP_OK);
    map.data[0] ^= 0xff;
    assert_int_equal(ndp_map_flush(&map, NULL), NDP_OK);
    assert_int_equal(on_disk(4097), byte_at(4097));
    ndp_map_close(&map);
    assert_int_equal(on_disk(4097), byte_at(4097));

    assert_int_equal(ndp_map_open(path, NDP_MAP_READ_WRITE, 4097, 100, &map, NULL), NDP_OK);
    map.data[0] ^= 0xff;
    map.data[99] ^= 0xff;
    assert_int_equal(ndp_map_flush(&map, NULL), NDP_OK);
    assert_int_equal(on_disk(4097), byte_at(4097) ^ 0xff);
    ndp_map_close(&map);
    assert_int_equal(on_disk(4196), byte_at(4196) ^ 0xff);
    assert_int_equal(on_disk(4096), byte_at(4096));
    assert_int_equal(on_disk(4197), byte_at(4197));
    assert_false(ndp_map_is_writeable(NDP_MAP_READ));
    assert_true(ndp_map_is_writeable(NDP_MAP_COPY));
}

static void a_new_map_sets_the_exact_file_size(void **state) {
    static const struct {
        uint64_t offset;
        uint64_t size;
    } rows[] = {{0, 0}, {0, 1}, {5, 0}, {4095, 2}, {4096, 4096}, {100, 20000}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_map map = {0};
        struct stat status;
        fill_file();
        assert_int_equal(ndp_map_open(path, NDP_MAP_WRITE, rows[i].offset, rows[i].size, &map, NULL), NDP_OK);
        for (uint64_t at = 0; at < map.size_bytes; at++) assert_int_equal(map.data[at], 0);
        if (map.size_bytes > 0) map.data[map.size_bytes - 1] = 7;
        assert_int_equal(ndp_map_flush(&map, NULL), NDP_OK);
        ndp_map_close(&map);
        assert_int_equal(stat(path, &status), 0);
        assert_int_equal(status.st_size, rows[i].offset + rows[i].size);
        if (rows[i].size > 0) assert_int_equal(on_disk((long)(rows[i].offset + rows[i].size - 1)), 7);
    }
    struct ndp_map map = {0};
    assert_int_equal(unlink(path), 0);
    assert_int_equal(ndp_map_open(path, NDP_MAP_WRITE, 0, 3, &map, NULL), NDP_OK);
    ndp_map_close(&map);
    assert_int_equal(on_disk(2), 0);
    /* An impossible range leaves an existing file unchanged. */
    assert_int_equal(ndp_map_open(path, NDP_MAP_WRITE, INT64_MAX, 3, &map, NULL), NDP_INVALID);
    assert_int_equal(on_disk(2), 0);
}

/* A file that shrank is reported before memory is accessed. */
static void a_shrunk_file_is_reported(void **state) {
    static const enum ndp_map_mode modes[] = {NDP_MAP_READ, NDP_MAP_READ_WRITE, NDP_MAP_COPY};
    for (size_t k = 0; k < NDP_ARRAY_LEN(modes); k++) {
        struct ndp_map map = {0};
        struct ndp_error error = {0};
        fill_file();
        assert_int_equal(ndp_map_open(path, modes[k], 100, 9900, &map, NULL), NDP_OK);
        assert_int_equal(truncate(path, 9999), 0);
        assert_int_equal(ndp_map_check(&map, &error), NDP_TRUNCATED);
        assert_int_equal(error.offset_bytes, 9999);
        assert_int_equal(ndp_map_flush(&map, NULL), modes[k] == NDP_MAP_READ_WRITE ? NDP_TRUNCATED : NDP_OK);
        assert_int_equal(truncate(path, 20000), 0);
        assert_int_equal(ndp_map_check(&map, NULL), NDP_OK);
        /* A file that replaced the mapped one does not count. */
        assert_int_equal(unlink(path), 0);
        assert_int_equal(make_file(NULL), 0);
        assert_int_equal(ndp_map_check(&map, NULL), NDP_OK);
        ndp_map_close(&map);
    }
}

static void only_regular_files_are_mapped(void **state) {
    char fifo[80], name[80];
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    (void)snprintf(fifo, sizeof(fifo), "%s.fifo", path);
    (void)snprintf(name, sizeof(name), "%s.sock", path);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    (void)snprintf(address.sun_path, sizeof(address.sun_path), "%s", name);
    const int sock = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_true(sock >= 0);
    assert_int_equal(bind(sock, (const struct sockaddr *)&address, sizeof(address)), 0);
    const char *const special[] = {fifo, name, "/tmp", "/dev/null", "/dev/zero"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(special); i++) {
        for (int mode = 0; mode < NDP_MAP_MODE_COUNT; mode++) {
            struct ndp_map map = {0};
            struct ndp_error error = {0};
            assert_int_equal(ndp_map_open(special[i], (enum ndp_map_mode)mode, 0, 1, &map, &error), NDP_INVALID);
            assert_true(error.text[0] != '\0');
        }
    }
    assert_int_equal(close(sock), 0);
    assert_int_equal(unlink(fifo), 0);
    assert_int_equal(unlink(name), 0);
}

static void missing_and_read_only_files_are_refused(void **state) {
    struct ndp_map map = {0};
    struct ndp_error error = {0};
    fill_file();
    assert_int_equal(ndp_map_open("/nonexistent/x", NDP_MAP_READ, 0, 1, &map, &error), NDP_IO);
    assert_int_equal(ndp_map_open("/nonexistent/x", NDP_MAP_WRITE, 0, 1, &map, &error), NDP_IO);
    assert_int_equal(chmod(path, 0400), 0);
    const bool is_root = access(path, W_OK) == 0; /* root can write every file */
    assert_int_equal(ndp_map_open(path, NDP_MAP_READ_WRITE, 0, 1, &map, &error), is_root ? NDP_OK : NDP_IO);
    ndp_map_close(&map);
    assert_int_equal(ndp_map_open(path, NDP_MAP_COPY, 0, 1, &map, &error), NDP_OK);
    map.data[0] ^= 1;
    ndp_map_close(&map);
    assert_int_equal(chmod(path, 0600), 0);
    assert_int_equal(on_disk(0), byte_at(0));
    /* Not even root can write through a read-only descriptor. */
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(ndp_map_open_fd(fileno(file), NDP_MAP_READ_WRITE, 0, 1, &map, &error), NDP_IO);
    assert_int_equal(ndp_map_open_fd(fileno(file), NDP_MAP_WRITE, 0, 1, &map, &error), NDP_INVALID);
    assert_int_equal(ndp_map_open_fd(fileno(file), NDP_MAP_READ, 0, 1, &map, &error), NDP_OK);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(map.data[0], byte_at(0));
    ndp_map_close(&map);
    assert_int_equal(ndp_map_open_fd(-1, NDP_MAP_READ, 0, 1, &map, &error), NDP_IO);
}

NDP_SUITE(map_file_test,
          cmocka_unit_test_setup_teardown(any_range_inside_the_file_can_be_mapped, make_file, remove_file),
          cmocka_unit_test_setup_teardown(ranges_outside_the_file_are_refused, make_file, remove_file),
          cmocka_unit_test_setup_teardown(an_empty_file_has_an_empty_map, make_file, remove_file),
          cmocka_unit_test_setup_teardown(writes_follow_the_mode, make_file, remove_file),
          cmocka_unit_test_setup_teardown(a_new_map_sets_the_exact_file_size, make_file, remove_file),
          cmocka_unit_test_setup_teardown(a_shrunk_file_is_reported, make_file, remove_file),
          cmocka_unit_test_setup_teardown(only_regular_files_are_mapped, make_file, remove_file),
          cmocka_unit_test_setup_teardown(missing_and_read_only_files_are_refused, make_file, remove_file));
