#include "base/byteorder.h"
#include "base/suite.h"
#include "codec/npz/npz_end.h"

enum { FILE_BYTES = 400, END_BYTES = 22, END64_AT = 200, LOCATOR_BYTES = 20 };

/* A file in which only the records at its end matter, of exact size so that sanitizers detect overreads. */
static uint8_t *file_new(void) {
    uint8_t *bytes = calloc(1, FILE_BYTES);
    assert_non_null(bytes);
    return bytes;
}

/* Writes an end record. Fields: APPNOTE 4.3.16. */
static void put_end(uint8_t *at, uint16_t entries, uint32_t size_bytes, uint32_t offset_bytes) {
    memcpy(at, "PK\5\6", 4);
    ndp_store_u16le(at + 8, entries);
    ndp_store_u16le(at + 10, entries);
    ndp_store_u32le(at + 12, size_bytes);
    ndp_store_u32le(at + 16, offset_bytes);
}

/* Writes a ZIP64 record and its locator before `end`. Fields: APPNOTE 4.3.14 and 4.3.15. */
static void put_end64(uint8_t *bytes, uint8_t *end, uint64_t entries, uint64_t size_bytes, uint64_t offset_bytes) {
    uint8_t *record = bytes + END64_AT;
    memcpy(record, "PK\6\6", 4);
    ndp_store_u64le(record + 24, entries);
    ndp_store_u64le(record + 32, entries);
    ndp_store_u64le(record + 40, size_bytes);
    ndp_store_u64le(record + 48, offset_bytes);
    memcpy(end - LOCATOR_BYTES, "PK\6\7", 4);
    ndp_store_u64le(end - LOCATOR_BYTES + 8, END64_AT);
}

static enum ndp_status check_file(const uint8_t *bytes, struct ndp_error *error) {
    const struct ndp_npz_source source = {
        .bytes = {bytes, FILE_BYTES}, .tail = {bytes, FILE_BYTES}, .fd = -1, .size_bytes = FILE_BYTES};
    return ndp_npz_end_check(&source, error);
}

static void members_have_room_in_their_directory(void **state) {
    static const struct {
        uint16_t entries;
        uint32_t size_bytes;
        uint32_t offset_bytes;
        enum ndp_status status;
    } rows[] = {
        {0, 0, 0, NDP_OK},
        {3, 3 * 46, 100, NDP_OK},
        {3, 3 * 46 - 1, 100, NDP_INVALID},
        {65535, 200, 100, NDP_INVALID},
        {1, 0, 0, NDP_INVALID},
        {65535, UINT32_MAX, UINT32_MAX, NDP_INVALID}, /* the ZIP64 record is missing */
        {5, UINT32_MAX, UINT32_MAX, NDP_OK},          /* for libzip to refuse: it reads nothing */
        {4, 200, 179, NDP_OK},                        /* likewise: the directory ends after its record */
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_error error = {0};
        uint8_t *bytes = file_new();
        put_end(bytes + FILE_BYTES - END_BYTES, rows[i].entries, rows[i].size_bytes, rows[i].offset_bytes);
        assert_int_equal(check_file(bytes, &error), rows[i].status);
        if (rows[i].status != NDP_OK) assert_int_equal(error.offset_bytes, FILE_BYTES - END_BYTES);
        bytes[FILE_BYTES - END_BYTES + 4] = 1; /* several disks */
        assert_int_equal(check_file(bytes, NULL), NDP_OK);
        bytes[FILE_BYTES - END_BYTES + 4] = 0;
        bytes[FILE_BYTES - END_BYTES + 8] ^= 1; /* differing counts */
        assert_int_equal(check_file(bytes, NULL), NDP_OK);
        free(bytes);
    }
}

static void a_locator_selects_the_zip64_record(void **state) {
    static const struct {
        uint64_t entries;
        uint64_t size_bytes;
        enum ndp_status status;
    } rows[] = {
        {2, 92, NDP_OK},
        {2, 91, NDP_INVALID},
        {UINT64_C(1) << 40, 100, NDP_INVALID},
        {UINT64_C(1) << 40, UINT64_MAX, NDP_INVALID},
        {1, UINT64_MAX, NDP_OK},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        uint8_t *bytes = file_new();
        uint8_t *end = bytes + FILE_BYTES - END_BYTES;
        put_end(end, 65535, 0, 0); /* overridden by the ZIP64 record */
        put_end64(bytes, end, rows[i].entries, rows[i].size_bytes, 50);
        assert_int_equal(check_file(bytes, NULL), rows[i].status);
        ndp_store_u64le(end - LOCATOR_BYTES + 8, END64_AT + 1); /* no record there */
        assert_int_equal(check_file(bytes, NULL), NDP_OK);
        ndp_store_u64le(end - LOCATOR_BYTES + 8, FILE_BYTES - 4);
        assert_int_equal(check_file(bytes, NULL), NDP_OK);
        ndp_store_u64le(end - LOCATOR_BYTES + 8, UINT64_MAX);
        assert_int_equal(check_file(bytes, NULL), NDP_OK);
        free(bytes);
    }
}

