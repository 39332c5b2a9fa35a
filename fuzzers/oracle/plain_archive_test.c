/* Archives are those that CPython 3.11's zipfile writes, of one member "a" with one byte, and those changed by hand:
 * what is changed is said beside. */
#include "oracle/plain_archive.h"

#include <string.h>

#include "base/arena.h"
#include "base/suite.h"
#include "base/text.h"

static const char stored[] =
    "504b0304140000000000000021008316dc8c0100000001000000010000006178504b01021403140000000000000021008316"
    "dc8c010000000100000001000000000000000000000080010000000061504b050600000000010001002f0000002000000000"
    "00";
static const char deflated[] =
    "504b0304140000000800000021008316dc8c03000000010000000100000061ab0000504b0102140314000000080000002100"
    "8316dc8c030000000100000001000000000000000000000080010000000061504b050600000000010001002f000000220000"
    "000000";
static const char local64[] =
    "504b03042d0000000000000021008316dc8cffffffffffffffff010014006101001000010000000000000001000000000000"
    "0078504b01022d032d0000000000000021008316dc8c01000000010000000100000000000000000000008001000000006150"
    "4b050600000000010001002f000000340000000000";
static const char all64[] =
    "504b03042d0000000000000021008316dc8cffffffffffffffff010014006101001000010000000000000001000000000000"
    "0078504b01022d032d0000000000000021008316dc8cffffffffffffffff0100140000000000000000008001000000006101"
    "00100001000000000000000100000000000000504b06062c000000000000002d002d00000000000000000001000000000000"
    "00010000000000000043000000000000003400000000000000504b060700000000770000000000000001000000504b050600"
    "0000000100010043000000340000000000";

static const char piped[] =
    "504b030414000800000000002100000000000000000000000000010000006178504b07088316dc8c0100000001000000504b"
    "01021403140008000000000021008316dc8c010000000100000001000000000000000000000080010000000061504b050600"
    "000000010001002f000000300000000000";
static const char commented[] =
    "504b0304140000000000000021008316dc8c0100000001000000010000006178504b01021403140000000000000021008316"
    "dc8c010000000100000001000000000000000000000080010000000061504b050600000000010001002f0000002000000005"
    "0050656c6c6f";

static const char noted[] =
    "504b0304140000000000000021008316dc8c01000000010000000100090061feca0000555401000178504b01021403140000"
    "000000000021008316dc8c010000000100000001000900050000000000000080010000000061feca0000555401000168656c"
    "6c6f504b050600000000010001003d000000290000000000";
static const char renamed[] =
    "504b0304140000000000000021008316dc8c01000000010000000100050061757001000178504b0102140314000000000000"
    "0021008316dc8c010000000100000001000500050000000000000080010000000061757001000168656c6c6f504b05060000"
    "00000100010039000000250000000000";
/* The name is an e with an accent and the sign of the euro. */
static const char named[] =
    "504b0304140000080000000021008316dc8c010000000100000005000000c3a9e282ac78504b010214031400000800000000"
    "21008316dc8c0100000001000000050000000000000000000000800100000000c3a9e282ac504b0506000000000100010033"
    "000000240000000000";

static struct ndp_bytes load(struct ndp_arena *arena, const char *hex) {
    struct ndp_bytes bytes;
    assert_int_equal(ndp_hex_read(arena, hex, &bytes, NULL), NDP_OK);
    return bytes;
}

static void what_zipfile_writes_is_plain(void **state) {
    (void)state;
    struct ndp_arena arena = {.limit_bytes = 1 << 20};
    assert_true(fuzz_is_plain_archive(load(&arena, stored)));
    assert_true(fuzz_is_plain_archive(load(&arena, deflated)));
    assert_true(fuzz_is_plain_archive(load(&arena, local64)));
    assert_true(fuzz_is_plain_archive(load(&arena, all64)));
    assert_true(fuzz_is_plain_archive(load(&arena, piped)));
    assert_true(fuzz_is_plain_archive(load(&arena, commented)));
    assert_true(fuzz_is_plain_archive(load(&arena, noted)));
    assert_false(fuzz_is_plain_archive(load(&arena, renamed)));
    assert_true(fuzz_is_plain_archive(load(&arena, named)));
    ndp_arena_clear(&arena);
}

/* How many bytes may be others in a plain archive: the member's own one, and who made it and its attributes in the
 * directory (2 + 2 + 4), with zip64 versions of its record (2 + 2), those of a comment,
 * and what two fields of others say, and who they are. */
static uint64_t count_free(const char *hex) {
    struct ndp_arena arena = {.limit_bytes = 1 << 20};
    const struct ndp_bytes file = load(&arena, hex);
    uint8_t *bytes = ndp_arena_copy(&arena, file.data, file.size_bytes);
    uint64_t free_bytes = 0;
    assert_non_null(bytes);
    for (uint64_t at = 0; at < file.size_bytes; at++) {
        bytes[at] ^= 0x40;
        if (fuzz_is_plain_archive((struct ndp_bytes){bytes, file.size_bytes})) free_bytes++;
        bytes[at] ^= 0x40;
        assert_false(fuzz_is_plain_archive((struct ndp_bytes){bytes, at}));
    }
    ndp_arena_clear(&arena);
    return free_bytes;
}

