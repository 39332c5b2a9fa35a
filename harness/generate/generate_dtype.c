/* generate_dtype.c: generates dtypes: leaves, structures, sub-arrays, metadata. Source: clauses 8.2 and 8.3 of
 * corpus/index.json. */
#include "generate/generate_parts.h"

#include <string.h>

/* Choice of the fields of one structure. Flat styles exercise rules for structures whose fields all have one byte
 * order. */
enum field_style { FIELDS_ANY, FIELDS_FLAT, FIELDS_FLAT_BIG, FIELDS_FLAT_LITTLE, FIELDS_SUBARRAYS };

/* Layout of the fields. */
enum layout_style {
    LAYOUT_PACKED,
    LAYOUT_ALIGNED,
    LAYOUT_GAPS,
    LAYOUT_TAIL,
    LAYOUT_REVERSED,
    LAYOUT_OVERLAPPING,
    LAYOUT_UNION,
};

static enum ndp_status generate_struct(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_dtype_wish wish,
                                       const struct ndp_dtype **out);

static void draw_metadata(struct ndp_choices *choices, uint64_t one_in, struct ndp_dtype *dtype) {
    static const char *const texts[] = {"{\"a\":1}", "{\"unit\":\"m\"}", "{\"x\":[1,2,3]}", "{\"\xc3\xa9\":null}"};
    if (!ndp_choose_rarely(choices, one_in)) return;
    dtype->metadata = ndp_bytes_view(texts[ndp_choose(choices, NDP_ARRAY_LEN(texts))]);
}

/* Generates a multi-byte number, so that each field of the structure has a byte order. */
static enum ndp_status generate_number(struct ndp_arena *arena, struct ndp_choices *choices, uint64_t max_bytes,
                                       const struct ndp_dtype **out) {
    static const struct {
        enum ndp_kind kind;
        uint8_t itemsize_bytes;
    } numbers[] = {{NDP_KIND_INT, 2},  {NDP_KIND_INT, 4},   {NDP_KIND_FLOAT, 8},    {NDP_KIND_UINT, 8},
                   {NDP_KIND_UINT, 2}, {NDP_KIND_FLOAT, 4}, {NDP_KIND_COMPLEX, 16}, {NDP_KIND_FLOAT, 2}};
    struct ndp_dtype *leaf = NDP_ARENA_NEW(arena, struct ndp_dtype);
    if (leaf == NULL) return NDP_NOMEM;
    uint64_t drawn = ndp_choose(choices, NDP_ARRAY_LEN(numbers));
    if (numbers[drawn].itemsize_bytes > max_bytes) drawn = 0;
    *leaf = (struct ndp_dtype){
        .kind = numbers[drawn].kind, .itemsize_bytes = numbers[drawn].itemsize_bytes, .order = NDP_ORDER_LITTLE};
    if (max_bytes < 2) *leaf = (struct ndp_dtype){.kind = NDP_KIND_VOID, .itemsize_bytes = max_bytes};
    *out = leaf;
    return NDP_OK;
}

