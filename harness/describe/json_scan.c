/* json_scan.c: strict scanner of JSON text.
 *
 * Problem: cJSON accepts malformed texts and keeps no positions, and a hostile text must not exhaust the stack or
 * memory.
 *
 * Method: one iterative pass checks the grammar of RFC 8259 and the limits. A stack of bits states whether the
 * container at each depth is an object. Values are counted in document order, so that a second pass can stop at a given
 * value and report its offset.
 *
 * Cost: linear in the text, without allocations. Limits: nesting up to NDP_JSON_MAX_DEPTH, numbers of at most
 * MAX_NUMBER_BYTES characters.
 */
#include "describe/json_scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* cJSON copies a number to a buffer of 64 bytes and truncates a longer one. */
enum { MAX_NUMBER_BYTES = 62 };

/* `is_object[d]` describes the container at depth d. */
struct scanner {
    struct ndp_cursor cursor;
    uint64_t max_values;
    uint32_t max_depth;
    uint32_t depth;
    bool is_object[NDP_JSON_MAX_DEPTH];
    bool is_opened;        /* the last value opened a non-empty container */
    uint64_t values;       /* number of values begun */
    uint64_t value_offset; /* of the last value */
    uint64_t key_offset;   /* of its key, or value_offset */
    struct ndp_error *error;
};

static bool is_end(const struct scanner *s) {
    return s->cursor.at_bytes >= s->cursor.size_bytes;
}

/* Returns the byte at the cursor, or 0 at the end. NUL is not part of the grammar. */
static uint8_t peek(const struct scanner *s) {
    return is_end(s) ? 0 : s->cursor.data[s->cursor.at_bytes];
}

static enum ndp_status set_invalid(const struct scanner *s, const char *what) {
    if (is_end(s)) return ndp_error_set(s->error, NDP_INVALID, s->cursor.at_bytes, "unexpected end of text: %s", what);
    return ndp_error_set(s->error, NDP_INVALID, s->cursor.at_bytes, "%s", what);
}

static enum ndp_status set_limit(const struct scanner *s, const char *what, uint64_t most) {
    return ndp_error_set(s->error, NDP_LIMIT, s->cursor.at_bytes, "more than %llu %s", (unsigned long long)most, what);
}

static void skip_space(struct scanner *s) {
    for (uint8_t c = peek(s); c == ' ' || c == '\t' || c == '\n' || c == '\r'; c = peek(s)) s->cursor.at_bytes++;
}

/* Reads the four digits after "\u". */
static enum ndp_status scan_unit(struct scanner *s, uint32_t *unit) {
    uint32_t value = 0;
    for (int i = 0; i < 4; i++, s->cursor.at_bytes++) {
        int digit = ndp_hex_value(peek(s));
        if (digit < 0) return set_invalid(s, "expected four hexadecimal digits");
        value = value << 4 | (uint32_t)digit;
    }
    *unit = value;
    return NDP_OK;
}

static enum ndp_status scan_escape(struct scanner *s) {
    static const char lone[] = "a text with NUL or lone surrogates is written as {\"codepoints\": [...]}";
    uint64_t start = s->cursor.at_bytes - 1; /* of the backslash */
    uint8_t c = peek(s);
    if (c != 'u') {
        if (c == 0 || strchr("\"\\/bfnrt", c) == NULL) return set_invalid(s, "expected an escape character");
        s->cursor.at_bytes++;
        return NDP_OK;
    }
    s->cursor.at_bytes++;
    uint32_t unit = 0;
    NDP_TRY(scan_unit(s, &unit));
    bool is_high = unit >= 0xd800 && unit < 0xdc00;
    if (is_high && peek(s) == '\\' && s->cursor.at_bytes + 1 < s->cursor.size_bytes &&
        s->cursor.data[s->cursor.at_bytes + 1] == 'u') {
        s->cursor.at_bytes += 2;
        uint32_t low = 0;
        NDP_TRY(scan_unit(s, &low));
        if (low >= 0xdc00 && low < 0xe000) return NDP_OK;
    }
    if (unit == 0 || (unit >= 0xd800 && unit < 0xe000)) return ndp_error_set(s->error, NDP_INVALID, start, "%s", lone);
    return NDP_OK;
}

