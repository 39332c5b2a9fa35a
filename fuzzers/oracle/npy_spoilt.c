#include "oracle/npy_spoilt.h"

#include <string.h>

#include "base/byteorder.h"
#include "codec/npy/npy_encode.h"
#include "form/pieces.h"
#include "form/tokens.h"
#include "fuzz.h"
#include "oracle/npy_spelling.h"

enum { ONE_IN = 4, LENGTH_AT = 8, VERSION_AT = 6, VERSIONS = 3, CUT_ONE_IN = 4, VERSION_ONE_IN = 16 };

/* What a token becomes: itself stands where there is a '@', '^' is the version's own, a space where L is read. */
static const char *const numbers[] = {"@__0",
                                      "@_",
                                      "_@",
                                      "@.0",
                                      "@.",
                                      "@e0",
                                      "@j",
                                      "@l",
                                      "@LL",
                                      "@_L",
                                      "0x",
                                      "0o8",
                                      "0b2",
                                      "0x_",
                                      "--@",
                                      "-+",
                                      "'@'",
                                      "(@,)",
                                      "[@]",
                                      "None",
                                      "@ @",
                                      "@**1",
                                      "@if@",
                                      "@0_",
                                      "{@}",
                                      "*@",
                                      "@\v",
                                      "@,,",
                                      "18446744073709551616@",
                                      "-1",
                                      "1_",
                                      "9223372036854775808",
                                      "018446744073709551616",
                                      "0@99999999999999999999"};
static const char *const strings[] = {"b@", "f@", "rb@", "ur@",    "@.s", "@1", "@[0]",
                                      "-@", "*@", "{@}", "@''b''", "\"@", "(@"};
static const char *const names[] = {"('~', @, @)", "(@, '~', @)", "(@,)", "()", "(@, 1)"};
static const char *const escapes[] = {"\\x",         "\\x4", "\\xg0", "\\u12", "\\U0001F60",
                                      "\\U00110000", "\\N",  "\n",    "\r",    "\r\n"};
static const char *const truths[] = {"true", "1", "0", "None", "'@'", "@@", "not @", "@ @", "@()", "()", "[@]", "_@"};
static const char *const signs[] = {"@@", "", ";", "@.", "@;", "\\", "@\\", "$", "?@", "@!", "@`"};
static const char *const blanks[] = {"\v", "\xa0", ";", "=", "\\", "x", "!", "$", "\\ "};
static const char *const behind[] = {",", "}",  "0",   "x",  ";",    "\n1", "\n}", "''",
                                     ".", "()", "[0]", "\\", " \\ ", "=0",  "|{}"};

struct row {
    const char *const *list;
    size_t count;
};
#define ROW(list)                                                                                                      \
    { list, NDP_ARRAY_LEN(list) }

static bool is_digit(uint8_t c) {
    return c >= '0' && c <= '9';
}

static bool is_string(struct ndp_bytes token) {
    return token.size_bytes > 1 && (token.data[0] == '\'' || token.data[0] == '"');
}

static struct row row_of(struct ndp_bytes token) {
    static const struct row all[] = {ROW(numbers), ROW(strings), ROW(truths), ROW(blanks), ROW(signs)};
    const uint8_t first = token.data[0];
    if (is_digit(first)) return all[0];
    if (is_string(token)) return all[1];
    if (first == 'T' || first == 'F') return all[2];
    return all[first == ' ' ? 3 : 4];
}

static enum ndp_status add_spoilt(struct ndp_bytes token, const char *how, struct ndp_buffer *out) {
    for (; *how; how++) {
        if (*how == '@')
            NDP_TRY(ndp_buffer_add(out, token.data, token.size_bytes));
        else
            NDP_TRY(ndp_buffer_add(out, how, 1));
    }
    return NDP_OK;
}

static const struct ndp_bytes *beside(const struct fuzz_tokens *tokens, uint64_t at, bool is_next) {
    do at += is_next ? 1 : UINT64_MAX;
    while (at < tokens->count && tokens->list[at].data[0] == ' ');
    return at < tokens->count ? &tokens->list[at] : NULL;
}

