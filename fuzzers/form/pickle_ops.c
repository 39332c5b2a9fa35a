#include "form/pickle_ops.h"

#include <string.h>

#include "base/byteorder.h"

enum { FRAME = 0x95, FRAME_BYTES = 9 };

enum argument { NO_OPCODE, NONE, FIXED, LINE, TWO_LINES, COUNTED };

struct shape {
    enum argument argument;
    uint8_t bytes;
};

/* The argument of each opcode; a byte without an entry is no opcode. */
static const struct {
    char ops[40];
    struct shape shape;
} arguments[] = {
    {"(.012NQRabdelost)}]u", {NONE, 0}},
    {"\x81\x85\x86\x87\x88\x89\x8f\x90\x91\x92\x93\x94\x97\x98", {NONE, 0}},
    {"Khq\x80\x82", {FIXED, 1}},
    {"M\x83", {FIXED, 2}},
    {"Jjr\x84", {FIXED, 4}},
    {"G\x95", {FIXED, 8}},
    {"FILPSVgp", {LINE, 0}},
    {"ci", {TWO_LINES, 0}},
    {"CU\x8a\x8c", {COUNTED, 1}},
    {"BTX\x8b", {COUNTED, 4}},
    {"\x8d\x8e\x96", {COUNTED, 8}},
};

static uint64_t line_bytes(struct ndp_bytes bytes, uint64_t from) {
    const uint8_t *end =
        from < bytes.size_bytes ? memchr(bytes.data + from, '\n', (size_t)(bytes.size_bytes - from)) : NULL;
    return end ? (uint64_t)(end - bytes.data) + 1 : bytes.size_bytes + 1;
}

static struct shape shape_of(uint8_t opcode) {
    static struct shape shapes[256];
    static bool is_filled;
    for (size_t row = 0; !is_filled && row < NDP_ARRAY_LEN(arguments); row++)
        for (const char *op = arguments[row].ops; *op; op++) shapes[(uint8_t)*op] = arguments[row].shape;
    is_filled = true;
    return shapes[opcode];
}

uint64_t fuzz_op_bytes(struct ndp_bytes bytes) {
    const struct shape shape = shape_of(bytes.data[0]);
    uint64_t size = 1, length = 0;
    switch (shape.argument) {
    case NO_OPCODE:
        return 0;
    case NONE:
        break;
    case FIXED:
        size += shape.bytes;
        break;
    case LINE:
        size = line_bytes(bytes, 1);
        break;
    case TWO_LINES:
        size = line_bytes(bytes, line_bytes(bytes, 1));
        break;
    case COUNTED:
        if (bytes.size_bytes < 1U + shape.bytes) return 0;
        for (uint64_t i = shape.bytes; i > 0; i--) length = length << 8 | bytes.data[i];
        if (length > bytes.size_bytes) return 0;
        size += shape.bytes + length;
        break;
    }
    return size <= bytes.size_bytes ? size : 0;
}

void fuzz_ops_split(struct ndp_bytes bytes, struct fuzz_ops *out) {
    out->count = 0;
    while (bytes.size_bytes > 0 && out->count < FUZZ_MAX_OPS) {
        uint64_t size = fuzz_op_bytes(bytes);
        if (size == 0 || out->count == FUZZ_MAX_OPS - 1) size = bytes.size_bytes;
        out->list[out->count++] = (struct ndp_bytes){bytes.data, size};
        bytes.data += size;
        bytes.size_bytes -= size;
    }
}

enum ndp_status fuzz_ops_join(const struct fuzz_ops *ops, bool is_honest, struct ndp_buffer *out) {
    uint64_t frame_at = UINT64_MAX;
    for (uint32_t i = 0; i <= ops->count; i++) {
        const bool is_frame = i < ops->count && ops->list[i].size_bytes == FRAME_BYTES && ops->list[i].data[0] == FRAME;
        if ((is_frame || i == ops->count) && frame_at != UINT64_MAX && is_honest)
            ndp_store_u64le(out->data + frame_at + 1, out->size_bytes - frame_at - FRAME_BYTES);
        if (is_frame) frame_at = out->size_bytes;
        if (i < ops->count) NDP_TRY(ndp_buffer_add(out, ops->list[i].data, ops->list[i].size_bytes));
    }
    return NDP_OK;
}
