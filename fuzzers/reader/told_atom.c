#include "reader/told_atom.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PRIME UINT64_C(0xfffffffffffffb) /* 2^56 - 5 */

/* Where the argument of an opcode begins that makes an atom: behind itself, or behind the length; 0 for any other. */
static uint64_t head_bytes(uint8_t opcode) {
    switch (opcode) {
    case 'N':
    case 'K':
    case 'M':
    case 'J':
    case 'I':
    case 'L':
    case 'G':
    case 'F':
    case 'V':
    case 'S':
    case 0x88:
    case 0x89:
        return 1;
    case 'C':
    case 'U':
    case 0x8a:
    case 0x8c:
        return 2;
    case 'X':
    case 'B':
    case 'T':
    case 0x8b:
        return 5;
    case 0x8d:
    case 0x8e:
    case 0x96:
        return 9;
    default:
        return 0;
    }
}

bool fuzz_is_atom(uint8_t opcode) {
    return head_bytes(opcode) > 0;
}

static uint64_t next_hash(uint64_t hash, uint32_t code_point) {
    return hash * UINT64_C(0x100000001b3) + code_point + 1;
}

static bool read_integer(uint64_t residue, bool is_negative, struct fuzz_told *out) {
    out->kind = FUZZ_TOLD_NUMBER;
    out->bits = is_negative ? (PRIME - residue) % PRIME : residue;
    return true;
}

/* An integer in decimal, perhaps with an L behind it. */
static bool read_decimal(struct ndp_bytes line, struct fuzz_told *out) {
    uint64_t residue = 0;
    const uint64_t first = line.size_bytes > 0 && line.data[0] == '-';
    uint64_t at = first;
    for (; at < line.size_bytes && line.data[at] >= '0' && line.data[at] <= '9'; at++)
        residue = (residue * 10 + (line.data[at] - UINT64_C(48))) % PRIME;
    const uint64_t digits = at - first;
    errno = 0;
    out->number = digits > 0 ? strtoll((const char *)line.data, NULL, 10) : 0;
    if (errno == ERANGE) out->number = INT64_MIN;
    if (at < line.size_bytes && line.data[at] == 'L') at++;
    return read_integer(residue, first == 1, out) && digits > 0 && at + 1 == line.size_bytes;
}

static bool read_little(struct ndp_bytes bytes, bool is_signed, struct fuzz_told *out) {
    const bool is_negative = is_signed && bytes.size_bytes > 0 && bytes.data[bytes.size_bytes - 1] >= 0x80;
    uint64_t residue = 0, number = is_negative ? UINT64_MAX : 0;
    /* Of a negative one the magnitude: its bits turned over, and one. */
    for (uint64_t i = bytes.size_bytes; i > 0; i--) {
        residue = (residue << 8 | (is_negative ? (uint8_t)~bytes.data[i - 1] : bytes.data[i - 1])) % PRIME;
        number = number << 8 | bytes.data[i - 1];
    }
    out->number = bytes.size_bytes <= 8 ? (int64_t)number : INT64_MIN;
    return read_integer(is_negative ? (residue + 1) % PRIME : residue, is_negative, out);
}

static bool read_bits(uint64_t bits, struct fuzz_told *out) {
    out->kind = FUZZ_TOLD_REAL;
    out->bits = bits;
    return true;
}

bool fuzz_is_told_nan(const struct fuzz_told *told) {
    return told->kind == FUZZ_TOLD_REAL && told->bits << 1 > UINT64_C(0xffe) << 52;
}

static bool read_real(struct ndp_bytes line, struct fuzz_told *out) {
    char text[64] = "", *end;
    double real;
    uint64_t bits;
    if (line.size_bytes >= sizeof text) return false;
    memcpy(text, line.data, (size_t)line.size_bytes);
    real = strtod(text, &end);
    memcpy(&bits, &real, sizeof bits);
    (void)read_bits(bits, out);
    out->is_unsure = fuzz_is_told_nan(out);
    return end > text && *end == '\n';
}

/* Of a text that is known to be good, surrogates taken for characters. */
static bool read_utf8(struct ndp_bytes text, struct fuzz_told *out) {
    out->kind = FUZZ_TOLD_TEXT;
    out->bytes = text;
    for (uint64_t i = 0; i < text.size_bytes;) {
        const uint8_t lead = text.data[i];
        const uint32_t more = lead < 0x80 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
        uint32_t code_point = lead & (0x7fU >> (more == 0 ? 0 : more + 1));
        if (more >= text.size_bytes - i) return false;
        for (uint32_t k = 1; k <= more; k++) code_point = code_point << 6 | (text.data[i + k] & 0x3f);
        out->bits = next_hash(out->bits, code_point);
        i += more + 1;
    }
    return true;
}

