#include "base/checked.h"
#include "base/rng.h"
#include "model/dtype_path.h"

#include <stdlib.h>
#include <string.h>

/* A step into a dtype: "/fields/" and a number, "/dtype", "/base". It is printed only for an error, because valid
 * dtypes are checked often. */
struct place {
    const struct place *outer;
    const char *word;
    const uint64_t *number; /* NULL: none */
};

/* The state of a check: the place, and the destination of errors. */
struct check {
    struct ndp_error *error;
    const struct place *place;
};

static void print_place(const struct place *place, char text[NDP_ERROR_PATH_BYTES]) {
    const struct place *way[2 * NDP_MAX_DTYPE_DEPTH];
    struct ndp_dtype_path path = {.length = 0};
    size_t count = 0;
    for (; place && count < NDP_ARRAY_LEN(way); place = place->outer) way[count++] = place;
    while (count-- > 0) {
        if (way[count]->number)
            ndp_dtype_path_add_key(&path, way[count]->word, *way[count]->number);
        else
            ndp_dtype_path_add_word(&path, way[count]->word);
    }
    memcpy(text, path.text, sizeof path.text);
}

static enum ndp_status fail_at(const struct check *check, enum ndp_status status, const char *text) {
    ndp_error_set(check->error, status, NDP_NO_OFFSET, "%s", text);
    if (check->error) print_place(check->place, check->error->path);
    return status;
}

static bool is_size_of_kind(const struct ndp_dtype *leaf) {
    const uint64_t size = leaf->itemsize_bytes;
    switch (leaf->kind) {
    case NDP_KIND_BOOL:
        return size == 1;
    case NDP_KIND_INT:
    case NDP_KIND_UINT:
        return size == 1 || size == 2 || size == 4 || size == 8;
    case NDP_KIND_FLOAT:
        return size == 2 || size == 4 || size == 8 || size == 16;
    case NDP_KIND_COMPLEX:
        return size == 8 || size == 16 || size == 32;
    case NDP_KIND_TEXT:
        return size % 4 == 0;
    case NDP_KIND_DATETIME:
    case NDP_KIND_TIMEDELTA:
    case NDP_KIND_OBJECT:
        return size == 8;
    case NDP_KIND_REGISTERED:
        return size > 0 && size <= 16 && (size & (size - 1)) == 0;
    case NDP_KIND_BYTES:
    case NDP_KIND_VOID:
    case NDP_KIND_STRUCT:
    case NDP_KIND_SUBARRAY:
        return true;
    case NDP_KIND_COUNT:
        break;
    }
    return false;
}

bool ndp_dtype_is_path(struct ndp_bytes text) {
    bool is_start = true, has_colon = false;
    for (uint64_t i = 0; i < text.size_bytes; i++) {
        const uint8_t c = text.data[i];
        const bool is_end = c == '.' || c == ':', is_digit = c >= '0' && c <= '9';
        const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (is_end ? is_start || has_colon : !is_letter && (!is_digit || is_start)) return false;
        has_colon = has_colon || c == ':';
        is_start = is_end;
    }
    return has_colon && !is_start;
}

static enum ndp_status check_leaf(struct check *check, const struct ndp_dtype *leaf) {
    const bool is_time = leaf->kind == NDP_KIND_DATETIME || leaf->kind == NDP_KIND_TIMEDELTA;
    if (leaf->kind >= NDP_KIND_COUNT) return fail_at(check, NDP_INVALID, "unknown kind");
    if ((leaf->kind == NDP_KIND_REGISTERED) != (leaf->registered.size_bytes > 0) ||
        (leaf->kind == NDP_KIND_REGISTERED && !ndp_dtype_is_path(leaf->registered)))
        return fail_at(check, NDP_INVALID, "a registered type needs an import path like \"package.module:name\"");
    if (leaf->kind == NDP_KIND_REGISTERED && leaf->metadata.size_bytes > 0)
        return fail_at(check, NDP_INVALID, "a registered type has no metadata");
    if (!is_size_of_kind(leaf)) return fail_at(check, NDP_INVALID, "NumPy has no dtype of this kind and size");
    if (ndp_dtype_needs_order(leaf) != (leaf->order != NDP_ORDER_NONE))
        return fail_at(check, NDP_INVALID,
                       "the byte order must be given for numbers of several bytes, and only for these");
    if (leaf->unit >= NDP_UNIT_COUNT || (!is_time && (leaf->unit != NDP_UNIT_GENERIC || leaf->unit_multiple != 0)))
        return fail_at(check, NDP_INVALID, "unknown time unit");
    if (is_time && (leaf->unit_multiple < 1 || leaf->unit_multiple > INT32_MAX))
        return fail_at(check, NDP_INVALID, "the multiple of a time unit must be 1 to 2147483647");
    if (is_time && leaf->unit == NDP_UNIT_GENERIC && leaf->unit_multiple != 1)
        return fail_at(check, NDP_INVALID, "a generic time unit must not have a multiple");
    return NDP_OK;
}

