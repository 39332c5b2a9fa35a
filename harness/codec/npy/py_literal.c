/* py_literal.c: parser of Python literals.
 *
 * Problem: an NPY header is a Python expression, which NumPy passes to ast.literal_eval. Evaluating it is unsafe, and
 * NumPy's versions accept different texts.
 *
 * Method: recursive descent over the bytes, for dictionaries, lists, tuples, strings, integers, True, False and None.
 * Forms that only some versions of NumPy accept, or that NumPy never writes, are refused unless the caller is lenient.
 *
 * Cost: linear: no byte is read twice except the prefix letters of a string. Limits: nesting up to max_nesting;
 * integers of at most 4300 digits, as in CPython 3.11.
 */
#include "codec/npy/py_literal.h"

#include <string.h>

#include "base/checked.h"
#include "base/text.h"

struct parser {
    const uint8_t *data;
    uint64_t size;
    uint64_t at;
    uint32_t depth;
    const struct ndp_literal_options *options;
    struct ndp_arena *arena;
    struct ndp_error *error;
    struct ndp_buffer scratch; /* the current string */
};

static enum ndp_status set_parse_error(struct parser *p, enum ndp_status status, uint64_t at, const char *text) {
    return ndp_error_set(p->error, status, p->options->start_bytes + at, "%s", text);
}

/* Refuses, except in lenient mode, a form that only some versions of NumPy accept or that NumPy never writes. */
static enum ndp_status refuse_unless_lenient(struct parser *p, uint64_t at, const char *text) {
    return p->options->is_lenient ? NDP_OK : set_parse_error(p, NDP_UNSUPPORTED, at, text);
}

/* Returns the byte `ahead` of the current one, or 0 past the end. NUL is never part of a literal. */
static uint8_t peek(const struct parser *p, uint64_t ahead) {
    return p->size - p->at > ahead ? p->data[p->at + ahead] : 0;
}

static bool is_line_end(uint8_t c) {
    return c == '\n' || c == '\r';
}
static bool is_blank(uint8_t c) {
    return c == ' ' || c == '\t' || c == '\f';
}
static bool is_word(uint8_t c) {
    return ndp_bytes_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
}

static void skip_comment(struct parser *p) {
    while (p->at < p->size && !is_line_end(p->data[p->at])) p->at++;
}

/* Returns the number of blanks at the cursor. */
static uint64_t blank_bytes(const struct parser *p) {
    const uint8_t *data = p->data;
    const uint64_t size = p->size;
    uint64_t end = p->at;
    while (end < size && is_blank(data[end])) end++;
    return end - p->at;
}

/* Skips white space and comments between tokens inside brackets, where line ends are white space. */
static enum ndp_status skip_inside(struct parser *p) {
    for (;;) {
        const uint8_t c = peek(p, 0);
        if (is_blank(c) || is_line_end(c)) {
            p->at++;
        } else if (c == '#') {
            skip_comment(p);
        } else if (c == '\\' && is_line_end(peek(p, 1))) {
            NDP_TRY(refuse_unless_lenient(p, p->at, "line continuation"));
            p->at += 2;
        } else {
            return NDP_OK;
        }
    }
}

/* Skips white space before the literal: blanks at the start are allowed, an indented later line is not. */
static enum ndp_status skip_before(struct parser *p) {
    bool is_later_line = false;
    uint64_t indent = UINT64_MAX;
    for (;; p->at++) {
        const uint8_t c = peek(p, 0);
        if (c == '#') skip_comment(p);
        if (p->at >= p->size) return NDP_OK;
        if (is_line_end(p->data[p->at])) {
            is_later_line = true;
            indent = UINT64_MAX;
        } else if (is_blank(p->data[p->at])) {
            if (is_later_line && indent == UINT64_MAX) indent = p->at;
        } else {
            return indent == UINT64_MAX ? NDP_OK : set_parse_error(p, NDP_INVALID, indent, "indented header text");
        }
    }
}

