/* What is spelled otherwise is as pickle.loads and pickle._loads of CPython 3.11 read it: each of these gives the same
 * objects there. */
#include "oracle/pickle_spelling.h"

#include <string.h>

#include "base/suite.h"
#include "codec/npy/npy_encode.h"
#include "oracle/rewritten.h"
#include "runtime/hits_fixture.h"

enum { PICKS = 5000, MOST_PICKS = 1 << 20 };

#define PICKLE(text)                                                                                                   \
    { (const uint8_t *)(text), sizeof(text) - 1 }
/* Of protocols 0, 2 and 4; what stands behind STOP is nothing of theirs. */
static const struct ndp_bytes pickles[] = {
    PICKLE("(lp0\nI-7\naL8L\nag0\naI01\nacm\nn\nag0\na."),
    PICKLE("\x80\2]q\1(K\1J\xff\xff\xff\xffK\0h\1X\2\0\0\0ab\x8a\1\5G?\xf8\0\0\0\0\0\0\x88)U\2'\1cm\nn\n)\x81"
           "e.]"),
    PICKLE("\x80\4\x95\x12\0\0\0\0\0\0\0\x8c\7\\\\u\\\xc3\xa9\n\x94h\0C\1a\x87\x94."),
    PICKLE("\x80\3}X\4\0\0\0\xf0\x9f\x98\x80\x8b\1\0\0\0\xffs."),
    PICKLE("\x80\5C\2\xe9\n\x96\1\0\0\0\0\0\0\0a\x86."),
    PICKLE("\x80\2U\5\2"
           "7\ta"
           "8."),
};

static bool has(struct ndp_bytes text, struct ndp_bytes word) {
    for (uint64_t at = 0; at + word.size_bytes <= text.size_bytes; at++)
        if (memcmp(text.data + at, word.data, (size_t)word.size_bytes) == 0) return true;
    return false;
}

static void every_spelling_comes_up(void **state) {
    (void)state;
    static const struct {
        uint32_t pickle;
        struct ndp_bytes word;
    } rows[] = {
        {0, PICKLE("L-7\n")},
        {0, PICKLE("J\xf9\xff\xff\xff")},
        {0, PICKLE("\x8a\x09\xf9\xff\xff\xff\xff\xff\xff\xff\xff")},
        {0, PICKLE("\x8b\x08\0\0\0\xf9\xff\xff\xff\xff\xff\xff\xff")},
        {0, PICKLE("M\x08\0")},
        {0, PICKLE("I8\n")},
        {0, PICKLE("aN0")},
        {0, PICKLE("](N2e0")},
        {0, PICKLE("cbuiltins\nisinstance\n(Ncbuiltins\nint\ntR0")},
        {0, PICKLE("g000\n")},
        {0, PICKLE("j\0\0\0\0")},
        {0, PICKLE("(lq\0")},
        {0, PICKLE("V\\u006d\n")},
        {0, PICKLE("Vn\n\x93")},
        {0, PICKLE("U\1m\x8c\1n\x93")},
        {1, PICKLE("(lq\1")},
        {1, PICKLE("p1\n")},
        {1, PICKLE("\x8a\0")},
        {1, PICKLE("Vab\n")},
        {1, PICKLE("\x8d\2\0\0\0\0\0\0\0ab")},
        {1, PICKLE("\x8a\3\5\0\0")},
        {1, PICKLE("F1.5\n")},
        {1, PICKLE("I01\n")},
        {1, PICKLE("(t")},
        {1, PICKLE("S'\\'\\x01'\n")},
        {1, PICKLE("S\"'\\001\"\n")},
        {1, PICKLE("}\x92")},
        {2, PICKLE("B\1\0\0\0a")},
        {4, PICKLE("c_codecs\nencode\n(V\xe9\\u000a\nX\x06\0\0\0latin1tR")},
        {4, PICKLE("c_codecs\nencode\n(X\3\0\0\0\xc3\xa9\nVlatin-1\ntR")},
        {4, PICKLE("cbuiltins\nbytearray\n(Va\nVlatin-1\ntR")},
        {2, PICKLE("\x8e\1\0\0\0\0\0\0\0a")},
        {2, PICKLE("V\\\\u\\\xe9\\u000a\n")},
        {2, PICKLE("V\\\\\\u0075")},
        {5, PICKLE("\\0027")},
        {5, PICKLE("\\x027")},
        {5, PICKLE("7\\11a")},
        {5, PICKLE("7\\t")},
        {5, PICKLE("\\1418")},
        {3, PICKLE("(d")},
        {3, PICKLE("V\\U0001f600\n")},
        {3, PICKLE("\x8a\2\xff\xff")},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        bool is_found = false;
        for (uint64_t pick = 0; pick < MOST_PICKS && !is_found; pick++) {
            struct ndp_buffer out = {.max_bytes = 1 << 12};
            assert_int_equal(fuzz_pickle_respell(pickles[rows[i].pickle], false, pick, &out), NDP_OK);
            is_found = has(ndp_buffer_view(&out), rows[i].word);
            ndp_buffer_clear(&out);
        }
        if (!is_found) fail_msg("row %zu", i);
    }
}

static void check_all(struct ndp_bytes pickle, uint32_t protocol, struct ndp_bytes want) {
    for (uint64_t pick = 0; pick < PICKS; pick++) {
        struct ndp_arena arena = {.limit_bytes = 1 << 20};
        fuzz_check_pickle_spelling(&arena, pickle, protocol, want, pick);
        ndp_arena_clear(&arena);
    }
}

static void what_is_spelled_otherwise_is_the_same(void **state) {
    (void)state;
    const uint64_t before = fuzz_hits();
    for (size_t i = 0; i < NDP_ARRAY_LEN(pickles); i++) {
        for (uint32_t protocol = 0; protocol < 6; protocol++) {
            struct ndp_arena arena = {.limit_bytes = 1 << 20};
            struct ndp_buffer want = {.max_bytes = 1 << 12};
            const struct ndp_source source = ndp_source_memory(pickles[i]);
            assert_int_equal(fuzz_rewrite(&arena, source, protocol, false, ndp_write_to_buffer, &want), NDP_OK);
            check_all(pickles[i], protocol, ndp_buffer_view(&want));
            ndp_buffer_clear(&want);
            ndp_arena_clear(&arena);
        }
    }
    assert_int_equal(fuzz_hits(), before);
    /* Another pickle is none of them. */
    const int loud = be_quiet();
    struct ndp_arena arena = {.limit_bytes = 1 << 20};
    fuzz_check_pickle_spelling(&arena, pickles[0], 0, (struct ndp_bytes){pickles[0].data, 2}, 0);
    be_loud(loud);
    assert_int_equal(fuzz_hits(), before + 1);
    ndp_arena_clear(&arena);
}

static void others_stay(void **state) {
    (void)state;
    static const struct ndp_bytes others[] = {PICKLE(""), PICKLE("N"), PICKLE("."), PICKLE("X\2\0\0\0a.")};
    struct ndp_buffer out = {.max_bytes = 1 << 12};
    for (size_t i = 0; i < NDP_ARRAY_LEN(others); i++)
        for (uint64_t pick = 0; pick < 64; pick++)
            assert_int_equal(fuzz_pickle_respell(others[i], false, pick, &out), NDP_OK);
    assert_int_equal(out.size_bytes, 0);
}

NDP_SUITE(pickle_spelling_test, cmocka_unit_test(every_spelling_comes_up),
          cmocka_unit_test(what_is_spelled_otherwise_is_the_same), cmocka_unit_test(others_stay));
