/* generate_leaf.c: leaves of a dtype: every kind and size NumPy has: clauses 8.2 of corpus/README.md. */
#include "generate/generate_parts.h"

#include <string.h>

/* The first row is the simplest. Size 0 here means that the size is drawn. */
static const struct leaf_row {
    enum ndp_kind kind;
    uint8_t itemsize_bytes;
    uint8_t weight;
} leaf_rows[] = {
    {NDP_KIND_UINT, 1, 4},      {NDP_KIND_INT, 1, 2},     {NDP_KIND_INT, 2, 2},      {NDP_KIND_INT, 4, 5},
    {NDP_KIND_INT, 8, 4},       {NDP_KIND_UINT, 2, 2},    {NDP_KIND_UINT, 4, 3},     {NDP_KIND_UINT, 8, 2},
    {NDP_KIND_BOOL, 1, 4},      {NDP_KIND_FLOAT, 2, 2},   {NDP_KIND_FLOAT, 4, 4},    {NDP_KIND_FLOAT, 8, 6},
    {NDP_KIND_FLOAT, 16, 4},    {NDP_KIND_COMPLEX, 8, 4}, {NDP_KIND_COMPLEX, 16, 4}, {NDP_KIND_COMPLEX, 32, 2},
    {NDP_KIND_BYTES, 0, 5},     {NDP_KIND_TEXT, 0, 7},    {NDP_KIND_VOID, 0, 5},     {NDP_KIND_DATETIME, 8, 5},
    {NDP_KIND_TIMEDELTA, 8, 4}, {NDP_KIND_OBJECT, 8, 4},
};

enum ndp_byte_order ndp_leaf_order(enum ndp_kind kind, uint64_t itemsize_bytes, enum ndp_byte_order order) {
    bool is_plain = kind == NDP_KIND_BYTES || kind == NDP_KIND_VOID || kind == NDP_KIND_OBJECT ||
                    kind == NDP_KIND_STRUCT || kind == NDP_KIND_SUBARRAY;
    if (is_plain || (itemsize_bytes == 1 && kind != NDP_KIND_TEXT)) return NDP_ORDER_NONE;
    return order;
}

static enum ndp_byte_order draw_order(struct ndp_choices *choices) {
    static const enum ndp_byte_order orders[] = {NDP_ORDER_LITTLE, NDP_ORDER_BIG, NDP_ORDER_NATIVE};
    return orders[ndp_choose_weighted(choices, (const uint8_t[]){5, 5, 2}, 3)];
}

/* Lengths of S, U and V in characters: mostly a few, 0 and 1 often enough to matter, and those at which counters
 * turn over and at which one item fills a buffer. */
static uint64_t draw_length(struct ndp_choices *choices) {
    static const uint64_t large[] = {127, 128, 255, 256, 257, 1000, 1001, 4096, 65535, 65536};
    switch (ndp_choose_weighted(choices, (const uint8_t[]){8, 4, 16, 6, 1}, 5)) {
    case 0:
        return 1;
    case 1:
        return 0;
    case 2:
        return ndp_choose_between(choices, 2, 8);
    case 3:
        return ndp_choose_between(choices, 9, 40);
    default:
        return large[ndp_choose(choices, NDP_ARRAY_LEN(large))];
    }
}

static void draw_unit(struct ndp_choices *choices, struct ndp_dtype *leaf) {
    static const uint32_t multiples[] = {1, 2, 7, 10, 25, 60, 1000, 0x7fffffff};
    leaf->unit = (enum ndp_unit)ndp_choose(choices, NDP_UNIT_COUNT);
    leaf->unit_multiple = 1;
    if (leaf->unit != NDP_UNIT_GENERIC && ndp_choose_rarely(choices, 3)) {
        leaf->unit_multiple = multiples[ndp_choose(choices, NDP_ARRAY_LEN(multiples))];
    }
}

static void fill_leaf(struct ndp_choices *choices, const struct leaf_row *row, struct ndp_dtype *leaf) {
    leaf->kind = row->kind;
    leaf->itemsize_bytes = row->itemsize_bytes;
    if (row->itemsize_bytes == 0) leaf->itemsize_bytes = draw_length(choices) * (row->kind == NDP_KIND_TEXT ? 4 : 1);
    if (row->kind == NDP_KIND_DATETIME || row->kind == NDP_KIND_TIMEDELTA) draw_unit(choices, leaf);
    leaf->order = ndp_leaf_order(leaf->kind, leaf->itemsize_bytes, draw_order(choices));
}