/* Skips blanks, comments and line ends after the literal. Blanks after the last line end are accepted where NumPy
 * tokenises the text for compatibility with Python 2, only in versions 1 and 2, and only by some releases. */
static enum ndp_status skip_after(struct parser *p) {
    uint64_t late_blank = UINT64_MAX;
    bool is_later_line = false;
    p->at += blank_bytes(p); /* padding of a header */
    for (; p->at < p->size; p->at++) {
        const uint8_t c = p->data[p->at];
        if (c == '#') {
            skip_comment(p);
            if (p->at >= p->size) break;
        }
        if (is_line_end(p->data[p->at])) {
            is_later_line = true;
            late_blank = UINT64_MAX;
        } else if (is_blank(p->data[p->at])) {
            if (is_later_line && late_blank == UINT64_MAX) late_blank = p->at;
        } else if (p->data[p->at] == '\\' && is_line_end(peek(p, 1))) {
            NDP_TRY(refuse_unless_lenient(p, p->at, "line continuation"));
        } else {
            return set_parse_error(p, NDP_INVALID, p->at, "unexpected text after the header's dictionary");
        }
    }
    if (late_blank == UINT64_MAX) return NDP_OK;
    static const char text[] = "blanks after the header's last line end";
    return p->options->allows_long ? refuse_unless_lenient(p, late_blank, text)
                                   : set_parse_error(p, NDP_INVALID, late_blank, text);
}

static enum ndp_status read_value(struct parser *p, struct ndp_literal **out);

static enum ndp_status new_node(struct parser *p, enum ndp_literal_kind kind, uint64_t at, struct ndp_literal **out) {
    struct ndp_literal *node = NDP_ARENA_NEW(p->arena, struct ndp_literal);
    if (node == NULL) return set_parse_error(p, NDP_NOMEM, at, "no memory for the header");
    node->kind = kind;
    node->offset_bytes = p->options->start_bytes + at;
    *out = node;
    return NDP_OK;
}

static enum ndp_status add_code_point(struct parser *p, uint64_t at, uint32_t code_point) {
    const enum ndp_status status = ndp_text_add(&p->scratch, code_point);
    if (status == NDP_OK) return NDP_OK;
    return set_parse_error(p, status, at, "invalid code point, or no memory");
}

/* \xHH, \uHHHH, \UHHHHHHHH: the cursor is after the letter. */
static enum ndp_status read_hex_escape(struct parser *p, uint64_t start, uint32_t digits) {
    uint32_t value = 0;
    for (uint32_t i = 0; i < digits; i++) {
        const int digit = ndp_hex_value(peek(p, 0));
        if (digit < 0) return set_parse_error(p, NDP_INVALID, start, "escape with too few digits");
        value = value << 4 | (uint32_t)digit;
        p->at++;
    }
    return add_code_point(p, start, value);
}

static enum ndp_status read_octal_escape(struct parser *p, uint64_t start) {
    uint32_t value = 0;
    for (int i = 0; i < 3 && peek(p, 0) >= '0' && peek(p, 0) <= '7'; i++) {
        value = value << 3 | (uint32_t)(peek(p, 0) - '0');
        p->at++;
    }
    return add_code_point(p, start, value);
}

/* The cursor is on the backslash. An unknown escape stays unchanged, as in Python. */
static enum ndp_status read_escape(struct parser *p) {
    static const char letters[] = "\\'\"abfnrtv";
    static const char values[] = "\\'\"\a\b\f\n\r\t\v";
    const uint64_t start = p->at;
    const uint8_t c = peek(p, 1);
    if (c >= '0' && c <= '7') {
        p->at++;
        return read_octal_escape(p, start);
    }
    const char *known = c == 0 ? NULL : strchr(letters, c);
    if (known != NULL) {
        p->at += 2;
        return add_code_point(p, start, (uint32_t)values[known - letters]);
    }
    if (c == 'x' || c == 'u' || c == 'U') {
        p->at += 2;
        return read_hex_escape(p, start, c == 'x' ? 2 : c == 'u' ? 4 : 8);
    }
    if (c == 'N') return set_parse_error(p, NDP_UNSUPPORTED, start, "escape by character name");
    if (is_line_end(c)) {
        p->at += c == '\r' && peek(p, 2) == '\n' ? 3 : 2;
        return NDP_OK;
    }
    NDP_TRY(refuse_unless_lenient(p, start, "undefined escape"));
    p->at++;
    return add_code_point(p, start, '\\');
}

