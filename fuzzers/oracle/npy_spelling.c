#include "oracle/npy_spelling.h"

#include <stdlib.h>
#include <string.h>

#include "base/byteorder.h"
#include "base/text.h"
#include "codec/npy/npy_encode.h"
#include "fuzz.h"
#include "oracle/same_array.h"

enum { NAMED_ONE_IN = 3, PLACES = 4, LENGTH_AT = 8, TYPE_AT = 4 };

/* A string in quotes without a sign that one of the other quotes, or a raw string, would read in another way. */
static bool is_plain(struct ndp_bytes token) {
    if (token.size_bytes < 3 || token.data[1] >= 0x80) return false;
    for (uint64_t i = 1; i + 1 < token.size_bytes; i++)
        if (memchr("\\'\"", token.data[i], 3)) return false;
    return true;
}

/* A character in a string of our own encoder's that is an escape, or is not of ASCII: where it ends, and its value. */
static bool is_special(struct ndp_bytes text, uint64_t at, bool is_utf8, uint64_t *end, uint32_t *value) {
    static const char letters[] = "nrt\\'\"", values[] = "\n\r\t\\'\"";
    const uint8_t c = text.data[at], next = at + 1 < text.size_bytes ? text.data[at + 1] : 0;
    struct ndp_cursor cursor = {text.data, text.size_bytes, at};
    *end = at + 1;
    if (c == '\\' && next != 0 && strchr("xuU", next)) {
        char digits[9] = "";
        const uint64_t count = next == 'x' ? 2 : next == 'u' ? 4 : 8;
        if (text.size_bytes - at - 2 < count) return false;
        memcpy(digits, text.data + at + 2, (size_t)count);
        *value = (uint32_t)strtoul(digits, NULL, 16);
        *end = at + 2 + count;
        return true;
    }
    const char *letter = c == '\\' && next != 0 ? strchr(letters, next) : NULL;
    if (letter) *end = at + 2;
    *value = letter ? (uint32_t)values[letter - letters] : c;
    if (letter || c < 0x80) return letter != NULL;
    if (is_utf8 && ndp_text_next(&cursor, value) != NDP_OK) return false;
    if (is_utf8) *end = cursor.at_bytes;
    return true;
}

/* Such a character by another escape, or as it is: a line end in three quotes is one however it is said. */
static enum ndp_status add_special(struct ndp_bytes token, bool is_utf8, uint64_t how, struct ndp_buffer *out) {
    static const char *const ends[] = {"\n", "\r\n", "\r"};
    const struct ndp_bytes text = {token.data + 1, token.size_bytes - 2};
    uint64_t count = 0, end = 0, at = 0, which = how / 8;
    uint32_t value = 0;
    for (uint64_t i = 0; i < text.size_bytes; i = end) count += is_special(text, i, is_utf8, &end, &value);
    if (count == 0) return ndp_buffer_add(out, token.data, token.size_bytes);
    for (which %= count;; at = end)
        if (is_special(text, at, is_utf8, &end, &value) && which-- == 0) break;
    const char quote = (char)token.data[0];
    const bool is_raw = value == '\n' && how % 2 == 0;
    NDP_TRY(ndp_buffer_printf(out, is_raw ? "%c%c%c" : "%c", quote, quote, quote));
    NDP_TRY(ndp_buffer_add(out, text.data, at));
    if (is_raw)
        NDP_TRY(ndp_buffer_printf(out, "%s", ends[how / 2 % NDP_ARRAY_LEN(ends)]));
    else if (value < 0x200 && how % 8 < 3)
        NDP_TRY(ndp_buffer_printf(out, "\\%03o", (unsigned)value));
    else if (value < 0x100 && how % 8 < 5)
        NDP_TRY(ndp_buffer_printf(out, "\\x%02x", (unsigned)value));
    else
        NDP_TRY(ndp_buffer_printf(out, value < 0x10000 && how % 8 < 7 ? "\\u%04X" : "\\U%08x", (unsigned)value));
    NDP_TRY(ndp_buffer_add(out, text.data + end, text.size_bytes - end));
    return ndp_buffer_printf(out, is_raw ? "%c%c%c" : "%c", quote, quote, quote);
}