static void what_is_said_otherwise_is_not(void **state) {
    (void)state;
    assert_int_equal(count_free(stored), 9);
    assert_int_equal(count_free(all64), 13);
    assert_int_equal(count_free(piped), 9);
    assert_int_equal(count_free(commented), 9 + 5);
    assert_int_equal(count_free(noted), 9 + 5 + 10);
    assert_false(fuzz_is_plain_archive((struct ndp_bytes){NULL, 0}));
}

/* The bit that says UTF-8, and the first byte of the name, stand in both headers. */
static void names_are_in_the_letters_that_are_said(void **state) {
    (void)state;
    static const uint64_t places[][2] = {{7, 45}, {30, 82}};
    static const uint8_t others[] = {8, 0x20};
    struct ndp_arena arena = {.limit_bytes = 1 << 20};
    for (size_t i = 0; i < NDP_ARRAY_LEN(places); i++) {
        const struct ndp_bytes file = load(&arena, named);
        uint8_t *bytes = ndp_arena_copy(&arena, file.data, file.size_bytes);
        assert_non_null(bytes);
        bytes[places[i][0]] ^= others[i];
        bytes[places[i][1]] ^= others[i];
        assert_false(fuzz_is_plain_archive((struct ndp_bytes){bytes, file.size_bytes}));
    }
    ndp_arena_clear(&arena);
}

/* Each file has one member, whose content or checksum is another in a copy. */
static void members_can_be_had_whole(void **state) {
    (void)state;
    static const struct {
        const char *hex;
        uint64_t content_at;
    } rows[] = {{stored, 31}, {deflated, 31}, {local64, 51}, {all64, 51}, {piped, 31}, {commented, 31}};
    struct ndp_arena arena = {.limit_bytes = 1 << 20};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct ndp_bytes file = load(&arena, rows[i].hex);
        uint8_t *bytes = ndp_arena_copy(&arena, file.data, file.size_bytes);
        assert_non_null(bytes);
        if (!fuzz_is_plain_member(file, 0)) fail_msg("row %zu", i);
        assert_false(fuzz_is_plain_member(file, 1));
        bytes[rows[i].content_at] ^= 0x10;
        assert_true(fuzz_is_plain_archive((struct ndp_bytes){bytes, file.size_bytes}));
        assert_false(fuzz_is_plain_member((struct ndp_bytes){bytes, file.size_bytes}, 0));
    }
    ndp_arena_clear(&arena);
}

/* The flag and the method stand in both headers, the latter's low byte two behind. */
static void what_is_locked_is_not_plain(void **state) {
    (void)state;
    static const struct {
        uint64_t at;
        uint8_t value;
        bool is_locked;
    } rows[] = {{6, 1, true}, {8, 1, true}, {8, 99, true}, {8, 12, false}, {8, 8, false}, {6, 0x20, false}};
    struct ndp_arena arena = {.limit_bytes = 1 << 20};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct ndp_bytes file = load(&arena, stored);
        uint8_t *bytes = ndp_arena_copy(&arena, file.data, file.size_bytes);
        const struct ndp_bytes other = {bytes, file.size_bytes};
        assert_non_null(bytes);
        assert_false(fuzz_is_locked_member(other, 0));
        bytes[rows[i].at] = bytes[32 + 2 + rows[i].at] = rows[i].value;
        if (fuzz_is_locked_member(other, 0) != rows[i].is_locked) fail_msg("row %zu", i);
        assert_false(fuzz_is_locked_member(other, 1));
        assert_int_equal(fuzz_is_plain_archive(other), rows[i].value == 8);
    }
    ndp_arena_clear(&arena);
}

static void ends_among_the_elements_are_stray(void **state) {
    (void)state;
    struct ndp_arena arena = {.limit_bytes = 1 << 20};
    assert_false(fuzz_has_stray_ends(load(&arena, stored)));
    assert_false(fuzz_has_stray_ends(load(&arena, all64)));
    assert_true(fuzz_has_stray_ends(load(&arena, "504b0506504b0506")));
    assert_true(fuzz_has_stray_ends(load(&arena, "504b0607504b0506")));
    ndp_arena_clear(&arena);
}

NDP_SUITE(plain_archive_test, cmocka_unit_test(what_zipfile_writes_is_plain),
          cmocka_unit_test(what_is_said_otherwise_is_not), cmocka_unit_test(names_are_in_the_letters_that_are_said),
          cmocka_unit_test(members_can_be_had_whole), cmocka_unit_test(what_is_locked_is_not_plain),
          cmocka_unit_test(ends_among_the_elements_are_stray));