/* Reads one character other than an escape. Line ends become "\n", as in CPython. */
static enum ndp_status read_character(struct parser *p) {
    const uint64_t start = p->at;
    const uint8_t c = p->data[p->at];
    if (c == '\r') {
        p->at += peek(p, 1) == '\n' ? 2 : 1;
        return add_code_point(p, start, '\n');
    }
    if (c < 0x80 || !p->options->is_utf8) {
        p->at++;
        return add_code_point(p, start, c);
    }
    struct ndp_cursor cursor = {p->data, p->size, p->at};
    uint32_t code_point = 0;
    if (ndp_text_next(&cursor, &code_point) != NDP_OK)
        return set_parse_error(p, NDP_INVALID, start, "text is not valid UTF-8");
    p->at = cursor.at_bytes;
    return add_code_point(p, start, code_point);
}

/* Returns the number of plain ASCII bytes from `at` up to the quote. Headers rarely contain others. */
static uint64_t plain_bytes(const struct parser *p, uint64_t at, uint8_t quote) {
    const uint8_t *data = p->data;
    const uint64_t size = p->size;
    uint64_t end = at;
    while (end < size && data[end] >= 0x20 && data[end] < 0x7f && data[end] != quote && data[end] != '\\') end++;
    return end - at;
}

static enum ndp_status add_plain(struct parser *p, uint64_t start, uint64_t size_bytes) {
    if (size_bytes == 0) return NDP_OK;
    const enum ndp_status status = ndp_buffer_add(&p->scratch, p->data + start, size_bytes);
    return status == NDP_OK ? NDP_OK : set_parse_error(p, status, start, "no memory for a string");
}

/* Reads a run of plain ASCII. */
static enum ndp_status read_plain_run(struct parser *p, uint8_t quote) {
    const uint64_t start = p->at;
    p->at += plain_bytes(p, start, quote);
    return add_plain(p, start, p->at - start);
}

/* Reads from the opening to the closing quote into the scratch buffer. */
static enum ndp_status read_quoted(struct parser *p, bool is_raw) {
    const uint64_t start = p->at;
    const uint8_t quote = p->data[p->at];
    const bool is_triple = peek(p, 1) == quote && peek(p, 2) == quote;
    p->at += is_triple ? 3 : 1;
    for (;;) {
        NDP_TRY(read_plain_run(p, quote));
        if (p->at >= p->size) return set_parse_error(p, NDP_INVALID, start, "unterminated string");
        const uint8_t c = p->data[p->at];
        if (c == quote && (!is_triple || (peek(p, 1) == quote && peek(p, 2) == quote))) {
            p->at += is_triple ? 3 : 1;
            return NDP_OK;
        }
        if (is_line_end(c) && !is_triple) return set_parse_error(p, NDP_INVALID, p->at, "line end inside a string");
        if (c == '\\' && !is_raw) {
            NDP_TRY(read_escape(p));
        } else if (c == '\\' && p->size - p->at > 1) {
            NDP_TRY(read_character(p));
            NDP_TRY(read_character(p));
        } else {
            NDP_TRY(read_character(p));
        }
    }
}

/* Reports whether a string starts here, and fills the length of its prefix. */
static bool is_string_start(const struct parser *p, uint64_t *prefix, bool *is_raw) {
    const uint8_t letter = peek(p, 0);
    *is_raw = letter == 'r' || letter == 'R';
    *prefix = *is_raw || letter == 'u' || letter == 'U' ? 1 : 0;
    const uint8_t quote = peek(p, *prefix);
    return quote == '\'' || quote == '"';
}