static enum ndp_status generate_subarray(struct ndp_arena *arena, struct ndp_choices *choices,
                                         struct ndp_dtype_wish wish, const struct ndp_dtype **out) {
    static const struct {
        uint8_t ndim;
        uint8_t count;
        int64_t shape[3];
    } shapes[] = {{1, 1, {1}},    {1, 2, {2}},    {1, 3, {3}},    {1, 0, {0}},       {2, 4, {2, 2}},
                  {2, 6, {2, 3}}, {2, 1, {1, 1}}, {2, 0, {2, 0}}, {3, 4, {2, 1, 2}}, {1, 5, {5}}};
    uint64_t drawn = ndp_choose(choices, NDP_ARRAY_LEN(shapes));
    struct ndp_dtype_wish inner = wish;
    if (shapes[drawn].count > 1) inner.max_itemsize_bytes /= shapes[drawn].count;
    inner.depth_left = wish.depth_left > 0 ? wish.depth_left - 1 : 0;

    const struct ndp_dtype *base = NULL;
    static const uint8_t weights[] = {14, 3, 1};
    uint32_t kind = wish.depth_left == 0 ? 0 : ndp_choose_weighted(choices, weights, 3);
    if (kind == 1)
        NDP_TRY(generate_struct(arena, choices, inner, &base));
    else if (kind == 2)
        NDP_TRY(generate_subarray(arena, choices, inner, &base));
    else
        NDP_TRY(ndp_generate_leaf(arena, choices, inner, &base));

    /* NumPy creates sub-arrays with zero-size items from structures only. */
    static const struct ndp_dtype empty = {.kind = NDP_KIND_STRUCT};
    if (base->itemsize_bytes == 0 && base->kind != NDP_KIND_STRUCT) base = &empty;
    struct ndp_dtype *dtype = NDP_ARENA_NEW(arena, struct ndp_dtype);
    int64_t *shape = ndp_arena_copy(arena, shapes[drawn].shape, shapes[drawn].ndim * sizeof *shape);
    if (dtype == NULL || shape == NULL) return NDP_NOMEM;
    *dtype = (struct ndp_dtype){.kind = NDP_KIND_SUBARRAY,
                                .itemsize_bytes = base->itemsize_bytes * shapes[drawn].count,
                                .base = base,
                                .shape = shape,
                                .ndim = shapes[drawn].ndim};
    *out = dtype;
    return NDP_OK;
}

static enum ndp_status generate_field_dtype(struct ndp_arena *arena, struct ndp_choices *choices,
                                            enum field_style style, struct ndp_dtype_wish wish,
                                            const struct ndp_dtype **out) {
    if (style == FIELDS_FLAT_BIG) return generate_number(arena, choices, wish.max_itemsize_bytes, out);
    if (style == FIELDS_SUBARRAYS) return generate_subarray(arena, choices, wish, out);
    if (style == FIELDS_ANY && wish.depth_left > 0) {
        wish.depth_left--;
        const uint32_t choice = ndp_choose_weighted(choices, (const uint8_t[]){16, 3, 3}, 3);
        if (choice == 1) return generate_struct(arena, choices, wish, out);
        if (choice == 2) return generate_subarray(arena, choices, wish, out);
    }
    return ndp_generate_leaf(arena, choices, wish, out);
}

/* The number of fields. Large numbers change the header version or the width of memo indices. */
static uint64_t draw_field_count(struct ndp_choices *choices, bool is_outermost) {
    static const uint64_t many[] = {255, 256, 257, 1000};
    const uint32_t choice = ndp_choose_weighted(choices, (const uint8_t[]){20, 28, 22, 14, 4, 11, 1}, 7);
    if (choice < 4) return choice + 1;
    if (choice == 4) return 0;
    if (choice == 5) return ndp_choose_between(choices, 5, 9);
    if (!is_outermost || !ndp_choose_rarely(choices, 4)) return ndp_choose_between(choices, 10, 40);
    return many[ndp_choose(choices, NDP_ARRAY_LEN(many))];
}

