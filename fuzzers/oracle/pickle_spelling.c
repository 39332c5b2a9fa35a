#include "oracle/pickle_spelling.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/byteorder.h"
#include "base/rng.h"
#include "base/text.h"
#include "form/ops.h"
#include "form/pieces.h"
#include "fuzz.h"
#include "oracle/rewritten.h"

enum { NEWTRUE = 0x88, NEWFALSE = 0x89, NEWOBJ = 0x81, BYTEARRAY8 = 0x96, LINE_BYTES = 20 };

static uint64_t number_of(struct ndp_bytes op) {
    uint64_t number = 0;
    for (uint64_t i = op.size_bytes; i > 1; i--) number = number << 8 | op.data[i - 1];
    return number;
}

/* An opcode and a number behind it, low byte first. */
static enum ndp_status add_number(struct ndp_buffer *out, uint8_t opcode, uint64_t number, uint64_t size_bytes) {
    uint8_t bytes[9] = {opcode};
    ndp_store_u64le(bytes + 1, number);
    return ndp_buffer_add(out, bytes, 1 + size_bytes);
}

/* ---- numbers ---- */

/* So many bytes of two's complement, at most eight of which are not only its sign. */
static enum ndp_status add_bits(int64_t number, uint64_t size_bytes, struct ndp_buffer *out) {
    for (uint64_t i = 0; i < size_bytes; i++) {
        const uint8_t byte = (uint8_t)(i < 8 ? (uint64_t)number >> 8 * i : number < 0 ? 0xff : 0);
        NDP_TRY(ndp_buffer_add(out, &byte, 1));
    }
    return NDP_OK;
}

static enum ndp_status add_integer(int64_t number, uint64_t how, struct ndp_buffer *out) {
    const bool is_short = number >= 0 && number <= UINT16_MAX, is_long = number != (int32_t)number;
    const uint64_t least = number == 0 ? 0 : 8, size = how / 8 % 2 ? least : 9;
    switch (how % 8) {
    case 0:
    case 1:
        return ndp_buffer_printf(out, "L%" PRId64 "%s", number, how % 2 ? "\n" : "L\n");
    case 2:
        NDP_TRY(add_number(out, 0x8a, size, 1));
        return add_bits(number, size, out);
    case 3:
        NDP_TRY(add_number(out, 0x8b, size, 4));
        return add_bits(number, size, out);
    case 4:
        if (is_short) return add_number(out, 'M', (uint64_t)number, 2);
        return ndp_buffer_printf(out, "I%" PRId64 "\n", number);
    case 5:
        if (!is_long) return add_number(out, 'J', (uint64_t)number, 4);
        return ndp_buffer_printf(out, "I%" PRId64 "\n", number);
    default:
        return ndp_buffer_printf(out, "I%" PRId64 "\n", number);
    }
}

/* Behind another opcode, or with bytes more that only repeat its sign. */
static enum ndp_status add_long(struct ndp_bytes digits, uint64_t how, struct ndp_buffer *out) {
    const uint64_t size = digits.size_bytes, more = how % 3;
    const uint8_t sign = size > 0 && digits.data[size - 1] >= 0x80 ? 0xff : 0;
    if (how / 3 % 2 == 0 && size + more <= UINT8_MAX)
        NDP_TRY(add_number(out, 0x8a, size + more, 1));
    else
        NDP_TRY(add_number(out, 0x8b, size + more, 4));
    NDP_TRY(ndp_buffer_add(out, digits.data, size));
    for (uint64_t i = 0; i < more; i++) NDP_TRY(ndp_buffer_add(out, &sign, 1));
    return NDP_OK;
}

static bool take_decimal(struct ndp_bytes op, int64_t *out) {
    const bool is_negative = op.data[1] == '-';
    uint64_t number = 0;
    for (uint64_t i = is_negative ? 2 : 1; i + 1 < op.size_bytes; i++) {
        if (op.data[0] == 'L' && op.data[i] == 'L') break;
        if (op.data[i] < '0' || op.data[i] > '9' || op.size_bytes >= LINE_BYTES) return false;
        number = number * 10 + (op.data[i] - UINT64_C(48));
    }
    *out = is_negative ? -(int64_t)number : (int64_t)number;
    return true;
}

/* In 17 digits; what is no number says more than its name does. */
static enum ndp_status add_real(struct ndp_bytes op, struct ndp_buffer *out) {
    uint64_t bits = 0;
    double real;
    for (uint32_t i = 1; i < 9; i++) bits = bits << 8 | op.data[i];
    memcpy(&real, &bits, sizeof real);
    if (isnan(real)) return NDP_OK;
    return ndp_buffer_printf(out, "F%.17g\n", real);
}