/* Reads a string without a copy: in a single pair of quotes, not empty, without escapes or line ends. */
static bool read_simple(struct parser *p, struct ndp_bytes *text) {
    const uint8_t quote = peek(p, 0);
    if (quote != '\'' && quote != '"') return false;
    const uint64_t start = p->at + 1;
    const uint64_t size = plain_bytes(p, start, quote);
    if (size == 0 || p->size - start <= size || p->data[start + size] != quote) return false;
    *text = (struct ndp_bytes){p->data + start, size};
    p->at = start + size + 1;
    return true;
}

/* Adjacent strings are concatenated. A simple string on its own needs no buffer. */
static enum ndp_status read_string(struct parser *p, struct ndp_literal **out) {
    struct ndp_literal *node = NULL;
    struct ndp_bytes text = {0};
    const uint64_t start = p->at;
    NDP_TRY(new_node(p, NDP_LITERAL_STRING, start, &node));
    p->scratch.size_bytes = 0;
    uint64_t prefix = 0;
    bool is_raw = false;
    if (read_simple(p, &text)) NDP_TRY(skip_inside(p));
    const bool is_alone = text.size_bytes > 0 && !is_string_start(p, &prefix, &is_raw);
    if (!is_alone) NDP_TRY(add_plain(p, start + 1, text.size_bytes));
    while (!is_alone && is_string_start(p, &prefix, &is_raw)) {
        p->at += prefix;
        NDP_TRY(read_quoted(p, is_raw));
        NDP_TRY(skip_inside(p));
    }
    if (!is_alone) text = ndp_buffer_view(&p->scratch);
    node->text.size_bytes = text.size_bytes;
    node->text.data = ndp_arena_copy(p->arena, text.data, text.size_bytes);
    if (node->text.data == NULL) return set_parse_error(p, NDP_NOMEM, p->at, "no memory for a string");
    *out = node;
    return NDP_OK;
}

static uint32_t number_base(const struct parser *p) {
    if (peek(p, 0) != '0') return 10;
    switch (peek(p, 1) | 0x20) {
    case 'x':
        return 16;
    case 'o':
        return 8;
    case 'b':
        return 2;
    default:
        return 10;
    }
}

/* Reads the digits of one base, with single underscores between them. */
static enum ndp_status read_digits(struct parser *p, uint32_t base, uint64_t *value, bool *fits, uint64_t *digits) {
    bool is_after_digit = base != 10;
    for (;; p->at++) {
        const uint8_t c = peek(p, 0);
        const int digit = ndp_hex_value(c);
        if (c == '_' && is_after_digit) {
            is_after_digit = false;
            continue;
        }
        if (digit < 0 || (uint32_t)digit >= base) break;
        is_after_digit = true;
        (*digits)++;
        *fits =
            *fits && ndp_checked_mul_u64(*value, base, value) && ndp_checked_add_u64(*value, (uint64_t)digit, value);
    }
    if (*digits == 0 || !is_after_digit)
        return set_parse_error(p, NDP_INVALID, p->at, "number that does not end with a digit");
    return NDP_OK;
}

/* Python 2 wrote long integers with an L, which NumPy removes after any number. */
static void skip_long_suffix(struct parser *p) {
    uint64_t ahead = 0;
    while (is_blank(peek(p, ahead))) ahead++;
    if (peek(p, ahead) == 'L' && !is_word(peek(p, ahead + 1))) p->at += ahead + 1;
}

