/* joblib_legacy_test.c: z-files and companions. The streams are zlib.compress(text, 3) of CPython 3.11; the header is
 * that of joblib 0.8.4's numpy_pickle.py, write_zfile: b"ZF", hex(len(text)).ljust(19). */
#include "codec/joblib/joblib_legacy.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/suite.h"
#include "codec/data_memory.h"

#define TEXT       "an array, an array, an array"
#define STREAM     "\x78\x5e\x4b\xcc\x53\x48\x2c\x2a\x4a\xac\xd4\x51\x48\xc4\x60\x31\x00\x00\x95\x43\x09\xc3"
#define CUT_STREAM "\x78\x5e\x4b\xcc\x53\x48\x2c\x2a\x4a\xac\xd4\x51\x48\xc4\x60\x31\x00\x00"
#define BYTES(literal)                                                                                                 \
    { (const uint8_t *)(literal), sizeof(literal) - 1 }
enum { TEXT_BYTES = sizeof(TEXT) };

/* Reads a z-file in pieces of `room_bytes`; fills `out` with what came. */
static enum ndp_status read_zfile(struct ndp_bytes bytes, uint64_t room_bytes, struct ndp_buffer *out,
                                  struct ndp_error *error) {
    struct ndp_zfile zfile = {0};
    struct ndp_source source = ndp_source_memory(bytes);
    uint8_t room[64];
    uint64_t got = 1;
    enum ndp_status status = ndp_zfile_open(&zfile, &source, NULL, error);
    while (status == NDP_OK && got > 0) {
        status = ndp_zfile_read(&zfile, room, room_bytes, &got);
        if (status == NDP_OK) assert_int_equal(ndp_buffer_add(out, room, got), NDP_OK);
    }
    ndp_zfile_close(&zfile);
    assert_null(zfile.stream);
    return status;
}

static void z_files_give_what_their_header_says(void **state) {
    (void)state;
    static const struct {
        struct ndp_bytes bytes;
        enum ndp_status status;
        uint64_t given_bytes;
    } rows[] = {
        {BYTES("ZF0x1d               " STREAM), NDP_OK, TEXT_BYTES},
        {BYTES("ZF0x1dL              " STREAM), NDP_OK, TEXT_BYTES},
        {BYTES("ZF0x0000000000000001d" STREAM), NDP_OK, TEXT_BYTES},
        {BYTES("ZF0x1dL               " STREAM), NDP_OK, TEXT_BYTES}, /* a space more, as of Python 2 */
        {BYTES("ZF0x1c               " STREAM), NDP_INVALID, 28},
        {BYTES("ZF0x0                " STREAM), NDP_INVALID, 0},
        {BYTES("ZF0x10               " CUT_STREAM), NDP_INVALID, 16}, /* more than it says comes before the cut */
        {BYTES("ZF0x1e               " STREAM), NDP_INVALID, TEXT_BYTES},
        {BYTES("ZF0x7fffffffffffffff " STREAM), NDP_INVALID, TEXT_BYTES},
        {BYTES("ZF0x1d                 " STREAM), NDP_INVALID, 0},
        {BYTES("ZF0x1d               x" STREAM), NDP_INVALID, 0},
        {BYTES("ZF0x1d               "), NDP_TRUNCATED, 0},
        {BYTES("ZF0x1d              "), NDP_TRUNCATED, 0},
        {BYTES("ZF"), NDP_TRUNCATED, 0},
        {BYTES("ZG0x1d               " STREAM), NDP_INVALID, 0},
        {BYTES("ZF0x                 " STREAM), NDP_INVALID, 0},
        {BYTES("ZF29                 " STREAM), NDP_INVALID, 0},
        {BYTES("ZF0x1D               " STREAM), NDP_INVALID, 0},
        {BYTES("ZF0x1d L             " STREAM), NDP_INVALID, 0},
        {BYTES("ZF0x1dLL             " STREAM), NDP_INVALID, 0},
        {BYTES("ZF0x1000000000000001d" STREAM), NDP_INVALID, 0},
    };
    static const uint64_t rooms[] = {1, 7, 64};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows) * NDP_ARRAY_LEN(rooms); i++) {
        const size_t row = i / NDP_ARRAY_LEN(rooms);
        struct ndp_buffer out;
        struct ndp_error error = {0};
        ndp_buffer_init(&out, 1000);
        const enum ndp_status status = read_zfile(rows[row].bytes, rooms[i % NDP_ARRAY_LEN(rooms)], &out, &error);
        if (status != rows[row].status) fail_msg("row %zu: %s", row, ndp_status_name(status));
        if (out.size_bytes != rows[row].given_bytes) fail_msg("row %zu: %d bytes", row, (int)out.size_bytes);
        if (out.size_bytes > 0) assert_memory_equal(out.data, TEXT, out.size_bytes);
        ndp_buffer_clear(&out);
    }
    assert_true(ndp_zfile_detect((struct ndp_bytes)BYTES("ZF0")));
    assert_false(ndp_zfile_detect((struct ndp_bytes)BYTES("Z")));
    assert_false(ndp_zfile_detect((struct ndp_bytes){NULL, 0}));
}