/* Latin-1, but for what stands behind a \u or \U whose backslash is the last of an odd number. */
static bool read_line(struct ndp_bytes line, struct fuzz_told *out) {
    uint64_t run = 0;
    bool is_plain = true;
    out->kind = FUZZ_TOLD_TEXT;
    for (uint64_t i = 0; i + 1 < line.size_bytes; i++) {
        const uint8_t c = line.data[i], next = line.data[i + 1];
        uint32_t code_point = c;
        run = c == '\\' ? run + 1 : 0;
        is_plain = is_plain && c != '\\' && c < 0x80;
        if (run % 2 == 1 && (next == 'u' || next == 'U')) {
            char digits[9] = "";
            const uint64_t count = next == 'u' ? 4 : 8;
            if (line.size_bytes - i < count + 3) return false;
            memcpy(digits, line.data + i + 2, (size_t)count);
            code_point = (uint32_t)strtoul(digits, NULL, 16);
            i += count + 1;
            run = 0;
        }
        out->bits = next_hash(out->bits, code_point);
    }
    if (is_plain) out->bytes = (struct ndp_bytes){line.data, line.size_bytes - 1};
    return true;
}

static bool read_bytes(enum fuzz_told_kind kind, struct ndp_bytes bytes, struct fuzz_told *out) {
    out->kind = kind;
    out->bytes = bytes;
    for (uint64_t i = 0; i < bytes.size_bytes; i++) out->bits = next_hash(out->bits, bytes.data[i]);
    return true;
}

/* repr() of a string of Python 2, up to the newline. */
static bool read_quoted(struct ndp_bytes line, struct fuzz_told *out) {
    static const char letters[] = "abfnrtv\\'\"", meanings[] = "\a\b\f\n\r\t\v\\'\"";
    out->kind = FUZZ_TOLD_STRING;
    for (uint64_t i = 1; i + 2 < line.size_bytes; i++) {
        uint32_t byte = line.data[i];
        if (byte == '\\') {
            const uint8_t c = line.data[++i];
            const char *letter = c == 0 ? NULL : strchr(letters, c);
            char digits[4] = "", *end;
            const size_t most = c == 'x' ? 2 : 3;
            const uint64_t from = c == 'x' ? i + 1 : i;
            for (size_t k = 0; k < most && from + k + 2 < line.size_bytes; k++) digits[k] = (char)line.data[from + k];
            byte = letter ? (uint8_t)meanings[letter - letters] : (uint32_t)strtoul(digits, &end, c == 'x' ? 16 : 8);
            if (!letter && (end == digits || byte > 0xff)) return false;
            if (!letter) i = from + (uint64_t)(end - digits) - 1;
        }
        out->bits = next_hash(out->bits, byte);
    }
    return true;
}

static bool read_truth(bool truth, struct fuzz_told *out) {
    out->kind = FUZZ_TOLD_TRUTH;
    out->bits = truth;
    out->number = truth;
    return true;
}

bool fuzz_read_atom(struct ndp_bytes op, struct fuzz_told *out) {
    const uint8_t opcode = op.data[0];
    const uint64_t head = head_bytes(opcode);
    const struct ndp_bytes argument = {op.data + head, op.size_bytes - head};
    uint64_t bits = 0;
    switch (opcode) {
    case 'N':
        return true;
    case 0x88:
    case 0x89:
        return read_truth(opcode == 0x88, out);
    case 'K':
    case 'M':
        return read_little(argument, false, out);
    case 'J':
    case 0x8a:
    case 0x8b:
        return read_little(argument, true, out);
    case 'I': /* 00 and 01 are truths */
        if (argument.size_bytes == 3 && argument.data[0] == '0' && argument.data[1] <= '1')
            return read_truth(argument.data[1] == '1', out);
        return read_decimal(argument, out);
    case 'L':
        return read_decimal(argument, out);
    case 'G':
        for (uint32_t i = 0; i < 8; i++) bits = bits << 8 | argument.data[i];
        return read_bits(bits, out);
    case 'F':
        return read_real(argument, out);
    case 'V':
        return read_line(argument, out);
    case 'S':
        return read_quoted(argument, out);
    case 'T':
    case 'U':
        return read_bytes(FUZZ_TOLD_STRING, argument, out);
    case 0x96:
        return read_bytes(FUZZ_TOLD_BYTEARRAY, argument, out);
    case 'B':
    case 'C':
    case 0x8e:
        return read_bytes(FUZZ_TOLD_BYTES, argument, out);
    default:
        return read_utf8(argument, out);
    }
}

uint64_t fuzz_bits_of_text(struct ndp_bytes text) {
    struct fuzz_told told = {.kind = FUZZ_TOLD_TEXT};
    (void)read_utf8(text, &told);
    return told.bits;
}

uint64_t fuzz_bits_of_bytes(struct ndp_bytes bytes) {
    struct fuzz_told told = {.kind = FUZZ_TOLD_BYTES};
    (void)read_bytes(FUZZ_TOLD_BYTES, bytes, &told);
    return told.bits;
}
