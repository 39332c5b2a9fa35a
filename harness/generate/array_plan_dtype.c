/* array_plan_dtype.c: builds the dtype that a row wishes for, and names the features of any dtype.
 *
 * A structure gets leaves until its size is in the class that the row wishes for. Its fields are then placed as the
 * kind of structure requires; a result that misses a wish is drawn again, a few times.
 */
#include "generate/array_plan_parts.h"

#include <stdio.h>
#include <string.h>

enum { MANY_FIELDS = 200, DEEP_STRUCTURES = 5, MAX_TRIES = 8 };

/* ---- features ---- */

enum ndp_plan_item ndp_plan_item_of(uint64_t itemsize_bytes) {
    if (itemsize_bytes == 0) return NDP_ITEM_ZERO;
    if (itemsize_bytes == 1) return NDP_ITEM_BYTE;
    if (itemsize_bytes <= 8) return NDP_ITEM_SMALL;
    return itemsize_bytes <= 64 ? NDP_ITEM_WIDE : NDP_ITEM_LARGE;
}

static enum ndp_plan_element element_of_struct(const struct ndp_dtype *dtype) {
    bool has_struct = false, has_subarray = false;
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        has_struct = has_struct || dtype->fields[i].dtype->kind == NDP_KIND_STRUCT;
        has_subarray = has_subarray || dtype->fields[i].dtype->kind == NDP_KIND_SUBARRAY;
    }
    if (ndp_dtype_has_object(dtype)) return NDP_ELEMENT_WITH_OBJECT;
    if (ndp_dtype_has_overlap(dtype)) return NDP_ELEMENT_OVERLAPPING;
    if (has_subarray) return NDP_ELEMENT_SUBARRAYS;
    if (has_struct) return NDP_ELEMENT_NESTED;
    if (dtype->is_aligned) return NDP_ELEMENT_ALIGNED;
    return ndp_dtype_has_padding(dtype) ? NDP_ELEMENT_PADDED : NDP_ELEMENT_PACKED;
}

enum ndp_plan_element ndp_plan_element_of(const struct ndp_dtype *dtype) {
    switch (dtype->kind) {
    case NDP_KIND_BOOL:
        return NDP_ELEMENT_BOOL;
    case NDP_KIND_INT:
        return NDP_ELEMENT_INT;
    case NDP_KIND_UINT:
        return NDP_ELEMENT_UINT;
    case NDP_KIND_FLOAT:
        return dtype->itemsize_bytes == 16 ? NDP_ELEMENT_LONGDOUBLE : NDP_ELEMENT_FLOAT;
    case NDP_KIND_COMPLEX:
        return dtype->itemsize_bytes == 32 ? NDP_ELEMENT_LONGDOUBLE : NDP_ELEMENT_COMPLEX;
    case NDP_KIND_BYTES:
        return NDP_ELEMENT_BYTES;
    case NDP_KIND_TEXT:
        return NDP_ELEMENT_TEXT;
    case NDP_KIND_VOID:
        return NDP_ELEMENT_VOID;
    case NDP_KIND_DATETIME:
        return NDP_ELEMENT_DATETIME;
    case NDP_KIND_TIMEDELTA:
        return NDP_ELEMENT_TIMEDELTA;
    case NDP_KIND_OBJECT:
        return NDP_ELEMENT_OBJECT;
    case NDP_KIND_REGISTERED:
        return NDP_ELEMENT_REGISTERED;
    case NDP_KIND_STRUCT:
        return element_of_struct(dtype);
    case NDP_KIND_SUBARRAY:
    case NDP_KIND_COUNT:
        break;
    }
    return NDP_ELEMENT_SUBARRAYS;
}

enum ndp_plan_order ndp_plan_order_of(const struct ndp_dtype *dtype) {
    const bool is_little = ndp_dtype_has_order(dtype, NDP_ORDER_LITTLE) || ndp_dtype_has_order(dtype, NDP_ORDER_NATIVE);
    const bool is_big = ndp_dtype_has_order(dtype, NDP_ORDER_BIG);
    if (is_little && is_big) return NDP_LEAVES_MIXED;
    return is_big ? NDP_LEAVES_BIG : is_little ? NDP_LEAVES_LITTLE : NDP_LEAVES_NONE;
}

static bool is_odd_name(struct ndp_bytes name) {
    for (uint64_t i = 0; i < name.size_bytes; i++) {
        const uint8_t c = name.data[i];
        if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9' && i > 0) && c != '_') return true;
    }
    return name.size_bytes == 0;
}