/* ---- texts and bytes ---- */

/* Behind a length of one of three widths. */
static enum ndp_status add_counted(struct ndp_bytes bytes, const uint8_t *opcodes, uint64_t how,
                                   struct ndp_buffer *out) {
    static const uint64_t widths[] = {1, 4, 8};
    uint64_t width = how % NDP_ARRAY_LEN(widths);
    while (opcodes[width] == 0 || (width == 0 && bytes.size_bytes > UINT8_MAX)) width = (width + 1) % 3;
    NDP_TRY(add_number(out, opcodes[width], bytes.size_bytes, widths[width]));
    return ndp_buffer_add(out, bytes.data, bytes.size_bytes);
}

/* Whether the character cannot stand for itself in raw-unicode-escape. A backslash can, but as the last of an odd
 * number before what would be an escape. */
static bool is_escaped(uint32_t c, uint64_t how) {
    return c == '\n' || c > 0xff || (how % 8 == 0 && c != '\\');
}

static enum ndp_status add_escape(uint32_t c, uint64_t how, struct ndp_buffer *out) {
    return ndp_buffer_printf(out, c > 0xffff || how / 8 % 2 ? "\\U%08" PRIx32 : "\\u%04" PRIx32, c);
}

static enum ndp_status add_line(struct ndp_bytes text, uint64_t how, struct ndp_buffer *out) {
    struct ndp_cursor cursor = ndp_cursor_view(text);
    uint32_t c = 0, next = 0;
    uint64_t run = 0;
    bool has_next = text.size_bytes > 0;
    if (has_next) NDP_TRY(ndp_text_next(&cursor, &next));
    NDP_TRY(ndp_buffer_add(out, "V", 1));
    while (has_next) {
        c = next;
        has_next = ndp_cursor_left(&cursor) > 0;
        if (has_next) NDP_TRY(ndp_text_next(&cursor, &next));
        run = c == '\\' ? run + 1 : 0;
        const bool is_before = has_next && (next == 'u' || next == 'U' || is_escaped(next, how));
        const uint8_t byte = (uint8_t)c;
        if (is_escaped(c, how) || (c == '\\' && run % 2 == 1 && is_before)) {
            NDP_TRY(add_escape(c, how, out));
            run = 0;
        } else {
            NDP_TRY(ndp_buffer_add(out, &byte, 1));
        }
    }
    return ndp_buffer_add(out, "\n", 1);
}

static enum ndp_status add_text(struct ndp_bytes text, uint64_t how, struct ndp_buffer *out) {
    static const uint8_t opcodes[] = {0x8c, 'X', 0x8d};
    return how % 2 ? add_line(text, how / 2, out) : add_counted(text, opcodes, how / 2, out);
}

/* One byte of a string by an escape; of octal digits no more than it takes, where none of the text's own follows. */
static enum ndp_status add_string_escape(struct ndp_bytes text, uint64_t at, uint64_t how, struct ndp_buffer *out) {
    static const char letters[] = "abfnrtv\\'\"";
    static const char meanings[] = "\a\b\f\n\r\t\v\\'\"";
    static const char *const escapes[] = {"\\x%02x", "\\x%02X", "\\%03o", "\\%o"};
    const uint8_t c = text.data[at], next = at + 1 < text.size_bytes ? text.data[at + 1] : 0;
    const char *letter = c == 0 ? NULL : strchr(meanings, c);
    const bool is_before_digit = next >= '0' && next <= '7';
    if (letter && how % 2) return ndp_buffer_printf(out, "\\%c", letters[letter - meanings]);
    return ndp_buffer_printf(out, escapes[how / 2 % (NDP_ARRAY_LEN(escapes) - is_before_digit)], c);
}

/* The repr() of Python 2, but that half of the time any byte may be escaped, each in a way of its own. */
static enum ndp_status add_string(struct ndp_bytes text, uint64_t how, struct ndp_buffer *out) {
    static const uint8_t opcodes[] = {'U', 'T', 0};
    const uint8_t quote = how / 2 % 2 ? '"' : '\'';
    if (how % 2) return add_counted(text, opcodes, how / 2, out);
    NDP_TRY(ndp_buffer_printf(out, "S%c", quote));
    for (uint64_t i = 0; i < text.size_bytes; i++) {
        const uint8_t c = text.data[i];
        const uint64_t draw = ndp_rng_mix(how, i);
        const bool must = c == '\\' || c == quote || c < ' ' || c > '~';
        if (must || (how / 4 % 2 && draw % 4 == 0))
            NDP_TRY(add_string_escape(text, i, draw / 4, out));
        else
            NDP_TRY(ndp_buffer_add(out, &c, 1));
    }
    return ndp_buffer_printf(out, "%c\n", quote);
}

