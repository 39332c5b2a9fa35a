#include "judge/type_judged.h"

#include "base/rng.h"
#include "fuzz.h"
#include "generate/dtype_edit.h"

/* What is known of a part. */
struct judged {
    bool is_good, has_objects;
    uint64_t alignment;
};

static bool is_one_of(uint64_t size, const uint8_t *sizes) {
    for (; *sizes > 0; sizes++)
        if (size == *sizes) return true;
    return false;
}

/* Sources: NumPy, reference, scalars; datetimes have 8 bytes, references as well. */
static bool has_size(const struct ndp_dtype *leaf) {
    static const uint8_t one[] = {1, 0}, integers[] = {1, 2, 4, 8, 0}, floats[] = {2, 4, 8, 16, 0};
    static const uint8_t complexes[] = {8, 16, 32, 0}, eight[] = {8, 0};
    switch (leaf->kind) {
    case NDP_KIND_BOOL:
        return is_one_of(leaf->itemsize_bytes, one);
    case NDP_KIND_INT:
    case NDP_KIND_UINT:
        return is_one_of(leaf->itemsize_bytes, integers);
    case NDP_KIND_FLOAT:
        return is_one_of(leaf->itemsize_bytes, floats);
    case NDP_KIND_COMPLEX:
        return is_one_of(leaf->itemsize_bytes, complexes);
    case NDP_KIND_DATETIME:
    case NDP_KIND_TIMEDELTA:
    case NDP_KIND_OBJECT:
        return is_one_of(leaf->itemsize_bytes, eight);
    case NDP_KIND_TEXT:
        return leaf->itemsize_bytes % 4 == 0;
    case NDP_KIND_BYTES:
    case NDP_KIND_VOID:
        return true;
    case NDP_KIND_STRUCT:
    case NDP_KIND_SUBARRAY:
    case NDP_KIND_COUNT:
        break;
    }
    return false;
}

static bool is_bytes(enum ndp_kind kind) {
    return kind == NDP_KIND_BYTES || kind == NDP_KIND_VOID;
}

static struct judged judge_leaf(const struct ndp_dtype *leaf) {
    const bool is_time = leaf->kind == NDP_KIND_DATETIME || leaf->kind == NDP_KIND_TIMEDELTA;
    const bool has_units = !is_bytes(leaf->kind) && leaf->kind != NDP_KIND_OBJECT && leaf->kind != NDP_KIND_BOOL;
    const bool is_ordered = leaf->kind == NDP_KIND_TEXT ? true : has_units && leaf->itemsize_bytes > 1;
    const uint64_t most = leaf->unit == NDP_UNIT_GENERIC ? 1 : INT32_MAX;
    const bool has_unit = is_time ? leaf->unit_multiple - UINT64_C(1) < most && leaf->unit < NDP_UNIT_COUNT
                                  : leaf->unit_multiple == 0 && leaf->unit == NDP_UNIT_GENERIC;
    struct judged out = {.alignment = leaf->itemsize_bytes, .has_objects = leaf->kind == NDP_KIND_OBJECT};
    if (is_bytes(leaf->kind)) out.alignment = 1;
    if (leaf->kind == NDP_KIND_TEXT) out.alignment = 4;
    if (leaf->kind == NDP_KIND_COMPLEX) out.alignment /= 2;
    out.is_good = has_size(leaf) && has_unit && (leaf->order != NDP_ORDER_NONE) == is_ordered && leaf->field_count == 0;
    return out;
}

static struct judged judge(const struct ndp_dtype *dtype, uint32_t depth, bool otherwise);

static bool is_name_of(struct ndp_bytes name, const struct ndp_field *field) {
    return ndp_bytes_is_equal(name, field->name) || (field->has_title && ndp_bytes_is_equal(name, field->title));
}

static bool shares_names(const struct ndp_field *x, const struct ndp_field *y) {
    return is_name_of(x->name, y) || (x->has_title && is_name_of(x->title, y));
}

static bool shares_bytes(const struct ndp_field *x, const struct ndp_field *y) {
    return x->offset_bytes < y->offset_bytes + y->dtype->itemsize_bytes &&
           y->offset_bytes < x->offset_bytes + x->dtype->itemsize_bytes;
}