enum ndp_plan_notes ndp_plan_notes_of(const struct ndp_dtype *dtype) {
    uint32_t depth = 0;
    if (ndp_dtype_has_metadata(dtype)) return NDP_NOTES_METADATA;
    if (ndp_dtype_has_titles(dtype)) return NDP_NOTES_TITLES;
    if (dtype->field_count >= MANY_FIELDS) return NDP_NOTES_MANY_FIELDS;
    for (const struct ndp_dtype *inner = dtype; inner->kind == NDP_KIND_STRUCT && inner->field_count > 0;
         inner = inner->fields[0].dtype)
        depth++;
    if (depth >= DEEP_STRUCTURES) return NDP_NOTES_DEEP;
    for (uint64_t i = 0; i < dtype->field_count; i++)
        if (is_odd_name(dtype->fields[i].name)) return NDP_NOTES_ODD_NAMES;
    return NDP_NOTES_NONE;
}

/* ---- leaves ---- */

/* The bounds of an itemsize. */
struct bounds {
    uint64_t low_bytes;
    uint64_t high_bytes;
};

/* Items are small enough for several of them to be near the size that the row wishes for. */
static struct bounds bounds_of(const struct ndp_covering_row *row) {
    static const struct bounds by_item[NDP_ITEM_COUNT] = {{1, 1}, {2, 8}, {9, 64}, {65, 300}, {0, 0}};
    struct bounds bounds = by_item[row->values[NDP_PLAN_ITEM]];
    const uint64_t threshold = ndp_array_plan_threshold((enum ndp_plan_size)row->values[NDP_PLAN_SIZE]);
    uint64_t most = threshold == 64 ? 16 : threshold == 4096 ? 160 : UINT64_MAX;
    if (threshold == 1000 || threshold == 1024) most = 22;
    if (bounds.high_bytes > most) bounds.high_bytes = most;
    return bounds;
}

static uint64_t draw_multiple(struct ndp_choices *choices, struct bounds bounds, uint64_t unit) {
    const uint64_t low = (bounds.low_bytes + unit - 1) / unit, high = bounds.high_bytes / unit;
    return unit * (high > low ? ndp_choose_between(choices, low, high) : low);
}

/* A power of two within the bounds, so that a number of items has exactly the size of a threshold. */
static uint64_t draw_power(struct ndp_choices *choices, struct bounds bounds, uint64_t unit) {
    uint64_t fitting[16], count = 0;
    for (uint64_t size = unit; size <= bounds.high_bytes; size *= 2)
        if (size >= bounds.low_bytes) fitting[count++] = size;
    return count > 0 ? fitting[ndp_choose(choices, count)] : draw_multiple(choices, bounds, unit);
}

/* The itemsize of bytes, text and void. A NUL and another character need two. One item may be very long. */
static uint64_t draw_length(struct ndp_choices *choices, const struct ndp_covering_row *row, uint64_t unit) {
    static const uint64_t long_items[] = {1000, 1004, 4096, 65536};
    struct bounds bounds = bounds_of(row);
    const uint8_t content = row->values[NDP_PLAN_CONTENT];
    if (content >= NDP_CONTENT_INNER_NUL && bounds.low_bytes < 2 * unit) bounds.low_bytes = 2 * unit;
    if (row->values[NDP_PLAN_ITEM] == NDP_ITEM_LARGE && row->values[NDP_PLAN_SIZE] == NDP_SIZE_ITEM &&
        content <= NDP_CONTENT_RANDOM && ndp_choose_rarely(choices, 3))
        return long_items[ndp_choose(choices, NDP_ARRAY_LEN(long_items))];
    if (row->values[NDP_PLAN_SIDE] == NDP_SIDE_AT) return draw_power(choices, bounds, unit);
    return draw_multiple(choices, bounds, unit);
}

