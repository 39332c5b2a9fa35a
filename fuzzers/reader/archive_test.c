/* Names are found as zipfile.ZipFile of CPython 3.11 and numpy.load of NumPy 2.4 find them. The archive is one of names
 * alone, with a search that may be wrong: what the oracle is for. */
#include "reader/archive.h"

#include <string.h>

#include "base/suite.h"
#include "fuzz.h"

enum { FILES_BYTES = 4, NOWHERE = 9 };

struct ndp_npz {
    const char *names[4];
    uint64_t count;
    const char *key; /* the one whose search is wrong */
    uint64_t found;  /* and what it gives; NOWHERE is none */
    uint64_t sizes[4];
};

static int opened_paths, opened_files;

enum ndp_status ndp_npz_open_file(const char *path, const struct ndp_npz_limits *limits, struct ndp_npz **out,
                                  struct ndp_error *error) {
    (void)limits, (void)out, (void)error;
    assert_non_null(path);
    opened_paths++;
    return NDP_OK;
}

enum ndp_status ndp_npz_open_fd(int fd, const struct ndp_npz_limits *limits, struct ndp_npz **out,
                                struct ndp_error *error) {
    uint8_t bytes[FILES_BYTES + 1];
    (void)limits, (void)out, (void)error;
    assert_int_equal(pread(fd, bytes, sizeof bytes, 0), FILES_BYTES);
    assert_memory_equal(bytes, "file", FILES_BYTES);
    opened_files++;
    return NDP_OK;
}

/* Holds each limit but one, as a reader would that has forgotten it. 0 is no limit. */
enum limit { MEMBERS, TOTAL, MEMBER, NONE };
static enum limit forgotten = NONE;

static const struct ndp_npz two_members = {.names = {"a", "b"}, .count = 2, .sizes = {3, 2}};

enum ndp_status ndp_npz_open_memory(struct ndp_bytes bytes, const struct ndp_npz_limits *limits, struct ndp_npz **out,
                                    struct ndp_error *error) {
    (void)bytes, (void)out, (void)error;
    if (forgotten != MEMBERS && limits->members > 0 && limits->members < 2) return NDP_LIMIT;
    if (forgotten != TOTAL && limits->total_bytes > 0 && limits->total_bytes < 5) return NDP_LIMIT;
    return forgotten != MEMBER && limits->member_bytes > 0 && limits->member_bytes < 3 ? NDP_LIMIT : NDP_OK;
}

void ndp_npz_free(struct ndp_npz *npz) {
    assert_null(npz);
}

uint64_t ndp_npz_count(const struct ndp_npz *npz) {
    return npz->count;
}

void ndp_npz_member(const struct ndp_npz *npz, uint64_t index, struct ndp_npz_member *out) {
    *out = (struct ndp_npz_member){
        .name = ndp_bytes_view(npz->names[index]), .size_bytes = npz->sizes[index], .packed_bytes = npz->sizes[index]};
}

/* Right, by a dict of names and one of names without their ending, but for the one key. */
enum ndp_status ndp_npz_find(const struct ndp_npz *npz, struct ndp_bytes key, uint64_t *index,
                             struct ndp_error *error) {
    uint64_t whole = NOWHERE, without = NOWHERE;
    (void)error;
    for (uint64_t i = 0; i < npz->count; i++) {
        const uint64_t size = strlen(npz->names[i]);
        const bool starts = size >= key.size_bytes && memcmp(npz->names[i], key.data, (size_t)key.size_bytes) == 0;
        if (starts && size == key.size_bytes) whole = i;
        if (starts && strcmp(npz->names[i] + key.size_bytes, ".npy") == 0) without = i;
    }
    uint64_t found = whole != NOWHERE ? whole : without;
    if (npz->key && ndp_bytes_is_equal(key, ndp_bytes_view(npz->key))) found = npz->found;
    if (found == NOWHERE) return NDP_INVALID;
    *index = found;
    return NDP_OK;
}

static void a_search_that_is_wrong_is_seen(void **state) {
    (void)state;
    static const struct {
        struct ndp_npz npz;
        uint64_t index;
        bool is_right;
    } rows[] = {
        {{.names = {"a.npy", "b.npy"}, .count = 2, .key = NULL, .found = 0}, 0, true},
        {{.names = {"a.npy", "b.npy"}, .count = 2, .key = "a", .found = 1}, 0, false},
        {{.names = {"a.npy", "b.npy"}, .count = 2, .key = "a", .found = NOWHERE}, 0, false},
        {{.names = {"a.npy", "b.npy"}, .count = 2, .key = "a.npy", .found = NOWHERE}, 0, false},
        {{.names = {"a.npy", "b.npy"}, .count = 2, .key = "a.npy", .found = NOWHERE}, 1, true}, /* nobody asks */
        {{.names = {"a", "a.npy"}, .count = 2, .key = NULL, .found = 0}, 1, true},
        {{.names = {"a", "a.npy"}, .count = 2, .key = "a", .found = 1}, 1, false}, /* the whole name comes first */
        {{.names = {"a", "b", "a"}, .count = 3, .key = NULL, .found = 0}, 0, true},
        {{.names = {"a", "b", "a"}, .count = 3, .key = "a", .found = 0}, 2, false}, /* the last of a name counts */
        {{.names = {"", ".npy"}, .count = 2, .key = NULL, .found = 0}, 1, true},
        {{.names = {"", ".npy"}, .count = 2, .key = "", .found = 1}, 1, false},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        if (fuzz_finds_member(&rows[i].npz, rows[i].index) != rows[i].is_right) fail_msg("row %zu", i);
    }
}