static struct judged judge_struct(const struct ndp_dtype *dtype, uint32_t depth, bool otherwise) {
    struct judged out = {.is_good = true, .alignment = 1}, parts[NDP_FUZZ_FIELDS];
    if (dtype->field_count > NDP_FUZZ_FIELDS) return (struct judged){.is_good = otherwise, .alignment = 1};
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        const struct ndp_field *field = &dtype->fields[i];
        parts[i] = judge(field->dtype, depth + 1, otherwise);
        out.has_objects = out.has_objects || parts[i].has_objects;
        if (!parts[i].is_good || field->offset_bytes > dtype->itemsize_bytes ||
            field->dtype->itemsize_bytes > dtype->itemsize_bytes - field->offset_bytes ||
            (field->has_title && ndp_bytes_is_equal(field->title, field->name)))
            return (struct judged){.alignment = 1};
        if (dtype->is_aligned && field->offset_bytes % parts[i].alignment != 0) out.is_good = false;
        if (dtype->is_aligned && parts[i].alignment > out.alignment) out.alignment = parts[i].alignment;
        for (uint64_t k = 0; k < i; k++) {
            const struct ndp_field *other = &dtype->fields[k];
            if (shares_names(field, other)) out.is_good = false;
            if ((parts[i].has_objects || parts[k].has_objects) && shares_bytes(field, other)) out.is_good = false;
        }
    }
    if (dtype->is_aligned && (dtype->field_count == 0 || dtype->itemsize_bytes % out.alignment != 0))
        out.is_good = false;
    return out;
}

/* Extents are C ints, and before the first that is zero their product has 63 bits; UINT64_MAX: neither. */
static uint64_t count_items(const struct ndp_dtype *dtype) {
    uint64_t items = 1;
    for (uint32_t i = 0; i < dtype->ndim; i++) {
        const int64_t extent = dtype->shape[i];
        if (extent < 0 || extent > INT32_MAX) return UINT64_MAX;
        if (extent > 0 && items > INT64_MAX / (uint64_t)extent) return UINT64_MAX;
        items *= (uint64_t)extent;
    }
    return items;
}

static struct judged judge_subarray(const struct ndp_dtype *dtype, uint32_t depth, bool otherwise) {
    struct judged out = judge(dtype->base, depth + 1, otherwise);
    const enum ndp_kind kind = dtype->base->kind;
    const bool is_sizeless = is_bytes(kind) || kind == NDP_KIND_TEXT || kind == NDP_KIND_SUBARRAY;
    const uint64_t base_bytes = dtype->base->itemsize_bytes;
    if ((base_bytes == 0 && is_sizeless) || dtype->ndim > NDP_MAX_NDIM || dtype->field_count > 0) out.is_good = false;
    if (!out.is_good) return out;
    const uint64_t items = count_items(dtype);
    out.is_good = items <= INT32_MAX && (items == 0 || base_bytes <= NDP_MAX_ITEMSIZE_BYTES / items) &&
                  items * base_bytes == dtype->itemsize_bytes;
    return out;
}

static struct judged judge(const struct ndp_dtype *dtype, uint32_t depth, bool otherwise) {
    struct judged out;
    if (depth == NDP_MAX_DTYPE_DEPTH || dtype->itemsize_bytes > NDP_MAX_ITEMSIZE_BYTES || dtype->kind >= NDP_KIND_COUNT)
        return (struct judged){.alignment = 1};
    if (dtype->kind == NDP_KIND_STRUCT)
        out = judge_struct(dtype, depth, otherwise);
    else if (dtype->kind == NDP_KIND_SUBARRAY)
        out = judge_subarray(dtype, depth, otherwise);
    else
        return judge_leaf(dtype);
    if (dtype->order != NDP_ORDER_NONE || dtype->unit != NDP_UNIT_GENERIC || dtype->unit_multiple != 0)
        out.is_good = false;
    return out;
}

bool fuzz_is_type(const struct ndp_dtype *dtype, bool otherwise) {
    return judge(dtype, 0, otherwise).is_good;
}

static const struct ndp_dtype *object(void) {
    static const struct ndp_dtype type = {.kind = NDP_KIND_OBJECT, .itemsize_bytes = 8};
    return &type;
}