static uint64_t draw_itemsize(struct ndp_choices *choices, const struct ndp_covering_row *row) {
    const bool is_byte = row->values[NDP_PLAN_ITEM] == NDP_ITEM_BYTE;
    const bool is_part = row->values[NDP_PLAN_LAYOUT] == NDP_LAYOUT_PART;
    switch ((enum ndp_plan_element)row->values[NDP_PLAN_ELEMENT]) {
    case NDP_ELEMENT_UINT:
    case NDP_ELEMENT_INT:
        return is_byte ? 1 : UINT64_C(2) << ndp_choose(choices, 3);
    case NDP_ELEMENT_BOOL:
        return 1;
    case NDP_ELEMENT_REGISTERED:
        return is_byte ? 1 : 2;
    case NDP_ELEMENT_FLOAT:
        return is_part ? UINT64_C(4) << ndp_choose(choices, 2) : UINT64_C(2) << ndp_choose(choices, 3);
    case NDP_ELEMENT_COMPLEX:
        return row->values[NDP_PLAN_ITEM] == NDP_ITEM_WIDE ? 16 : 8;
    case NDP_ELEMENT_LONGDOUBLE:
        return is_part || bounds_of(row).high_bytes < 32 || !ndp_choose_rarely(choices, 3) ? 16 : 32;
    case NDP_ELEMENT_BYTES:
    case NDP_ELEMENT_VOID:
        return draw_length(choices, row, 1);
    case NDP_ELEMENT_TEXT:
        return draw_length(choices, row, 4);
    case NDP_ELEMENT_DATETIME:
    case NDP_ELEMENT_TIMEDELTA:
    case NDP_ELEMENT_OBJECT:
    case NDP_ELEMENT_PACKED:
    case NDP_ELEMENT_ALIGNED:
    case NDP_ELEMENT_PADDED:
    case NDP_ELEMENT_NESTED:
    case NDP_ELEMENT_SUBARRAYS:
    case NDP_ELEMENT_OVERLAPPING:
    case NDP_ELEMENT_WITH_OBJECT:
    case NDP_ELEMENT_COUNT:
        break;
    }
    return 8;
}

static enum ndp_byte_order draw_order(struct ndp_choices *choices, enum ndp_plan_order order) {
    if (order == NDP_LEAVES_MIXED) order = ndp_choose_rarely(choices, 2) ? NDP_LEAVES_BIG : NDP_LEAVES_LITTLE;
    if (order == NDP_LEAVES_BIG) return NDP_ORDER_BIG;
    return ndp_choose_rarely(choices, 4) ? NDP_ORDER_NATIVE : NDP_ORDER_LITTLE;
}

static void draw_unit(struct ndp_choices *choices, struct ndp_dtype *leaf) {
    leaf->unit = (enum ndp_unit)ndp_choose(choices, NDP_UNIT_COUNT);
    leaf->unit_multiple = 1;
    if (leaf->unit != NDP_UNIT_GENERIC && ndp_choose_rarely(choices, 3))
        leaf->unit_multiple = (uint32_t)ndp_choose_between(choices, 2, 1000);
}

/* A type of ml_dtypes, the package whose types users send most. Every byte is an item of each of them. */
static struct ndp_bytes draw_registered(struct ndp_choices *choices, uint64_t itemsize_bytes) {
    static const char *const bytes[] = {"ml_dtypes:float8_e5m2", "ml_dtypes:float8_e4m3fn", "ml_dtypes:int4",
                                        "ml_dtypes:uint4", "ml_dtypes:float8_e4m3b11fnuz"};
    if (itemsize_bytes == 2) return ndp_bytes_view("ml_dtypes:bfloat16");
    return ndp_bytes_view(bytes[ndp_choose(choices, NDP_ARRAY_LEN(bytes))]);
}

static enum ndp_status plan_leaf(struct ndp_arena *arena, struct ndp_choices *choices,
                                 const struct ndp_covering_row *row, const struct ndp_dtype **out) {
    static const enum ndp_kind kinds[NDP_ELEMENT_COUNT] = {
        NDP_KIND_UINT,      NDP_KIND_INT,    NDP_KIND_BOOL,      NDP_KIND_FLOAT, NDP_KIND_COMPLEX,
        NDP_KIND_FLOAT,     NDP_KIND_BYTES,  NDP_KIND_TEXT,      NDP_KIND_VOID,  NDP_KIND_DATETIME,
        NDP_KIND_TIMEDELTA, NDP_KIND_OBJECT, NDP_KIND_REGISTERED};
    struct ndp_dtype *leaf = NDP_ARENA_NEW(arena, struct ndp_dtype);
    if (leaf == NULL) return NDP_NOMEM;
    leaf->kind = kinds[row->values[NDP_PLAN_ELEMENT]];
    leaf->itemsize_bytes = draw_itemsize(choices, row);
    if (leaf->kind == NDP_KIND_FLOAT && leaf->itemsize_bytes == 32) leaf->kind = NDP_KIND_COMPLEX;
    if (leaf->kind == NDP_KIND_DATETIME || leaf->kind == NDP_KIND_TIMEDELTA) draw_unit(choices, leaf);
    if (leaf->kind == NDP_KIND_REGISTERED) leaf->registered = draw_registered(choices, leaf->itemsize_bytes);
    leaf->order = ndp_generate_leaf_order(leaf->kind, leaf->itemsize_bytes,
                                          draw_order(choices, (enum ndp_plan_order)row->values[NDP_PLAN_ORDER]));
    *out = leaf;
    return NDP_OK;
}

