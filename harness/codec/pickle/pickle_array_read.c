/* pickle_array_read.c: reads dtype, layout and bytes of a pickled array.
 *
 * Problem: four functions of NumPy rebuild arrays, under several module names, with states that subclasses extend.
 * NumPy trusts most of their arguments.
 *
 * Method: recognise the function by its global, then check each argument: extents, total size, permutation of
 * dimensions, element bytes or objects, mask bytes against the leaves of the dtype.
 *
 * Cost: linear in shape, dtype and items; elements are borrowed. Limits: NDP_MAX_NDIM, 2^63 - 1 bytes. References:
 * pickle_array.h.
 */
#include <string.h>

#include "base/checked.h"
#include "codec/pickle/pickle_array.h"

/* Functions that rebuild pickled arrays. */
enum function { FUNCTION_OTHER, FUNCTION_RECONSTRUCT, FUNCTION_SCALAR, FUNCTION_FROMBUFFER, FUNCTION_MASKED };

static const struct {
    const char *module;
    const char *name;
    enum function function;
} functions[] = {
    {"numpy.core.multiarray", "_reconstruct", FUNCTION_RECONSTRUCT},
    {"numpy._core.multiarray", "_reconstruct", FUNCTION_RECONSTRUCT},
    {"numpy.core._multiarray_umath", "_reconstruct", FUNCTION_RECONSTRUCT},
    {"numpy._core._multiarray_umath", "_reconstruct", FUNCTION_RECONSTRUCT},
    {"numpy.core._internal", "_reconstruct", FUNCTION_RECONSTRUCT}, /* before NumPy 1.0 */
    {"numpy._core._internal", "_reconstruct", FUNCTION_RECONSTRUCT},
    {"numpy.core.multiarray", "scalar", FUNCTION_SCALAR},
    {"numpy._core.multiarray", "scalar", FUNCTION_SCALAR},
    {"numpy.core._multiarray_umath", "scalar", FUNCTION_SCALAR},
    {"numpy._core._multiarray_umath", "scalar", FUNCTION_SCALAR},
    {"numpy.core.numeric", "_frombuffer", FUNCTION_FROMBUFFER},
    {"numpy._core.numeric", "_frombuffer", FUNCTION_FROMBUFFER},
    {"numpy.ma.core", "_mareconstruct", FUNCTION_MASKED},
};

static enum function function_of(const struct ndp_object *object) {
    if (!ndp_object_is(object, NDP_OBJECT_CALL) || object->call->how != NDP_CALL_REDUCE) return FUNCTION_OTHER;
    for (size_t i = 0; i < NDP_ARRAY_LEN(functions); i++) {
        if (ndp_object_is_global(object->call->callable, functions[i].module, functions[i].name))
            return functions[i].function;
    }
    return FUNCTION_OTHER;
}

bool ndp_pickle_array_is_array(const struct ndp_object *object) {
    return function_of(object) != FUNCTION_OTHER;
}

bool ndp_pickle_array_is_scalar(const struct ndp_object *object) {
    return function_of(object) == FUNCTION_SCALAR;
}

static enum ndp_status array_refuse(const struct ndp_array_reader *r, enum ndp_status status,
                                    const struct ndp_object *at, const char *text) {
    return ndp_error_set(r->dtypes.error, status, at == NULL ? NDP_NO_OFFSET : at->offset_bytes, "array: %s", text);
}

static enum ndp_status read_shape(const struct ndp_array_reader *r, const struct ndp_object *shape, uint32_t *ndim,
                                  int64_t *extents) {
    if (!ndp_object_is(shape, NDP_OBJECT_TUPLE)) return array_refuse(r, NDP_INVALID, shape, "shape is not a tuple");
    if (shape->list.count > NDP_MAX_NDIM) return array_refuse(r, NDP_LIMIT, shape, "too many dimensions");
    for (uint64_t i = 0; i < shape->list.count; i++) {
        const struct ndp_object *extent = shape->list.items[i];
        if (extent->kind != NDP_OBJECT_INT || extent->is_big || extent->integer < 0)
            return array_refuse(r, NDP_INVALID, shape, "extent is not a non-negative int64");
        extents[i] = extent->integer;
    }
    *ndim = (uint32_t)shape->list.count;
    return NDP_OK;
}