static void members_are_within_their_limits(void **state) {
    (void)state;
    static const struct ndp_npz_limits limits = {.member_bytes = 1000, .free_bytes = 100, .ratio = 10};
    static const struct {
        struct ndp_npz_member member;
        bool is_within;
    } rows[] = {
        {{.method = 0, .size_bytes = 1000, .packed_bytes = 1000}, true},
        {{.method = 0, .size_bytes = 1001, .packed_bytes = 1001}, false},
        {{.method = 0, .size_bytes = 10, .packed_bytes = 11}, false}, /* stored, and of two sizes */
        {{.method = 8, .size_bytes = 100, .packed_bytes = 1}, true},
        {{.method = 8, .size_bytes = 110, .packed_bytes = 10}, false},
        {{.method = 8, .size_bytes = 110, .packed_bytes = 11}, true},
        {{.method = 8, .size_bytes = UINT64_MAX, .packed_bytes = UINT64_MAX}, false},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        if (fuzz_is_within(&limits, &rows[i].member) != rows[i].is_within) fail_msg("row %zu", i);
    }
}

/* 0xcbf43926 is the check value of CRC-32 (ITU-T V.42), and that of no bytes is 0. */
static void content_has_its_size_and_checksum(void **state) {
    (void)state;
    static const struct ndp_npz_member digits = {.size_bytes = 9, .crc = 0xcbf43926}, nothing = {.size_bytes = 0};
    assert_true(fuzz_is_content_of(&digits, ndp_bytes_view("123456789")));
    assert_false(fuzz_is_content_of(&digits, ndp_bytes_view("123456788")));
    assert_false(fuzz_is_content_of(&digits, ndp_bytes_view("12345678")));
    assert_true(fuzz_is_content_of(&nothing, (struct ndp_bytes){NULL, 0}));
}

static void all_members_are_within_their_limits(void **state) {
    (void)state;
    static const struct ndp_npz_limits limits = {
        .members = 2, .member_bytes = 1000, .total_bytes = 1500, .free_bytes = 100, .ratio = 10};
    static const struct {
        struct ndp_npz npz;
        bool is_within;
    } rows[] = {
        {{.count = 0}, true},
        {{.names = {"a", "b"}, .count = 2, .sizes = {800, 700}}, true},
        {{.names = {"a", "b"}, .count = 2, .sizes = {800, 701}}, false},
        {{.names = {"a", "b"}, .count = 2, .sizes = {1, 1001}}, false},
        {{.names = {"a", "b", "c"}, .count = 3, .sizes = {1, 1, 1}}, false},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        if (fuzz_are_within(&limits, &rows[i].npz) != rows[i].is_within) fail_msg("row %zu", i);
    }
}

static void a_limit_that_is_not_held_is_seen(void **state) {
    (void)state;
    static const struct ndp_npz_limits wide = {
        .members = 4, .member_bytes = 10, .total_bytes = 20, .free_bytes = 10, .ratio = 10};
    for (uint32_t i = MEMBERS; i <= NONE; i++) {
        uint32_t seen = 0;
        forgotten = (enum limit)i;
        for (uint64_t turn = 0; turn < 48; turn++)
            seen += !fuzz_keeps_limits((struct ndp_bytes){NULL, 0}, &wide, &two_members, turn);
        assert_int_equal(seen, i == NONE ? 0 : 1);
    }
}

static void one_turn_of_four_is_by_the_path(void **state) {
    (void)state;
    struct ndp_npz *npz = NULL;
    const struct ndp_bytes bytes = {(const uint8_t *)"file", FILES_BYTES};
    for (uint32_t turn = 0; turn < 8; turn++) assert_int_equal(fuzz_open_archive(bytes, turn, NULL, &npz), NDP_OK);
    assert_int_equal(opened_paths, 2);
    assert_int_equal(opened_files, 6);
}

NDP_SUITE(archive_test, cmocka_unit_test(a_search_that_is_wrong_is_seen),
          cmocka_unit_test(members_are_within_their_limits), cmocka_unit_test(content_has_its_size_and_checksum),
          cmocka_unit_test(all_members_are_within_their_limits), cmocka_unit_test(a_limit_that_is_not_held_is_seen),
          cmocka_unit_test(one_turn_of_four_is_by_the_path));