static enum ndp_status add_string(struct ndp_bytes token, bool is_utf8, uint64_t how, struct ndp_buffer *out) {
    /* What opens it, one of its characters, and what closes it. */
    static const struct {
        const char *opens, *one, *closes;
    } rows[] = {{"\"", "%c", "\""},          {"'''", "%c", "'''"},  {"\"\"\"", "%c", "\"\"\""}, {"r'", "%c", "'"},
                {"R\"\"\"", "%c", "\"\"\""}, {"U\"", "%c", "\""},   {"'", "\\x%02x", "'"},      {"\"", "\\x%02X", "\""},
                {"'", "\\%03o", "'"},        {"'", "\\u%04x", "'"}, {"'", "\\U%08X", "'"},      {"'", "\\\n%c", "'"},
                {"'", "\\\r\n%c", "'"},      {"'' '", "%c", "'"},   {"u'' r'", "%c", "' ''"},   {"'", "%c' '", "'"}};
    if (!is_plain(token) && token.size_bytes > 2 && how % 4 > 0) return add_special(token, is_utf8, how / 4, out);
    if (!is_plain(token)) {
        NDP_TRY(ndp_buffer_printf(out, how % 2 ? "u" : "'' "));
        return ndp_buffer_add(out, token.data, token.size_bytes);
    }
    const uint64_t row = how % NDP_ARRAY_LEN(rows), size = token.size_bytes - 2;
    const uint8_t *text = token.data + 1;
    uint64_t at = how / NDP_ARRAY_LEN(rows) % size;
    if (text[at] >= 0x80) at = 0;
    NDP_TRY(ndp_buffer_printf(out, "%s", rows[row].opens));
    NDP_TRY(ndp_buffer_add(out, text, at));
    NDP_TRY(ndp_buffer_printf(out, rows[row].one, text[at]));
    NDP_TRY(ndp_buffer_add(out, text + at + 1, size - at - 1));
    return ndp_buffer_printf(out, "%s", rows[row].closes);
}

static enum ndp_status add_bits(uint64_t number, struct ndp_buffer *out) {
    NDP_TRY(ndp_buffer_printf(out, "0b"));
    int bit = 63;
    while (bit > 0 && number >> bit == 0) bit--;
    for (; bit >= 0; bit--) NDP_TRY(ndp_buffer_printf(out, "%c", (number >> bit & 1) != 0 ? '1' : '0'));
    return NDP_OK;
}

/* Zeros are one, however many: more of them than another number may have digits, too. Source: CPython 3.11,
 * Parser/pegen.c, which reads what begins with one by strtoul. */
static enum ndp_status add_zeros(uint64_t how, struct ndp_buffer *out) {
    static const int counts[] = {2, 20, 4300, 4301};
    return ndp_buffer_printf(out, how / 4 % 2 ? "%0*d_0" : "%0*d", counts[how % NDP_ARRAY_LEN(counts)], 0);
}

/* Digits in another base, in groups, with a sign, or with the L of Python 2. */
static enum ndp_status add_number(struct ndp_bytes token, uint64_t how, bool takes_long, struct ndp_buffer *out) {
    unsigned long long number = 0;
    for (uint64_t i = 0; i < token.size_bytes; i++) number = number * 10 + (token.data[i] - 48ULL);
    const int size = (int)token.size_bytes;
    const char *digits = (const char *)token.data;
    if (number == 0 && how / 8 % 2) return add_zeros(how / 16, out);
    switch (how % 8) {
    case 0:
        return ndp_buffer_printf(out, "0x%llx", number);
    case 1:
        return ndp_buffer_printf(out, "0X_%llX", number);
    case 2:
        return ndp_buffer_printf(out, "0o%llo", number);
    case 3:
        return add_bits(number, out);
    case 4:
        return ndp_buffer_printf(out, size > 1 ? "%c_%.*s" : "%c%.*s", digits[0], size - 1, digits + 1);
    case 5:
        return ndp_buffer_printf(out, takes_long ? "%.*s L" : "+ %.*s", size, digits);
    case 6:
        return ndp_buffer_printf(out, number == 0 ? "-%.*s" : "+%.*s", size, digits);
    default:
        return ndp_buffer_printf(out, takes_long ? "0x%llxL" : "0x%llx", number);
    }
}

/* What NumPy calls types of numbers besides, where a long has eight bytes: one letter, which may stand behind a byte
 * order, and words. Source: NumPy 2.4, numpy.sctypeDict, numpy.typecodes. */