/* Writes a directory entry (APPNOTE 4.3.12) with a name of 4 bytes, an extra field of 3 and a comment of 2. */
static void put_entry(uint8_t *at) {
    memcpy(at, "PK\1\2", 4);
    ndp_store_u16le(at + 28, 4);
    ndp_store_u16le(at + 30, 3);
    ndp_store_u16le(at + 32, 2);
}

static void a_directory_ends_with_its_last_member(void **state) {
    static const struct {
        uint16_t entries;
        uint32_t size_bytes;
        enum ndp_status status;
    } rows[] = {
        {2, 110, NDP_OK},      {1, 110, NDP_INVALID}, {0, 110, NDP_INVALID},
        {2, 111, NDP_INVALID}, {2, 109, NDP_OK}, /* for libzip to refuse: the last member extends past the end */
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        uint8_t *bytes = file_new();
        put_entry(bytes + 50);
        put_entry(bytes + 105);
        put_end(bytes + FILE_BYTES - END_BYTES, rows[i].entries, rows[i].size_bytes, 50);
        assert_int_equal(check_file(bytes, NULL), rows[i].status);
        free(bytes);
    }
}

/* libzip reads the directory of every end record that it finds, so their total size is limited. */
static void the_total_size_of_directories_is_limited(void **state) {
    uint8_t *bytes = file_new();
    for (uint32_t i = 0; i < 6; i++) put_end(bytes + FILE_BYTES - END_BYTES * (i + 1), 1, 250, 0);
    assert_int_equal(check_file(bytes, NULL), NDP_OK);
    put_end(bytes + FILE_BYTES - END_BYTES * 7, 1, 200, 0);
    assert_int_equal(check_file(bytes, NULL), NDP_INVALID);
    free(bytes);
}

/* As in a stored array whose elements look like end records: zipfile of CPython 3.11 uses the last one. */
static void a_few_wrong_records_before_the_end_are_tolerated(void **state) {
    for (uint32_t strays = 0; strays <= 5; strays++) {
        struct ndp_error error = {0};
        uint8_t *bytes = file_new();
        put_end(bytes + FILE_BYTES - END_BYTES, 0, 0, 0);
        for (uint32_t i = 0; i < strays; i++) put_end(bytes + END_BYTES * (2 + i), i % 2 ? 0 : 256, i % 2 ? 20 : 0, 0);
        assert_int_equal(check_file(bytes, &error), strays <= 4 ? NDP_OK : NDP_INVALID);
        assert_int_equal(error.offset_bytes, strays <= 4 ? 0 : END_BYTES * 6);
        free(bytes);
    }
}

/* A record for which libzip would allocate a large table is not tolerated. */
static void other_wrong_records_before_the_end_are_refused(void **state) {
    static const struct {
        uint16_t entries;
        uint32_t size_bytes;
        enum ndp_status status;
    } rows[] = {
        {256, 0, NDP_OK},
        {257, 0, NDP_INVALID},
        {0, 45, NDP_OK},
        {0, 46, NDP_INVALID}, /* the bytes are taken for an uncounted member */
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        uint8_t *bytes = file_new();
        put_end(bytes + 150, rows[i].entries, rows[i].size_bytes, 0);
        put_end(bytes + FILE_BYTES - END_BYTES, 0, 0, 0);
        assert_int_equal(check_file(bytes, NULL), rows[i].status);
        put_end(bytes + FILE_BYTES - END_BYTES, 1, 0, 0); /* now they are counted */
        assert_int_equal(check_file(bytes, NULL), NDP_INVALID);
        put_end(bytes + FILE_BYTES - END_BYTES, 0, 0, 0);
        put_end(bytes + 300, 0, 0, 0);
        put_end64(bytes, bytes + 300, 1, 0, 0);
        assert_int_equal(check_file(bytes, NULL), NDP_INVALID);
        free(bytes);
    }
}

static void a_file_without_an_end_claims_nothing(void **state) {
    const uint8_t cut[] = {'P', 'K', 5, 6, 0, 0, 0, 0, 255, 255, 255, 255};
    const struct ndp_npz_source source = {
        .bytes = {cut, sizeof(cut)}, .tail = {cut, sizeof(cut)}, .fd = -1, .size_bytes = sizeof(cut)};
    const struct ndp_npz_source none = {.fd = -1};
    assert_int_equal(ndp_npz_end_check(&source, NULL), NDP_OK);
    assert_int_equal(ndp_npz_end_check(&none, NULL), NDP_OK);
}

NDP_SUITE(npz_end_test, NDP_TEST(members_have_room_in_their_directory), NDP_TEST(a_locator_selects_the_zip64_record),
          NDP_TEST(a_directory_ends_with_its_last_member), NDP_TEST(the_total_size_of_directories_is_limited),
          NDP_TEST(a_few_wrong_records_before_the_end_are_tolerated),
          NDP_TEST(other_wrong_records_before_the_end_are_refused), NDP_TEST(a_file_without_an_end_claims_nothing));
