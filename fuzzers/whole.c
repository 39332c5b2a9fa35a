#include "whole.h"

#include <iconv.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/byteorder.h"
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

/* No number is nothing: a sum of them changes with any that is added. */
static uint64_t mix(uint64_t number) {
    number += UINT64_C(0x632be59bd9b4e019);
    number *= UINT64_C(0x9e3779b97f4a7c15);
    return (number ^ number >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
}

/* An integer in decimal of at most 18 digits, perhaps with an L behind it. */
static bool read_line(struct ndp_bytes line, uint64_t *sum) {
    char text[24] = "", *end;
    const uint64_t size = line.size_bytes;
    if (size == 0 || size > 20) return false;
    memcpy(text, line.data, (size_t)size);
    const long long number = strtoll(text, &end, 10);
    *sum += mix((uint64_t)number);
    return (*text == '-' || (*text >= '0' && *text <= '9')) && (*end == '\n' || (*end == 'L' && end[1] == '\n'));
}

static bool add_little(struct ndp_bytes bytes, bool is_signed, uint64_t *sum) {
    uint64_t value = 0;
    if (bytes.size_bytes > 8) return false;
    if (is_signed && bytes.size_bytes > 0 && bytes.data[bytes.size_bytes - 1] >= 0x80) value = UINT64_MAX;
    for (uint64_t i = bytes.size_bytes; i > 0; i--) value = value << 8 | bytes.data[i - 1];
    *sum += mix(value);
    return true;
}

/* Adds what an opcode pushes; false when nobody can say what becomes of numbers. */
static bool add_number(struct ndp_bytes op, uint64_t *sum) {
    const struct ndp_bytes argument = {op.data + 1, op.size_bytes - 1};
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
        return add_little(argument, false, sum);
    case 'J':
        return add_little(argument, true, sum);
    case 0x8a: /* LONG1 */
        return add_little((struct ndp_bytes){op.data + 2, op.size_bytes - 2}, true, sum);
    case 0x8b: /* LONG4 */
        return add_little((struct ndp_bytes){op.data + 5, op.size_bytes - 5}, true, sum);
    case 'I': /* 00 and 01 are truths */
        if (argument.size_bytes == 3 && argument.data[0] == '0') return true;
        return read_line(argument, sum);
    case 'L':
        return read_line(argument, sum);
    default:
        return true;
    }
}

static bool add_numbers(struct ndp_bytes rest, uint64_t *sum) {
    while (rest.size_bytes > 0) {
        const uint64_t size = fuzz_op_bytes(rest);
        if (size == 0 || !add_number((struct ndp_bytes){rest.data, size}, sum)) return false;
        if (rest.data[0] == '.') return true;
        rest = (struct ndp_bytes){rest.data + size, rest.size_bytes - size};
    }
    return false;
}

bool fuzz_has_same_numbers(struct ndp_bytes a, struct ndp_bytes b) {
    uint64_t first = 0, second = 0;
    return !add_numbers(a, &first) || !add_numbers(b, &second) || first == second;
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

bool fuzz_has_whole_stream(struct ndp_bytes bytes, const struct ndp_compress_limits *limits) {
    uint64_t size = 0;
    const bool is_alone = ndp_compress_detect(bytes) == NDP_COMPRESS_LZMA && bytes.size_bytes >= ALONE_BYTES;
    if (is_alone && ndp_load_u32le(bytes.data + 1) > limits->memory_bytes) return false;
    if (ndp_zfile_detect(bytes)) return is_whole_zfile(bytes);
    return fuzz_unpack(bytes, &size) && size <= limits->output_bytes;
}