/* As Python 2 says bytes, and protocols without an opcode for them: a text whose characters they are, and the codec by
 * either of its names. Source: CPython 3.11, Lib/pickle.py, save_bytes and save_bytearray; Lib/encodings/aliases.py. */
static enum ndp_status add_encoded(struct ndp_bytes bytes, const char *callable, uint64_t how, struct ndp_buffer *out) {
    struct ndp_buffer text = {.max_bytes = out->max_bytes};
    enum ndp_status status = ndp_buffer_printf(out, "c%s\n(", callable);
    for (uint64_t i = 0; i < bytes.size_bytes && status == NDP_OK; i++) status = ndp_text_add(&text, bytes.data[i]);
    if (status == NDP_OK) status = add_text(ndp_buffer_view(&text), how / 2, out);
    if (status == NDP_OK) status = add_text(ndp_bytes_view(how % 2 ? "latin1" : "latin-1"), how / 16, out);
    ndp_buffer_clear(&text);
    return status == NDP_OK ? ndp_buffer_printf(out, "tR") : status;
}

/* ---- the others ---- */

static bool is_ascii(struct ndp_bytes bytes) {
    for (uint64_t i = 0; i < bytes.size_bytes; i++)
        if (bytes.data[i] >= 0x80) return false;
    return true;
}

/* Module and name as texts of either Python, of which the later has a global. */
static enum ndp_status add_global(struct ndp_bytes op, uint64_t how, struct ndp_buffer *out) {
    const uint8_t *end = memchr(op.data, '\n', (size_t)op.size_bytes);
    const uint64_t size = (uint64_t)(end - op.data) - 1;
    const struct ndp_bytes parts[] = {{op.data + 1, size}, {end + 1, op.size_bytes - size - 3}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(parts); i++, how /= 4) {
        if (how % 4 == 3 && is_ascii(parts[i]))
            NDP_TRY(add_string(parts[i], how / 16, out));
        else
            NDP_TRY(add_text(parts[i], how / 16, out));
    }
    return ndp_buffer_add(out, "\x93", 1);
}

/* An index of the memo; picklers write no zeros before it. */
static enum ndp_status add_index(bool puts, uint64_t index, uint64_t how, struct ndp_buffer *out) {
    if (how % 3 == 0 && index <= UINT8_MAX) return add_number(out, puts ? 'q' : 'h', index, 1);
    if (how % 3 == 1 && index <= UINT32_MAX) return add_number(out, puts ? 'r' : 'j', index, 4);
    return ndp_buffer_printf(out, how / 3 % 2 ? "%c%" PRIu64 "\n" : "%c00%" PRIu64 "\n", puts ? 'p' : 'g', index);
}

static enum ndp_status add_indexed(struct ndp_bytes op, uint64_t how, struct ndp_buffer *out) {
    const bool is_line = op.data[0] == 'p' || op.data[0] == 'g';
    int64_t line = 0;
    if (is_line && (!take_decimal(op, &line) || line < 0)) return NDP_OK;
    return add_index(op.data[0] >= 'p', is_line ? (uint64_t)line : number_of(op), how, out);
}

/* What does nothing wherever it stands; the last are calls without an effect, which name what is global. */
static enum ndp_status add_nothing(bool keeps_names, uint64_t how, struct ndp_buffer *out) {
    static const char *const words[] = {"N0",
                                        "(0",
                                        "(1",
                                        "(N1",
                                        "((11",
                                        "](N2e0",
                                        "(]N01",
                                        "}N2s0",
                                        "cbuiltins\nint\n)R0",
                                        "cbuiltins\nisinstance\n(Ncbuiltins\nint\ntR0",
                                        "(I1\nI1\nI1\nibuiltins\npow\n0"};
    return ndp_buffer_printf(out, "%s", words[how % (NDP_ARRAY_LEN(words) - (keeps_names ? 3 : 0))]);
}

/* Behind a length of so many bytes. */
static struct ndp_bytes behind(struct ndp_bytes op, uint64_t length_bytes) {
    return (struct ndp_bytes){op.data + 1 + length_bytes, op.size_bytes - 1 - length_bytes};
}

static struct ndp_bytes counted(struct ndp_bytes op) {
    return behind(op, strchr("UC\x8c", op.data[0]) ? 1 : strchr("XTB", op.data[0]) ? 4 : 8);
}