/* Whether it is another text without the sign: a comma before what closes may go, and strings side by side are one. */
static bool is_needed(const struct fuzz_tokens *tokens, uint64_t at) {
    const struct ndp_bytes *before = beside(tokens, at, false), *next = beside(tokens, at, true);
    if (tokens->list[at].data[0] != ',' || !before || !next) return true;
    return !memchr(")]}", next->data[0], 3) && !(is_string(*before) && is_string(*next));
}

static enum ndp_status spoil_token(const struct fuzz_tokens *tokens, uint64_t at, uint64_t how, uint8_t major,
                                   struct ndp_buffer *out) {
    const struct ndp_bytes token = tokens->list[at];
    const struct row row = row_of(token);
    const bool is_old = major < 3;
    if (is_string(token) && how % 2 == 0) { /* an escape that is none, before the quote that closes */
        NDP_TRY(ndp_buffer_add(out, token.data, token.size_bytes - 1));
        NDP_TRY(ndp_buffer_printf(out, "%s", escapes[how / 2 % NDP_ARRAY_LEN(escapes)]));
        return ndp_buffer_add(out, token.data + token.size_bytes - 1, 1);
    }
    if (is_string(token) && how % 8 == 1 && fuzz_is_field_name(tokens, at))
        return add_spoilt(token, names[how / 8 % NDP_ARRAY_LEN(names)], out);
    /* The L of Python 2, and a zero before other digits. */
    const uint64_t which = (is_string(token) ? how / 2 : how) % (row.count + (is_digit(token.data[0]) ? 2 : 0));
    if (which == row.count) return add_spoilt(token, is_old ? "@LL" : "@L", out);
    if (which > row.count) return add_spoilt(token, token.data[0] == '0' ? "-+" : "0@", out);
    const char *word = row.list[which];
    if (*word == '\0' && !is_needed(tokens, at)) word = "@@";
    return add_spoilt(token, word, out);
}

static enum ndp_status spoil_text(struct ndp_bytes file, const struct fuzz_tokens *tokens, uint64_t pick,
                                  struct ndp_buffer *out) {
    const uint64_t at = pick % (tokens->count + 1), how = pick / (tokens->count + 1);
    for (uint64_t i = 0; i < tokens->count; i++) {
        if (i == at)
            NDP_TRY(spoil_token(tokens, i, how, file.data[VERSION_AT], out));
        else
            NDP_TRY(ndp_buffer_add(out, tokens->list[i].data, tokens->list[i].size_bytes));
    }
    return at == tokens->count ? ndp_buffer_printf(out, "%s", behind[how % NDP_ARRAY_LEN(behind)]) : NDP_OK;
}

/* Version and magic as they are not. */
static enum ndp_status spoil_version(struct ndp_bytes file, uint64_t pick, struct ndp_buffer *out) {
    static const uint8_t majors[] = {0, 4, 0x81, 0xff};
    uint64_t at = pick % (VERSION_AT + 2);
    NDP_TRY(ndp_buffer_add(out, file.data, file.size_bytes));
    if (at == VERSION_AT)
        out->data[at] = majors[pick / 8 % sizeof majors];
    else
        out->data[at] ^= (uint8_t)(1U << pick / 8 % 8);
    return NDP_OK;
}

/* A key that is none of the three, before them. */
static enum ndp_status add_key(struct ndp_bytes text, uint64_t pick, struct ndp_buffer *out) {
    static const char *const keys[] = {"", "descr ", "Descr", "order", "fortran_orde", "shape2", "\0shape", "\u0100"};
    static const char *const values[] = {"None", "()", "'|u1'", "False"};
    NDP_TRY(ndp_buffer_printf(out, "{'%s': %s, ", keys[pick % NDP_ARRAY_LEN(keys)],
                              values[pick / NDP_ARRAY_LEN(keys) % NDP_ARRAY_LEN(values)]));
    return ndp_buffer_add(out, text.data + 1, text.size_bytes - 1);
}

