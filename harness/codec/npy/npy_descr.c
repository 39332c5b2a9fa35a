/* npy_descr.c: conversion between a dtype and the descr of a header. Recursion follows the nesting of the dtype, which
 * NDP_MAX_DTYPE_DEPTH bounds. */
#include "codec/npy/npy_descr.h"

#include "base/checked.h"
#include "codec/npy/py_repr.h"

struct reader {
    struct ndp_arena *arena;
    bool is_lenient;
    struct ndp_error *error;
};

static enum ndp_status set_descr_error(const struct reader *r, enum ndp_status status, const struct ndp_literal *at,
                                       const char *text) {
    return ndp_error_set(r->error, status, at->offset_bytes, "%s", text);
}

static enum ndp_status read_descr(const struct reader *r, const struct ndp_literal *node, uint32_t depth,
                                  const struct ndp_dtype **out);

static enum ndp_status read_leaf(const struct reader *r, const struct ndp_literal *node, const struct ndp_dtype **out) {
    struct ndp_error detail = {0};
    bool is_canonical = false;
    struct ndp_dtype *dtype = NDP_ARENA_NEW(r->arena, struct ndp_dtype);
    if (dtype == NULL) return set_descr_error(r, NDP_NOMEM, node, "no memory for a type");
    const enum ndp_status status = ndp_npy_typestr_read(node->text, dtype, &is_canonical, &detail);
    if (status != NDP_OK) return set_descr_error(r, status, node, detail.text);
    if (!is_canonical && !r->is_lenient)
        return set_descr_error(r, NDP_UNSUPPORTED, node, "type string that NumPy reads but never writes");
    *out = dtype;
    return NDP_OK;
}

/* Fills the extents of a sub-array from an int, or a tuple (or list) of ints. */
static enum ndp_status read_shape(const struct reader *r, const struct ndp_literal *node, int64_t **shape,
                                  uint32_t *ndim) {
    const bool is_one = node->kind == NDP_LITERAL_INT;
    if (!is_one && node->kind != NDP_LITERAL_TUPLE && node->kind != NDP_LITERAL_LIST)
        return set_descr_error(r, NDP_INVALID, node, "the shape of a sub-array is not a tuple");
    if (node->kind == NDP_LITERAL_LIST && !r->is_lenient)
        return set_descr_error(r, NDP_UNSUPPORTED, node, "shape of a sub-array is a list");
    const uint64_t count = is_one ? 1 : node->count;
    if (count > NDP_MAX_NDIM) return set_descr_error(r, NDP_LIMIT, node, "too many axes in a sub-array");
    int64_t *extents = NDP_ARENA_ITEMS(r->arena, int64_t, count);
    if (extents == NULL) return set_descr_error(r, NDP_NOMEM, node, "no memory for a shape");
    const struct ndp_literal *item = is_one ? node : node->first;
    for (uint64_t k = 0; k < count; k++, item = item->next) {
        if (item->kind != NDP_LITERAL_INT) return set_descr_error(r, NDP_INVALID, item, "extent is not an integer");
        if (!item->integer_fits || item->integer < 0 || item->integer > INT32_MAX)
            return set_descr_error(r, NDP_INVALID, item, "extent of a sub-array out of range");
        extents[k] = item->integer;
    }
    *shape = extents;
    *ndim = (uint32_t)count;
    return NDP_OK;
}