/* ---- structures ---- */

/* A structure in the making. */
struct draft {
    struct ndp_arena *arena;
    struct ndp_choices *choices;
    const struct ndp_covering_row *row;
    struct ndp_field *fields;
    uint64_t count;
    uint64_t capacity;
    uint64_t end_bytes; /* of the fields, packed */
};

/* Gives a leaf of at most `most_bytes` (at least 1), with a byte order or without. */
static enum ndp_status draw_field_leaf(const struct draft *draft, uint64_t most_bytes, enum ndp_plan_order order,
                                       const struct ndp_dtype **out) {
    enum { PLAIN = 5 }; /* leaves without a byte order; each part is in the order of sizes */
    static const struct {
        enum ndp_kind kind;
        uint8_t itemsize_bytes;
    } leaves[] = {{NDP_KIND_UINT, 1},     {NDP_KIND_BOOL, 1},  {NDP_KIND_INT, 1},     {NDP_KIND_BYTES, 3},
                  {NDP_KIND_VOID, 5},     {NDP_KIND_INT, 2},   {NDP_KIND_FLOAT, 2},   {NDP_KIND_UINT, 4},
                  {NDP_KIND_FLOAT, 4},    {NDP_KIND_TEXT, 4},  {NDP_KIND_INT, 8},     {NDP_KIND_FLOAT, 8},
                  {NDP_KIND_DATETIME, 8}, {NDP_KIND_TEXT, 12}, {NDP_KIND_COMPLEX, 16}};
    struct ndp_dtype *leaf = NDP_ARENA_NEW(draft->arena, struct ndp_dtype);
    if (leaf == NULL) return NDP_NOMEM;
    const bool is_ordered = order != NDP_LEAVES_NONE && most_bytes >= 2;
    const uint64_t first = is_ordered ? PLAIN : 0;
    uint64_t end = is_ordered ? NDP_ARRAY_LEN(leaves) : PLAIN;
    while (leaves[end - 1].itemsize_bytes > most_bytes) end--;
    const uint64_t at = first + ndp_choose(draft->choices, end - first);
    leaf->kind = leaves[at].kind;
    leaf->itemsize_bytes = leaves[at].itemsize_bytes;
    if (leaf->kind == NDP_KIND_DATETIME) draw_unit(draft->choices, leaf);
    /* Overlapping bytes would not be text. */
    if (leaf->kind == NDP_KIND_TEXT && draft->row->values[NDP_PLAN_ELEMENT] == NDP_ELEMENT_OVERLAPPING)
        *leaf = (struct ndp_dtype){.kind = NDP_KIND_INT, .itemsize_bytes = 4};
    leaf->order = ndp_generate_leaf_order(leaf->kind, leaf->itemsize_bytes, draw_order(draft->choices, order));
    *out = leaf;
    return NDP_OK;
}

static enum ndp_status name_field(const struct draft *draft, struct ndp_field *field) {
    const uint8_t notes = draft->row->values[NDP_PLAN_NOTES];
    char text[16];
    const int size = snprintf(text, sizeof text, "f%llu", (unsigned long long)draft->count);
    field->name = (struct ndp_bytes){ndp_arena_copy(draft->arena, text, (uint64_t)size), (uint64_t)size};
    if (field->name.data == NULL) return NDP_NOMEM;
    for (uint32_t i = 0; notes == NDP_NOTES_ODD_NAMES && i < 4 * MAX_TRIES; i++) {
        NDP_TRY(ndp_generate_name(draft->arena, draft->choices, draft->fields, draft->count, &field->name));
        if (draft->count > 0 || is_odd_name(field->name)) break;
    }
    if (notes != NDP_NOTES_TITLES || (draft->count > 0 && ndp_choose_rarely(draft->choices, 2))) return NDP_OK;
    field->has_title = true;
    const int title_size = snprintf(text, sizeof text, "t %llu", (unsigned long long)draft->count);
    field->title = (struct ndp_bytes){ndp_arena_copy(draft->arena, text, (uint64_t)title_size), (uint64_t)title_size};
    return field->title.data == NULL ? NDP_NOMEM : NDP_OK;
}