static uint64_t round_up(uint64_t value, uint64_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

/* Returns the offset of a field after a field that ends at `at`. */
static uint64_t place_field(struct ndp_choices *choices, enum layout_style style, const struct ndp_dtype *dtype,
                            uint64_t at_bytes) {
    switch (style) {
    case LAYOUT_ALIGNED:
        return round_up(at_bytes, ndp_dtype_alignment(dtype));
    case LAYOUT_GAPS:
        return at_bytes + ndp_choose(choices, 6);
    case LAYOUT_OVERLAPPING:
        return at_bytes - ndp_choose(choices, at_bytes < 4 ? at_bytes + 1 : 4);
    case LAYOUT_UNION:
        return 0;
    case LAYOUT_PACKED:
    case LAYOUT_TAIL:
    case LAYOUT_REVERSED:
    default:
        return at_bytes;
    }
}

/* Reverses the offsets, so that the first field is last in memory. */
static void reverse_offsets(struct ndp_field *fields, uint64_t count, uint64_t end_bytes) {
    for (uint64_t i = 0; i < count; i++)
        fields[i].offset_bytes = end_bytes - fields[i].offset_bytes - fields[i].dtype->itemsize_bytes;
}

static void finish_layout(struct ndp_choices *choices, enum layout_style style, struct ndp_dtype *dtype,
                          struct ndp_field *fields, uint64_t end_bytes) {
    dtype->itemsize_bytes = end_bytes;
    if (style == LAYOUT_TAIL) dtype->itemsize_bytes += ndp_choose_between(choices, 1, 9);
    if (style == LAYOUT_REVERSED) reverse_offsets(fields, dtype->field_count, end_bytes);
    if (style == LAYOUT_ALIGNED && dtype->field_count > 0) {
        uint64_t alignment = 1;
        for (uint64_t i = 0; i < dtype->field_count; i++) {
            uint64_t own = ndp_dtype_alignment(fields[i].dtype);
            if (own > alignment) alignment = own;
        }
        dtype->is_aligned = true;
        dtype->itemsize_bytes = round_up(end_bytes, alignment);
    }
}

static enum ndp_status draw_title(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_field *fields,
                                  uint64_t index) {
    if (!ndp_choose_rarely(choices, 12)) return NDP_OK;
    struct ndp_bytes title;
    NDP_TRY(ndp_generate_name(arena, choices, fields, index + 1, &title));
    fields[index].has_title = true;
    fields[index].title = title;
    return NDP_OK;
}

static enum layout_style draw_layout(struct ndp_choices *choices) {
    static const uint8_t weights[] = {44, 18, 14, 8, 6, 6, 4};
    return (enum layout_style)ndp_choose_weighted(choices, weights, NDP_ARRAY_LEN(weights));
}

static enum ndp_status fill_fields(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_dtype_wish wish,
                                   enum field_style style, struct ndp_dtype *dtype, struct ndp_field *fields) {
    enum layout_style layout = draw_layout(choices);
    /* NumPy refuses a structure in which an object overlaps other bytes. */
    if (layout >= LAYOUT_OVERLAPPING) wish.without_objects = true;
    uint64_t at = 0;
    uint64_t end = 0;
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        struct ndp_dtype_wish field_wish = wish;
        field_wish.max_itemsize_bytes = end < wish.max_itemsize_bytes ? wish.max_itemsize_bytes - end : 0;
        NDP_TRY(generate_field_dtype(arena, choices, style, field_wish, &fields[i].dtype));
        NDP_TRY(ndp_generate_name(arena, choices, fields, i, &fields[i].name));
        fields[i].offset_bytes = place_field(choices, layout, fields[i].dtype, at);
        at = fields[i].offset_bytes + fields[i].dtype->itemsize_bytes;
        if (at > end) end = at;
        NDP_TRY(draw_title(arena, choices, fields, i));
    }
    finish_layout(choices, layout, dtype, fields, end);
    return NDP_OK;
}

static enum ndp_status generate_struct(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_dtype_wish wish,
                                       const struct ndp_dtype **out) {
    static const uint8_t weights[] = {45, 20, 17, 10, 8};
    enum field_style style = (enum field_style)ndp_choose_weighted(choices, weights, NDP_ARRAY_LEN(weights));
    struct ndp_dtype *dtype = NDP_ARENA_NEW(arena, struct ndp_dtype);
    if (dtype == NULL) return NDP_NOMEM;
    dtype->kind = NDP_KIND_STRUCT;
    dtype->field_count = draw_field_count(choices, wish.depth_left > 1);
    struct ndp_field *fields = NDP_ARENA_ITEMS(arena, struct ndp_field, dtype->field_count);
    if (fields == NULL) return NDP_NOMEM;
    dtype->fields = fields;
    NDP_TRY(fill_fields(arena, choices, wish, style, dtype, fields));
    draw_metadata(choices, 40, dtype);
    *out = dtype;
    if (style == FIELDS_FLAT_BIG) return ndp_dtype_with_order(arena, dtype, NDP_ORDER_BIG, out);
    if (style == FIELDS_FLAT_LITTLE) return ndp_dtype_with_order(arena, dtype, NDP_ORDER_LITTLE, out);
    return NDP_OK;
}