static void every_cut_of_a_z_file_is_refused(void **state) {
    (void)state;
    static const char whole[] = "ZF0x1d               " STREAM;
    for (uint64_t size = 0; size + 1 < sizeof(whole); size++) {
        uint8_t *exact = malloc(size == 0 ? 1 : (size_t)size);
        struct ndp_buffer out;
        struct ndp_error error;
        assert_non_null(exact);
        memcpy(exact, whole, (size_t)size);
        ndp_buffer_init(&out, 1000);
        assert_int_equal(read_zfile((struct ndp_bytes){exact, size}, 64, &out, &error), NDP_TRUNCATED);
        ndp_buffer_clear(&out);
        free(exact);
    }
}

static struct ndp_object name_of(struct ndp_bytes text) {
    return (struct ndp_object){.kind = NDP_OBJECT_TEXT, .offset_bytes = 42, .bytes = text};
}

static void names_lead_nowhere_else(void **state) {
    (void)state;
    static uint8_t longest[256];
    memset(longest, 'x', sizeof(longest));
    const struct {
        struct ndp_bytes text;
        bool is_name;
    } rows[] = {
        {BYTES("a_01.npy"), true}, {BYTES(".."), false},   {BYTES("."), false},    {BYTES("..."), true},
        {BYTES(""), false},        {BYTES("a/b"), false},  {BYTES("/a"), false},   {BYTES("a\\b"), false},
        {BYTES("C:a"), false},     {BYTES("a\0b"), false}, {{longest, 255}, true}, {{longest, 256}, false},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct ndp_object name = name_of(rows[i].text);
        if (ndp_companion_is_name(&name) != rows[i].is_name) fail_msg("row %zu", i);
    }
    const struct ndp_object bytes = {.kind = NDP_OBJECT_BYTES, .bytes = BYTES("a")};
    assert_false(ndp_companion_is_name(&bytes));
    assert_false(ndp_companion_is_name(NULL));
}

static void companions_are_regular_files_of_the_folder(void **state) {
    (void)state;
    char path[] = "/tmp/ndproof-test-XXXXXX";
    assert_non_null(mkdtemp(path));
    const int folder = open(path, O_RDONLY | O_DIRECTORY);
    const int file = openat(folder, "file", O_WRONLY | O_CREAT, 0600);
    const int packed = openat(folder, "packed", O_WRONLY | O_CREAT, 0600);
    static const char zfile[] = "ZF0x1d               " STREAM;
    assert_int_equal(write(file, "abcd", 4), 4);
    assert_int_equal(write(packed, zfile, sizeof(zfile) - 1), sizeof(zfile) - 1);
    assert_int_equal(symlinkat("file", folder, "link"), 0);
    assert_int_equal(mkfifoat(folder, "fifo", 0600), 0);
    assert_int_equal(mkdirat(folder, "inner", 0700), 0);
    static const struct {
        const char *name;
        bool is_zfile;
        uint64_t max_bytes;
        enum ndp_status status;
        uint64_t size_bytes;
    } rows[] = {
        {"file", false, 4, NDP_OK, 4},
        {"file", false, 3, NDP_LIMIT, 0},
        {"packed", true, TEXT_BYTES, NDP_OK, 29},
        {"packed", true, 28, NDP_LIMIT, 0},
        {"file", true, 100, NDP_TRUNCATED, 0},
        {"link", false, 100, NDP_INVALID, 0},
        {"fifo", false, 100, NDP_INVALID, 0},
        {"inner", false, 100, NDP_INVALID, 0},
        {"none", false, 100, NDP_IO, 0},
        {"..", false, 100, NDP_INVALID, 0},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct ndp_object name = name_of(ndp_bytes_view(rows[i].name));
        struct ndp_blob blob = {{NULL, 0}, NULL};
        struct ndp_error error = {0};
        const enum ndp_status status =
            ndp_companion_read(folder, &name, rows[i].is_zfile, rows[i].max_bytes, NULL, &blob, &error);
        if (status != rows[i].status) fail_msg("%s: %s, %s", rows[i].name, ndp_status_name(status), error.text);
        if (status == NDP_OK) assert_int_equal(blob.bytes.size_bytes, rows[i].size_bytes);
        if (status == NDP_OK)
            assert_memory_equal(blob.bytes.data, rows[i].is_zfile ? TEXT : "abcd", rows[i].size_bytes);
        if (status == NDP_OK) ndp_data_free(blob.owned);
        if (status == NDP_INVALID) assert_int_equal(error.offset_bytes, 42);
        assert_int_equal(error.status, status);
    }
    static const char *const names[] = {"file", "packed", "link", "fifo"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(names); i++) assert_int_equal(unlinkat(folder, names[i], 0), 0);
    assert_int_equal(unlinkat(folder, "inner", AT_REMOVEDIR), 0);
    assert_int_equal(close(file) + close(packed) + close(folder), 0);
    assert_int_equal(rmdir(path), 0);
}

NDP_SUITE(joblib_legacy_test, cmocka_unit_test(z_files_give_what_their_header_says),
          cmocka_unit_test(every_cut_of_a_z_file_is_refused), cmocka_unit_test(names_lead_nowhere_else),
          cmocka_unit_test(companions_are_regular_files_of_the_folder));