static enum ndp_status scan_wide(struct scanner *s) {
    uint64_t start = s->cursor.at_bytes;
    uint32_t code_point = 0;
    if (ndp_text_next(&s->cursor, &code_point) != NDP_OK || (code_point >= 0xd800 && code_point < 0xe000))
        return ndp_error_set(s->error, NDP_INVALID, start, "the text is not valid UTF-8");
    return NDP_OK;
}

static enum ndp_status scan_string(struct scanner *s) {
    if (peek(s) != '"') return set_invalid(s, "expected a string in double quotes");
    s->cursor.at_bytes++;
    for (;;) {
        uint8_t c = peek(s);
        if (is_end(s)) return set_invalid(s, "unterminated string");
        if (c < 0x20) return set_invalid(s, "unescaped control character in a string");
        if (c >= 0x80) {
            NDP_TRY(scan_wide(s));
            continue;
        }
        s->cursor.at_bytes++;
        if (c == '"') return NDP_OK;
        if (c == '\\') NDP_TRY(scan_escape(s));
    }
}

static enum ndp_status scan_digits(struct scanner *s) {
    if (!ndp_bytes_is_digit(peek(s))) return set_invalid(s, "expected a digit");
    while (ndp_bytes_is_digit(peek(s))) s->cursor.at_bytes++;
    return NDP_OK;
}

static enum ndp_status scan_number_form(struct scanner *s, bool *has_exponent) {
    if (peek(s) == '-') s->cursor.at_bytes++;
    if (peek(s) == '0') {
        s->cursor.at_bytes++;
    } else {
        NDP_TRY(scan_digits(s));
    }
    if (peek(s) == '.') {
        s->cursor.at_bytes++;
        NDP_TRY(scan_digits(s));
    }
    if (peek(s) == 'e' || peek(s) == 'E') {
        *has_exponent = true;
        s->cursor.at_bytes++;
        if (peek(s) == '+' || peek(s) == '-') s->cursor.at_bytes++;
        NDP_TRY(scan_digits(s));
    }
    return NDP_OK;
}

static enum ndp_status scan_number(struct scanner *s) {
    uint64_t start = s->cursor.at_bytes;
    bool has_exponent = false;
    NDP_TRY(scan_number_form(s, &has_exponent));
    uint64_t size = s->cursor.at_bytes - start;
    char digits[MAX_NUMBER_BYTES + 1] = "";
    if (size > MAX_NUMBER_BYTES)
        return ndp_error_set(s->error, NDP_LIMIT, start, "a number of more than 62 characters");
    memcpy(digits, s->cursor.data + start, (size_t)size);
    /* Without an exponent, so few digits never exceed the range of a double. */
    if (has_exponent && !isfinite(strtod(digits, NULL)))
        return ndp_error_set(s->error, NDP_INVALID, start, "the number exceeds the range of a double");
    return NDP_OK;
}

static enum ndp_status scan_word(struct scanner *s, const char *word) {
    for (; *word != '\0'; word++, s->cursor.at_bytes++)
        if (peek(s) != (uint8_t)*word) return set_invalid(s, "expected true, false or null");
    return NDP_OK;
}

static enum ndp_status scan_key(struct scanner *s) {
    skip_space(s);
    s->key_offset = s->cursor.at_bytes;
    NDP_TRY(scan_string(s));
    skip_space(s);
    if (peek(s) != ':') return set_invalid(s, "expected ':' after a key");
    s->cursor.at_bytes++;
    return NDP_OK;
}

