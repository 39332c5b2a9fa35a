/* What is spoilt is refused by pickle.loads and pickle._loads of CPython 3.11, as each of these was. */
#include "oracle/pickle_spoilt.h"

#include <string.h>

#include "base/suite.h"
#include "runtime/hits_fixture.h"

enum { PICKS = 20000, MOST_PICKS = 1 << 20 };

#define PICKLE(text)                                                                                                   \
    { (const uint8_t *)(text), sizeof(text) - 1 }
/* Of protocols 0, 2 and 4 to 5; what stands behind STOP is nothing of theirs. */
static const struct ndp_bytes pickles[] = {
    PICKLE("(lp0\nI7\naL8L\nag0\naF1.5\na."),
    PICKLE("\x80\2]q\1(K\1h\1X\2\0\0\0ab\x8a\1\5e.]"),
    PICKLE("\x80\4\x95\x0b\0\0\0\0\0\0\0\x8c\2ab\x94h\0\x86\x94."),
    PICKLE("\x80\5\x95\x0d\0\0\0\0\0\0\0\x96\2\0\0\0\0\0\0\0ab."),
};

static bool has(struct ndp_bytes text, struct ndp_bytes word) {
    for (uint64_t at = 0; at + word.size_bytes <= text.size_bytes; at++)
        if (memcmp(text.data + at, word.data, (size_t)word.size_bytes) == 0) return true;
    return false;
}

static void every_fault_comes_up(void **state) {
    (void)state;
    static const struct {
        uint32_t pickle;
        struct ndp_bytes word;
    } rows[] = {
        {0, PICKLE("I7l\n")},
        {0, PICKLE("L8l\n")},
        {0, PICKLE("L8.L\n")},
        {0, PICKLE("F1:.5\n")},
        {0, PICKLE("p0/\n")},
        {0, PICKLE("g4294967296\n")},
        {0, PICKLE("g18446744073709551616\n")},
        {0, PICKLE("j\0\0\0\x10")},
        {1, PICKLE("j\1\x10\0\0")},
        {1, PICKLE("X\2\0\0\1ab")},
        {1, PICKLE("\x80\2}]Ns]")},
        {1, PICKLE("}\x96\0\0\0\0\0\0\0\0Ns")},
        {1, PICKLE("cbuiltins\nlist\n)N\x92")},
        {1, PICKLE("}X\1\0\0\0aNsb}X\1\0\0\0aNsb")},
        {2, PICKLE("\x95\x14\0\0\0\0\0\0\0\x8c\2ab\x95\0\0\0\0\0\0\0\0\x94")},
        {2, PICKLE("\x95\3\0\0\0\0\0\0\0\x8c\2ab")},
        {3, PICKLE("\x96\2\0\0\0\0\0\0\x80")},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        bool is_found = false;
        for (uint64_t pick = 0; pick < MOST_PICKS && !is_found; pick++) {
            struct ndp_buffer out = {.max_bytes = 1 << 12};
            assert_int_equal(fuzz_pickle_spoil(pickles[rows[i].pickle], pick, &out), NDP_OK);
            is_found = has(ndp_buffer_view(&out), rows[i].word);
            ndp_buffer_clear(&out);
        }
        if (!is_found) fail_msg("row %zu", i);
    }
}

static void what_is_spoilt_is_refused(void **state) {
    (void)state;
    const uint64_t before = fuzz_hits();
    for (size_t i = 0; i < NDP_ARRAY_LEN(pickles); i++) {
        for (uint64_t pick = 0; pick < PICKS; pick++) {
            struct ndp_arena arena = {.limit_bytes = 1 << 20};
            fuzz_check_pickle_spoilt(&arena, pickles[i], pick);
            ndp_arena_clear(&arena);
        }
    }
    assert_int_equal(fuzz_hits(), before);
}

static void others_stay(void **state) {
    (void)state;
    static const struct ndp_bytes others[] = {PICKLE(""), PICKLE("N"), PICKLE("."), PICKLE("X\2\0\0\0a."),
                                              PICKLE("\xff.")};
    struct ndp_buffer out = {.max_bytes = 1 << 12};
    for (size_t i = 0; i < NDP_ARRAY_LEN(others); i++)
        for (uint64_t pick = 0; pick < 64; pick++) assert_int_equal(fuzz_pickle_spoil(others[i], pick, &out), NDP_OK);
    assert_int_equal(out.size_bytes, 0);
}

NDP_SUITE(pickle_spoilt_test, cmocka_unit_test(every_fault_comes_up), cmocka_unit_test(what_is_spoilt_is_refused),
          cmocka_unit_test(others_stay));