/* Another place, name, title or type of a field, or another kind of structure. */
static void change_struct(struct ndp_rng *rng, struct ndp_dtype *node, struct ndp_field *fields) {
    const uint64_t count = node->field_count, way = ndp_rng_next(rng) % (count > 0 ? 6 : 2);
    struct ndp_field *field = count > 0 ? &fields[ndp_rng_next(rng) % count] : NULL;
    const struct ndp_field *other = count > 0 ? &fields[ndp_rng_next(rng) % count] : NULL;
    if (way == 0) node->is_aligned = !node->is_aligned;
    if (way == 1) node->itemsize_bytes = ndp_rng_next(rng) % (node->itemsize_bytes + 2);
    if (way == 2) field->offset_bytes = ndp_rng_next(rng) % (node->itemsize_bytes + 2);
    if (way == 3) field->name = ndp_rng_next(rng) % 2 == 0 && other->has_title ? other->title : other->name;
    if (way == 4) field->has_title = true, field->title = other->name;
    if (way == 5) field->dtype = object(), node->itemsize_bytes += ndp_rng_next(rng) % 2 * 8;
}

static void change_leaf(struct ndp_rng *rng, struct ndp_dtype *node) {
    static const uint32_t multiples[] = {0, 1, INT32_MAX, UINT32_C(0x80000000)};
    switch (ndp_rng_next(rng) % 5) {
    case 0:
        node->itemsize_bytes = ndp_rng_next(rng) % 34;
        break;
    case 1:
        node->kind = (enum ndp_kind)(ndp_rng_next(rng) % NDP_KIND_STRUCT);
        break;
    case 2:
        node->order = (enum ndp_byte_order)(ndp_rng_next(rng) % 3);
        break;
    case 3:
        node->unit_multiple = multiples[ndp_rng_next(rng) % NDP_ARRAY_LEN(multiples)];
        break;
    default:
        node->unit = (enum ndp_unit)(ndp_rng_next(rng) % (NDP_UNIT_COUNT + 1));
        break;
    }
}

static void change_subarray(struct ndp_rng *rng, struct ndp_dtype *node, int64_t *shape) {
    static const int64_t extents[] = {-1, 0, 1, 2, 3, 65536, INT32_MAX, INT64_C(1) << 31};
    if (node->ndim > 0 && ndp_rng_next(rng) % 2 == 0)
        shape[ndp_rng_next(rng) % node->ndim] = extents[ndp_rng_next(rng) % NDP_ARRAY_LEN(extents)];
    else
        node->itemsize_bytes += ndp_rng_next(rng) % 2 * 2 - 1;
}

void fuzz_check_type_judged(struct ndp_arena *arena, const struct ndp_dtype *dtype, uint64_t pick) {
    struct ndp_rng rng;
    const struct ndp_dtype *other = NULL;
    ndp_rng_init(&rng, pick);
    const uint32_t index = (uint32_t)(ndp_rng_next(&rng) % ndp_dtype_nodes(dtype));
    const struct ndp_dtype *kept = ndp_dtype_node(dtype, index);
    if (!kept || kept->field_count > NDP_FUZZ_FIELDS) return;
    struct ndp_dtype node = *kept;
    struct ndp_field *fields = ndp_arena_copy(arena, node.fields, node.field_count * sizeof *fields);
    int64_t *shape = ndp_arena_copy(arena, node.shape, node.ndim * sizeof *shape);
    if (!fields || !shape) return;
    if (node.kind == NDP_KIND_STRUCT)
        node.fields = fields, change_struct(&rng, &node, fields);
    else if (node.kind == NDP_KIND_SUBARRAY)
        node.shape = shape, change_subarray(&rng, &node, shape);
    else
        change_leaf(&rng, &node);
    /* What has no alignment cannot be laid out. */
    if (node.kind < NDP_KIND_STRUCT && ndp_dtype_alignment(&node) == 0) return;
    if (ndp_dtype_replace(arena, dtype, index, &node, &other) != NDP_OK) return;
    const enum ndp_status status = ndp_dtype_check(other, NULL);
    FUZZ_HOLDS((status == NDP_OK) == fuzz_is_type(other, status == NDP_OK));
}