/* Opens a container. An empty one is closed at once and counts as a value. */
static enum ndp_status scan_open(struct scanner *s, bool is_object) {
    if (s->depth >= s->max_depth) return set_limit(s, "levels of nesting", s->max_depth);
    s->cursor.at_bytes++;
    skip_space(s);
    if (peek(s) == (is_object ? '}' : ']')) {
        s->cursor.at_bytes++;
        return NDP_OK;
    }
    s->is_object[s->depth++] = is_object;
    s->is_opened = true;
    return is_object ? scan_key(s) : NDP_OK;
}

/* Records the position of the value at the cursor and of its key, before its content changes the key. */
static enum ndp_status scan_place(struct scanner *s) {
    skip_space(s);
    if (s->values >= s->max_values) return set_limit(s, "values", s->max_values);
    s->value_offset = s->cursor.at_bytes;
    if (s->depth == 0 || !s->is_object[s->depth - 1]) s->key_offset = s->value_offset;
    s->values++;
    return NDP_OK;
}

static enum ndp_status scan_content(struct scanner *s) {
    s->is_opened = false;
    const uint8_t first = peek(s);
    if (first == '{') return scan_open(s, true);
    if (first == '[') return scan_open(s, false);
    if (first == '"') return scan_string(s);
    if (first == 't') return scan_word(s, "true");
    if (first == 'f') return scan_word(s, "false");
    if (first == 'n') return scan_word(s, "null");
    if (first != '-' && !ndp_bytes_is_digit(first)) return set_invalid(s, "expected a value");
    return scan_number(s);
}

/* Closes containers and moves to the next value. Sets *is_done at the end of the document. */
static enum ndp_status scan_after(struct scanner *s, bool *is_done) {
    for (;;) {
        skip_space(s);
        if (s->depth == 0) break;
        bool is_object = s->is_object[s->depth - 1];
        uint8_t c = peek(s);
        if (c == ',') {
            s->cursor.at_bytes++;
            return is_object ? scan_key(s) : NDP_OK;
        }
        if (c != (is_object ? '}' : ']'))
            return set_invalid(s, is_object ? "expected ',' or '}'" : "expected ',' or ']'");
        s->cursor.at_bytes++;
        s->depth--;
    }
    if (!is_end(s)) return set_invalid(s, "unexpected text after the document");
    *is_done = true;
    return NDP_OK;
}

/* Scans to the end, or to value number `stop_at`. */
static enum ndp_status scan(struct scanner *s, uint64_t stop_at) {
    bool is_done = false;
    while (!is_done) {
        NDP_TRY(scan_place(s));
        if (s->values - 1 == stop_at) return NDP_OK;
        NDP_TRY(scan_content(s));
        if (!s->is_opened) NDP_TRY(scan_after(s, &is_done));
    }
    return NDP_OK;
}

enum ndp_status ndp_json_scan(struct ndp_bytes text, const struct ndp_describe_limits *limits,
                              struct ndp_error *error) {
    uint32_t depth = limits->depth < NDP_JSON_MAX_DEPTH ? limits->depth : NDP_JSON_MAX_DEPTH;
    uint64_t values = limits->values > 0 ? limits->values : NDP_JSON_MAX_VALUES;
    struct scanner s = {.cursor = ndp_cursor_view(text), .max_values = values, .max_depth = depth, .error = error};
    if (text.size_bytes > limits->text_bytes) {
        s.cursor.at_bytes = limits->text_bytes;
        return set_limit(&s, "bytes of text", limits->text_bytes);
    }
    return scan(&s, UINT64_MAX);
}

uint64_t ndp_json_offset(struct ndp_bytes text, uint64_t ordinal, bool at_key) {
    struct scanner s = {.cursor = ndp_cursor_view(text), .max_values = UINT64_MAX, .max_depth = NDP_JSON_MAX_DEPTH};
    if (scan(&s, ordinal) != NDP_OK || s.values != ordinal + 1) return NDP_NO_OFFSET;
    return at_key ? s.key_offset : s.value_offset;
}
