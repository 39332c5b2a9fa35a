#include "oracle/npy_spelling.h"

#include <string.h>

#include "base/byteorder.h"
#include "form/tokens.h"
#include "fuzz.h"
#include "oracle/npy_paths.h"

enum { LENGTH_AT = 8, RULES = 3 };

/* Whether a token is a string that the other quotes leave as it is. */
static bool is_plain_string(struct ndp_bytes token) {
    if (token.size_bytes < 2 || (token.data[0] != '\'' && token.data[0] != '"')) return false;
    for (uint64_t i = 1; i + 1 < token.size_bytes; i++)
        if (memchr("\\'\"", token.data[i], 3)) return false;
    return token.data[token.size_bytes - 1] == token.data[0];
}

static bool is_number(struct ndp_bytes token) {
    return token.size_bytes > 0 && token.data[0] >= '0' && token.data[0] <= '9';
}

static bool is_blank(struct ndp_bytes token) {
    return token.size_bytes > 0 && (token.data[0] == ' ' || token.data[0] == '\t');
}

/* Whether the token can stand in brackets: a string or a number that stands alone, since strings side by side are one
 * string, and a prefix or a suffix would be torn off. */
static bool is_alone(const struct fuzz_tokens *tokens, uint64_t at) {
    static const char signs[] = "{}[](),:";
    uint64_t before = at, after = at + 1;
    while (before > 0 && is_blank(tokens->list[before - 1])) before--;
    while (after < tokens->count && is_blank(tokens->list[after])) after++;
    return before > 0 && after < tokens->count && memchr(signs, tokens->list[before - 1].data[0], sizeof signs - 1) &&
           memchr(signs, tokens->list[after].data[0], sizeof signs - 1);
}

/* One token by the rule; white space before it by the first, and where the others do not fit. */
static enum ndp_status add_token(const struct fuzz_tokens *tokens, uint64_t at, uint64_t rule, struct ndp_buffer *out) {
    const struct ndp_bytes token = tokens->list[at];
    const bool is_string = is_plain_string(token);
    if (rule % RULES == 1 && is_string) {
        const char quote = token.data[0] == '"' ? '\'' : '"';
        return ndp_buffer_printf(out, "%c%.*s%c", quote, (int)token.size_bytes - 2, (const char *)token.data + 1,
                                 quote);
    }
    const bool is_bracketed = rule % RULES == 2 && (is_string || is_number(token)) && is_alone(tokens, at);
    NDP_TRY(ndp_buffer_printf(out, is_bracketed ? "(" : rule / RULES % 2 == 0 ? "  " : "\t"));
    NDP_TRY(ndp_buffer_add(out, token.data, token.size_bytes));
    return is_bracketed ? ndp_buffer_printf(out, ")") : NDP_OK;
}

/* Stores the length of the header; whether its field is large enough. */
static bool set_length(uint8_t *file, uint64_t bytes) {
    if (file[6] == 1 && bytes > UINT16_MAX) return false;
    if (file[6] == 1)
        ndp_store_u16le(file + LENGTH_AT, (uint16_t)bytes);
    else
        ndp_store_u32le(file + LENGTH_AT, (uint32_t)bytes);
    return true;
}

/* Whether white space before the token changes nothing: not inside of a string that was split into tokens, and not at
 * the start, which some versions of Python take for an indentation. */
static bool may_change(const struct fuzz_tokens *tokens) {
    for (uint64_t i = 0; i < tokens->count; i++) {
        const struct ndp_bytes token = tokens->list[i];
        const bool is_quote = token.data[0] == '\'' || token.data[0] == '"';
        if (memchr(token.data, '\\', (size_t)token.size_bytes) || memchr(token.data, '#', (size_t)token.size_bytes))
            return false;
        if (is_quote && !is_plain_string(token)) return false;
        /* A letter before a quote is a prefix of the string; two strings side by side may be three quotes. */
        if (i > 0 && is_quote && !memchr("{}[](),: \t\n", tokens->list[i - 1].data[0], 11)) return false;
    }
    return tokens->count > 2 && tokens->count < FUZZ_MAX_TOKENS;
}

enum ndp_status fuzz_npy_respell(struct ndp_arena *arena, struct ndp_bytes file, uint64_t pick,
                                 struct ndp_buffer *out) {
    struct fuzz_tokens *tokens = NDP_ARENA_NEW(arena, struct fuzz_tokens);
    const uint64_t start = file.data[6] == 1 ? 10 : 12;
    const uint64_t size = start == 10 ? ndp_load_u16le(file.data + 8) : ndp_load_u32le(file.data + 8);
    struct ndp_bytes text = {file.data + start, size};
    if (!tokens) return NDP_NOMEM;
    while (text.size_bytes > 0 && text.data[text.size_bytes - 1] != '}') text.size_bytes--;
    fuzz_tokens_split(text, tokens);
    if (!may_change(tokens)) return NDP_OK;
    const uint64_t changed = 1 + pick % (tokens->count - 1);
    NDP_TRY(ndp_buffer_add(out, file.data, start));
    for (uint64_t i = 0; i < tokens->count; i++) {
        if (i == changed)
            NDP_TRY(add_token(tokens, i, pick / tokens->count, out));
        else
            NDP_TRY(ndp_buffer_add(out, tokens->list[i].data, tokens->list[i].size_bytes));
    }
    NDP_TRY(ndp_buffer_add(out, text.data + text.size_bytes, size - text.size_bytes));
    if (!set_length(out->data, out->size_bytes - start)) {
        out->size_bytes = 0;
        return NDP_OK;
    }
    return ndp_buffer_add(out, file.data + start + size, file.size_bytes - start - size);
}

void fuzz_check_npy_spelling(struct ndp_arena *arena, struct ndp_bytes file, const struct ndp_npy_array *array,
                             uint64_t pick) {
    static const struct ndp_npy_options lenient = {.is_lenient = true, .header_chars = 1 << 20, .max_nesting = 200};
    struct ndp_buffer other = {.max_bytes = UINT64_MAX};
    struct ndp_npy_array next = {0};
    FUZZ_CHECK(fuzz_npy_respell(arena, file, pick, &other) == NDP_OK);
    if (other.size_bytes > 0) {
        const enum ndp_status got = ndp_npy_decode_memory(arena, ndp_buffer_view(&other), &lenient, &next, NULL);
        fuzz_check_same_npy("another spelling", NDP_OK, array, got, &next);
    }
    ndp_buffer_clear(&other);
}