static enum ndp_status add_field(struct draft *draft, const struct ndp_dtype *dtype) {
    if (draft->count == draft->capacity) return NDP_OK;
    struct ndp_field *field = &draft->fields[draft->count];
    field->dtype = dtype;
    field->offset_bytes = draft->end_bytes;
    NDP_TRY(name_field(draft, field));
    draft->end_bytes += dtype->itemsize_bytes;
    draft->count++;
    return NDP_OK;
}

static enum ndp_status wrap_struct(const struct draft *draft, const struct ndp_dtype *inner,
                                   const struct ndp_dtype **out) {
    struct ndp_dtype *dtype = NDP_ARENA_NEW(draft->arena, struct ndp_dtype);
    struct ndp_field *field = NDP_ARENA_NEW(draft->arena, struct ndp_field);
    if (dtype == NULL || field == NULL) return NDP_NOMEM;
    *field = (struct ndp_field){.name = ndp_bytes_view("a"), .dtype = inner};
    *dtype = (struct ndp_dtype){
        .kind = NDP_KIND_STRUCT, .itemsize_bytes = inner->itemsize_bytes, .fields = field, .field_count = 1};
    *out = dtype;
    return NDP_OK;
}

/* A sub-array of up to `most_bytes`; mostly of two or three elements. */
static enum ndp_status wrap_subarray(const struct draft *draft, uint64_t most_bytes, const struct ndp_dtype *inner,
                                     const struct ndp_dtype **out) {
    static const int64_t shapes[][2] = {{3, 0}, {2, 0}, {2, 2}, {1, 2}, {1, 0}};
    struct ndp_dtype *dtype = NDP_ARENA_NEW(draft->arena, struct ndp_dtype);
    uint64_t at = ndp_choose(draft->choices, NDP_ARRAY_LEN(shapes)), count;
    for (;; at++) {
        count = (uint64_t)(shapes[at][0] * (shapes[at][1] > 0 ? shapes[at][1] : 1));
        if (at + 1 == NDP_ARRAY_LEN(shapes) || count * inner->itemsize_bytes <= most_bytes) break;
    }
    if (dtype == NULL) return NDP_NOMEM;
    *dtype = (struct ndp_dtype){.kind = NDP_KIND_SUBARRAY,
                                .itemsize_bytes = count * inner->itemsize_bytes,
                                .base = inner,
                                .shape = shapes[at],
                                .ndim = shapes[at][1] > 0 ? 2 : 1};
    *out = dtype;
    return NDP_OK;
}

/* The field that makes the structure what it is. */
static enum ndp_status add_special_field(struct draft *draft, uint64_t most_bytes, enum ndp_plan_order order) {
    static const struct ndp_dtype object = {.kind = NDP_KIND_OBJECT, .itemsize_bytes = 8};
    const uint8_t element = draft->row->values[NDP_PLAN_ELEMENT];
    const struct ndp_dtype *dtype = &object;
    if (element == NDP_ELEMENT_WITH_OBJECT) return add_field(draft, dtype);
    if (element != NDP_ELEMENT_NESTED && element != NDP_ELEMENT_SUBARRAYS) return NDP_OK;
    NDP_TRY(draw_field_leaf(draft, most_bytes < 8 ? 2 : most_bytes / 2, order, &dtype));
    if (element == NDP_ELEMENT_SUBARRAYS) {
        NDP_TRY(wrap_subarray(draft, most_bytes, dtype, &dtype));
        return add_field(draft, dtype);
    }
    uint64_t depth = 1;
    if (draft->row->values[NDP_PLAN_NOTES] == NDP_NOTES_DEEP)
        depth = ndp_choose_between(draft->choices, DEEP_STRUCTURES, 3 * DEEP_STRUCTURES);
    for (uint64_t i = 0; i < depth; i++) NDP_TRY(wrap_struct(draft, dtype, &dtype));
    return add_field(draft, dtype);
}

