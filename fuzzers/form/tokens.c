#include "form/tokens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ODD_ONE_IN = 4, REPEATED_ONE_IN = 64, REPEATED_BYTES = 8192 };

static bool is_digit(uint8_t byte) {
    return byte >= '0' && byte <= '9';
}

static bool is_letter(uint8_t byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_';
}

static bool is_space(uint8_t byte) {
    return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r';
}

/* The size of the token at the start of `text`; at least 1. */
static uint64_t token_bytes(struct ndp_bytes text) {
    const uint8_t first = text.data[0];
    uint64_t size = 1;
    if (first == '\'' || first == '"') {
        while (size < text.size_bytes && text.data[size] != first) size += text.data[size] == '\\' ? 2 : 1;
        return size < text.size_bytes ? size + 1 : text.size_bytes;
    }
    if (is_digit(first) || is_letter(first) || first == '-') {
        while (size < text.size_bytes && (is_digit(text.data[size]) || is_letter(text.data[size]))) size++;
    } else if (is_space(first)) {
        while (size < text.size_bytes && is_space(text.data[size])) size++;
    }
    return size;
}

void fuzz_tokens_split(struct ndp_bytes text, struct fuzz_tokens *out) {
    out->count = 0;
    while (text.size_bytes > 0 && out->count < FUZZ_MAX_TOKENS) {
        const uint64_t size = token_bytes(text);
        out->list[out->count++] = (struct ndp_bytes){text.data, size};
        text.data += size;
        text.size_bytes -= size;
    }
}

static bool is_number(struct ndp_bytes token) {
    return is_digit(token.data[0]) || (token.data[0] == '-' && token.size_bytes > 1 && is_digit(token.data[1]));
}

/* A number near the present one, or one at which arithmetic overflows. */
static enum ndp_status other_number(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes *token) {
    static const char *const corners[] = {"0",
                                          "1",
                                          "-1",
                                          "255",
                                          "65535",
                                          "2147483647",
                                          "4294967296",
                                          "9223372036854775807",
                                          "4611686018427387904",
                                          "18446744073709551616"};
    char text[32] = "";
    memcpy(text, token->data, token->size_bytes < sizeof text ? (size_t)token->size_bytes : sizeof text - 1);
    const long long number = strtoll(text, NULL, 10);
    const uint64_t how = ndp_choose(choices, 8);
    /* Adds a power of two, which a multiplication that wraps does not notice. */
    if (how == 7 && number >= 0 && number < 1 << 20)
        snprintf(text, sizeof text, "%llu", (unsigned long long)number + (1ULL << (56 + ndp_choose(choices, 8))));
    else if (how == 0)
        snprintf(text, sizeof text, "%s", corners[ndp_choose(choices, NDP_ARRAY_LEN(corners))]);
    else if (how < 4)
        snprintf(text, sizeof text, "%llu", (unsigned long long)ndp_choose(choices, 12));
    else
        snprintf(text, sizeof text, "%lld", how < 6 ? number / 2 : number > 1000000 ? number - 1 : number + 1);
    const uint8_t *copy = ndp_arena_copy(arena, text, strlen(text));
    if (!copy) return NDP_NOMEM;
    *token = (struct ndp_bytes){copy, strlen(text)};
    return NDP_OK;
}

/* Unusual characters: of two to four bytes, single surrogates, invalid UTF-8, and the escapes of each. */
static const char *const oddities[] = {"\xc3\xa9",
                                       "\xe2\x82\xac",
                                       "\xf0\x9f\x98\x80",
                                       "\xed\xa0\x80",
                                       "\xed\xbf\xbf",
                                       "\xc0\x80",
                                       "\xf4\x90\x80\x80",
                                       "\xff",
                                       "\\ud800",
                                       "\\udc00",
                                       "\\u00e9",
                                       "\\U0001f600",
                                       "\\U00110000",
                                       "\\777",
                                       "\\200",
                                       "\\xff",
                                       "\\0",
                                       "\\\n",
                                       "\\n",
                                       "\r\n"};

static enum ndp_status add_oddity(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes *token) {
    const char *odd = oddities[ndp_choose(choices, NDP_ARRAY_LEN(oddities))];
    const uint64_t more = strlen(odd), at = token->size_bytes > 2 ? 1 + ndp_choose(choices, token->size_bytes - 1) : 1;
    uint8_t *copy = ndp_arena_alloc(arena, token->size_bytes + more);
    if (!copy) return NDP_NOMEM;
    memcpy(copy, token->data, (size_t)at);
    memcpy(copy + at, odd, (size_t)more);
    memcpy(copy + at + more, token->data + at, (size_t)(token->size_bytes - at));
    *token = (struct ndp_bytes){copy, token->size_bytes + more};
    return NDP_OK;
}

