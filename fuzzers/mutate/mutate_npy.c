/* mutate_npy.c: structural changes of an NPY file: tokens of the header text, version, length, padding, data.
 *
 * Most results are well-formed: the length field is correct, the text is padded, and if the new header can be read,
 * the data has the size that it requires, so that inputs reach the code after the header. */
#include "mutate/mutate.h"

#include <string.h>

#include "base/byteorder.h"
#include "codec/npy/npy_header.h"
#include "form/tokens.h"
#include "mutate/generated_files.h"

enum {
    MAX_CHANGES = 3,
    MAX_DATA_BYTES = 4096,
    MAGIC_BYTES = 6,
    ORDER_ONE_IN = 4,
    SIZE_ONE_IN = 4,
    HUGE_ONE_IN = 16,
    BESIDE_ONE_IN = 8,
    FILLED_ONE_IN = 4,
    NEW_ONE_IN = 8
};

/* The parts of an NPY file. */
struct parts {
    uint8_t major, minor;
    struct ndp_bytes text;
    struct ndp_bytes data;
};

static bool split_npy(struct ndp_bytes file, struct parts *out) {
    if (file.size_bytes < 10 || memcmp(file.data, "\x93NUMPY", MAGIC_BYTES) != 0) return false;
    const uint64_t start = file.data[6] == 1 ? 10 : 12;
    if (file.size_bytes < start) return false;
    uint64_t length = start == 10 ? ndp_load_u16le(file.data + 8) : ndp_load_u32le(file.data + 8);
    if (length > file.size_bytes - start) length = file.size_bytes - start;
    *out = (struct parts){file.data[6], file.data[7], {file.data + start, length}, {NULL, 0}};
    out->data = (struct ndp_bytes){file.data + start + length, file.size_bytes - start - length};
    return true;
}

/* The same type in another byte order, or in one that only the lenient mode accepts. */
static enum ndp_status other_order(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes *type) {
    uint8_t *copy = ndp_arena_copy(arena, type->data, type->size_bytes);
    if (!copy) return NDP_NOMEM;
    copy[1] = (uint8_t) "<>|="[ndp_choose(choices, 4)];
    type->data = copy;
    return NDP_OK;
}

/* The same type with another size or unit, at sizes where counters overflow: replaces the text after the bracket or,
 * without a bracket, after the letter. */
static enum ndp_status other_size(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes *type) {
    static const char *const sizes[] = {"0",   "1",   "2",   "7",    "16",    "63",    "64",        "127",
                                        "128", "255", "256", "1000", "32768", "65535", "2147483647"};
    static const char *const units[] = {"Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as"};
    struct ndp_buffer made = {.max_bytes = 64};
    const char quote = (char)type->data[0], order = (char)type->data[1], kind = (char)type->data[2];
    const char *size = sizes[ndp_choose(choices, NDP_ARRAY_LEN(sizes))];
    enum ndp_status status;
    if (kind == 'M' || kind == 'm')
        status = ndp_buffer_printf(&made, "%c%c%c8[%s%s]%c", quote, order, kind, ndp_choose(choices, 4) ? size : "",
                                   units[ndp_choose(choices, NDP_ARRAY_LEN(units))], quote);
    else
        status = ndp_buffer_printf(&made, "%c%c%c%s%c", quote, order, kind, size, quote);
    const uint8_t *copy = status == NDP_OK ? ndp_arena_copy(arena, made.data, made.size_bytes) : NULL;
    if (copy) *type = (struct ndp_bytes){copy, made.size_bytes};
    ndp_buffer_clear(&made);
    return copy ? NDP_OK : NDP_NOMEM;
}