/* Fills the dtype and a contiguous layout of the shape. */
static enum ndp_status read_form(struct ndp_array_reader *r, const struct ndp_object *shape,
                                 const struct ndp_object *dtype, enum ndp_memory_order order,
                                 struct ndp_pickled_array *array) {
    int64_t extents[NDP_MAX_NDIM];
    uint32_t ndim = 0;
    uint64_t size = 0;
    NDP_TRY(read_shape(r, shape, &ndim, extents));
    NDP_TRY(ndp_pickle_dtype_read(&r->dtypes, dtype, &array->dtype));
    array->is_record = ndp_pickle_dtype_is_record(dtype);
    if (array->dtype->kind == NDP_KIND_SUBARRAY) return array_refuse(r, NDP_INVALID, dtype, "dtype is a sub-array");
    const uint64_t itemsize = array->dtype->itemsize_bytes;
    if (!ndp_checked_extents_fit(extents, ndim, itemsize, &array->count_elems, &size))
        return array_refuse(r, NDP_LIMIT, shape, "size exceeds 2^63 - 1 bytes");
    const enum ndp_status status = ndp_layout_contiguous(&array->layout, extents, ndim, itemsize, order, 0);
    return status == NDP_OK ? NDP_OK : array_refuse(r, status, shape, "strides exceed int64");
}

static uint64_t size_of(const struct ndp_pickled_array *array) {
    return array->count_elems * array->dtype->itemsize_bytes;
}

/* Elements with objects are a list in C order, regardless of the order of the array. */
static enum ndp_status read_items(const struct ndp_array_reader *r, const struct ndp_object *data,
                                  struct ndp_pickled_array *array) {
    if (!ndp_object_is(data, NDP_OBJECT_LIST)) return array_refuse(r, NDP_INVALID, data, "objects are not a list");
    if (data->list.count != array->count_elems)
        return array_refuse(r, NDP_INVALID, data, "number of objects differs from the shape");
    array->items = data;
    return NDP_OK;
}

static enum ndp_status read_data(const struct ndp_array_reader *r, const struct ndp_object *data,
                                 struct ndp_pickled_array *array) {
    if (ndp_dtype_has_object(array->dtype)) return read_items(r, data, array);
    if (ndp_object_is(data, NDP_OBJECT_BYTEARRAY))
        return array_refuse(r, NDP_INVALID, data, "elements are a bytearray, expected bytes");
    const enum ndp_status status = ndp_object_read_bytes(r->dtypes.arena, data, &array->bytes);
    if (status != NDP_OK) return array_refuse(r, status, data, "elements are not bytes");
    if (array->bytes.size_bytes != size_of(array))
        return array_refuse(r, NDP_INVALID, data, "number of bytes differs from shape and dtype");
    return NDP_OK;
}

/* Reads (shape, dtype, is_fortran, data) at `items`. */
static enum ndp_status read_state(struct ndp_array_reader *r, struct ndp_object *const *items,
                                  struct ndp_pickled_array *array) {
    if (!ndp_object_is_int(items[2])) return array_refuse(r, NDP_INVALID, items[2], "order is not an integer");
    const enum ndp_memory_order order = ndp_object_integer(items[2]) != 0 ? NDP_MEMORY_F : NDP_MEMORY_C;
    NDP_TRY(read_form(r, items[0], items[1], order, array));
    array->is_writeable = true;
    return read_data(r, items[3], array);
}

static bool is_version(const struct ndp_object *object) {
    return ndp_object_is(object, NDP_OBJECT_INT) && !object->is_big && (object->integer == 0 || object->integer == 1);
}

/* Finds the array's part of a state: the whole state, the front of a longer tuple, or the first of a pair. */
static enum ndp_status find_state(const struct ndp_array_reader *r, const struct ndp_object *state,
                                  struct ndp_object *const **items, struct ndp_pickled_array *array) {
    if (!ndp_object_is(state, NDP_OBJECT_TUPLE)) return array_refuse(r, NDP_INVALID, state, "state is not a tuple");
    const struct ndp_object_list *list = &state->list;
    if (list->count == 2 && list->items[0]->kind == NDP_OBJECT_TUPLE && array->class != NULL) {
        array->is_pair = true;
        array->extra = list->items[1];
        list = &list->items[0]->list;
    }
    if (list->count >= 5 && is_version(list->items[0])) {
        *items = list->items + 1;
        if (list->count == 5) return NDP_OK;
        if (array->class == NULL || array->is_pair)
            return array_refuse(r, NDP_INVALID, state, "state has more than 5 items");
        struct ndp_object *extra = NDP_ARENA_NEW(r->dtypes.arena, struct ndp_object);
        if (extra == NULL) return array_refuse(r, NDP_NOMEM, state, "out of memory");
        extra->kind = NDP_OBJECT_TUPLE;
        extra->list = (struct ndp_object_list){list->items + 5, list->count - 5, list->count - 5};
        array->extra = extra;
        return NDP_OK;
    }
    *items = list->items;
    return list->count == 4 ? NDP_OK
                            : array_refuse(r, NDP_INVALID, state, "state is not (version, shape, dtype, order, data)");
}