/* An empty shape makes no sub-array. */
static enum ndp_status make_subarray(const struct reader *r, const struct ndp_literal *at, const struct ndp_dtype *base,
                                     const struct ndp_literal *shape, const struct ndp_dtype **out) {
    int64_t *extents = NULL;
    uint32_t ndim = 0;
    NDP_TRY(read_shape(r, shape, &extents, &ndim));
    /* NumPy interprets an int after a type without a size as its size. */
    if (base->itemsize_bytes == 0 &&
        (base->kind == NDP_KIND_BYTES || base->kind == NDP_KIND_TEXT || base->kind == NDP_KIND_VOID))
        return set_descr_error(r, shape->kind == NDP_LITERAL_INT ? NDP_UNSUPPORTED : NDP_INVALID, at,
                               "the shape after a type without a size is its size");
    if (ndim == 0) {
        *out = base;
        return NDP_OK;
    }
    uint64_t count = 0;
    uint64_t size = 0;
    if (!ndp_checked_subarray_fits(extents, ndim, base->itemsize_bytes, &count, &size))
        return set_descr_error(r, NDP_LIMIT, at, "sub-array too large");
    struct ndp_dtype *dtype = NDP_ARENA_NEW(r->arena, struct ndp_dtype);
    if (dtype == NULL) return set_descr_error(r, NDP_NOMEM, at, "no memory for a type");
    *dtype = (struct ndp_dtype){
        .kind = NDP_KIND_SUBARRAY, .itemsize_bytes = size, .base = base, .shape = extents, .ndim = ndim};
    *out = dtype;
    return NDP_OK;
}

/* 'name', or ('title', 'name'). */
static enum ndp_status read_name(const struct reader *r, const struct ndp_literal *node, struct ndp_field *field) {
    const struct ndp_literal *name = node;
    if (node->kind == NDP_LITERAL_TUPLE) {
        if (node->count != 2)
            return set_descr_error(r, NDP_INVALID, node, "field name is neither a string nor (title, name)");
        const struct ndp_literal *title = node->first;
        name = title->next;
        if (title->kind != NDP_LITERAL_STRING && title->kind != NDP_LITERAL_NONE)
            return set_descr_error(r, NDP_UNSUPPORTED, title, "title is not a string");
        field->has_title = title->kind == NDP_LITERAL_STRING;
        field->title = title->text;
    }
    if (name->kind != NDP_LITERAL_STRING) return set_descr_error(r, NDP_INVALID, name, "field name is not a string");
    field->name = name->text;
    return NDP_OK;
}

/* (name, descr) or (name, descr, shape) */
static enum ndp_status read_field(const struct reader *r, const struct ndp_literal *node, uint32_t depth,
                                  struct ndp_field *field) {
    if (node->kind != NDP_LITERAL_TUPLE && node->kind != NDP_LITERAL_LIST)
        return set_descr_error(r, NDP_INVALID, node, "field is not a tuple");
    if (node->count != 2 && node->count != 3)
        return set_descr_error(r, NDP_INVALID, node, "field has neither 2 nor 3 items");
    if (node->kind == NDP_LITERAL_LIST && !r->is_lenient)
        return set_descr_error(r, NDP_UNSUPPORTED, node, "field is a list");
    const struct ndp_literal *descr = node->first->next;
    NDP_TRY(read_name(r, node->first, field));
    NDP_TRY(read_descr(r, descr, depth + 1, &field->dtype));
    if (descr->next != NULL) NDP_TRY(make_subarray(r, node, field->dtype, descr->next, &field->dtype));
    return NDP_OK;
}

static bool is_padding(const struct ndp_field *field, bool is_name_tuple) {
    const enum ndp_kind kind = field->dtype->kind;
    return !is_name_tuple && field->name.size_bytes == 0 && (kind == NDP_KIND_VOID || kind == NDP_KIND_SUBARRAY);
}

static enum ndp_status read_struct(const struct reader *r, const struct ndp_literal *node, uint32_t depth,
                                   const struct ndp_dtype **out) {
    if (node->count > NDP_MAX_FIELDS) return set_descr_error(r, NDP_LIMIT, node, "too many fields");
    struct ndp_dtype *dtype = NDP_ARENA_NEW(r->arena, struct ndp_dtype);
    struct ndp_field *fields = NDP_ARENA_ITEMS(r->arena, struct ndp_field, node->count);
    if (dtype == NULL || fields == NULL) return set_descr_error(r, NDP_NOMEM, node, "no memory for a structure");
    dtype->kind = NDP_KIND_STRUCT;
    dtype->fields = fields;
    for (const struct ndp_literal *item = node->first; item != NULL; item = item->next) {
        struct ndp_field field = {.offset_bytes = dtype->itemsize_bytes};
        NDP_TRY(read_field(r, item, depth, &field));
        dtype->itemsize_bytes += field.dtype->itemsize_bytes;
        if (dtype->itemsize_bytes > NDP_MAX_ITEMSIZE_BYTES)
            return set_descr_error(r, NDP_LIMIT, item, "structure too large");
        if (!is_padding(&field, item->first->kind == NDP_LITERAL_TUPLE)) fields[dtype->field_count++] = field;
    }
    *out = dtype;
    return NDP_OK;
}

