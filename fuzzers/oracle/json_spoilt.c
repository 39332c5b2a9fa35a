#include "oracle/json_spoilt.h"

#include <string.h>

#include "describe/descriptor.h"
#include "form/tokens.h"
#include "fuzz.h"

enum { ONE_IN = 4, CUT_ONE_IN = 8, BETWEEN_ONE_IN = 8, NUMBER_ONE_IN = 4 };
#define ROOM_BYTES (UINT64_C(1) << 28)

/* What a token becomes: itself stands where there is a '@'. */
static const char *const numbers[] = {"0@",  "00",  "@.",  ".@",    "+@",     "@e",   "@e+",     "@e-",
                                      "0x@", "@_0", "@ @", "--@",   "-",      "@.e1", "@E.",     "@l",
                                      "@,,", "@f",  "-@-", "1e400", "-1e400", "NaN",  "Infinity"};
static const char *const words[] = {"@@", "@ @",  "True", "FALSE", "nul", "@0",
                                    "_@", "None", "@l",   "'@'",   "(@)", "undefined"};
static const char *const signs[] = {"@@", " ", "@,", ",@", ";", "@;", "=", "@'", "#@", "@#", "\\@", "@\\"};
static const char *const between[] = {"\v",  "\f", "\xa0", "\xc2\xa0", "/**/",        "//\n",
                                      "#\n", "\\", "\x1f", "\x7f",     "\xef\xbb\xbf"};
static const char *const behind[] = {"}", ",", "0", "{}", "]", "\"\"", "null", "//", ";", "\x1a"};

/* What stands in no string. */
static const char *const escapes[] = {"\\ud800",
                                      "\\udbff\\ue000",
                                      "\\ud800\\ue000",
                                      "\\udfff",
                                      "\\udc00\\ud800",
                                      "\\ud800\\u0041",
                                      "\\ud83d\\n",
                                      "\\ud83dx",
                                      "\\ud83d\\ud83d",
                                      "\\u",
                                      "\\u12",
                                      "\\u12g4",
                                      "\\u+123",
                                      "\\u 123",
                                      "\\x41",
                                      "\\'",
                                      "\\a",
                                      "\\0",
                                      "\\v",
                                      "\\U00000041",
                                      "\\u0000",
                                      "\x1f",
                                      "\n",
                                      "\t",
                                      "\x01",
                                      "\xff",
                                      "\x80",
                                      "\xc0\x80",
                                      "\xc1\xbf",
                                      "\xe0\x9f\xbf",
                                      "\xed\xa0\x80",
                                      "\xed\xbf\xbf",
                                      "\xf0\x8f\xbf\xbf",
                                      "\xf4\x90\x80\x80",
                                      "\xc3",
                                      "\xe2\x82"};

/* Numbers beyond what a descriptor's may be, or in another form: at the most that doubles and 64 bits hold. The offset
 * of a strided view may be negative. */
static const char *const beyond[] = {"9007199254740992",
                                     "-9007199254740992",
                                     "\"18446744073709551616\"",
                                     "\"18446744073709551617\"",
                                     "\"18446744073709551619\"",
                                     "\"18446744073709551620\"",
                                     "\"36893488147419103232\"",
                                     "\"184467440737095516150\"",
                                     "\"00\"",
                                     "\"01\"",
                                     "\"-0\"",
                                     "\"+1\"",
                                     "\"1 \"",
                                     "\" 1\"",
                                     "\"\"",
                                     "\"-\"",
                                     "\"1e1\"",
                                     "\"0x1\"",
                                     "0.5",
                                     "true"};

static bool is_digit(uint8_t c) {
    return c >= '0' && c <= '9';
}

static bool is_string(struct ndp_bytes token) {
    return token.size_bytes > 1 && token.data[0] == '"';
}

