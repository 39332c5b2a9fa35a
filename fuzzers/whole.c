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

enum { FRAME = 0x95, ZFILE_DIGITS = 19, ZFILE_BYTES_MAX = 1 << 20 };

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
            if (is_inside || length > pickle.size_bytes) return false;
            frame_end = at + size + length;
        }
        at += size;
    }
    return frame_end <= at;
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

bool fuzz_has_whole_stream(struct ndp_bytes bytes, uint64_t most_bytes) {
    uint64_t size = 0;
    if (ndp_zfile_detect(bytes)) return is_whole_zfile(bytes);
    return fuzz_unpack(bytes, &size) && size <= most_bytes;
}
