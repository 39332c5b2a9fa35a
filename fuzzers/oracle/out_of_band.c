#include "oracle/out_of_band.h"

#include <string.h>

#include "form/ops.h"
#include "fuzz.h"
#include "oracle/same_array.h"

enum { BYTEARRAY8 = 0x96, HEAD_BYTES = 9, PROTO = 0x80 };

/* The buffer of a read-only one, which is dropped, stays as it is. */
static const struct ndp_bytes next_buffer = {(const uint8_t *)"\x97\x32\x98\x30", 4};
static const struct ndp_bytes dropped = {(const uint8_t *)"\x97\x30", 2};

static void replace(struct fuzz_ops *ops, struct fuzz_out_of_band *out) {
    for (uint32_t i = 0; i < ops->count && out->count < FUZZ_MAX_BUFFERS; i++) {
        struct ndp_bytes *op = &ops->list[i];
        if (op->data[0] != BYTEARRAY8 || fuzz_op_bytes(*op) != op->size_bytes) continue;
        out->buffers[out->count++].bytes = (struct ndp_bytes){op->data + HEAD_BYTES, op->size_bytes - HEAD_BYTES};
        *op = next_buffer;
    }
}

/* Puts the buffer that is dropped behind the protocol. It has the size of the second and other bytes. */
static bool drop_first(struct ndp_arena *arena, struct fuzz_ops *ops, struct fuzz_out_of_band *out) {
    const struct ndp_bytes second = out->buffers[1].bytes;
    uint8_t *other = ndp_arena_alloc(arena, second.size_bytes);
    if (!other || ops->count == FUZZ_MAX_OPS || ops->list[0].data[0] != PROTO) return false;
    for (uint64_t i = 0; i < second.size_bytes; i++) other[i] = (uint8_t)~second.data[i];
    out->buffers[0].bytes = (struct ndp_bytes){other, second.size_bytes};
    memmove(&ops->list[2], &ops->list[1], (ops->count - 1) * sizeof ops->list[0]);
    ops->list[1] = dropped;
    ops->count++;
    return true;
}

bool fuzz_take_out(struct ndp_arena *arena, struct ndp_bytes pickle, struct fuzz_out_of_band *out) {
    if (pickle.size_bytes == 0 || !memchr(pickle.data, BYTEARRAY8, (size_t)pickle.size_bytes)) return false;
    struct fuzz_ops *ops = NDP_ARENA_NEW(arena, struct fuzz_ops);
    struct ndp_buffer made = {.max_bytes = 2 * pickle.size_bytes};
    if (!ops) return false;
    fuzz_ops_split(pickle, ops);
    *out = (struct fuzz_out_of_band){.count = 1};
    replace(ops, out);
    bool is_made = out->count > 1 && drop_first(arena, ops, out) && fuzz_ops_join(ops, true, &made) == NDP_OK;
    out->pickle = (struct ndp_bytes){ndp_arena_copy(arena, made.data, made.size_bytes), made.size_bytes};
    is_made = is_made && out->pickle.data != NULL;
    ndp_buffer_clear(&made);
    return is_made;
}

bool fuzz_same_pickled(const struct ndp_pickle_array *a, const struct ndp_pickle_array *b) {
    return ndp_dtype_compare(a->dtype, b->dtype, NULL) == 0 && a->layout.ndim == b->layout.ndim &&
           memcmp(a->layout.shape, b->layout.shape, a->layout.ndim * sizeof a->layout.shape[0]) == 0 &&
           a->size_bytes == b->size_bytes &&
           fuzz_same_elements(&(struct ndp_elements){a->dtype, &a->layout, a->data},
                              &(struct ndp_elements){b->dtype, &b->layout, b->data});
}

/* Gives other bytes in the place of all, which nobody may write to. */
static bool close_all(struct ndp_arena *arena, struct fuzz_out_of_band *made) {
    for (uint32_t i = 0; i < made->count; i++) {
        const struct ndp_bytes old = made->buffers[i].bytes;
        uint8_t *other = ndp_arena_alloc(arena, old.size_bytes);
        if (!other) return false;
        for (uint64_t k = 0; k < old.size_bytes; k++) other[k] = (uint8_t)~old.data[k];
        made->buffers[i].bytes.data = other;
        made->buffers[i].is_readonly = true;
    }
    return true;
}

void fuzz_check_out_of_band(struct ndp_arena *arena, struct ndp_bytes pickle, const struct ndp_pickle_array *array) {
    const struct ndp_bytes taken = {pickle.data, array->consumed_bytes};
    struct fuzz_out_of_band made;
    struct ndp_pickle_array next = {0};
    if (!fuzz_take_out(arena, taken, &made)) return;
    const struct ndp_pickle_input input = {made.buffers, made.count};
    if (FUZZ_HOLDS(ndp_pickle_decode_memory(arena, made.pickle, &input, &next, NULL) == NDP_OK))
        FUZZ_HOLDS(fuzz_same_pickled(array, &next) && (next.is_writeable || !array->is_writeable));
    ndp_pickle_array_clear(&next);
    /* What can still be written to has nothing of them. */
    if (close_all(arena, &made) && ndp_pickle_decode_memory(arena, made.pickle, &input, &next, NULL) == NDP_OK)
        FUZZ_HOLDS(!next.is_writeable || fuzz_same_pickled(array, &next));
    ndp_pickle_array_clear(&next);
}
