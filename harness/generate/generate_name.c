/* generate_name.c: generates names and titles of fields. Source: clause 8.3 row 27 of corpus/index.json. */
#include "generate/generate_parts.h"

#include <stdio.h>
#include <string.h>

#define NAME(text)                                                                                                     \
    { (const uint8_t *)(text), sizeof(text) - 1 }

/* Names that a writer or reader must escape or quote, counts in other units, or may mistake for its own. */
static const struct ndp_bytes odd_names[] = {
    NAME(" "),
    NAME("a b"),
    NAME("it's"),
    NAME("say \"x\""),
    NAME("'\""),
    NAME("back\\slash"),
    NAME("line\nend"),
    NAME("tab\t"),
    NAME("\r"),
    NAME("nul\0inside"),
    NAME("\x7f"),
    NAME("\x01"),
    NAME("caf\xc3\xa9"),      /* latin-1 */
    NAME("\xc2\xa0"),         /* no-break space: latin-1, not printable */
    NAME("\xce\xb1"),         /* alpha: not latin-1 */
    NAME("\xf0\x9f\x98\x80"), /* outside the basic plane */
    NAME("\xed\xa0\x80"),     /* a lone surrogate */
    NAME("\xe2\x80\x8b"),     /* zero width space: escaped, so ASCII */
    NAME("\xef\xbb\xbf"
         "b"),         /* byte order mark */
    NAME("e\xcc\x81"), /* a combining mark */
    NAME("0"),
    NAME("("),
    NAME("a,b"),
    NAME("{'descr'"),
    NAME("# x"),
    NAME("%s"),
    NAME("True"),
    NAME("None"),
    NAME("class"),
    NAME("names"),
    NAME("shape"),
    NAME("__array_interface__"),
    NAME("../up"),
    NAME(""),
};

static bool name_is_free(const struct ndp_field *fields, uint64_t count, struct ndp_bytes name) {
    for (uint64_t i = 0; i < count; i++) {
        if (ndp_bytes_is_equal(fields[i].name, name)) return false;
        if (fields[i].has_title && ndp_bytes_is_equal(fields[i].title, name)) return false;
    }
    return true;
}

static enum ndp_status numbered_name(struct ndp_arena *arena, char letter, uint64_t index, struct ndp_bytes *out) {
    char text[32];
    int size = snprintf(text, sizeof text, "%c%llu", letter, (unsigned long long)index);
    uint8_t *copy = ndp_arena_copy(arena, text, (uint64_t)size);
    if (copy == NULL) return NDP_NOMEM;
    *out = (struct ndp_bytes){copy, (uint64_t)size};
    return NDP_OK;
}

/* A name long enough to move the header over a multiple of 64, sometimes over 256 characters, and rarely just below or
 * above the 65535 bytes of an NPY header of version 1.0. */
static enum ndp_status long_name(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes *out) {
    bool is_huge = ndp_choose_rarely(choices, 10);
    uint64_t size = is_huge ? ndp_choose_between(choices, 65300, 65600) : ndp_choose_between(choices, 20, 300);
    uint8_t *text = ndp_arena_alloc(arena, size);
    if (text == NULL) return NDP_NOMEM;
    memset(text, 'a' + (int)ndp_choose(choices, 26), (size_t)size);
    *out = (struct ndp_bytes){text, size};
    return NDP_OK;
}

enum ndp_status ndp_generate_name(struct ndp_arena *arena, struct ndp_choices *choices, const struct ndp_field *fields,
                                  uint64_t index, struct ndp_bytes *out) {
    static const char letters[] = "abcdxyz";
    struct ndp_bytes name = {0};
    uint64_t letter = 0;
    switch (ndp_choose_weighted(choices, (const uint8_t[]){55, 20, 21, 4}, 4)) {
    case 1:
        letter = ndp_choose(choices, sizeof letters - 1);
        name = (struct ndp_bytes){(const uint8_t *)&letters[letter], 1};
        break;
    case 2:
        name = odd_names[ndp_choose(choices, NDP_ARRAY_LEN(odd_names))];
        break;
    case 3:
        NDP_TRY(long_name(arena, choices, &name));
        break;
    default:
        NDP_TRY(numbered_name(arena, 'f', index, &name));
        break;
    }
    /* Each field can occupy two of these names, so one is always free. */
    for (uint64_t next = index; !name_is_free(fields, index, name); next++)
        NDP_TRY(numbered_name(arena, 'n', next, &name));
    *out = name;
    return NDP_OK;
}