/* A leaf that does not fit becomes one that always does, rather than being drawn again: a choice is made
 * once, so that fuzzer bytes keep their meaning. */
static void shrink_to_fit(struct ndp_dtype_wish wish, struct ndp_dtype *leaf) {
    bool is_object = leaf->kind == NDP_KIND_OBJECT && wish.without_objects;
    if (leaf->itemsize_bytes <= wish.max_itemsize_bytes && !is_object) return;
    bool is_flexible = leaf->kind == NDP_KIND_BYTES || leaf->kind == NDP_KIND_VOID || leaf->kind == NDP_KIND_TEXT;
    if (is_flexible) {
        uint64_t unit = leaf->kind == NDP_KIND_TEXT ? 4 : 1;
        leaf->itemsize_bytes = wish.max_itemsize_bytes / unit * unit;
        return;
    }
    *leaf = (struct ndp_dtype){.kind = NDP_KIND_UINT, .itemsize_bytes = 1};
    if (wish.max_itemsize_bytes == 0) *leaf = (struct ndp_dtype){.kind = NDP_KIND_VOID};
}

enum ndp_status ndp_generate_leaf(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_dtype_wish wish,
                                  const struct ndp_dtype **out) {
    uint8_t weights[NDP_ARRAY_LEN(leaf_rows)];
    for (size_t i = 0; i < NDP_ARRAY_LEN(leaf_rows); i++) weights[i] = leaf_rows[i].weight;
    struct ndp_dtype *leaf = NDP_ARENA_NEW(arena, struct ndp_dtype);
    if (leaf == NULL) return NDP_NOMEM;
    uint32_t row = ndp_choose_weighted(choices, weights, NDP_ARRAY_LEN(leaf_rows));
    fill_leaf(choices, &leaf_rows[row], leaf);
    shrink_to_fit(wish, leaf);
    *out = leaf;
    return NDP_OK;
}

/* Leaves that can look at bytes of any content; no bool, because a view as bool is built by the same rule. */
static const struct leaf_row cast_rows[] = {
    {NDP_KIND_UINT, 1, 4},    {NDP_KIND_INT, 2, 2},      {NDP_KIND_INT, 4, 3},      {NDP_KIND_INT, 8, 3},
    {NDP_KIND_UINT, 2, 2},    {NDP_KIND_UINT, 8, 2},     {NDP_KIND_FLOAT, 4, 3},    {NDP_KIND_FLOAT, 8, 3},
    {NDP_KIND_COMPLEX, 8, 2}, {NDP_KIND_COMPLEX, 16, 2}, {NDP_KIND_DATETIME, 8, 1}, {NDP_KIND_FLOAT, 16, 1},
    {NDP_KIND_BOOL, 1, 1},
};

enum ndp_status ndp_generate_dtype_of_size(struct ndp_arena *arena, struct ndp_choices *choices,
                                           uint64_t itemsize_bytes, const struct ndp_dtype **out) {
    struct ndp_dtype *leaf = NDP_ARENA_NEW(arena, struct ndp_dtype);
    if (leaf == NULL) return NDP_NOMEM;
    uint8_t weights[NDP_ARRAY_LEN(cast_rows)];
    bool any_size = ndp_choose_rarely(choices, 3);
    uint32_t fitting = 0;
    for (size_t i = 0; i < NDP_ARRAY_LEN(cast_rows); i++) {
        bool fits = any_size || cast_rows[i].itemsize_bytes == itemsize_bytes;
        weights[i] = fits ? cast_rows[i].weight : 0;
        fitting += fits;
    }
    bool as_raw = ndp_choose_rarely(choices, 6);
    if (fitting == 0 || as_raw) {
        leaf->kind = ndp_choose_rarely(choices, 2) ? NDP_KIND_BYTES : NDP_KIND_VOID;
        leaf->itemsize_bytes = itemsize_bytes;
    } else {
        fill_leaf(choices, &cast_rows[ndp_choose_weighted(choices, weights, NDP_ARRAY_LEN(cast_rows))], leaf);
    }
    *out = leaf;
    return NDP_OK;
}