/* Replaces an extent, sometimes by a huge one, which costs nothing if another one is 0. */
static void other_extent(struct ndp_choices *choices, struct fuzz_tokens *tokens, struct ndp_bytes *token) {
    static const char *const extents[] = {"0", "1", "2", "3", "4", "5", "8", "16", "64", "100", "255", "256", "257"};
    static const char *const huge[] = {"65535",      "65536",      "2147483647",       "2147483648",
                                       "4294967296", "4294967297", "9007199254740993", "288230376151711744"};
    *token = ndp_bytes_view(extents[ndp_choose(choices, NDP_ARRAY_LEN(extents))]);
    if (!ndp_choose_rarely(choices, HUGE_ONE_IN)) return;
    *token = ndp_bytes_view(huge[ndp_choose(choices, NDP_ARRAY_LEN(huge))]);
    for (uint64_t i = 0; i < tokens->count; i++) {
        struct ndp_bytes *other = &tokens->list[i];
        if (other == token || other->data[0] < '0' || other->data[0] > '9') continue;
        *other = ndp_bytes_view("0");
        return;
    }
}

/* Insertions beside a token of each class: another axis, the L of Python 2, axes of a field, and repeated entries. */
static const struct {
    char class;
    const char *before, *after;
} beside[] = {
    {'0', "", ", 2"},
    {'0', "3, ", ""},
    {'0', "", "L"},
    {'<', "", ", (3,)"},
    {'<', "", ", (2, 3, 4)"},
    {'{', "", "'shape': (2,), "},
    {'{', "", "'shape': (3, 2), "},
    {'{', "", "'descr': '<i2', "},
    {'{', "", "'fortran_order': True, "},
};

static char class_of(const struct fuzz_tokens *tokens, uint64_t at) {
    const uint8_t *text = tokens->list[at].data;
    const bool ends_field = at + 1 < tokens->count && tokens->list[at + 1].data[0] == ')';
    if (text[0] >= '0' && text[0] <= '9') return '0';
    if (text[0] == '{') return '{';
    return ends_field && tokens->list[at].size_bytes > 3 && text[0] == '\'' && strchr("<>|", text[1]) ? '<' : '\0';
}

/* Inserts one of them beside a token of its class, within a few tries, or removes a comma after a number. */
static enum ndp_status insert_beside(struct ndp_arena *arena, struct ndp_choices *choices, struct fuzz_tokens *tokens) {
    for (int i = 0; i < 16; i++) {
        const uint64_t at = ndp_choose(choices, tokens->count), row = ndp_choose(choices, NDP_ARRAY_LEN(beside) + 1);
        struct ndp_bytes *token = &tokens->list[at];
        if (row == NDP_ARRAY_LEN(beside) && token->data[0] == ',' && at > 0 && class_of(tokens, at - 1) == '0') {
            *token = ndp_bytes_view(" ");
            return NDP_OK;
        }
        if (row == NDP_ARRAY_LEN(beside) || class_of(tokens, at) != beside[row].class) continue;
        const uint64_t before = strlen(beside[row].before), after = strlen(beside[row].after);
        uint8_t *text = ndp_arena_alloc(arena, before + token->size_bytes + after);
        if (!text) return NDP_NOMEM;
        memcpy(text, beside[row].before, (size_t)before);
        memcpy(text + before, token->data, (size_t)token->size_bytes);
        memcpy(text + before + token->size_bytes, beside[row].after, (size_t)after);
        *token = (struct ndp_bytes){text, before + token->size_bytes + after};
        return NDP_OK;
    }
    return NDP_OK;
}

static const char *const types[] = {"'<f8'", "'>f8'", "'<f4'", "'>f2'",  "'<i4'",  "'>i2'",     "'|i1'",
                                    "'|u1'", "'<u8'", "'|b1'", "'<U3'",  "'>U1'",  "'|S4'",     "'|S0'",
                                    "'|V5'", "'|V0'", "'<c8'", "'>c16'", "'<f16'", "'>M8[ns]'", "'<m8[25us]'",
                                    "'<M8'", "'>i8'", "'<u2'", "'|O'"};

/* Replaces a token by another of its class: a type by a type, an extent by an extent, a bool by a bool. The header
 * mostly stays readable. */