/* Nothing where the opcode is the only one that says it. */
static enum ndp_status respell(struct ndp_bytes op, bool keeps_names, uint64_t how, struct ndp_buffer *out) {
    static const uint8_t byte_strings[] = {'C', 'B', 0x8e};
    int64_t number = 0;
    switch (op.data[0]) {
    case 'K':
    case 'M':
        return add_integer((int64_t)number_of(op), how, out);
    case 'J':
        return add_integer((int32_t)number_of(op), how, out);
    case 'I':
    case 'L':
        if ((op.data[1] == '0' && op.size_bytes == 4) || !take_decimal(op, &number)) return NDP_OK;
        return add_integer(number, how, out);
    case 0x8a:
        return add_long(behind(op, 1), how, out);
    case 0x8b:
        return add_long(behind(op, 4), how, out);
    case 'G':
        return add_real(op, out);
    case NEWTRUE:
    case NEWFALSE:
        return ndp_buffer_printf(out, "I0%d\n", op.data[0] == NEWTRUE);
    case 'C':
    case 'B':
    case 0x8e:
        if (how % 4 == 3) return add_encoded(counted(op), "_codecs\nencode", how / 4, out);
        return add_counted(counted(op), byte_strings, how, out);
    case BYTEARRAY8:
        return add_encoded(counted(op), "builtins\nbytearray", how, out);
    case 'X':
    case 0x8c:
    case 0x8d:
        return add_text(counted(op), how, out);
    case 'U':
    case 'T':
        return add_string(counted(op), how, out);
    case ']':
        return ndp_buffer_printf(out, "(l");
    case '}':
        return ndp_buffer_printf(out, "(d");
    case ')':
        return ndp_buffer_printf(out, "(t");
    case NEWOBJ:
        return ndp_buffer_printf(out, "}\x92");
    case 'c':
        return keeps_names ? NDP_OK : add_global(op, how, out);
    case 'p':
    case 'q':
    case 'r':
    case 'g':
    case 'h':
    case 'j':
        return add_indexed(op, how, out);
    default:
        return NDP_OK;
    }
}

/* The pickle up to its STOP in opcodes; false where it is not whole, or long. */
static bool split(struct ndp_bytes pickle, struct fuzz_ops *ops) {
    uint32_t count = 0;
    if (pickle.size_bytes == 0) return false;
    fuzz_ops_split(pickle, ops);
    while (count < ops->count && ops->list[count].data[0] != '.') count++;
    if (count == 0 || count + 1 >= FUZZ_MAX_OPS || count == ops->count) return false;
    ops->count = count + 1;
    return true;
}

enum ndp_status fuzz_pickle_respell(struct ndp_bytes pickle, bool keeps_names, uint64_t pick, struct ndp_buffer *out) {
    static struct fuzz_ops taken_apart;
    struct fuzz_ops *ops = &taken_apart;
    struct ndp_buffer made = {.max_bytes = out->max_bytes};
    if (!split(pickle, ops)) return NDP_OK;
    const uint64_t at = pick % ops->count, how = pick / ops->count;
    const struct ndp_bytes op = ops->list[at];
    enum ndp_status status = how % 4 == 0 ? NDP_OK : respell(op, keeps_names, how / 4, &made);
    /* Before the first opcode, which may say the protocol, stands no other. */
    if (status == NDP_OK && made.size_bytes == 0 && at > 0) {
        status = add_nothing(keeps_names, how / 4, &made);
        memmove(&ops->list[at + 1], &ops->list[at], (size_t)(ops->count++ - at) * sizeof op);
    }
    if (made.size_bytes > 0) ops->list[at] = ndp_buffer_view(&made);
    if (status == NDP_OK) status = fuzz_ops_join(ops, true, out);
    ndp_buffer_clear(&made);
    return status;
}

void fuzz_check_pickle_spelling(struct ndp_arena *arena, struct ndp_bytes pickle, uint32_t protocol,
                                struct ndp_bytes want, uint64_t pick) {
    static struct ndp_buffer other = {.max_bytes = 1 << 20};
    struct fuzz_expected next = {want, false};
    other.size_bytes = 0;
    FUZZ_CHECK(fuzz_pickle_respell(pickle, protocol >= 4, pick, &other) != NDP_NOMEM);
    if (other.size_bytes == 0) return;
    /* In a block of their size, whose end a sanitizer sees. */
    const struct ndp_bytes bytes = {ndp_arena_copy(arena, other.data, other.size_bytes), other.size_bytes};
    FUZZ_HOLDS(fuzz_rewrite(arena, ndp_source_memory(bytes), protocol, true, fuzz_write_expected, &next) == NDP_OK);
    FUZZ_HOLDS(fuzz_is_expected(&next));
}