static enum ndp_status read_descr(const struct reader *r, const struct ndp_literal *node, uint32_t depth,
                                  const struct ndp_dtype **out) {
    if (depth >= NDP_MAX_DTYPE_DEPTH) return set_descr_error(r, NDP_LIMIT, node, "types are nested too deeply");
    if (node->kind == NDP_LITERAL_STRING) return read_leaf(r, node, out);
    if (node->kind == NDP_LITERAL_LIST) return read_struct(r, node, depth, out);
    if (node->kind == NDP_LITERAL_TUPLE && node->count == 2) {
        const struct ndp_dtype *base = NULL;
        NDP_TRY(read_descr(r, node->first, depth + 1, &base));
        return make_subarray(r, node, base, node->first->next, out);
    }
    if (node->kind == NDP_LITERAL_DICT && node->count == 0)
        return r->is_lenient ? read_struct(r, node, depth, out)
                             : set_descr_error(r, NDP_UNSUPPORTED, node, "empty dictionary as an empty structure");
    return set_descr_error(r, NDP_INVALID, node, "descr is neither a string, a list of fields nor (descr, shape)");
}

enum ndp_status ndp_npy_descr_read(struct ndp_arena *arena, const struct ndp_literal *descr, bool is_lenient,
                                   const struct ndp_dtype **out, struct ndp_error *error) {
    const struct reader r = {.arena = arena, .is_lenient = is_lenient, .error = error};
    const struct ndp_dtype *dtype = NULL;
    struct ndp_error detail = {0};
    NDP_TRY(read_descr(&r, descr, 0, &dtype));
    if (dtype->kind == NDP_KIND_SUBARRAY)
        return set_descr_error(&r, NDP_UNSUPPORTED, descr, "top-level sub-array, which readers interpret differently");
    const enum ndp_status status = dtype->kind == NDP_KIND_STRUCT ? ndp_dtype_check(dtype, &detail) : NDP_OK;
    if (status != NDP_OK) return set_descr_error(&r, status, descr, detail.text);
    *out = dtype;
    return NDP_OK;
}

static enum ndp_status set_unsupported(struct ndp_error *error, const char *text) {
    return ndp_error_set(error, NDP_UNSUPPORTED, NDP_NO_OFFSET, "NPY cannot represent %s", text);
}

static enum ndp_status add_descr(struct ndp_buffer *buffer, const struct ndp_dtype *dtype, uint32_t depth,
                                 uint32_t *highest, struct ndp_error *error);

static enum ndp_status add_padding(struct ndp_buffer *buffer, uint64_t size_bytes, bool is_first) {
    NDP_TRY(is_first ? NDP_OK : ndp_buffer_add(buffer, ", ", 2));
    NDP_TRY(ndp_buffer_add(buffer, "('', '|V", 8));
    NDP_TRY(ndp_py_repr_int(buffer, (int64_t)size_bytes));
    return ndp_buffer_add(buffer, "')", 2);
}

static enum ndp_status add_name(struct ndp_buffer *buffer, const struct ndp_field *field, uint32_t *highest) {
    if (!field->has_title) return ndp_py_repr_text(buffer, field->name, highest);
    NDP_TRY(ndp_buffer_add(buffer, "(", 1));
    NDP_TRY(ndp_py_repr_text(buffer, field->title, highest));
    NDP_TRY(ndp_buffer_add(buffer, ", ", 2));
    NDP_TRY(ndp_py_repr_text(buffer, field->name, highest));
    return ndp_buffer_add(buffer, ")", 1);
}