/* Adds fields up to a packed size that leaves room for gaps. */
static enum ndp_status add_fields(struct draft *draft, struct bounds bounds) {
    const struct ndp_covering_row *row = draft->row;
    const enum ndp_plan_order order = (enum ndp_plan_order)row->values[NDP_PLAN_ORDER];
    const uint8_t element = row->values[NDP_PLAN_ELEMENT];
    const bool has_gaps = element == NDP_ELEMENT_ALIGNED || element == NDP_ELEMENT_PADDED;
    const bool has_many = row->values[NDP_PLAN_NOTES] == NDP_NOTES_MANY_FIELDS;
    const uint64_t high = has_gaps && bounds.high_bytes > 4 ? bounds.high_bytes * 2 / 3 : bounds.high_bytes;
    const uint64_t low = bounds.low_bytes < high ? bounds.low_bytes : high;
    const uint64_t end = ndp_choose_between(draft->choices, low, high);
    const uint64_t first = order == NDP_LEAVES_MIXED && high >= 4 && end < 4 ? 4 : end;
    NDP_TRY(add_special_field(draft, order == NDP_LEAVES_MIXED && first >= 4 ? first - 2 : first, order));
    while (has_many ? draft->count < draft->capacity : draft->end_bytes < first) {
        const struct ndp_dtype *leaf = NULL;
        const uint64_t left = has_many ? 2 : first - draft->end_bytes;
        uint64_t most = order == NDP_LEAVES_MIXED && draft->count == 0 && left >= 4 ? left - 2 : left;
        if (has_many && draft->count > 1) most = 1 + ndp_choose(draft->choices, 2);
        enum ndp_plan_order own = order;
        if (order == NDP_LEAVES_MIXED && draft->count < 2) own = draft->count == 0 ? NDP_LEAVES_LITTLE : NDP_LEAVES_BIG;
        if (draft->count > 1 && ndp_choose_rarely(draft->choices, 3)) own = NDP_LEAVES_NONE;
        NDP_TRY(draw_field_leaf(draft, most, own, &leaf));
        NDP_TRY(add_field(draft, leaf));
        if (draft->count == draft->capacity) break;
    }
    return NDP_OK;
}

/* ---- placement ---- */

