/* Expected: what is wanted is what CPython 3.11 writes: pickle.dumps(["x" * 2000], 4), and the same of 2001. */
#include "oracle/crowd.h"

#include <string.h>

#include "base/suite.h"
#include "runtime/hits_fixture.h"

enum { TEXT = 2000, PICKLE_BYTES = TEXT + 22 };

static struct ndp_bytes fill(uint8_t *bytes, uint32_t protocol, uint32_t text) {
    static const char head[] = "\x80\x04\x95\0\0\0\0\0\0\0\0]\x94X";
    memcpy(bytes, head, sizeof head - 1);
    bytes[1] = (uint8_t)protocol;
    bytes[3] = (uint8_t)(text + 10);
    bytes[4] = (uint8_t)((text + 10) >> 8);
    bytes[14] = (uint8_t)text;
    bytes[15] = (uint8_t)(text >> 8);
    bytes[16] = bytes[17] = 0;
    memset(bytes + 18, 'x', text);
    memcpy(bytes + 18 + text,
           "\x94"
           "a.",
           3);
    return (struct ndp_bytes){bytes, 21 + (uint64_t)text};
}

static void every_copy_is_what_one_is(void **state) {
    (void)state;
    static const struct {
        uint32_t text, wanted;
        bool is_broken;
    } rows[] = {{TEXT, TEXT, false}, {TEXT, TEXT + 1, true}, {100, 100, false}, {100, 101, true}};
    const int loud = be_quiet();
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_arena arena = {.limit_bytes = 1 << 26};
        uint8_t pickle[PICKLE_BYTES], want[PICKLE_BYTES];
        const uint64_t before = fuzz_hits();
        fuzz_check_crowd(&arena, fill(pickle, 4, rows[i].text), 4, fill(want, 4, rows[i].wanted), i);
        if ((fuzz_hits() > before) != rows[i].is_broken) fail_msg("row %zu", i);
        ndp_arena_clear(&arena);
    }
    be_loud(loud);
}

/* A name that two classes have is one text in what CPython writes; that of set, of which all copies have one, is the
 * first copy's alone. */
static void names_are_no_part_of_a_copy(void **state) {
    (void)state;
    static const char read_as[] = "](cm\nset\nc__builtin__\nset\nX\xd0\x07\0\0";
    static const char written_as[] = "\x80\x04\x95\xf6\x07\0\0\0\0\0\0]\x94(\x8c\x01m\x94\x8c\x03set\x94\x93\x94"
                                     "\x8c\x08"
                                     "builtins\x94h\x02\x93\x94X\xd0\x07\0\0";
    uint8_t pickle[sizeof read_as + TEXT + 1], want[sizeof written_as + TEXT + 2];
    struct ndp_arena arena = {.limit_bytes = 1 << 26};
    memset(pickle, 'x', sizeof pickle);
    memcpy(pickle, read_as, sizeof read_as - 1);
    memcpy(pickle + sizeof pickle - 2, "e.", 2);
    memset(want, 'x', sizeof want);
    memcpy(want, written_as, sizeof written_as - 1);
    memcpy(want + sizeof want - 3,
           "\x94"
           "e.",
           3);
    const uint64_t before = fuzz_hits();
    fuzz_check_crowd(&arena, (struct ndp_bytes){pickle, sizeof pickle}, 4, (struct ndp_bytes){want, sizeof want}, 0);
    assert_int_equal(fuzz_hits(), before);
    ndp_arena_clear(&arena);
}

static void batches_of_a_container_are_all_there(void **state) {
    (void)state;
    struct ndp_arena arena = {.limit_bytes = 1 << 28};
    const uint64_t before = fuzz_hits();
    for (uint32_t protocol = 0; protocol <= 5; protocol++)
        for (uint64_t pick = 0; pick < 36; pick++)
            fuzz_check_batches(&arena, (struct ndp_bytes){(const uint8_t *)"N.", 2}, protocol, pick);
    assert_int_equal(fuzz_hits(), before);
    ndp_arena_clear(&arena);
}

NDP_SUITE(crowd_test, cmocka_unit_test(every_copy_is_what_one_is), cmocka_unit_test(names_are_no_part_of_a_copy),
          cmocka_unit_test(batches_of_a_container_are_all_there));