static enum ndp_status read_class(const struct ndp_array_reader *r, const struct ndp_object *class,
                                  struct ndp_pickled_array *array) {
    if (ndp_object_is_global(class, "numpy", "ndarray")) return NDP_OK;
    if (!ndp_object_is(class, NDP_OBJECT_GLOBAL) && !ndp_object_is(class, NDP_OBJECT_CALL))
        return array_refuse(r, NDP_INVALID, class, "class is not a global or call");
    array->class = class;
    return NDP_OK;
}

static enum ndp_status read_reconstruct(struct ndp_array_reader *r, const struct ndp_call *call,
                                        struct ndp_pickled_array *array) {
    struct ndp_object *const *items = NULL;
    if (call->args->list.count != 3)
        return array_refuse(r, NDP_INVALID, call->args, "_reconstruct expects 3 arguments");
    NDP_TRY(read_class(r, call->args->list.items[0], array));
    if (call->state == NULL) return array_refuse(r, NDP_INVALID, array->object, "state is missing");
    NDP_TRY(find_state(r, call->state, &items, array));
    return read_state(r, items, array);
}

/* Axis k of the result is axis axes[k] of the C-ordered buffer. */
static enum ndp_status permute_axes(const struct ndp_array_reader *r, const struct ndp_object *axes,
                                    struct ndp_layout *layout) {
    struct ndp_layout permuted = *layout;
    uint64_t seen = 0;
    if (!ndp_object_is(axes, NDP_OBJECT_TUPLE) || axes->list.count != layout->ndim)
        return array_refuse(r, NDP_INVALID, axes, "axes are not a tuple with one item per dimension");
    for (uint32_t k = 0; k < layout->ndim; k++) {
        const struct ndp_object *axis = axes->list.items[k];
        if (axis->kind != NDP_OBJECT_INT || axis->is_big || axis->integer < 0 || axis->integer >= layout->ndim)
            return array_refuse(r, NDP_INVALID, axes, "axis is out of range");
        if ((seen >> axis->integer & 1) != 0) return array_refuse(r, NDP_INVALID, axes, "duplicate axis");
        seen |= UINT64_C(1) << axis->integer;
        permuted.shape[k] = layout->shape[axis->integer];
        permuted.strides_bytes[k] = layout->strides_bytes[axis->integer];
    }
    *layout = permuted;
    return NDP_OK;
}

static enum ndp_status read_buffer(const struct ndp_array_reader *r, const struct ndp_object *buffer,
                                   struct ndp_pickled_array *array) {
    switch ((int)buffer->kind) {
    case NDP_OBJECT_BYTES:
    case NDP_OBJECT_BYTEARRAY:
        array->bytes = buffer->bytes;
        array->is_writeable = buffer->kind == NDP_OBJECT_BYTEARRAY;
        break;
    case NDP_OBJECT_BUFFER:
        if (buffer->index >= r->buffer_count)
            return array_refuse(r, NDP_INVALID, buffer, "buffer index is out of range");
        array->buffer = buffer;
        array->bytes = r->buffers[buffer->index].bytes;
        array->is_writeable = !buffer->is_readonly && !r->buffers[buffer->index].is_readonly;
        break;
    default:
        return array_refuse(r, NDP_INVALID, buffer, "elements are not a buffer");
    }
    if (array->bytes.size_bytes != size_of(array))
        return array_refuse(r, NDP_INVALID, buffer, "number of bytes differs from shape and dtype");
    return NDP_OK;
}

static enum ndp_status read_frombuffer(struct ndp_array_reader *r, const struct ndp_call *call,
                                       struct ndp_pickled_array *array) {
    const struct ndp_object_list *args = &call->args->list;
    if (args->count != 4 && args->count != 5)
        return array_refuse(r, NDP_INVALID, call->args, "_frombuffer expects 4 or 5 arguments");
    if (call->state != NULL) return array_refuse(r, NDP_INVALID, call->state, "unexpected state of _frombuffer");
    const struct ndp_object *order = args->items[3];
    const bool is_permuted = ndp_object_is_text(order, "K");
    if (ndp_object_is_text(order, "A"))
        return array_refuse(r, NDP_UNSUPPORTED, order, "order 'A' is not written by any release");
    if (!is_permuted && !ndp_object_is_text(order, "C") && !ndp_object_is_text(order, "F"))
        return array_refuse(r, NDP_INVALID, order, "order is not C, F, A or K");
    if (is_permuted != (args->count == 5))
        return array_refuse(r, NDP_INVALID, order, "axes without order 'K', or order 'K' without axes");
    const enum ndp_memory_order memory = ndp_object_is_text(order, "F") ? NDP_MEMORY_F : NDP_MEMORY_C;
    NDP_TRY(read_form(r, args->items[2], args->items[1], memory, array));
    if (ndp_dtype_has_object(array->dtype))
        return array_refuse(r, NDP_INVALID, args->items[1], "dtype of a buffer contains objects");
    if (array->dtype->itemsize_bytes == 0)
        return array_refuse(r, NDP_INVALID, args->items[1], "dtype of a buffer has itemsize 0");
    NDP_TRY(read_buffer(r, args->items[0], array));
    return is_permuted ? permute_axes(r, args->items[4], &array->layout) : NDP_OK;
}