/* The shape of a sub-array is the third item. A base that is itself a sub-array is (descr, shape). */
static enum ndp_status add_field(struct ndp_buffer *buffer, const struct ndp_field *field, bool is_first,
                                 uint32_t depth, uint32_t *highest, struct ndp_error *error) {
    const struct ndp_dtype *dtype = field->dtype;
    const bool is_subarray = dtype->kind == NDP_KIND_SUBARRAY;
    if (is_padding(field, field->has_title))
        return set_unsupported(error, "a field without a name that reads as padding");
    NDP_TRY(is_first ? ndp_buffer_add(buffer, "(", 1) : ndp_buffer_add(buffer, ", (", 3));
    NDP_TRY(add_name(buffer, field, highest));
    NDP_TRY(ndp_buffer_add(buffer, ", ", 2));
    NDP_TRY(add_descr(buffer, is_subarray ? dtype->base : dtype, depth + 1, highest, error));
    if (is_subarray) {
        NDP_TRY(ndp_buffer_add(buffer, ", ", 2));
        NDP_TRY(ndp_py_repr_shape(buffer, dtype->shape, dtype->ndim));
    }
    return ndp_buffer_add(buffer, ")", 1);
}

static enum ndp_status add_struct(struct ndp_buffer *buffer, const struct ndp_dtype *dtype, uint32_t depth,
                                  uint32_t *highest, struct ndp_error *error) {
    uint64_t at_bytes = 0;
    bool is_first = true;
    NDP_TRY(ndp_buffer_add(buffer, "[", 1));
    for (uint64_t i = 0; i < dtype->field_count; i++, is_first = false) {
        const struct ndp_field *field = &dtype->fields[i];
        if (field->offset_bytes < at_bytes)
            return set_unsupported(error, "fields that overlap or are out of offset order");
        if (field->offset_bytes > at_bytes) {
            NDP_TRY(add_padding(buffer, field->offset_bytes - at_bytes, is_first));
            is_first = false;
        }
        NDP_TRY(add_field(buffer, field, is_first, depth, highest, error));
        if (!ndp_checked_add_u64(field->offset_bytes, field->dtype->itemsize_bytes, &at_bytes)) return NDP_INVALID;
    }
    if (dtype->itemsize_bytes < at_bytes) return set_unsupported(error, "a field past the end of its item");
    if (dtype->itemsize_bytes > at_bytes) NDP_TRY(add_padding(buffer, dtype->itemsize_bytes - at_bytes, is_first));
    return ndp_buffer_add(buffer, "]", 1);
}

static enum ndp_status add_descr(struct ndp_buffer *buffer, const struct ndp_dtype *dtype, uint32_t depth,
                                 uint32_t *highest, struct ndp_error *error) {
    if (depth >= NDP_MAX_DTYPE_DEPTH)
        return ndp_error_set(error, NDP_LIMIT, NDP_NO_OFFSET, "types are nested too deeply");
    if (dtype->kind == NDP_KIND_OBJECT) return ndp_buffer_add(buffer, "'|O'", 4);
    if (dtype->kind == NDP_KIND_STRUCT) return add_struct(buffer, dtype, depth, highest, error);
    if (dtype->kind == NDP_KIND_SUBARRAY) {
        NDP_TRY(ndp_buffer_add(buffer, "(", 1));
        NDP_TRY(add_descr(buffer, dtype->base, depth + 1, highest, error));
        NDP_TRY(ndp_buffer_add(buffer, ", ", 2));
        NDP_TRY(ndp_py_repr_shape(buffer, dtype->shape, dtype->ndim));
        return ndp_buffer_add(buffer, ")", 1);
    }
    NDP_TRY(ndp_buffer_add(buffer, "'", 1));
    NDP_TRY(ndp_dtype_add_typestr(buffer, dtype));
    return ndp_buffer_add(buffer, "'", 1);
}

enum ndp_status ndp_npy_descr_add(struct ndp_buffer *buffer, const struct ndp_dtype *dtype, uint32_t *highest,
                                  struct ndp_error *error) {
    if (dtype->kind == NDP_KIND_SUBARRAY) return set_unsupported(error, "a top-level sub-array");
    return add_descr(buffer, dtype, 0, highest, error);
}
