/* 20,000 literals and texts were held against ast.literal_eval of CPython 3.11. */
#include "oracle/npy_text.h"

#include "base/suite.h"
#include "runtime/hits_fixture.h"

enum { PICKS = 20000, MOST_PICKS = 1 << 16 };

static void every_text_is_read(void **state) {
    (void)state;
    const uint64_t before = fuzz_hits();
    for (uint64_t pick = 0; pick < PICKS; pick++) {
        struct ndp_arena arena = {.limit_bytes = 1 << 20};
        fuzz_npy_text(&arena, pick);
        ndp_arena_clear(&arena);
    }
    assert_int_equal(fuzz_hits(), before);
}

static bool has(const struct ndp_buffer *spelt, const char *word) {
    const size_t size = strlen(word);
    for (uint64_t at = 0; at + size <= spelt->size_bytes; at++)
        if (memcmp(spelt->data + at, word, size) == 0) return true;
    return false;
}

static void every_way_comes_up(void **state) {
    (void)state;
    static const char *const words[] = {"\\v",         "\\a",    "\\x0b", "\\xAF", "\\377", "\\777", "\\u20AC",
                                        "\\U0001f600", "r'",     "R\"",   "r'''",  "u\"",   "U'",    "\\\n",
                                        "\\\r",        "\\\r\n", "'''\n", "\r'''", "\\''",  "\\\\\""};
    for (size_t i = 0; i < NDP_ARRAY_LEN(words); i++) {
        bool is_found = false;
        for (uint64_t pick = 0; pick < MOST_PICKS && !is_found; pick++) {
            struct ndp_buffer text = {.max_bytes = 1 << 10}, spelt = text;
            assert_int_equal(fuzz_npy_spell_text(pick, &text, &spelt), NDP_OK);
            is_found = has(&spelt, words[i]);
            ndp_buffer_clear(&text);
            ndp_buffer_clear(&spelt);
        }
        if (!is_found) fail_msg("%s", words[i]);
    }
}

NDP_SUITE(npy_text_test, cmocka_unit_test(every_text_is_read), cmocka_unit_test(every_way_comes_up));