static enum ndp_status read_scalar(struct ndp_array_reader *r, const struct ndp_call *call,
                                   struct ndp_pickled_array *array) {
    static const struct ndp_object empty = {.kind = NDP_OBJECT_TUPLE, .offset_bytes = NDP_NO_OFFSET};
    const struct ndp_object_list *args = &call->args->list;
    if (args->count != 2) return array_refuse(r, NDP_INVALID, call->args, "scalar is not (dtype, bytes)");
    NDP_TRY(read_form(r, &empty, args->items[0], NDP_MEMORY_C, array));
    if (ndp_dtype_has_object(array->dtype))
        return array_refuse(r, NDP_UNSUPPORTED, call->args, "scalar contains objects");
    array->is_scalar = true;
    return read_data(r, args->items[1], array);
}

/* Number of leaves of one item; saturates. */
static uint64_t count_leaves(const struct ndp_dtype *dtype) {
    uint64_t count = 0;
    uint64_t size = 0;
    if (dtype->kind == NDP_KIND_SUBARRAY) {
        if (!ndp_checked_subarray_fits(dtype->shape, dtype->ndim, 0, &count, &size) ||
            !ndp_checked_mul_u64(count, count_leaves(dtype->base), &count))
            return UINT64_MAX;
        return count;
    }
    if (dtype->kind != NDP_KIND_STRUCT) return 1;
    for (uint64_t i = 0; i < dtype->field_count; i++)
        if (!ndp_checked_add_u64(count, count_leaves(dtype->fields[i].dtype), &count)) return UINT64_MAX;
    return count;
}

static enum ndp_status read_masked(struct ndp_array_reader *r, const struct ndp_call *call,
                                   struct ndp_pickled_array *array) {
    uint64_t mask_bytes = 0;
    if (call->args->list.count != 4)
        return array_refuse(r, NDP_INVALID, call->args, "_mareconstruct expects 4 arguments");
    NDP_TRY(read_class(r, call->args->list.items[0], array));
    if (!ndp_object_is(call->state, NDP_OBJECT_TUPLE) || call->state->list.count != 7)
        return array_refuse(r, NDP_INVALID, call->state, "state of a masked array does not have 7 items");
    struct ndp_object *const *items = call->state->list.items;
    if (!is_version(items[0])) return array_refuse(r, NDP_INVALID, items[0], "version is not 0 or 1");
    NDP_TRY(read_state(r, items + 1, array));
    const enum ndp_status status = ndp_object_read_bytes(r->dtypes.arena, items[5], &array->mask);
    if (status != NDP_OK) return array_refuse(r, status, items[5], "mask is not bytes");
    if (!ndp_checked_mul_u64(count_leaves(array->dtype), array->count_elems, &mask_bytes) ||
        mask_bytes != array->mask.size_bytes)
        return array_refuse(r, NDP_INVALID, items[5], "number of mask bytes differs from the elements");
    array->is_masked = true;
    array->fill_value = items[6];
    return NDP_OK;
}

enum ndp_status ndp_pickle_array_read(struct ndp_array_reader *r, const struct ndp_object *object,
                                      struct ndp_pickled_array *out) {
    struct ndp_pickled_array array = {.object = object};
    const enum function function = function_of(object);
    if (function == FUNCTION_OTHER) return array_refuse(r, NDP_UNSUPPORTED, object, "not a call that makes an array");
    const struct ndp_call *call = object->call;
    if (call->items.count > 0 || call->pairs.count > 0)
        return array_refuse(r, NDP_INVALID, object, "unexpected items or pairs after the call");
    if (call->setter != NULL) return array_refuse(r, NDP_UNSUPPORTED, object, "state is set by a function");
    switch (function) {
    case FUNCTION_RECONSTRUCT:
        NDP_TRY(read_reconstruct(r, call, &array));
        break;
    case FUNCTION_SCALAR:
        NDP_TRY(read_scalar(r, call, &array));
        break;
    case FUNCTION_FROMBUFFER:
        NDP_TRY(read_frombuffer(r, call, &array));
        break;
    case FUNCTION_MASKED:
        NDP_TRY(read_masked(r, call, &array));
        break;
    case FUNCTION_OTHER:
        break;
    }
    *out = array;
    return NDP_OK;
}