static enum ndp_status read_unsigned(struct parser *p, uint64_t *value, bool *fits) {
    const uint64_t start = p->at;
    const uint32_t base = number_base(p);
    uint64_t digits = 0;
    if (base != 10) p->at += 2;
    const uint8_t first = peek(p, 0);
    *value = 0;
    *fits = true;
    NDP_TRY(read_digits(p, base, value, fits, &digits));
    if (base == 10 && first == '0' && (*value != 0 || !*fits))
        return set_parse_error(p, NDP_INVALID, start, "decimal number with a leading zero");
    /* CPython does not count the digits of zeros. */
    if (base == 10 && first != '0' && digits > 4300)
        return set_parse_error(p, NDP_INVALID, start, "decimal number of more than 4300 digits");
    if (p->options->allows_long) skip_long_suffix(p);
    if (is_word(peek(p, 0)) || peek(p, 0) == '.') return set_parse_error(p, NDP_INVALID, p->at, "not an integer");
    return NDP_OK;
}

static enum ndp_status read_int(struct parser *p, struct ndp_literal **out) {
    struct ndp_literal *node = NULL;
    NDP_TRY(new_node(p, NDP_LITERAL_INT, p->at, &node));
    const bool is_signed = peek(p, 0) == '-' || peek(p, 0) == '+';
    const bool is_negative = peek(p, 0) == '-';
    if (is_signed) {
        p->at++;
        NDP_TRY(skip_inside(p));
        if (peek(p, 0) == '(') return set_parse_error(p, NDP_UNSUPPORTED, p->at, "sign before a bracket");
        if (!ndp_bytes_is_digit(peek(p, 0))) return set_parse_error(p, NDP_INVALID, p->at, "sign without a number");
    }
    uint64_t value = 0;
    bool fits = false;
    NDP_TRY(read_unsigned(p, &value, &fits));
    node->integer_fits = fits && value <= (uint64_t)INT64_MAX + (is_negative ? 1 : 0);
    if (node->integer_fits && is_negative) {
        node->integer = value == 0 ? 0 : -(int64_t)(value - 1) - 1;
    } else if (node->integer_fits) {
        node->integer = (int64_t)value;
    }
    *out = node;
    return NDP_OK;
}

static enum ndp_status read_name(struct parser *p, struct ndp_literal **out) {
    static const struct {
        const char *word;
        enum ndp_literal_kind kind;
    } names[] = {{"True", NDP_LITERAL_TRUE}, {"False", NDP_LITERAL_FALSE}, {"None", NDP_LITERAL_NONE}};
    const uint64_t start = p->at;
    while (is_word(peek(p, 0))) p->at++;
    const uint64_t length = p->at - start;
    for (size_t i = 0; i < NDP_ARRAY_LEN(names); i++) {
        if (length == strlen(names[i].word) && memcmp(p->data + start, names[i].word, length) == 0)
            return new_node(p, names[i].kind, start, out);
    }
    return set_parse_error(p, NDP_INVALID, start, "not a literal that headers use");
}

/* Reads an item of a bracket and its separator. Fills `*is_last` if the bracket is closed. */
static enum ndp_status read_item(struct parser *p, uint8_t close, bool is_key, struct ndp_literal **item,
                                 bool *has_comma) {
    NDP_TRY(read_value(p, item));
    NDP_TRY(skip_inside(p));
    const uint8_t c = peek(p, 0);
    if (is_key) {
        if (c != ':') return set_parse_error(p, NDP_INVALID, p->at, "expected ':'");
        p->at++;
        return skip_inside(p);
    }
    *has_comma = c == ',';
    if (c != ',' && c != close) return set_parse_error(p, NDP_INVALID, p->at, "expected ',' or a closing bracket");
    if (*has_comma) p->at++;
    return skip_inside(p);
}

