#include "oracle/memo_numbers.h"

#include <string.h>

#include "base/byteorder.h"
#include "form/pickle_ops.h"

enum { MEMOIZE = 0x94, FRAME = 0x95, INDEX_DIGITS_MAX = 8 };

/* The memo index of an opcode that puts or gets; false for another opcode, or if the index is ambiguous. */
static bool find_index(struct ndp_bytes op, uint64_t *out) {
    uint64_t index = 0;
    switch (op.data[0]) {
    case 'h': /* BINGET */
    case 'q': /* BINPUT */
        *out = op.data[1];
        return true;
    case 'j': /* LONG_BINGET */
    case 'r': /* LONG_BINPUT */
        *out = ndp_load_u32le(op.data + 1);
        return true;
    case 'g': /* GET */
    case 'p': /* PUT */
        for (uint64_t i = 1; i + 1 < op.size_bytes; i++) {
            if (op.data[i] < '0' || op.data[i] > '9' || i > INDEX_DIGITS_MAX) return false;
            index = index * 10 + (op.data[i] - UINT64_C(48));
        }
        *out = index;
        return op.size_bytes > 2;
    default:
        return false;
    }
}

/* Renumbers in place; `room` has five bytes for each opcode. */
static bool move_all(struct fuzz_ops *ops, uint32_t by, uint32_t shift, uint8_t (*room)[5]) {
    uint32_t moved = 0;
    for (uint32_t i = 0; i < ops->count && ops->list[i].data[0] != '.'; i++) {
        struct ndp_bytes *op = &ops->list[i];
        const bool puts = strchr("pqr", op->data[0]) != NULL;
        uint64_t index = 0;
        if (fuzz_op_bytes(*op) != op->size_bytes || op->data[0] == MEMOIZE || op->data[0] == FRAME) return false;
        if (op->data[0] == 0 || !strchr("pqrghj", op->data[0])) continue;
        if (!find_index(*op, &index) || index >= by) return false;
        if (index % 2 == 0) continue;
        if (index > (UINT32_MAX - by) >> shift) return false;
        uint8_t *made = room[moved++];
        made[0] = puts ? 'r' : 'j';
        ndp_store_u32le(made + 1, (uint32_t)(index << shift) + by);
        *op = (struct ndp_bytes){made, 5};
    }
    return moved > 0;
}

bool fuzz_renumber_memo(struct ndp_bytes pickle, uint32_t by, uint32_t shift, struct ndp_buffer *out) {
    static struct fuzz_ops ops;
    static uint8_t room[FUZZ_MAX_OPS][5];
    if (pickle.size_bytes == 0) return false;
    fuzz_ops_split(pickle, &ops);
    return ops.count < FUZZ_MAX_OPS && move_all(&ops, by, shift, room) && fuzz_ops_join(&ops, true, out) == NDP_OK;
}