enum ndp_status fuzz_npy_spoil(struct ndp_arena *arena, struct ndp_bytes file, uint64_t pick, struct ndp_buffer *out) {
    struct fuzz_tokens *tokens = NDP_ARENA_NEW(arena, struct fuzz_tokens);
    const uint64_t start = file.data[VERSION_AT] == 1 ? 10 : 12;
    const uint64_t size = start == 10 ? ndp_load_u16le(file.data + LENGTH_AT) : ndp_load_u32le(file.data + LENGTH_AT);
    struct ndp_bytes text = {file.data + start, size};
    if (!tokens) return NDP_NOMEM;
    if (pick % CUT_ONE_IN == 0) /* as often inside of the header as anywhere */
        return ndp_buffer_add(out, file.data, pick / CUT_ONE_IN / 2 % (pick % 8 == 0 ? file.size_bytes : start + size));
    if (pick % VERSION_ONE_IN == 1) return spoil_version(file, pick / VERSION_ONE_IN, out);
    while (text.size_bytes > 0 && text.data[text.size_bytes - 1] != '}') text.size_bytes--;
    fuzz_tokens_split(text, tokens);
    if (tokens->count < 2 || tokens->count == FUZZ_MAX_TOKENS) return NDP_OK;
    NDP_TRY(ndp_buffer_add(out, file.data, start));
    NDP_TRY(pick % VERSION_ONE_IN == 2 ? add_key(text, pick / VERSION_ONE_IN, out)
                                       : spoil_text(file, tokens, pick / VERSION_ONE_IN, out));
    NDP_TRY(ndp_buffer_add(out, text.data + text.size_bytes, size - text.size_bytes));
    const uint64_t length = out->size_bytes - start;
    if (start == 10 && length > UINT16_MAX) {
        out->size_bytes = 0;
        return NDP_OK;
    }
    if (start == 10)
        ndp_store_u16le(out->data + LENGTH_AT, (uint16_t)length);
    else
        ndp_store_u32le(out->data + LENGTH_AT, (uint32_t)length);
    return ndp_buffer_add(out, file.data + start + size, file.size_bytes - start - size);
}

static enum ndp_status read_spoilt(struct ndp_arena *arena, struct ndp_bytes bytes, bool is_stream) {
    static const struct ndp_npy_options options = {.is_lenient = true, .header_chars = 1 << 20};
    struct ndp_npy_array taken = {0};
    struct ndp_cursor cursor = ndp_cursor_view(bytes);
    const enum ndp_status got = is_stream
                                    ? ndp_npy_decode_stream(arena, fuzz_read_pieces, &cursor, &options, &taken, NULL)
                                    : ndp_npy_decode_memory(arena, bytes, &options, &taken, NULL);
    ndp_npy_array_clear(&taken);
    return got;
}

void fuzz_npy_spoilt(struct ndp_arena *arena, const struct ndp_npy_array *array, uint64_t pick) {
    const struct ndp_elements elements = {array->header.dtype, &array->layout, array->data};
    struct ndp_buffer file = {.max_bytes = UINT64_MAX}, spoilt = {.max_bytes = UINT64_MAX};
    const uint8_t major = (uint8_t)(1 + pick / ONE_IN % VERSIONS);
    if (pick % ONE_IN != 0) return;
    pick /= UINT64_C(2) * ONE_IN * VERSIONS;
    /* Not each version has room for each header. */
    if (ndp_npy_encode_buffer(&elements, major, &file, NULL) == NDP_OK) {
        FUZZ_CHECK(fuzz_npy_spoil(arena, ndp_buffer_view(&file), pick, &spoilt) == NDP_OK);
        /* In a block of their size, whose end a sanitizer sees. */
        const struct ndp_bytes bytes = {ndp_arena_copy(arena, spoilt.data, spoilt.size_bytes), spoilt.size_bytes};
        const enum ndp_status got = read_spoilt(arena, bytes, pick / CUT_ONE_IN % 2 == 1);
        FUZZ_HOLDS(got != NDP_OK || spoilt.size_bytes == 0);
        FUZZ_HOLDS(pick % CUT_ONE_IN != 0 || got == NDP_TRUNCATED);
    }
    ndp_buffer_clear(&spoilt);
    ndp_buffer_clear(&file);
}