static enum ndp_status replace_token(struct ndp_arena *arena, struct ndp_choices *choices, struct fuzz_tokens *tokens) {
    for (int i = 0; i < 16; i++) {
        struct ndp_bytes *token = &tokens->list[ndp_choose(choices, tokens->count)];
        const uint8_t first = token->data[0], second = token->size_bytes > 1 ? token->data[1] : 0;
        if ((first == '\'' || first == '"') && second != 0 && strchr("<>|=", second)) {
            if (ndp_choose_rarely(choices, ORDER_ONE_IN)) return other_order(arena, choices, token);
            const bool is_sized = token->size_bytes > 3 && strchr("SUVMm", token->data[2]);
            if (is_sized && ndp_choose_rarely(choices, SIZE_ONE_IN)) return other_size(arena, choices, token);
            *token = ndp_bytes_view(types[ndp_choose(choices, NDP_ARRAY_LEN(types))]);
        } else if (first == 'T' || first == 'F') {
            *token = ndp_bytes_view(first == 'T' ? "False" : "True");
        } else if (first >= '0' && first <= '9') {
            other_extent(choices, tokens, token);
        } else {
            continue;
        }
        return NDP_OK;
    }
    return NDP_OK;
}

static enum ndp_status change_tokens(struct ndp_arena *arena, struct ndp_choices *choices, struct fuzz_tokens *tokens) {
    static const char *const list[] = {"'descr'",
                                       "'fortran_order'",
                                       "'shape'",
                                       "True",
                                       "False",
                                       "()",
                                       "(1,)",
                                       "(2, 3)",
                                       "(0, 3)",
                                       "[",
                                       "]",
                                       "(",
                                       ")",
                                       ",",
                                       ":",
                                       "{",
                                       "}",
                                       "'<f8'",
                                       "'>f8'",
                                       "'<i4'",
                                       "'>i2'",
                                       "'|b1'",
                                       "'<U3'",
                                       "'|S4'",
                                       "'|V0'",
                                       "'|O'",
                                       "'<c16'",
                                       "'>M8[ns]'",
                                       "'<m8[25us]'",
                                       "'<f16'",
                                       "'=i4'",
                                       "'|u1'",
                                       "''",
                                       "'a'",
                                       "3L",
                                       "('a', '<i4')",
                                       "('b', '>f8', (2,))",
                                       "[('a', '|i1'), ('', '|V3'), ('b', '<i4')]",
                                       "(('t', 'n'), '<i4')",
                                       "'\xe9'",
                                       "'\xc3\xa9'",
                                       "\n",
                                       "0x10",
                                       "1.0",
                                       "-1",
                                       "\\u03b1"};
    const struct fuzz_words words = {list, NDP_ARRAY_LEN(list)};
    const bool is_free = ndp_choose_rarely(choices, 3);
    for (uint64_t left = 1 + ndp_choose(choices, MAX_CHANGES); left > 0; left--) {
        if (is_free)
            NDP_TRY(fuzz_tokens_change(arena, choices, &words, tokens));
        else if (tokens->count > 0 && ndp_choose_rarely(choices, BESIDE_ONE_IN))
            NDP_TRY(insert_beside(arena, choices, tokens));
        else if (tokens->count > 0)
            NDP_TRY(replace_token(arena, choices, tokens));
    }
    return NDP_OK;
}

static enum ndp_status change_text(struct ndp_arena *arena, struct ndp_choices *choices, struct parts *parts) {
    struct fuzz_tokens *tokens = NDP_ARENA_NEW(arena, struct fuzz_tokens);
    struct ndp_buffer text = {.max_bytes = 1 << 16};
    if (!tokens) return NDP_NOMEM;
    fuzz_tokens_split(parts->text, tokens);
    NDP_TRY(change_tokens(arena, choices, tokens));
    enum ndp_status status = fuzz_tokens_join(tokens, &text);
    if (status == NDP_OK) {
        const uint8_t *copy = ndp_arena_copy(arena, text.data, text.size_bytes);
        parts->text = (struct ndp_bytes){copy, text.size_bytes};
        if (!copy) status = NDP_NOMEM;
    }
    ndp_buffer_clear(&text);
    return status;
}

