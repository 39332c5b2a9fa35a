#include "whole.h"

#include <iconv.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/byteorder.h"
#include "base/checked.h"
#include "codec/compress.h"
#include "codec/joblib_legacy.h"
#include "fuzz.h"
#include "ops.h"
#include "pieces.h"

enum { FRAME = 0x95, ZFILE_DIGITS = 19, ZFILE_BYTES_MAX = 1 << 20, ALONE_BYTES = 13 };

bool fuzz_is_utf8(struct ndp_bytes text) {
    static iconv_t converter;
    char out[1024], *in = (char *)(uintptr_t)text.data;
    size_t left = (size_t)text.size_bytes;
    if (!converter) converter = iconv_open("UTF-32LE", "UTF-8");
    FUZZ_CHECK(converter != (iconv_t)-1);
    (void)iconv(converter, NULL, NULL, NULL, NULL);
    while (left > 0) {
        char *to = out;
        size_t room = sizeof out;
        const size_t before = left;
        if (iconv(converter, &in, &left, &to, &room) == (size_t)-1 && left == before) return false;
    }
    return true;
}

bool fuzz_has_whole_frames(struct ndp_bytes pickle) {
    uint64_t at = 0, frame_end = 0;
    while (at < pickle.size_bytes) {
        const uint64_t size = fuzz_op_bytes((struct ndp_bytes){pickle.data + at, pickle.size_bytes - at});
        const bool is_inside = at < frame_end;
        if (size == 0 || (is_inside && at + size > frame_end)) return false;
        if (pickle.data[at] == FRAME) {
            const uint64_t length = ndp_load_u64le(pickle.data + at + 1);
            /* The next one may be the last that a frame holds. */
            if ((is_inside && at + size < frame_end) || length > pickle.size_bytes) return false;
            frame_end = at + size + length;
        }
        at += size;
    }
    return frame_end <= at;
}