static const struct {
    const char *type, *letters, *words;
} called[] = {{"b1", "?", "bool bool_"},
              {"i1", "b", "int8 byte"},
              {"u1", "B", "uint8 ubyte"},
              {"i2", "h", "int16 short"},
              {"u2", "H", "uint16 ushort"},
              {"i4", "i", "int32 intc"},
              {"u4", "I", "uint32 uintc"},
              {"i8", "lqp", "int64 long longlong intp int_ int"},
              {"u8", "LQP", "uint64 ulong ulonglong uintp uint"},
              {"f2", "e", "float16 half"},
              {"f4", "f", "float32 single"},
              {"f8", "d", "float64 double float"},
              {"f16", "g", "longdouble float128"},
              {"c8", "F", "complex64 csingle"},
              {"c16", "D", "complex128 cdouble complex"},
              {"c32", "G", "clongdouble complex256"},
              {"O", "", "O object object_ O8 |O8 O4 |O4 =O4 <O8 >O4"}};

/* One of the words. */
static enum ndp_status add_name(const char *words, uint64_t how, struct ndp_buffer *out) {
    uint64_t count = 1;
    for (const char *at = words; *at; at++) count += *at == ' ';
    for (uint64_t i = how % count; i > 0; i--) words = strchr(words, ' ') + 1;
    return ndp_buffer_printf(out, "'%.*s'", (int)strcspn(words, " "), words);
}

/* By a letter behind a sign that says the same, or by a name, which is of the machine's order. */
static enum ndp_status add_called(size_t row, const char *signs, bool is_native, uint64_t how, struct ndp_buffer *out) {
    const char *letters = called[row].letters;
    const uint64_t count = strlen(letters), all = strlen(signs), way = how % 3;
    const char letter = count > 0 ? letters[how / 3 % count] : '\0';
    if (is_native && (count == 0 || way == 0)) return add_name(called[row].words, how / 3, out);
    if (is_native && way == 1) return ndp_buffer_printf(out, "'%c'", letter);
    return ndp_buffer_printf(out, "'%c%c'", signs[how / 9 % all], letter);
}

/* The type of an array without fields as no writer spells it: a sign that says nothing, none, the one of the machine, a
 * name, zeros before its number. Source: NumPy 2.4, multiarray/descriptor.c, _convert_from_str. */
static enum ndp_status add_type(struct ndp_bytes token, uint64_t how, struct ndp_buffer *out) {
    static const char *const zeros[] = {"", "0", "00", "+"};
    const char sign = (char)token.data[1], kind = (char)token.data[2], own[] = {sign, '\0'};
    const int size = (int)token.size_bytes - 4;
    const char *rest = (const char *)token.data + 3;
    const bool is_foreign = sign != '|' && sign != (ndp_host_is_little_endian() ? '<' : '>');
    const char *signs = sign == '|' ? "<>=|" : is_foreign ? own : "=|";
    const uint64_t all = strlen(signs), way = how / 2;
    const char *zero = memchr("MmO", kind, 3) ? "" : zeros[way / 8 % NDP_ARRAY_LEN(zeros)];
    for (size_t i = 0; how % 2 && i < NDP_ARRAY_LEN(called); i++)
        if (ndp_bytes_is_word((struct ndp_bytes){token.data + 2, token.size_bytes - 3}, called[i].type))
            return add_called(i, signs, !is_foreign, way, out);
    if (is_foreign || way % 8 == 0) return ndp_buffer_printf(out, "'%c%c%s%.*s'", sign, kind, zero, size, rest);
    if (way % 8 < 3) return ndp_buffer_printf(out, "'%c%s%.*s'", kind, zero, size, rest);
    return ndp_buffer_printf(out, "'%c%c%s%.*s'", signs[way % 8 % all], kind, zero, size, rest);
}

static enum ndp_status add_token(struct ndp_bytes token, uint64_t pick, uint8_t major, struct ndp_buffer *out) {
    static const char *const blanks[] = {" ",         "\n",        "\t",   "\f",      "\r\n", "\\\n",
                                         "# { ' \n ", " #\r\t \n", "\r\n", "\n \t\f", "\r",   "\\\r\n"};
    const bool is_string = token.data[0] == '\'' || token.data[0] == '"';
    const bool is_number = token.data[0] >= '0' && token.data[0] <= '9';
    const uint64_t how = pick / PLACES;
    if (pick % PLACES == 0 && (is_string || is_number)) {
        NDP_TRY(ndp_buffer_printf(out, "("));
        NDP_TRY(ndp_buffer_add(out, token.data, token.size_bytes));
        return ndp_buffer_printf(out, ")");
    }
    if (pick % PLACES != 1 && is_string) return add_string(token, major == 3, how, out);
    if (pick % PLACES != 1 && is_number) return add_number(token, how, major < 3, out);
    NDP_TRY(ndp_buffer_printf(out, "%s", blanks[how % NDP_ARRAY_LEN(blanks)]));
    return ndp_buffer_add(out, token.data, token.size_bytes);
}