/* A hash table of the names so far, so that 65536 names are checked in linear time. */
struct name_table {
    const struct ndp_bytes **slots;
    uint64_t slot_count; /* a power of two */
};

/* Whether `name` is new. Adds it to the table. */
static bool name_fits(struct name_table *table, const struct ndp_bytes *name) {
    const uint64_t hash = ndp_hash_bytes(name->data, name->size_bytes, NDP_HASH_START);
    uint64_t at = hash & (table->slot_count - 1);
    while (table->slots[at]) {
        if (ndp_bytes_is_equal(*table->slots[at], *name)) return false;
        at = (at + 1) & (table->slot_count - 1);
    }
    table->slots[at] = name;
    return true;
}

static enum ndp_status check_names_in(struct check *check, const struct ndp_dtype *dtype, struct name_table *table) {
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        const struct ndp_field *field = &dtype->fields[i];
        if (!name_fits(table, &field->name))
            return fail_at(check, NDP_INVALID, "two fields have the same name or title");
        if (field->has_title && !name_fits(table, &field->title))
            return fail_at(check, NDP_INVALID, "the title of a field is already used as a name or title");
    }
    return NDP_OK;
}

static enum ndp_status check_names(struct check *check, const struct ndp_dtype *dtype) {
    const struct ndp_bytes *few[64] = {NULL};
    struct name_table table = {few, NDP_ARRAY_LEN(few)};
    NDP_ARENA_SCOPED(arena, UINT64_C(64) * NDP_MAX_FIELDS);
    if (dtype->field_count > NDP_ARRAY_LEN(few) / 4) {
        while (table.slot_count < 4 * dtype->field_count) table.slot_count *= 2;
        table.slots = NDP_ARENA_ITEMS(&arena, const struct ndp_bytes *, table.slot_count);
    }
    enum ndp_status status = NDP_NOMEM;
    if (table.slots) status = check_names_in(check, dtype, &table);
    return status;
}

/* The bytes of a field. */
struct span {
    uint64_t start_bytes;
    uint64_t end_bytes;
    bool has_object;
};

/* Sorts by start, then by length, so that an empty field precedes a field that starts with it. */
static int compare_spans(const void *a, const void *b) {
    const struct span *x = a, *y = b;
    if (x->start_bytes != y->start_bytes) return x->start_bytes < y->start_bytes ? -1 : 1;
    if (x->end_bytes != y->end_bytes) return x->end_bytes < y->end_bytes ? -1 : 1;
    return 0;
}

/* Whether a field with objects shares a byte with another one. The fields are sorted, so comparing with the farthest
 * end so far suffices. */
static bool has_shared_object(const struct span *spans, uint64_t count) {
    uint64_t end_bytes = 0, object_end_bytes = 0;
    for (uint64_t i = 0; i < count; i++) {
        const struct span *span = &spans[i];
        if (span->start_bytes < object_end_bytes || (span->has_object && span->start_bytes < end_bytes)) return true;
        if (span->end_bytes > end_bytes) end_bytes = span->end_bytes;
        if (span->has_object && span->end_bytes > object_end_bytes) object_end_bytes = span->end_bytes;
    }
    return false;
}

/* Nothing may overlap a field with objects. Source: NumPy, descriptor.c, _validate_object_field_overlap. The fields are
 * sorted first, because comparing 65536 fields in pairs is too slow. */
static enum ndp_status check_object_overlap(struct check *check, const struct ndp_dtype *dtype) {
    if (!ndp_dtype_has_overlap(dtype) || !ndp_dtype_has_object(dtype)) return NDP_OK;
    NDP_ARENA_SCOPED(arena, UINT64_C(64) * NDP_MAX_FIELDS);
    struct span *spans = NDP_ARENA_ITEMS(&arena, struct span, dtype->field_count);
    enum ndp_status status = spans ? NDP_OK : NDP_NOMEM;
    for (uint64_t i = 0; spans && i < dtype->field_count; i++) {
        const struct ndp_field *field = &dtype->fields[i];
        spans[i] = (struct span){field->offset_bytes, field->offset_bytes + field->dtype->itemsize_bytes,
                                 ndp_dtype_has_object(field->dtype)};
    }
    if (spans) {
        qsort(spans, (size_t)dtype->field_count, sizeof *spans, compare_spans);
        if (has_shared_object(spans, dtype->field_count))
            status = fail_at(check, NDP_INVALID, "a field overlaps a field with objects");
    }
    return status;
}

static enum ndp_status check_node(struct check *check, const struct ndp_dtype *dtype, uint32_t depth);

