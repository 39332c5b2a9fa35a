#include "oracle/npy_text.h"

#include <string.h>

#include "base/byteorder.h"
#include "base/rng.h"
#include "base/text.h"
#include "codec/npy/npy_decode.h"
#include "fuzz.h"
#include "reader/printed.h"

enum { BLOCKS = 4 };
enum { STRINGS_MAX = 3, UNITS_MAX = 4, TEXT_BYTES_MAX = 1 << 8, SPELT_BYTES_MAX = 1 << 10 };

static uint64_t draw(struct ndp_rng *rng, uint64_t count) {
    return ndp_rng_next(rng) % count;
}

/* Each backslash stands before what it goes with, so that a raw string ends where it is to. */
static enum ndp_status spell_raw(struct ndp_rng *rng, const char *quote, struct ndp_buffer *text,
                                 struct ndp_buffer *spelt) {
    static const char *const units[] = {"a", "\\'", "\\\"", "\\\\", "\\x", "\\n", "\\0", "7 "};
    NDP_TRY(ndp_buffer_printf(spelt, "%c%s", draw(rng, 2) == 0 ? 'r' : 'R', quote));
    for (uint64_t count = 1 + draw(rng, UNITS_MAX); count > 0; count--) {
        const char *unit = units[draw(rng, NDP_ARRAY_LEN(units))];
        NDP_TRY(ndp_buffer_printf(text, "%s", unit));
        NDP_TRY(ndp_buffer_printf(spelt, "%s", unit));
    }
    return ndp_buffer_printf(spelt, "%s", quote);
}

/* One character by an escape. */
static enum ndp_status add_escape(struct ndp_rng *rng, uint32_t c, struct ndp_buffer *spelt) {
    static const char values[] = "\a\b\f\n\r\t\v\\'\"", letters[] = "abfnrtv\\'\"";
    const char *value = c < 0x80 ? strchr(values, (int)c) : NULL;
    const uint64_t how = draw(rng, 8);
    const bool is_upper = draw(rng, 2) == 0;
    if (value && how < 4) return ndp_buffer_printf(spelt, "\\%c", letters[value - values]);
    if (c < 0x200 && how == 4) return ndp_buffer_printf(spelt, "\\%03o", (unsigned)c);
    if (c < 0x100 && how < 6) return ndp_buffer_printf(spelt, is_upper ? "\\x%02X" : "\\x%02x", (unsigned)c);
    if (c < 0x10000 && how < 7) return ndp_buffer_printf(spelt, is_upper ? "\\u%04X" : "\\u%04x", (unsigned)c);
    return ndp_buffer_printf(spelt, is_upper ? "\\U%08X" : "\\U%08x", (unsigned)c);
}

static enum ndp_status add_character(struct ndp_rng *rng, const char *quote, struct ndp_buffer *text,
                                     struct ndp_buffer *spelt) {
    static const uint32_t all[] = {'a',  'F',  'x',  '0',   '7',   '#',    ' ',    '\\',   '\'',
                                   '"',  '\a', '\b', '\f',  '\n',  '\r',   '\t',   '\v',   0x1b,
                                   0x7f, 0xaf, 0xff, 0x100, 0x1ff, 0x20ac, 0xfffd, 0x1f600};
    static const char *const ends[] = {"\n", "\r\n", "\r"};
    const uint32_t c = all[draw(rng, NDP_ARRAY_LEN(all))];
    const char *end = ends[draw(rng, NDP_ARRAY_LEN(ends))];
    NDP_TRY(ndp_text_add(text, c));
    if (draw(rng, 8) == 0) NDP_TRY(ndp_buffer_printf(spelt, "\\%s", end)); /* a line that goes on */
    if (c == '\n' && quote[1] != '\0' && draw(rng, 2) == 0)
        return ndp_buffer_printf(spelt, "%s", spelt->data[spelt->size_bytes - 1] == '\r' ? "\r" : end); /* not \r\n */
    const bool is_plain = c >= ' ' && c < 0x7f && c != '\\' && c != (uint32_t)quote[0];
    if (is_plain && draw(rng, 2) == 0) return ndp_buffer_printf(spelt, "%c", (char)c);
    return add_escape(rng, c, spelt);
}