/* Appends magic, version, length and text, padded with spaces and a newline so that the data starts at a multiple of
 * `align` bytes (0: the text as it is). */
static enum ndp_status add_header(struct ndp_choices *choices, const struct parts *parts, uint64_t align,
                                  struct ndp_buffer *out) {
    uint8_t prefix[12] = {0x93, 'N', 'U', 'M', 'P', 'Y', parts->major, parts->minor};
    const uint64_t start = parts->major == 1 ? 10 : 12;
    uint64_t size = parts->text.size_bytes, spaces = 0;
    if (align > 0) {
        while (size > 0 && (parts->text.data[size - 1] == ' ' || parts->text.data[size - 1] == '\n')) size--;
        spaces = align - 1 - (start + size) % align;
    }
    uint64_t length = size + spaces + (align > 0 ? 1 : 0);
    if (ndp_choose_rarely(choices, 24)) length += ndp_choose(choices, 5) - 2;
    if (start == 10)
        ndp_store_u16le(prefix + 8, (uint16_t)length);
    else
        ndp_store_u32le(prefix + 8, (uint32_t)length);
    NDP_TRY(ndp_buffer_add(out, prefix, start));
    NDP_TRY(ndp_buffer_add(out, parts->text.data, size));
    for (; spaces > 0; spaces--) NDP_TRY(ndp_buffer_add(out, " ", 1));
    return align > 0 ? ndp_buffer_add(out, "\n", 1) : NDP_OK;
}

/* Appends as much data as the header requires, if it can be read; otherwise, and sometimes, the old data. */
static enum ndp_status add_data(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes data,
                                struct ndp_buffer *out) {
    const struct ndp_npy_options options = {.is_lenient = true, .header_chars = 1 << 20};
    struct ndp_npy_header header;
    uint64_t size = data.size_bytes;
    if (ndp_npy_header_read(arena, ndp_buffer_view(out), &options, &header, NULL) == NDP_OK &&
        header.size_bytes <= MAX_DATA_BYTES && !ndp_choose_rarely(choices, 8))
        size = header.size_bytes;
    if (ndp_choose_rarely(choices, 8)) size += ndp_choose(choices, 16);
    const uint64_t kept = size < data.size_bytes ? size : data.size_bytes;
    NDP_TRY(ndp_buffer_add(out, data.data, kept));
    for (uint64_t i = kept; i < size; i++) {
        const uint8_t byte = (uint8_t)(i * 37 + 1);
        NDP_TRY(ndp_buffer_add(out, &byte, 1));
    }
    return NDP_OK;
}

/* Fills the data with one kind of element: bools that are neither 0 nor 1, negative zeros, and signaling NaNs of 2, 4
 * and 8 bytes in either byte order. */
static void fill_data(struct ndp_choices *choices, uint8_t *data, uint64_t size_bytes) {
    static const uint8_t patterns[][8] = {
        {2, 0x80, 0xff, 3, 1, 0x7f, 0xfe, 0}, {0, 0, 0, 0x80, 0, 0, 0, 0x80},
        {0x80, 0, 0, 0, 0x80, 0, 0, 0},       {1, 0x7d, 1, 0xfd, 1, 0x7d, 1, 0xfd},
        {0x7d, 1, 0xfd, 1, 0x7d, 1, 0xfd, 1}, {1, 0, 0xa0, 0x7f, 1, 0, 0x80, 0xff},
        {0x7f, 0xa0, 0, 1, 0xff, 0x80, 0, 1}, {1, 0, 0, 0, 0, 0, 0xf4, 0x7f},
        {0x7f, 0xf4, 0, 0, 0, 0, 0, 1},
    };
    const uint8_t *pattern = patterns[ndp_choose(choices, NDP_ARRAY_LEN(patterns))];
    for (uint64_t i = 0; i < size_bytes; i++) data[i] = pattern[i % sizeof patterns[0]];
}

static enum ndp_status add_type(struct ndp_choices *choices, struct ndp_buffer *out) {
    const char *type = types[ndp_choose(choices, NDP_ARRAY_LEN(types))];
    return ndp_buffer_add(out, type, strlen(type));
}