/* A field must be inside the item; in aligned structures its offset must be aligned. Source: NumPy, descriptor.c,
 * _convert_from_dict. */
static enum ndp_status check_field(struct check *check, const struct ndp_dtype *dtype, const struct ndp_field *field,
                                   uint32_t depth) {
    const struct place *const outer = check->place, place = {.outer = outer, .word = "/dtype"};
    check->place = &place;
    NDP_TRY(check_node(check, field->dtype, depth + 1));
    check->place = outer;
    uint64_t end_bytes;
    if (!ndp_checked_add_u64(field->offset_bytes, field->dtype->itemsize_bytes, &end_bytes) ||
        end_bytes > dtype->itemsize_bytes)
        return fail_at(check, NDP_INVALID, "the field must be inside the item");
    const uint64_t alignment = ndp_dtype_alignment(field->dtype);
    if (dtype->is_aligned && field->offset_bytes % alignment != 0)
        return fail_at(check, NDP_INVALID,
                       "the offset must be a multiple of the alignment of the field in an aligned structure");
    return NDP_OK;
}

static enum ndp_status check_struct(struct check *check, const struct ndp_dtype *dtype, uint32_t depth) {
    const struct place *const outer = check->place;
    /* NumPy 1.26 computes the alignment 0 for such a dtype and crashes with a division by zero; later versions compute
     * 1. */
    if (dtype->is_aligned && dtype->field_count == 0)
        return fail_at(check, NDP_INVALID, "an aligned structure must have a field");
    if (dtype->field_count > NDP_MAX_FIELDS) return fail_at(check, NDP_LIMIT, "too many fields");
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        const struct place place = {.outer = outer, .word = "/fields/", .number = &i};
        check->place = &place;
        NDP_TRY(check_field(check, dtype, &dtype->fields[i], depth));
        check->place = outer;
    }
    if (dtype->is_aligned && dtype->itemsize_bytes % ndp_dtype_alignment(dtype) != 0)
        return fail_at(check, NDP_INVALID, "the itemsize must be a multiple of the alignment in an aligned structure");
    NDP_TRY(check_names(check, dtype));
    return check_object_overlap(check, dtype);
}

static enum ndp_status check_subarray(struct check *check, const struct ndp_dtype *dtype, uint32_t depth) {
    const struct place *const outer = check->place, place = {.outer = outer, .word = "/base"};
    check->place = &place;
    NDP_TRY(check_node(check, dtype->base, depth + 1));
    check->place = outer;
    /* NumPy treats a dtype of size zero as one whose size is still to be chosen. */
    const enum ndp_kind kind = dtype->base->kind;
    if (dtype->base->itemsize_bytes == 0 &&
        (kind == NDP_KIND_BYTES || kind == NDP_KIND_TEXT || kind == NDP_KIND_VOID || kind == NDP_KIND_SUBARRAY))
        return fail_at(check, NDP_INVALID, "a sub-array of items of zero bytes must be one of structures");
    if (dtype->ndim > NDP_MAX_NDIM) return fail_at(check, NDP_LIMIT, "too many dimensions");
    for (uint32_t i = 0; i < dtype->ndim; i++) {
        if (dtype->shape[i] < 0 || dtype->shape[i] > INT32_MAX)
            return fail_at(check, NDP_INVALID, "an extent of a sub-array must be 0 to 2147483647");
    }
    uint64_t count_elems, size_bytes;
    if (!ndp_checked_subarray_fits(dtype->shape, dtype->ndim, dtype->base->itemsize_bytes, &count_elems, &size_bytes))
        return fail_at(check, NDP_LIMIT, "the sub-array is too large");
    if (size_bytes != dtype->itemsize_bytes)
        return fail_at(check, NDP_INVALID, "the itemsize must be that of all elements of the sub-array");
    return NDP_OK;
}

static enum ndp_status check_node(struct check *check, const struct ndp_dtype *dtype, uint32_t depth) {
    if (depth >= NDP_MAX_DTYPE_DEPTH) return fail_at(check, NDP_LIMIT, "the dtype is nested too deep");
    if (dtype->itemsize_bytes > NDP_MAX_ITEMSIZE_BYTES)
        return fail_at(check, NDP_LIMIT, "the itemsize exceeds 2147483647 bytes");
    NDP_TRY(check_leaf(check, dtype));
    if (dtype->kind == NDP_KIND_STRUCT) return check_struct(check, dtype, depth);
    if (dtype->kind == NDP_KIND_SUBARRAY) return check_subarray(check, dtype, depth);
    if (dtype->field_count > 0) return fail_at(check, NDP_INVALID, "only a structure can have fields");
    return NDP_OK;
}

enum ndp_status ndp_dtype_check(const struct ndp_dtype *dtype, struct ndp_error *error) {
    struct check check = {.error = error};
    return check_node(&check, dtype, 0);
}