/* Nested structures of one field, deep enough to affect recursive parsers. */
static enum ndp_status generate_deep(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_dtype_wish wish,
                                     const struct ndp_dtype **out) {
    const struct ndp_dtype *inner = NULL;
    NDP_TRY(ndp_generate_leaf(arena, choices, wish, &inner));
    uint64_t depth = ndp_choose_between(choices, 3, 40);
    for (uint64_t i = 0; i < depth; i++) {
        struct ndp_dtype *outer = NDP_ARENA_NEW(arena, struct ndp_dtype);
        struct ndp_field *field = NDP_ARENA_NEW(arena, struct ndp_field);
        if (outer == NULL || field == NULL) return NDP_NOMEM;
        *field = (struct ndp_field){.name = ndp_bytes_view("a"), .dtype = inner};
        *outer = (struct ndp_dtype){
            .kind = NDP_KIND_STRUCT, .itemsize_bytes = inner->itemsize_bytes, .fields = field, .field_count = 1};
        inner = outer;
    }
    *out = inner;
    return NDP_OK;
}

/* Generates a structure whose header is near a limit: the 10000 characters that NumPy reads by default, or the 65535
 * bytes of version 1. The text around a name has about 60 characters and is padded to a multiple of 64. */
static enum ndp_status generate_long_header(struct ndp_arena *arena, struct ndp_choices *choices,
                                            struct ndp_dtype_wish wish, const struct ndp_dtype **out) {
    static const uint64_t lengths[] = {9850, 65400};
    uint64_t size = lengths[ndp_choose_weighted(choices, (const uint8_t[]){2, 1}, 2)] + ndp_choose(choices, 160);
    struct ndp_dtype *dtype = NDP_ARENA_NEW(arena, struct ndp_dtype);
    struct ndp_field *field = NDP_ARENA_NEW(arena, struct ndp_field);
    const struct ndp_dtype *leaf = NULL;
    uint8_t *name = ndp_arena_alloc(arena, size);
    if (dtype == NULL || field == NULL || name == NULL) return NDP_NOMEM;
    memset(name, 'n', (size_t)size);
    NDP_TRY(ndp_generate_leaf(arena, choices, wish, &leaf));
    *field = (struct ndp_field){.name = {name, size}, .dtype = leaf};
    *dtype = (struct ndp_dtype){
        .kind = NDP_KIND_STRUCT, .itemsize_bytes = leaf->itemsize_bytes, .fields = field, .field_count = 1};
    *out = dtype;
    return NDP_OK;
}

enum ndp_status ndp_generate_dtype(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_dtype_wish wish,
                                   const struct ndp_dtype **out) {
    static const uint8_t weights[] = {118, 78, 2, 1};
    const struct ndp_dtype *dtype = NULL;
    const uint32_t choice = ndp_choose_weighted(choices, weights, NDP_ARRAY_LEN(weights));
    if (choice == 0) NDP_TRY(ndp_generate_leaf(arena, choices, wish, &dtype));
    if (choice == 1) NDP_TRY(generate_struct(arena, choices, wish, &dtype));
    if (choice == 2) NDP_TRY(generate_deep(arena, choices, wish, &dtype));
    if (choice == 3) NDP_TRY(generate_long_header(arena, choices, wish, &dtype));
    if (dtype->metadata.size_bytes == 0) {
        struct ndp_dtype *copy = ndp_arena_copy(arena, dtype, sizeof *dtype);
        if (copy == NULL) return NDP_NOMEM;
        draw_metadata(choices, 30, copy);
        dtype = copy;
    }
    *out = dtype;
    return NDP_OK;
}