/* Inserts fields with titles, gaps and sub-arrays. The names contain the first and last UTF-8 characters of each
 * length and around the surrogates, and invalid ones. */
static enum ndp_status add_fields(struct ndp_choices *choices, struct ndp_buffer *out) {
    static const char *const names[] = {"a",
                                        "('t', 'b')",
                                        "c\xc3\xa9",
                                        "d\xe9",
                                        "e\\'\"",
                                        "f 1 ",
                                        "g\\u03b1",
                                        "('', 'h')",
                                        "('i\xc3\xa9', 'j')",
                                        "",
                                        "('k', '')",
                                        "('', '')",
                                        "\x7f",
                                        "\xc2\x80",
                                        "\xdf\xbf",
                                        "\xe0\xa0\x80",
                                        "\xed\x9f\xbf",
                                        "\xed\xa0\x80",
                                        "\xed\xbf\xbf",
                                        "\xee\x80\x80",
                                        "\xef\xbf\xbf",
                                        "\xf0\x90\x80\x80",
                                        "\xf4\x8f\xbf\xbf",
                                        "\xf4\x90\x80\x80",
                                        "\xc1\xbf",
                                        "\xe0\x9f\xbf",
                                        "\xf0\x8f\xbf\xbf"};
    static const char *const shapes[] = {", (2,)", ", (2, 3)", ", (1,)", ", ()", ", (0,)", ", 3"};
    NDP_TRY(ndp_buffer_printf(out, "["));
    for (uint64_t left = ndp_choose(choices, 4), at = ndp_choose(choices, NDP_ARRAY_LEN(names)); left > 0;
         left--, at += 2) {
        const char *name = names[at % NDP_ARRAY_LEN(names)];
        NDP_TRY(ndp_buffer_printf(out, name[0] == '(' ? "(%s, " : "('%s', ", name));
        NDP_TRY(add_type(choices, out));
        if (ndp_choose_rarely(choices, 4))
            NDP_TRY(ndp_buffer_printf(out, "%s", shapes[ndp_choose(choices, NDP_ARRAY_LEN(shapes))]));
        NDP_TRY(ndp_buffer_printf(out, left > 1 ? "), " : ")"));
    }
    return ndp_buffer_printf(out, "]");
}

/* Writes a header as NumPy does, with generated data: mutations of refused inputs rarely reach it. */
static enum ndp_status generate_npy(struct ndp_arena *arena, struct ndp_choices *choices, struct parts *parts) {
    static const char *const shapes[] = {"()",      "(0,)",   "(1,)",      "(2,)",      "(3,)",        "(40,)",
                                         "(2, 3)",  "(1, 3)", "(3, 1)",    "(2, 0, 3)", "(2, 3, 4)",   "(1, 2, 3)",
                                         "(3, 70)", "(65,)",  "(2, 1, 2)", "(2, 2, 2)", "(2, 1, 3, 2)"};
    struct ndp_buffer text = {.max_bytes = 1 << 16};
    uint8_t *data = ndp_arena_alloc(arena, MAX_DATA_BYTES);
    enum ndp_status status = data ? ndp_buffer_printf(&text, "{'descr': ") : NDP_NOMEM;
    if (status == NDP_OK) status = ndp_choose(choices, 2) ? add_type(choices, &text) : add_fields(choices, &text);
    if (status == NDP_OK)
        status =
            ndp_buffer_printf(&text, ", 'fortran_order': %s, 'shape': %s, }", ndp_choose(choices, 2) ? "True" : "False",
                              shapes[ndp_choose(choices, NDP_ARRAY_LEN(shapes))]);
    const uint8_t *copy = status == NDP_OK ? ndp_arena_copy(arena, text.data, text.size_bytes) : NULL;
    if (copy) {
        fill_data(choices, data, MAX_DATA_BYTES);
        parts->text = (struct ndp_bytes){copy, text.size_bytes};
        parts->data = (struct ndp_bytes){data, ndp_choose(choices, 2) ? MAX_DATA_BYTES : 0};
        parts->major = (uint8_t)(1 + ndp_choose(choices, 3));
        parts->minor = 0;
    }
    ndp_buffer_clear(&text);
    return status == NDP_OK && !copy ? NDP_NOMEM : status;
}