static bool is_sign(const struct fuzz_tokens *tokens, uint64_t at, char sign) {
    return tokens->list[at].size_bytes == 1 && tokens->list[at].data[0] == (uint8_t)sign;
}

bool fuzz_is_field_name(const struct fuzz_tokens *tokens, uint64_t at) {
    if (at < 4 || tokens->list[at].data[0] != '\'' || tokens->list[at].size_bytes < 3 || !is_sign(tokens, at - 1, '('))
        return false;
    return is_sign(tokens, at - 2, '[') ||
           (at > 4 && is_sign(tokens, at - 2, ' ') && is_sign(tokens, at - 3, ',') && is_sign(tokens, at - 4, ')'));
}

/* A title that is none. */
static enum ndp_status add_untitled(struct ndp_bytes token, struct ndp_buffer *out) {
    NDP_TRY(ndp_buffer_printf(out, "(None, "));
    NDP_TRY(ndp_buffer_add(out, token.data, token.size_bytes));
    return ndp_buffer_printf(out, ")");
}

/* Writes the length of what stands behind it; whether it has room. */
static bool set_length(uint8_t *file, uint64_t bytes) {
    if (file[6] == 1 && bytes > UINT16_MAX) return false;
    if (file[6] == 1)
        ndp_store_u16le(file + LENGTH_AT, (uint16_t)bytes);
    else
        ndp_store_u32le(file + LENGTH_AT, (uint32_t)bytes);
    return true;
}

static bool is_word(struct ndp_bytes token) {
    return token.data[0] == '\'' || token.data[0] == '"' || (token.data[0] >= '0' && token.data[0] <= '9');
}

/* The token that is said otherwise; behind the last, what is behind them all. Strings and numbers, which have the most
 * ways, and the type as one of them have their turns more often than signs. */
static uint64_t choose(const struct fuzz_tokens *tokens, uint64_t pick) {
    const uint64_t any = 1 + pick % tokens->count, way = pick / tokens->count % 8;
    uint64_t at = any;
    if (way == 0 && tokens->count > TYPE_AT && is_word(tokens->list[TYPE_AT])) return TYPE_AT;
    if (way > 4) return any;
    while (at < tokens->count && !is_word(tokens->list[at])) at++;
    return at < tokens->count ? at : any;
}

enum ndp_status fuzz_npy_respell(struct ndp_arena *arena, struct ndp_bytes file, uint64_t pick,
                                 struct ndp_buffer *out) {
    /* Blanks on a line that follows are read for some versions alone, and padding is of blanks. */
    static const char *const behind[] = {"\t", "\f", "# }", " # '\t#", "\\\n", " \\\r\n\t"};
    struct fuzz_tokens *tokens = NDP_ARENA_NEW(arena, struct fuzz_tokens);
    const uint64_t start = file.data[6] == 1 ? 10 : 12;
    const uint64_t size = start == 10 ? ndp_load_u16le(file.data + 8) : ndp_load_u32le(file.data + 8);
    struct ndp_bytes text = {file.data + start, size};
    if (!tokens) return NDP_NOMEM;
    while (text.size_bytes > 0 && text.data[text.size_bytes - 1] != '}') text.size_bytes--;
    fuzz_tokens_split(text, tokens);
    if (tokens->count < 2 || tokens->count == FUZZ_MAX_TOKENS) return NDP_OK;
    const uint64_t changed = choose(tokens, pick);
    NDP_TRY(ndp_buffer_add(out, file.data, start));
    for (uint64_t i = 0; i < tokens->count; i++) {
        const struct ndp_bytes token = tokens->list[i];
        const uint64_t how = pick / tokens->count / 8;
        if (i != changed)
            NDP_TRY(ndp_buffer_add(out, token.data, token.size_bytes));
        else if (how % 4 == 0 && fuzz_is_field_name(tokens, i))
            NDP_TRY(add_untitled(token, out));
        else if (i == TYPE_AT && token.data[0] == '\'' && how % 2 == 0)
            NDP_TRY(add_type(token, how / 2, out));
        else
            NDP_TRY(add_token(token, how, file.data[6], out));
    }
    if (changed == tokens->count)
        NDP_TRY(ndp_buffer_printf(out, "%s", behind[pick / tokens->count / 8 % NDP_ARRAY_LEN(behind)]));
    NDP_TRY(ndp_buffer_add(out, text.data + text.size_bytes, size - text.size_bytes));
    if (!set_length(out->data, out->size_bytes - start)) {
        out->size_bytes = 0;
        return NDP_OK;
    }
    return ndp_buffer_add(out, file.data + start + size, file.size_bytes - start - size);
}

