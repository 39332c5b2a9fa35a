/* generate_dict.c: generates dict schedules around the sizes at which a table of 8 * 2^k slots, filled to two thirds,
 * is reallocated. Source of these sizes: numba/cext/dictobject.c, D_MINSIZE and USABLE_FRACTION. */
#include "generate/generate.h"
#include "model/dict.h"

enum { LEAST_SLOTS = 8, SLOT_DOUBLINGS = 9, SAFE_ROUNDS = 4 };

static uint32_t choose_size(struct ndp_choices *choices) {
    uint32_t slots = (uint32_t)LEAST_SLOTS << ndp_choose(choices, SLOT_DOUBLINGS);
    return slots * 2 / 3 + (uint32_t)ndp_choose(choices, 3) - 1;
}

/* One type is always int64, because testees compile each pair. */
static void choose_types(struct ndp_choices *choices, struct ndp_dict_value *value) {
    static const enum ndp_dict_type types[] = {NDP_DICT_INT64, NDP_DICT_FLOAT64, NDP_DICT_UNICODE, NDP_DICT_TUPLE};
    if (ndp_choose_rarely(choices, 3)) {
        value->item = ndp_choose_rarely(choices, 2) ? NDP_DICT_ARRAY : NDP_DICT_FLOAT64;
    } else {
        value->key = types[ndp_choose(choices, NDP_ARRAY_LEN(types))];
    }
}

static void add_block(struct ndp_dict_value *value, uint32_t thread, enum ndp_dict_op op, uint32_t first,
                      uint32_t count) {
    struct ndp_dict_thread *to = &value->threads[thread];
    to->blocks[to->block_count++] = (struct ndp_dict_block){op, first, count};
}

/* Threads that share keys with each other and insert keys of their own. */
static void fill_any(struct ndp_choices *choices, uint32_t size, struct ndp_dict_value *value) {
    for (uint32_t t = 0; t < value->thread_count; t++) {
        uint32_t blocks = 1 + (uint32_t)ndp_choose(choices, NDP_DICT_MAX_BLOCKS - 1);
        bool is_own = !ndp_choose_rarely(choices, 4);
        for (uint32_t b = 0; b < blocks; b++) {
            enum ndp_dict_op op = b == 0 ? NDP_DICT_OP_SET : (enum ndp_dict_op)ndp_choose(choices, NDP_DICT_OP_COUNT);
            add_block(value, t, op, is_own ? value->initial + t * size : 0, size);
        }
    }
}

/* Concurrent reads of unchanged keys. */
static void fill_reads(struct ndp_choices *choices, struct ndp_dict_value *value) {
    for (uint32_t t = 0; t < value->thread_count; t++) {
        add_block(value, t, NDP_DICT_OP_READ, 0, value->initial + 1);
        if (ndp_choose_rarely(choices, 2)) add_block(value, t, NDP_DICT_OP_ITERATE, 0, 0);
    }
}

/* Each thread overwrites and reads existing keys of its own. */
static void fill_overwrites(struct ndp_dict_value *value) {
    uint32_t share = value->initial / value->thread_count;
    for (uint32_t t = 0; t < value->thread_count; t++) {
        add_block(value, t, NDP_DICT_OP_SET, t * share, share);
        add_block(value, t, NDP_DICT_OP_READ, t * share, share);
    }
}

enum ndp_status ndp_generate_dict(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_value *out) {
    struct ndp_dict_value *value = NDP_ARENA_NEW(arena, struct ndp_dict_value);
    if (value == NULL) return NDP_NOMEM;
    *value = (struct ndp_dict_value){.rounds = SAFE_ROUNDS, .thread_count = 1};
    choose_types(choices, value);
    uint32_t size = choose_size(choices);
    uint64_t kind = ndp_choose(choices, 4);
    /* A race that occurs by chance needs many rounds to occur reliably. */
    if (kind == 1) value->rounds = NDP_DICT_MAX_ROUNDS;
    if (kind != 0) value->thread_count = 2 + (uint32_t)ndp_choose(choices, NDP_DICT_MAX_THREADS - 1);
    uint32_t most = NDP_DICT_MAX_KEYS / 2 / (value->thread_count + 1);
    if (size > most) size = most;
    value->initial = kind >= 2 || ndp_choose_rarely(choices, 2) ? size : 0;
    if (kind <= 1) fill_any(choices, size, value);
    if (kind == 2) fill_reads(choices, value);
    if (kind == 3) fill_overwrites(value);
    *out = (struct ndp_value){.kind = NDP_VALUE_DICT, .dict = value};
    return NDP_OK;
}