static enum ndp_status join_npy(struct ndp_arena *arena, struct ndp_choices *choices, const struct parts *parts,
                                struct ndp_buffer *out) {
    static const uint64_t aligns[] = {64, 64, 64, 64, 64, 16, 1, 0};
    NDP_TRY(add_header(choices, parts, aligns[ndp_choose(choices, NDP_ARRAY_LEN(aligns))], out));
    NDP_TRY(add_data(arena, choices, parts->data, out));
    if (!ndp_choose_rarely(choices, 16)) return NDP_OK;
    out->size_bytes -= ndp_choose(choices, out->size_bytes); /* cut anywhere */
    return NDP_OK;
}

enum ndp_status fuzz_generate_npy(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_buffer *out) {
    struct parts parts;
    NDP_TRY(generate_npy(arena, choices, &parts));
    return join_npy(arena, choices, &parts, out);
}

enum ndp_status fuzz_mutate_npy(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes text,
                                struct ndp_buffer *out) {
    struct parts parts;
    const bool has_form = split_npy(text, &parts);
    if (!has_form && ndp_choose(choices, 2) == 0) return NDP_INVALID;
    if (!has_form || ndp_choose_rarely(choices, NEW_ONE_IN)) return fuzz_generate_npy(arena, choices, out);
    if (ndp_choose_rarely(choices, 8)) parts.major = (uint8_t)(1 + ndp_choose(choices, 4));
    if (ndp_choose_rarely(choices, 64)) parts.minor ^= 1;
    if (!ndp_choose_rarely(choices, 8)) NDP_TRY(change_text(arena, choices, &parts));
    if (ndp_choose_rarely(choices, 4) && parts.data.size_bytes > 0) {
        uint8_t *data = ndp_arena_copy(arena, parts.data.data, parts.data.size_bytes);
        if (!data) return NDP_NOMEM;
        if (ndp_choose_rarely(choices, FILLED_ONE_IN))
            fill_data(choices, data, parts.data.size_bytes);
        else
            data[ndp_choose(choices, parts.data.size_bytes)] ^= (uint8_t)(1 + ndp_choose(choices, 255));
        parts.data.data = data;
    }
    return join_npy(arena, choices, &parts, out);
}

/* The header of one input with the data of the other, or a header with tokens of both. */
enum ndp_status fuzz_cross_npy(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes first,
                               struct ndp_bytes second, struct ndp_buffer *out) {
    struct parts parts[2];
    if (!split_npy(first, &parts[0]) || !split_npy(second, &parts[1])) return NDP_INVALID;
    if (ndp_choose(choices, 2) == 0) {
        parts[0].data = parts[1].data;
        return join_npy(arena, choices, &parts[0], out);
    }
    struct fuzz_tokens *tokens = NDP_ARENA_ITEMS(arena, struct fuzz_tokens, 2);
    struct ndp_buffer text = {.max_bytes = 1 << 16};
    if (!tokens) return NDP_NOMEM;
    for (int i = 0; i < 2; i++) fuzz_tokens_split(parts[i].text, &tokens[i]);
    const uint64_t head = ndp_choose(choices, tokens[0].count + 1), from = ndp_choose(choices, tokens[1].count + 1);
    tokens[0].count = (uint32_t)head;
    for (uint64_t i = from; i < tokens[1].count && tokens[0].count < FUZZ_MAX_TOKENS; i++)
        tokens[0].list[tokens[0].count++] = tokens[1].list[i];
    enum ndp_status status = fuzz_tokens_join(&tokens[0], &text);
    parts[0].text = ndp_buffer_view(&text);
    if (status == NDP_OK) status = join_npy(arena, choices, &parts[0], out);
    ndp_buffer_clear(&text);
    return status;
}