/* A name of one character, of as many bits as any; a surrogate is none. Errors: NOMEM. */
static enum ndp_status add_any(uint64_t how, struct ndp_buffer *out) {
    const uint64_t bits = 7 + how % 15, first = UINT64_C(1) << (bits - 1), value = first | (how / 15 & (first - 1));
    const bool is_one = value <= 0x10ffff && (value < 0xd800 || value > 0xdfff);
    return ndp_text_add(out, is_one ? (uint32_t)value : 0x10ffff);
}

/* The array as the only field of a structure, by a name with a sign that has ways of its own; NULL: no memory. */
static const struct ndp_dtype *make_named(struct ndp_arena *arena, const struct ndp_dtype *dtype, uint64_t how) {
    static const char *const names[] = {"\n", "a\r\n", "\t\\", "q'\""};
    struct ndp_buffer any = {.max_bytes = 8};
    struct ndp_field *field = NDP_ARENA_NEW(arena, struct ndp_field);
    struct ndp_dtype *made = NDP_ARENA_NEW(arena, struct ndp_dtype);
    if (!field || !made) return NULL;
    struct ndp_bytes name = ndp_bytes_view(names[how / 2 % NDP_ARRAY_LEN(names)]);
    if (how % 2) {
        FUZZ_CHECK(add_any(how / 2, &any) == NDP_OK);
        name = (struct ndp_bytes){ndp_arena_copy(arena, any.data, any.size_bytes), any.size_bytes};
    }
    ndp_buffer_clear(&any);
    if (!name.data) return NULL;
    *field = (struct ndp_field){.name = name, .dtype = dtype};
    *made = (struct ndp_dtype){
        .kind = NDP_KIND_STRUCT, .itemsize_bytes = dtype->itemsize_bytes, .fields = field, .field_count = 1};
    return made;
}

static void check(struct ndp_arena *arena, struct ndp_bytes file, const struct ndp_npy_array *array, uint64_t pick) {
    /* A type with all the brackets that are taken by default may have some more. */
    static const struct ndp_npy_options options = {.is_lenient = true, .header_chars = 1 << 20, .max_nesting = 200};
    struct ndp_buffer other = {.max_bytes = UINT64_MAX};
    struct ndp_npy_array next = {0};
    FUZZ_CHECK(fuzz_npy_respell(arena, file, pick, &other) == NDP_OK);
    if (other.size_bytes > 0) {
        const enum ndp_status got = ndp_npy_decode_memory(arena, ndp_buffer_view(&other), &options, &next, NULL);
        fuzz_same_array("spelled otherwise", NDP_OK, array, got, &next);
    }
    ndp_buffer_clear(&other);
}

void fuzz_npy_spelling(struct ndp_arena *arena, struct ndp_bytes file, const struct ndp_npy_array *array,
                       uint64_t pick) {
    struct ndp_npy_array named = *array;
    struct ndp_buffer written = {.max_bytes = UINT64_MAX};
    if (pick % NAMED_ONE_IN > 0) {
        check(arena, file, array, pick / NAMED_ONE_IN);
        return;
    }
    named.header.dtype = make_named(arena, array->header.dtype, pick / NAMED_ONE_IN);
    if (!named.header.dtype || ndp_dtype_check(named.header.dtype, NULL) == NDP_LIMIT) return; /* too deep */
    const struct ndp_elements elements = {named.header.dtype, &array->layout, array->data};
    if (FUZZ_HOLDS(ndp_npy_encode_buffer(&elements, 0, &written, NULL) == NDP_OK))
        check(arena, ndp_buffer_view(&written), &named, pick >> 24);
    ndp_buffer_clear(&written);
}