static uint64_t round_up(uint64_t value, uint64_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

static void place_aligned(struct draft *draft, struct ndp_dtype *dtype) {
    uint64_t at = 0, alignment = 1;
    for (uint64_t i = 0; i < draft->count; i++) {
        const uint64_t own = ndp_dtype_alignment(draft->fields[i].dtype);
        draft->fields[i].offset_bytes = round_up(at, own);
        at = draft->fields[i].offset_bytes + draft->fields[i].dtype->itemsize_bytes;
        if (own > alignment) alignment = own;
    }
    dtype->is_aligned = true;
    dtype->itemsize_bytes = round_up(at, alignment);
}

static void place_padded(struct draft *draft, struct ndp_dtype *dtype, uint64_t high_bytes) {
    uint64_t room = high_bytes > draft->end_bytes ? high_bytes - draft->end_bytes : 1, at = 0;
    for (uint64_t i = 0; i < draft->count; i++) {
        const uint64_t gap = ndp_choose(draft->choices, (room < 5 ? room : 5) + 1);
        room -= gap;
        draft->fields[i].offset_bytes = at + gap;
        at += gap + draft->fields[i].dtype->itemsize_bytes;
    }
    dtype->itemsize_bytes = at + (at == draft->end_bytes ? 1 : ndp_choose(draft->choices, (room < 5 ? room : 5) + 1));
}

/* A union, the reverse order, or neighbours that overlap. */
static void place_overlapping(struct draft *draft, struct ndp_dtype *dtype) {
    const uint64_t style = ndp_choose(draft->choices, 3);
    uint64_t at = 0, end = 0;
    for (uint64_t i = 0; i < draft->count; i++) {
        struct ndp_field *field = &draft->fields[i];
        if (style == 0 && i == 0 && draft->count > 1) at = 1;
        if (style == 1 && i > 0) at = 0;
        if (style == 2) at = draft->end_bytes - field->offset_bytes - field->dtype->itemsize_bytes;
        field->offset_bytes = at;
        if (at + field->dtype->itemsize_bytes > end) end = at + field->dtype->itemsize_bytes;
        at = style == 0 && end > 0 ? end - 1 : end;
    }
    dtype->itemsize_bytes = style == 2 ? draft->end_bytes : end;
}

static void place_fields(struct draft *draft, struct ndp_dtype *dtype, struct bounds bounds) {
    const uint8_t element = draft->row->values[NDP_PLAN_ELEMENT];
    dtype->itemsize_bytes = draft->end_bytes;
    if (element == NDP_ELEMENT_ALIGNED) place_aligned(draft, dtype);
    if (element == NDP_ELEMENT_PADDED) place_padded(draft, dtype, bounds.high_bytes);
    if (element == NDP_ELEMENT_OVERLAPPING) place_overlapping(draft, dtype);
}

static enum ndp_status plan_struct(struct ndp_arena *arena, struct ndp_choices *choices,
                                   const struct ndp_covering_row *row, struct ndp_dtype **out) {
    enum { MAX_FIELDS = 48 };
    const struct bounds bounds = bounds_of(row);
    const bool has_many = row->values[NDP_PLAN_NOTES] == NDP_NOTES_MANY_FIELDS;
    struct draft draft = {.arena = arena, .choices = choices, .row = row};
    draft.capacity = has_many ? ndp_choose_between(choices, 250, 260) : MAX_FIELDS;
    draft.fields = NDP_ARENA_ITEMS(arena, struct ndp_field, draft.capacity);
    struct ndp_dtype *dtype = NDP_ARENA_NEW(arena, struct ndp_dtype);
    if (draft.fields == NULL || dtype == NULL) return NDP_NOMEM;
    dtype->kind = NDP_KIND_STRUCT;
    if (row->values[NDP_PLAN_ITEM] != NDP_ITEM_ZERO) NDP_TRY(add_fields(&draft, bounds));
    place_fields(&draft, dtype, bounds);
    dtype->fields = draft.fields;
    dtype->field_count = draft.count;
    *out = dtype;
    return NDP_OK;
}

static bool is_as_wished(const struct ndp_covering_row *row, const struct ndp_dtype *dtype) {
    return ndp_plan_element_of(dtype) == row->values[NDP_PLAN_ELEMENT] &&
           ndp_plan_item_of(dtype->itemsize_bytes) == row->values[NDP_PLAN_ITEM] &&
           ndp_plan_order_of(dtype) == row->values[NDP_PLAN_ORDER] &&
           dtype->itemsize_bytes <= bounds_of(row).high_bytes + MANY_FIELDS * 4;
}

/* Adds metadata to the dtype, or to the type of one of its fields. */
static enum ndp_status add_metadata(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_dtype *dtype) {
    static const char *const texts[] = {"{\"a\":1}", "{\"unit\":\"m\"}", "{\"x\":[1,2,3]}", "{\"\xc3\xa9\":null}"};
    struct ndp_dtype *target = dtype;
    if (dtype->field_count > 0 && ndp_choose_rarely(choices, 2)) {
        struct ndp_field *fields = ndp_arena_copy(arena, dtype->fields, dtype->field_count * sizeof *fields);
        struct ndp_field *field = fields != NULL ? &fields[ndp_choose(choices, dtype->field_count)] : NULL;
        target = field != NULL ? ndp_arena_copy(arena, field->dtype, sizeof *target) : NULL;
        if (target == NULL) return NDP_NOMEM;
        field->dtype = target;
        dtype->fields = fields;
    }
    target->metadata = ndp_bytes_view(texts[ndp_choose(choices, NDP_ARRAY_LEN(texts))]);
    return NDP_OK;
}

enum ndp_status ndp_plan_dtype(struct ndp_arena *arena, struct ndp_choices *choices, const struct ndp_covering_row *row,
                               const struct ndp_dtype **out) {
    struct ndp_dtype *dtype = NULL;
    if (row->values[NDP_PLAN_ELEMENT] < NDP_ELEMENT_PACKED) {
        const struct ndp_dtype *leaf = NULL;
        NDP_TRY(plan_leaf(arena, choices, row, &leaf));
        dtype = ndp_arena_copy(arena, leaf, sizeof *leaf);
        if (dtype == NULL) return NDP_NOMEM;
    }
    for (uint32_t i = 0; row->values[NDP_PLAN_ELEMENT] >= NDP_ELEMENT_PACKED && i < MAX_TRIES; i++) {
        NDP_TRY(plan_struct(arena, choices, row, &dtype));
        if (is_as_wished(row, dtype)) break;
    }
    if (row->values[NDP_PLAN_NOTES] == NDP_NOTES_METADATA) NDP_TRY(add_metadata(arena, choices, dtype));
    *out = dtype;
    return NDP_OK;
}