/* Changes, removes or duplicates a byte inside a string. */
static enum ndp_status other_string(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes *token) {
    static const char signs[] = "<>|=biufcSUVMmO0123456789,[]()us\\'\" ";
    if (token->size_bytes > 0 && ndp_choose_rarely(choices, ODD_ONE_IN)) return add_oddity(arena, choices, token);
    uint8_t *copy = ndp_arena_alloc(arena, token->size_bytes + 1);
    if (!copy) return NDP_NOMEM;
    uint64_t size = token->size_bytes;
    memcpy(copy, token->data, (size_t)size);
    const uint64_t at = size > 2 ? 1 + ndp_choose(choices, size - 2) : 0;
    const uint8_t with = (uint8_t)signs[ndp_choose(choices, sizeof signs - 1)];
    switch (size > 0 ? ndp_choose(choices, 3) : 2) {
    case 0:
        copy[at] = with;
        break;
    case 1:
        memmove(copy + at, copy + at + 1, (size_t)(--size - at));
        break;
    default:
        memmove(copy + at + 1, copy + at, (size_t)(size++ - at));
        copy[at] = with;
        break;
    }
    *token = (struct ndp_bytes){copy, size};
    return NDP_OK;
}

static void insert_token(struct fuzz_tokens *tokens, uint64_t at, struct ndp_bytes token) {
    if (tokens->count == FUZZ_MAX_TOKENS) tokens->count--;
    memmove(&tokens->list[at + 1], &tokens->list[at], (size_t)(tokens->count - at) * sizeof token);
    tokens->list[at] = token;
    tokens->count++;
}

/* Repeats a few tokens up to thousands of times, to show quadratic time. */
static enum ndp_status repeat_tokens(struct ndp_arena *arena, struct ndp_choices *choices, struct fuzz_tokens *tokens,
                                     uint64_t at) {
    const uint64_t most = tokens->count - at < 4 ? tokens->count - at : 4, count = 1 + ndp_choose(choices, most);
    uint64_t size = 0, end = 0;
    for (uint64_t i = 0; i < count; i++) size += tokens->list[at + i].size_bytes;
    const uint64_t times = size > 0 ? REPEATED_BYTES / size >> ndp_choose(choices, 8) : 0;
    uint8_t *all = ndp_arena_alloc(arena, size * times);
    if (!all) return NDP_NOMEM;
    for (uint64_t i = 0; i < count * times; i++) {
        const struct ndp_bytes token = tokens->list[at + i % count];
        if (token.size_bytes > 0) memcpy(all + end, token.data, (size_t)token.size_bytes);
        end += token.size_bytes;
    }
    if (end > 0) insert_token(tokens, at, (struct ndp_bytes){all, end});
    return NDP_OK;
}

static struct ndp_bytes some_word(struct ndp_choices *choices, const struct fuzz_words *words,
                                  const struct fuzz_tokens *tokens) {
    if (ndp_choose(choices, 3) == 0) return tokens->list[ndp_choose(choices, tokens->count)];
    return ndp_bytes_view(words->list[ndp_choose(choices, words->count)]);
}

/* Selects any token except a run of spaces, within a few tries. */
static uint64_t some_place(struct ndp_choices *choices, const struct fuzz_tokens *tokens) {
    uint64_t at = 0;
    for (int i = 0; i < 4; i++) {
        at = ndp_choose(choices, tokens->count);
        if (!is_space(tokens->list[at].data[0])) break;
    }
    return at;
}

enum ndp_status fuzz_tokens_change(struct ndp_arena *arena, struct ndp_choices *choices, const struct fuzz_words *words,
                                   struct fuzz_tokens *tokens) {
    if (tokens->count == 0) {
        insert_token(tokens, 0, ndp_bytes_view(words->list[ndp_choose(choices, words->count)]));
        return NDP_OK;
    }
    const uint64_t at = some_place(choices, tokens), other = ndp_choose(choices, tokens->count);
    struct ndp_bytes *token = &tokens->list[at];
    const bool is_string = token->data[0] == '\'' || token->data[0] == '"';
    if (ndp_choose_rarely(choices, REPEATED_ONE_IN)) return repeat_tokens(arena, choices, tokens, at);
    switch (ndp_choose(choices, 8)) {
    case 0:
        memmove(token, token + 1, (size_t)(--tokens->count - at) * sizeof *token);
        return NDP_OK;
    case 1:
        insert_token(tokens, at, some_word(choices, words, tokens));
        return NDP_OK;
    case 2:
        insert_token(tokens, other, *token);
        return NDP_OK;
    case 3: {
        const struct ndp_bytes kept = *token;
        *token = tokens->list[other];
        tokens->list[other] = kept;
        return NDP_OK;
    }
    default:
        if (is_number(*token)) return other_number(arena, choices, token);
        if (is_string && ndp_choose(choices, 2) == 0) return other_string(arena, choices, token);
        *token = some_word(choices, words, tokens);
        return NDP_OK;
    }
}

enum ndp_status fuzz_tokens_join(const struct fuzz_tokens *tokens, struct ndp_buffer *out) {
    for (uint32_t i = 0; i < tokens->count; i++)
        NDP_TRY(ndp_buffer_add(out, tokens->list[i].data, tokens->list[i].size_bytes));
    return NDP_OK;
}