/* Reads items up to and including `close`. The cursor is after the opening bracket. */
static enum ndp_status read_items(struct parser *p, uint8_t close, struct ndp_literal *node, bool *has_comma) {
    const struct ndp_literal **link = &node->first;
    *has_comma = true;
    NDP_TRY(skip_inside(p));
    while (peek(p, 0) != close || p->at >= p->size) {
        struct ndp_literal *item = NULL;
        const bool is_key = node->kind == NDP_LITERAL_DICT && node->count % 2 == 0;
        if (!*has_comma) return set_parse_error(p, NDP_INVALID, p->at, "expected ','");
        NDP_TRY(read_item(p, close, is_key, &item, has_comma));
        if (is_key && item->kind != NDP_LITERAL_STRING)
            return ndp_error_set(p->error, NDP_INVALID, item->offset_bytes, "key is not a string");
        if (is_key && peek(p, 0) == close) return set_parse_error(p, NDP_INVALID, p->at, "key without a value");
        *link = item;
        link = &item->next;
        node->count++;
    }
    p->at++;
    return NDP_OK;
}

/* Reads a tuple, or a value in brackets: a single item without a comma. */
static enum ndp_status read_bracket(struct parser *p, struct ndp_literal **out) {
    struct ndp_literal *node = NULL;
    const uint64_t start = p->at;
    const uint8_t open = p->data[p->at];
    bool has_comma = false;
    if (p->depth >= p->options->max_nesting)
        return set_parse_error(p, NDP_LIMIT, start, "brackets are nested too deeply");
    p->depth++;
    NDP_TRY(new_node(p,
                     open == '{'   ? NDP_LITERAL_DICT
                     : open == '[' ? NDP_LITERAL_LIST
                                   : NDP_LITERAL_TUPLE,
                     start, &node));
    p->at++;
    NDP_TRY(read_items(p, open == '{' ? '}' : open == '[' ? ']' : ')', node, &has_comma));
    p->depth--;
    if (open == '(' && node->count == 1 && !has_comma) {
        /* The item becomes this node; its brackets leave no trace. */
        struct ndp_literal *copy = NULL;
        NDP_TRY(new_node(p, node->first->kind, start, &copy));
        *copy = *node->first;
        *out = copy;
        return NDP_OK;
    }
    *out = node;
    return NDP_OK;
}

static enum ndp_status read_value(struct parser *p, struct ndp_literal **out) {
    uint64_t prefix = 0;
    bool is_raw = false;
    const uint8_t c = peek(p, 0);
    if (p->at >= p->size) return set_parse_error(p, NDP_INVALID, p->at, "header text ends inside its dictionary");
    if (c == 0) return set_parse_error(p, NDP_INVALID, p->at, "NUL in the header text");
    if (c == '{' || c == '[' || c == '(') return read_bracket(p, out);
    if (is_string_start(p, &prefix, &is_raw)) return read_string(p, out);
    if (ndp_bytes_is_digit(c) || c == '-' || c == '+') return read_int(p, out);
    if (is_word(c)) return read_name(p, out);
    return set_parse_error(p, NDP_INVALID, p->at, "unexpected character");
}

static enum ndp_status read_all(struct parser *p, const struct ndp_literal **out) {
    struct ndp_literal *root = NULL;
    const uint8_t *nul = p->size == 0 ? NULL : memchr(p->data, 0, (size_t)p->size);
    if (nul != NULL) return set_parse_error(p, NDP_INVALID, (uint64_t)(nul - p->data), "NUL in the header text");
    NDP_TRY(skip_before(p));
    if (p->at >= p->size) return set_parse_error(p, NDP_INVALID, p->at, "empty header text");
    NDP_TRY(read_value(p, &root));
    NDP_TRY(skip_after(p));
    *out = root;
    return NDP_OK;
}

enum ndp_status ndp_py_literal_read(struct ndp_arena *arena, struct ndp_bytes text,
                                    const struct ndp_literal_options *options, const struct ndp_literal **out,
                                    struct ndp_error *error) {
    struct parser p = {.data = text.data, .size = text.size_bytes, .options = options, .arena = arena, .error = error};
    /* A latin-1 byte may become two bytes; escapes never grow. */
    ndp_buffer_init(&p.scratch, text.size_bytes * 2 + 16);
    const enum ndp_status status = read_all(&p, out);
    ndp_buffer_clear(&p.scratch);
    return status;
}