/* No value is nothing: a sum of them changes with any that is added. */
static uint64_t mix(uint64_t number) {
    number += UINT64_C(0x632be59bd9b4e019);
    number *= UINT64_C(0x9e3779b97f4a7c15);
    return (number ^ number >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
}

/* What opcodes push, whatever its order. Integers are counted modulo a prime, so that those of any length are. */
struct pushed {
    uint64_t numbers, texts;
    bool has_names; /* which are texts in some protocols */
};

#define PRIME UINT64_C(0xfffffffffffffb) /* 2^56 - 5 */

static void add_integer(uint64_t residue, bool is_negative, struct pushed *out) {
    out->numbers += mix(is_negative ? (PRIME - residue) % PRIME : residue);
}

/* An integer in decimal, perhaps with an L behind it. */
static bool add_decimal(struct ndp_bytes line, struct pushed *out) {
    uint64_t residue = 0;
    const uint64_t first = line.size_bytes > 0 && line.data[0] == '-';
    uint64_t at = first;
    for (; at < line.size_bytes && line.data[at] >= '0' && line.data[at] <= '9'; at++)
        residue = (residue * 10 + (line.data[at] - UINT64_C(48))) % PRIME;
    add_integer(residue, first == 1, out);
    if (at > first && at < line.size_bytes && line.data[at] == 'L') at++;
    return at > first && at + 1 == line.size_bytes;
}

static bool add_little(struct ndp_bytes bytes, bool is_signed, struct pushed *out) {
    const bool is_negative = is_signed && bytes.size_bytes > 0 && bytes.data[bytes.size_bytes - 1] >= 0x80;
    uint64_t residue = 0;
    /* Of a negative one the magnitude: its bits turned over, and one. */
    for (uint64_t i = bytes.size_bytes; i > 0; i--)
        residue = (residue << 8 | (is_negative ? (uint8_t)~bytes.data[i - 1] : bytes.data[i - 1])) % PRIME;
    add_integer(is_negative ? (residue + 1) % PRIME : residue, is_negative, out);
    return true;
}

/* Text keeps of a NaN that it is one. */
static void add_bits(uint64_t bits, struct pushed *out) {
    const bool is_nan = bits << 1 > UINT64_C(0xffe) << 52;
    out->numbers += mix(is_nan ? UINT64_C(0x7ff8) << 48 : bits) ^ 1;
}

static bool add_real(struct ndp_bytes line, struct pushed *out) {
    char text[64] = "", *end;
    double real;
    uint64_t bits;
    if (line.size_bytes >= sizeof text) return false;
    memcpy(text, line.data, (size_t)line.size_bytes);
    real = strtod(text, &end);
    memcpy(&bits, &real, sizeof bits);
    add_bits(bits, out);
    return end > text && *end == '\n';
}

static uint64_t next_hash(uint64_t hash, uint32_t code_point) {
    return hash * UINT64_C(0x100000001b3) + code_point + 1;
}

/* Of a text that is known to be good, surrogates taken for characters. */
static bool add_utf8(struct ndp_bytes text, struct pushed *out) {
    uint64_t hash = 0;
    for (uint64_t i = 0; i < text.size_bytes;) {
        const uint8_t lead = text.data[i];
        const uint32_t more = lead < 0x80 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
        uint32_t code_point = lead & (0x7fU >> (more == 0 ? 0 : more + 1));
        if (more >= text.size_bytes - i) return false;
        for (uint32_t k = 1; k <= more; k++) code_point = code_point << 6 | (text.data[i + k] & 0x3f);
        hash = next_hash(hash, code_point);
        i += more + 1;
    }
    out->texts += mix(hash);
    return true;
}

/* Latin-1, but for what stands behind a \u or \U whose backslash is the last of an odd number. */
static bool add_escaped(struct ndp_bytes line, struct pushed *out) {
    uint64_t hash = 0, run = 0;
    for (uint64_t i = 0; i + 1 < line.size_bytes; i++) {
        const uint8_t c = line.data[i], next = line.data[i + 1];
        uint32_t code_point = c;
        run = c == '\\' ? run + 1 : 0;
        if (run % 2 == 1 && (next == 'u' || next == 'U')) {
            char digits[9] = "";
            const uint64_t count = next == 'u' ? 4 : 8;
            if (line.size_bytes - i < count + 3) return false;
            memcpy(digits, line.data + i + 2, (size_t)count);
            code_point = (uint32_t)strtoul(digits, NULL, 16);
            i += count + 1;
            run = 0;
        }
        hash = next_hash(hash, code_point);
    }
    out->texts += mix(hash);
    return true;
}

/* Adds what an opcode pushes; false when nobody can say what becomes of it. */
static bool add_pushed(struct ndp_bytes op, struct pushed *out) {
    const struct ndp_bytes argument = {op.data + 1, op.size_bytes - 1};
    uint64_t bits = 0;
    switch (op.data[0]) {
    case '0': /* POP, POP_MARK, DUP, GET, BINGET, LONG_BINGET: not as often as it is pushed */
    case '1':
    case '2':
    case 'g':
    case 'h':
    case 'j':
        return false;
    case 'K':
    case 'M':
        return add_little(argument, false, out);
    case 'J':
        return add_little(argument, true, out);
    case 0x8a: /* LONG1 */
        return add_little((struct ndp_bytes){op.data + 2, op.size_bytes - 2}, true, out);
    case 0x8b: /* LONG4 */
        return add_little((struct ndp_bytes){op.data + 5, op.size_bytes - 5}, true, out);
    case 'I': /* 00 and 01 are truths */
        if (argument.size_bytes == 3 && argument.data[0] == '0') return true;
        return add_decimal(argument, out);
    case 'L':
        return add_decimal(argument, out);
    case 'G':
        for (uint32_t i = 0; i < 8; i++) bits = bits << 8 | argument.data[i];
        add_bits(bits, out);
        return true;
    case 'F':
        return add_real(argument, out);
    case 'V':
        return add_escaped(argument, out);
    case 'X':
        return add_utf8((struct ndp_bytes){op.data + 5, op.size_bytes - 5}, out);
    case 0x8c: /* SHORT_BINUNICODE */
        return add_utf8((struct ndp_bytes){op.data + 2, op.size_bytes - 2}, out);
    case 0x8d: /* BINUNICODE8 */
        return add_utf8((struct ndp_bytes){op.data + 9, op.size_bytes - 9}, out);
    case 'c': /* GLOBAL, INST, STACK_GLOBAL */
    case 'i':
    case 0x93:
        out->has_names = true;
        return true;
    default:
        return true;
    }
}

static bool add_all(struct ndp_bytes rest, struct pushed *out) {
    while (rest.size_bytes > 0) {
        const uint64_t size = fuzz_op_bytes(rest);
        if (size == 0 || !add_pushed((struct ndp_bytes){rest.data, size}, out)) return false;
        if (rest.data[0] == '.') return true;
        rest = (struct ndp_bytes){rest.data + size, rest.size_bytes - size};
    }
    return false;
}

bool fuzz_has_same_values(struct ndp_bytes a, struct ndp_bytes b) {
    struct pushed first = {0}, second = {0};
    if (!add_all(a, &first) || !add_all(b, &second)) return true;
    return first.numbers == second.numbers && (first.has_names || second.has_names || first.texts == second.texts);
}

/* "ZF", the size in hexadecimal, blanks (on some machines one more), a zlib stream, and whatever follows. Source:
 * joblib 1.6.0, numpy_pickle_compat.py, read_zfile. */
static bool is_whole_zfile(struct ndp_bytes bytes) {
    char digits[ZFILE_DIGITS + 1] = "";
    uint64_t start = NDP_ZFILE_START_BYTES + ZFILE_DIGITS;
    if (bytes.size_bytes <= start) return false;
    if (bytes.data[start] == ' ') start++;
    memcpy(digits, bytes.data + NDP_ZFILE_START_BYTES, ZFILE_DIGITS);
    const unsigned long long said = strtoull(digits, NULL, 16);
    if (said > ZFILE_BYTES_MAX) return true;
    uLongf size = (uLongf)said + 1;
    uLong taken = (uLong)(bytes.size_bytes - start);
    uint8_t *content = malloc(size);
    FUZZ_CHECK(content);
    const bool is_whole = uncompress2(content, &size, bytes.data + start, &taken) == Z_OK && size == said;
    free(content);
    return is_whole;
}

static void *take(void *pool, size_t count, size_t size_bytes) {
    uint64_t all_bytes;
    return ndp_mul_u64_fits(count, size_bytes, &all_bytes) ? ndp_block_take(pool, all_bytes) : NULL;
}

static void give(void *pool, void *block) {
    ndp_block_give(pool, block);
}

/* One call of liblzma for all of it, which looks at the check at the end. */
static bool is_whole_xz(struct ndp_bytes bytes, const struct ndp_compress_limits *limits) {
    const lzma_allocator allocator = {take, give, limits->pool};
    uint64_t memory = limits->memory_bytes;
    size_t in = 0, out = 0;
    uint8_t *content = malloc((size_t)limits->output_bytes + 1);
    FUZZ_CHECK(content);
    const lzma_ret code = lzma_stream_buffer_decode(&memory, 0, &allocator, bytes.data, &in, (size_t)bytes.size_bytes,
                                                    content, &out, (size_t)limits->output_bytes + 1);
    free(content);
    return code == LZMA_OK;
}

bool fuzz_has_whole_stream(struct ndp_bytes bytes, const struct ndp_compress_limits *limits) {
    uint64_t size = 0;
    const bool is_alone = ndp_compress_detect(bytes) == NDP_COMPRESS_LZMA && bytes.size_bytes >= ALONE_BYTES;
    if (is_alone && ndp_load_u32le(bytes.data + 1) > limits->memory_bytes) return false;
    if (ndp_zfile_detect(bytes)) return is_whole_zfile(bytes);
    if (ndp_compress_detect(bytes) == NDP_COMPRESS_XZ && !is_whole_xz(bytes, limits)) return false;
    return fuzz_unpack(bytes, &size) && size <= limits->output_bytes;
}