static enum ndp_status spell_string(struct ndp_rng *rng, struct ndp_buffer *text, struct ndp_buffer *spelt) {
    static const char *const quotes[] = {"'", "\"", "'''", "\"\"\""}, *const prefixes[] = {"", "", "u", "U"};
    const char *quote = quotes[draw(rng, NDP_ARRAY_LEN(quotes))];
    if (draw(rng, 4) == 0) return spell_raw(rng, quote, text, spelt);
    NDP_TRY(ndp_buffer_printf(spelt, "%s%s", prefixes[draw(rng, NDP_ARRAY_LEN(prefixes))], quote));
    for (uint64_t count = 1 + draw(rng, UNITS_MAX); count > 0; count--) NDP_TRY(add_character(rng, quote, text, spelt));
    return ndp_buffer_printf(spelt, "%s", quote);
}

enum ndp_status fuzz_npy_spell_text(uint64_t pick, struct ndp_buffer *text, struct ndp_buffer *spelt) {
    struct ndp_rng rng;
    ndp_rng_init(&rng, pick);
    for (uint64_t count = 1 + draw(&rng, STRINGS_MAX); count > 0; count--) {
        NDP_TRY(spell_string(&rng, text, spelt));
        if (count > 1) NDP_TRY(ndp_buffer_printf(spelt, draw(&rng, 2) == 0 ? " " : "\n"));
    }
    return NDP_OK;
}

/* Characters beyond these stand in what is written, and hardly any input has one of a given block. */
static void check_printed(uint64_t pick) {
    for (uint32_t i = 0; i < BLOCKS; i++) {
        const uint32_t block = (uint32_t)((pick + i) * UINT64_C(0x9e3779b97f4a7c15) >> 32) % FUZZ_PRINTED_BLOCKS;
        FUZZ_HOLDS(fuzz_is_printed_so(block, fuzz_printed_hash(block, FUZZ_PRINTED_ALL)));
    }
    fuzz_valid(BLOCKS);
}

void fuzz_npy_text(struct ndp_arena *arena, uint64_t pick) {
    static const struct ndp_npy_options lenient = {.is_lenient = true};
    static struct ndp_buffer text = {.max_bytes = TEXT_BYTES_MAX}, file = {.max_bytes = SPELT_BYTES_MAX};
    struct ndp_npy_array array = {0};
    check_printed(pick);
    text.size_bytes = file.size_bytes = 0;
    FUZZ_CHECK(ndp_buffer_add(&file, "\x93NUMPY\1\0\0\0{'descr': [(", 22) == NDP_OK);
    FUZZ_CHECK(fuzz_npy_spell_text(pick, &text, &file) == NDP_OK);
    FUZZ_CHECK(ndp_buffer_printf(&file, ", '|u1')], 'fortran_order': False, 'shape': (), }\n") == NDP_OK);
    ndp_store_u16le(file.data + 8, (uint16_t)(file.size_bytes - 10));
    FUZZ_CHECK(ndp_buffer_add(&file, "\5", 1) == NDP_OK);
    /* In a block of their size, whose end a sanitizer sees. */
    const struct ndp_bytes bytes = {ndp_arena_copy(arena, file.data, file.size_bytes), file.size_bytes};
    if (FUZZ_HOLDS(ndp_npy_decode_memory(arena, bytes, &lenient, &array, NULL) == NDP_OK))
        FUZZ_HOLDS(array.header.dtype->field_count == 1 &&
                   ndp_bytes_is_equal(array.header.dtype->fields[0].name, ndp_buffer_view(&text)));
    ndp_npy_array_clear(&array);
}
