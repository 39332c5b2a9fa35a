/* shrink_dict.c: fewer threads, blocks and keys, simpler types. More rounds reproduce a race sooner, so rounds decrease
 * last. */
#include "generate/generate.h"
#include "model/dict.h"

#include <string.h>

/* Threads weigh most, then blocks, then operations. */
static uint64_t measure_schedule(const struct ndp_dict_value *value) {
    uint64_t blocks = 0, keys = value->initial, detail = 0;
    for (uint32_t t = 0; t < value->thread_count; t++) {
        blocks += value->threads[t].block_count;
        for (uint32_t b = 0; b < value->threads[t].block_count; b++) {
            const struct ndp_dict_block *block = &value->threads[t].blocks[b];
            keys += block->first + block->count;
            detail += (uint64_t)block->op;
        }
    }
    detail += ((uint64_t)value->key + (uint64_t)value->item) * 8;
    return (uint64_t)value->thread_count << 58 | blocks << 50 | keys << 20 | detail << 8 | value->rounds;
}

static void drop_thread(struct ndp_dict_value *value, uint32_t thread) {
    uint32_t behind = value->thread_count - thread - 1;
    memmove(&value->threads[thread], &value->threads[thread + 1], behind * sizeof value->threads[0]);
    value->thread_count--;
    memset(&value->threads[value->thread_count], 0, sizeof value->threads[0]);
}

static void drop_block(struct ndp_dict_thread *thread, uint32_t block) {
    uint32_t behind = thread->block_count - block - 1;
    memmove(&thread->blocks[block], &thread->blocks[block + 1], behind * sizeof thread->blocks[0]);
    thread->block_count--;
    memset(&thread->blocks[thread->block_count], 0, sizeof thread->blocks[0]);
}

/* Scales all key numbers. */
static void scale_keys(struct ndp_dict_value *value, uint32_t times, uint32_t by) {
    value->initial = value->initial * times / by;
    for (uint32_t t = 0; t < value->thread_count; t++) {
        for (uint32_t b = 0; b < value->threads[t].block_count; b++) {
            struct ndp_dict_block *block = &value->threads[t].blocks[b];
            uint32_t end = (block->first + block->count) * times / by;
            block->first = block->first * times / by;
            block->count = end - block->first;
        }
    }
}

/* Applies change number `index` of the whole schedule. Returns false if there is none. */
static bool change_schedule(struct ndp_dict_value *value, uint32_t index) {
    if (index == 0 && value->thread_count > 2) value->thread_count = 2;
    if (index == 1 && value->thread_count > 4) value->thread_count = 4;
    if (index == 2) value->key = value->item = NDP_DICT_INT64;
    if (index == 3) scale_keys(value, 1, 4);
    if (index == 4) scale_keys(value, 1, 2);
    if (index == 5) scale_keys(value, 3, 4);
    if (index == 6) value->initial = 0;
    return index <= 6;
}

/* Changes one block. */
static bool change_block(struct ndp_dict_value *value, uint32_t thread, uint32_t index, uint32_t change) {
    struct ndp_dict_block *block = &value->threads[thread].blocks[index];
    if (change == 0) drop_block(&value->threads[thread], index);
    if (change == 1) block->first = 0;
    if (change == 2) block->count /= 2;
    if (change == 3) block->op = NDP_DICT_OP_SET;
    return change <= 3;
}

/* Makes candidate `index`. Returns false after the last. */
static bool make_candidate(struct ndp_dict_value *value, uint32_t index) {
    enum { WHOLE = 7, BLOCK_CHANGES = 4 };
    if (index < WHOLE) return change_schedule(value, index);
    index -= WHOLE;
    if (index < value->thread_count) {
        if (value->thread_count > 1) drop_thread(value, index);
        return true;
    }
    index -= value->thread_count;
    for (uint32_t t = 0; t < value->thread_count; t++) {
        uint32_t here = value->threads[t].block_count * BLOCK_CHANGES;
        if (index < here) return change_block(value, t, index / BLOCK_CHANGES, index % BLOCK_CHANGES);
        index -= here;
    }
    if (index != 0) return false;
    if (value->rounds > 1) value->rounds /= 2;
    return true;
}

enum ndp_status ndp_shrink_dict_step(struct ndp_arena *arena, const struct ndp_descriptor *from, uint32_t step,
                                     struct ndp_descriptor *out, bool *is_done) {
    struct ndp_dict_value *value = NDP_ARENA_NEW(arena, struct ndp_dict_value);
    if (value == NULL) return NDP_NOMEM;
    uint64_t bound = measure_schedule(from->value.dict);
    *is_done = false;
    for (uint32_t index = 0;; index++) {
        *value = *from->value.dict;
        if (!make_candidate(value, index)) break;
        if (measure_schedule(value) >= bound || ndp_dict_invalid_reason(value) != NULL || step-- > 0) continue;
        *out = *from;
        out->value.dict = value;
        return NDP_OK;
    }
    *is_done = true;
    return NDP_OK;
}