/* A number by itself, not the part of one behind its point or before. */
static bool is_number(const struct fuzz_tokens *tokens, uint64_t at) {
    const struct ndp_bytes token = tokens->list[at];
    if (at == 0 || at + 1 >= tokens->count || !memchr(":[,", tokens->list[at - 1].data[0], 3)) return false;
    for (uint64_t i = token.data[0] == '-' ? 1 : 0; i < token.size_bytes; i++)
        if (!is_digit(token.data[i])) return false;
    return is_digit(token.data[token.size_bytes - 1]) && memchr(",]}", tokens->list[at + 1].data[0], 3);
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

#define PICK(list, how) ((list)[(how) % NDP_ARRAY_LEN(list)])

static enum ndp_status spoil_token(const struct fuzz_tokens *tokens, uint64_t at, uint64_t how,
                                   struct ndp_buffer *out) {
    const struct ndp_bytes token = tokens->list[at];
    if (is_string(token)) { /* before the quote that closes */
        NDP_TRY(ndp_buffer_add(out, token.data, token.size_bytes - 1));
        NDP_TRY(ndp_buffer_printf(out, "%s", PICK(escapes, how)));
        return ndp_buffer_add(out, "\"", 1);
    }
    if (is_number(tokens, at)) return add_spoilt(token, PICK(numbers, how), out);
    if (memchr("tfn", token.data[0], 3)) return add_spoilt(token, PICK(words, how), out);
    return add_spoilt(token, memchr("{}[],:", token.data[0], 6) ? PICK(signs, how) : "@,,", out);
}

enum ndp_status fuzz_json_spoil(struct ndp_bytes text, uint64_t pick, struct ndp_buffer *out) {
    static struct fuzz_tokens tokens;
    if (text.size_bytes == 0) return NDP_OK;
    fuzz_tokens_split(text, &tokens);
    if (tokens.count == FUZZ_MAX_TOKENS) return NDP_OK;
    if (pick % CUT_ONE_IN == 0) return ndp_buffer_add(out, text.data, pick / CUT_ONE_IN % text.size_bytes);
    const bool is_between = pick % BETWEEN_ONE_IN == 1;
    pick /= CUT_ONE_IN;
    const uint64_t at = pick % (tokens.count + 1), how = pick / (tokens.count + 1);
    for (uint64_t i = 0; i < tokens.count; i++) {
        if (i == at && is_between) NDP_TRY(ndp_buffer_printf(out, "%s", PICK(between, how)));
        if (i == at && !is_between)
            NDP_TRY(spoil_token(&tokens, i, how, out));
        else
            NDP_TRY(ndp_buffer_add(out, tokens.list[i].data, tokens.list[i].size_bytes));
    }
    return at == tokens.count ? ndp_buffer_printf(out, "%s", PICK(behind, how)) : NDP_OK;
}

/* The text with another number behind one of the keys that have numbers of 64 bits, where there is one. */
static enum ndp_status put_number(struct ndp_bytes text, uint64_t pick, struct ndp_buffer *out) {
    static const char *const keys[] = {"\"seed\":", "\"offset\":", "\"itemsize\":"};
    const char *key = PICK(keys, pick);
    const uint64_t size = strlen(key);
    for (uint64_t at = 1; at + size < text.size_bytes; at++) {
        if (memcmp(text.data + at, key, (size_t)size) != 0 || !memchr("{,", text.data[at - 1], 2)) continue;
        uint64_t end = at + size;
        while (end < text.size_bytes && !memchr(",}", text.data[end], 2)) end++;
        NDP_TRY(ndp_buffer_add(out, text.data, at + size));
        NDP_TRY(ndp_buffer_printf(out, "%s", PICK(beyond, pick / NDP_ARRAY_LEN(keys))));
        return ndp_buffer_add(out, text.data + end, text.size_bytes - end);
    }
    return NDP_OK;
}

void fuzz_check_json_spoilt(struct ndp_bytes text, uint64_t pick) {
    struct ndp_arena arena = {.limit_bytes = ROOM_BYTES};
    struct ndp_buffer spoilt = {.max_bytes = UINT64_MAX};
    struct ndp_descriptor descriptor;
    if (pick % ONE_IN != 3) return;
    pick /= ONE_IN;
    /* Metadata and attributes may have any keys. */
    bool is_free = pick % NUMBER_ONE_IN != 0;
    for (uint64_t at = 0; !is_free && at + 8 < text.size_bytes; at++)
        is_free = memcmp(text.data + at, "metadata", 8) == 0 || memcmp(text.data + at, "\"graph\"", 7) == 0;
    FUZZ_CHECK((is_free ? fuzz_json_spoil(text, pick / NUMBER_ONE_IN, &spoilt)
                        : put_number(text, pick / NUMBER_ONE_IN, &spoilt)) == NDP_OK);
    if (spoilt.size_bytes > 0)
        FUZZ_HOLDS(ndp_descriptor_read(&arena, ndp_buffer_view(&spoilt), &ndp_describe_default_limits, &descriptor,
                                       NULL) == NDP_INVALID);
    ndp_buffer_clear(&spoilt);
    ndp_arena_clear(&arena);
}
