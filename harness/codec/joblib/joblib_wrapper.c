/* joblib_wrapper.c: reader and maker of NumpyArrayWrapper.
 *
 * Method: recognise the class by module suffix and name, then read the dict of its state; the maker writes the dict
 * with the keys in the order of joblib's constructor. Cost: linear in shape and dtype. Limits: NDP_MAX_NDIM, 2^63 - 1
 * bytes. References: joblib_wrapper.h.
 */
#include "codec/joblib/joblib_wrapper.h"

#include <string.h>

#include "base/checked.h"
#include "codec/npy/npy_encode.h"
#include "codec/npy/npy_header.h"

static enum ndp_status wrapper_refuse(struct ndp_error *error, enum ndp_status status, const struct ndp_object *object,
                                      const char *text) {
    const uint64_t offset = object == NULL ? NDP_NO_OFFSET : object->offset_bytes;
    return ndp_error_set(error, status, offset, "joblib wrapper: %s", text);
}

static bool ends_with(struct ndp_bytes text, const char *ending) {
    const uint64_t size = strlen(ending);
    return text.size_bytes >= size && memcmp(text.data + text.size_bytes - size, ending, (size_t)size) == 0;
}

/* Matches "joblib.numpy_pickle", also inside another package ("sklearn.externals.joblib.numpy_pickle"). */
static bool is_module(struct ndp_bytes module, const char *name) {
    if (!ends_with(module, name)) return false;
    const uint64_t size = strlen(name);
    return module.size_bytes == size || module.data[module.size_bytes - size - 1] == '.';
}

/* The class of an instance that was created without arguments. */
static const struct ndp_object *class_of(const struct ndp_call *call) {
    if (call->how == NDP_CALL_NEWOBJ || call->how == NDP_CALL_INSTANCE) return call->callable;
    const struct ndp_object_list *args = &call->args->list;
    const bool is_made = call->how == NDP_CALL_REDUCE && args->count > 0 &&
                         (ndp_object_is_global(call->callable, "copyreg", "_reconstructor") ||
                          ndp_object_is_global(call->callable, "copyreg", "__newobj__") ||
                          ndp_object_is_global(call->callable, "copyreg", "__newobj_ex__"));
    return is_made ? args->items[0] : NULL;
}

enum ndp_joblib_wrapper_kind ndp_joblib_wrapper_kind(const struct ndp_object *object) {
    if (!ndp_object_is(object, NDP_OBJECT_CALL) || !ndp_object_is(object->call->state, NDP_OBJECT_DICT))
        return NDP_JOBLIB_OTHER;
    const struct ndp_object *class = class_of(object->call);
    if (!ndp_object_is(class, NDP_OBJECT_GLOBAL)) return NDP_JOBLIB_OTHER;
    const struct ndp_bytes module = class->global.module->bytes;
    if (!is_module(module, "joblib.numpy_pickle") && !is_module(module, "joblib.numpy_pickle_compat"))
        return NDP_JOBLIB_OTHER;
    const struct ndp_object *name = class->global.name;
    if (ndp_object_is_text(name, "NumpyArrayWrapper")) return NDP_JOBLIB_ARRAY;
    const bool is_old = ndp_object_is_text(name, "NDArrayWrapper") || ndp_object_is_text(name, "ZNDArrayWrapper");
    return is_old ? NDP_JOBLIB_OLD : NDP_JOBLIB_OTHER;
}

static enum ndp_status read_shape(const struct ndp_object *shape, struct ndp_error *error, int64_t *extents,
                                  uint32_t *ndim) {
    if (!ndp_object_is(shape, NDP_OBJECT_TUPLE))
        return wrapper_refuse(error, NDP_INVALID, shape, "shape is not a tuple");
    if (shape->list.count > NDP_MAX_NDIM) return wrapper_refuse(error, NDP_LIMIT, shape, "too many dimensions");
    for (uint64_t k = 0; k < shape->list.count; k++) {
        const struct ndp_object *extent = shape->list.items[k];
        if (extent->kind != NDP_OBJECT_INT || extent->is_big || extent->integer < 0)
            return wrapper_refuse(error, NDP_INVALID, extent, "extent is not a non-negative int64");
        extents[k] = ndp_object_integer(extent);
    }
    *ndim = (uint32_t)shape->list.count;
    return NDP_OK;
}

/* Any order except F is C, as in joblib. */
static enum ndp_status read_layout(const struct ndp_object *object, struct ndp_error *error,
                                   struct ndp_joblib_wrapper *wrapper) {
    const struct ndp_object *state = object->call->state;
    const struct ndp_object *order = ndp_object_lookup(state, "order");
    int64_t extents[NDP_MAX_NDIM];
    uint32_t ndim = 0;
    NDP_TRY(read_shape(ndp_object_lookup(state, "shape"), error, extents, &ndim));
    if (!ndp_object_is(order, NDP_OBJECT_TEXT) && !ndp_object_is(order, NDP_OBJECT_STRING))
        return wrapper_refuse(error, NDP_INVALID, object, "order is not text");
    const uint64_t itemsize = wrapper->dtype->itemsize_bytes;
    if (!ndp_checked_extents_fit(extents, ndim, itemsize, &wrapper->count_elems, &wrapper->size_bytes))
        return wrapper_refuse(error, NDP_INVALID, object, "size exceeds 2^63 - 1 bytes");
    const enum ndp_memory_order memory = ndp_object_is_text(order, "F") ? NDP_MEMORY_F : NDP_MEMORY_C;
    const enum ndp_status status = ndp_layout_contiguous(&wrapper->layout, extents, ndim, itemsize, memory, 0);
    return status == NDP_OK ? NDP_OK : wrapper_refuse(error, status, object, "strides exceed int64");
}

enum ndp_status ndp_joblib_wrapper_read(struct ndp_pickle_dtype_reader *reader, const struct ndp_object *object,
                                        struct ndp_joblib_wrapper *out) {
    struct ndp_joblib_wrapper wrapper = {0};
    const struct ndp_object *state = object->call->state;
    struct ndp_object *dtype = ndp_object_lookup(state, "dtype");
    const struct ndp_object *alignment = ndp_object_lookup(state, "numpy_array_alignment_bytes");
    const struct ndp_object *allow_mmap = ndp_object_lookup(state, "allow_mmap");
    if (dtype == NULL) return wrapper_refuse(reader->error, NDP_INVALID, object, "dtype is missing");
    NDP_TRY(ndp_pickle_dtype_read(reader, dtype, &wrapper.dtype));
    wrapper.dtype_object = dtype;
    NDP_TRY(read_layout(object, reader->error, &wrapper));
    wrapper.has_padding = alignment != NULL && alignment->kind != NDP_OBJECT_NONE;
    if (wrapper.has_padding && !ndp_object_is_int(alignment))
        return wrapper_refuse(reader->error, NDP_INVALID, alignment, "alignment is not an integer");
    wrapper.allow_mmap = ndp_object_is(allow_mmap, NDP_OBJECT_BOOL) && allow_mmap->truth;
    wrapper.has_objects = ndp_dtype_has_object(wrapper.dtype);
    wrapper.class = ndp_object_lookup(state, "subclass");
    *out = wrapper;
    return NDP_OK;
}

static enum ndp_status read_array(struct ndp_array_reader *reader, const struct ndp_object *object,
                                  struct ndp_pickled_array *array) {
    const struct ndp_joblib_wrapper *parsed = object->raw->parsed;
    if (parsed == NULL || parsed->has_objects)
        return wrapper_refuse(reader->dtypes.error, NDP_UNSUPPORTED, object->raw->wrapper, "elements are objects");
    array->dtype = parsed->dtype;
    NDP_TRY(ndp_pickle_dtype_record(&reader->dtypes, parsed->dtype_object, &array->dtype));
    array->layout = parsed->layout;
    array->count_elems = parsed->count_elems;
    array->class = parsed->class;
    array->bytes = object->raw->bytes;
    return NDP_OK;
}

enum ndp_status ndp_joblib_wrapper_read_array(struct ndp_array_reader *reader, const struct ndp_object *object,
                                              struct ndp_pickled_array *out) {
    struct ndp_pickled_array array = {.object = object, .is_writeable = true};
    if (!ndp_object_is(object, NDP_OBJECT_RAW) || ndp_joblib_wrapper_kind(object->raw->wrapper) != NDP_JOBLIB_ARRAY)
        return wrapper_refuse(reader->dtypes.error, NDP_UNSUPPORTED, object, "not a wrapped array");
    NDP_TRY(read_array(reader, object, &array));
    *out = array;
    return NDP_OK;
}

/* NEWOBJ, or its replacement in protocols 0 and 1. */
static struct ndp_object *make_instance(struct ndp_pickle_maker *maker, uint32_t protocol) {
    struct ndp_objects *objects = maker->objects;
    struct ndp_object *class = ndp_pickle_maker_global(maker, "joblib.numpy_pickle", "NumpyArrayWrapper");
    if (class == NULL) return NULL;
    if (protocol >= 2) {
        struct ndp_object *nothing = ndp_object_tuple(objects, 0, NULL);
        return nothing == NULL ? NULL : ndp_object_call(objects, NDP_CALL_NEWOBJ, class, nothing);
    }
    struct ndp_object *function = ndp_pickle_maker_global(maker, "copyreg", "_reconstructor");
    struct ndp_object *items[] = {class, ndp_pickle_maker_global(maker, "builtins", "object"),
                                  ndp_object_none(objects)};
    if (function == NULL || items[1] == NULL || items[2] == NULL) return NULL;
    struct ndp_object *args = ndp_object_tuple(objects, NDP_ARRAY_LEN(items), items);
    return args == NULL ? NULL : ndp_object_call(objects, NDP_CALL_REDUCE, function, args);
}

static bool add_pair(struct ndp_pickle_maker *maker, struct ndp_object *dict, const char *key,
                     struct ndp_object *value) {
    struct ndp_object *text = ndp_pickle_maker_name(maker, ndp_bytes_view(key));
    return text != NULL && value != NULL && ndp_object_append(maker->objects, &dict->list, text) &&
           ndp_object_append(maker->objects, &dict->list, value);
}

static struct ndp_object *make_shape(struct ndp_objects *objects, const struct ndp_layout *layout) {
    struct ndp_object *extents[NDP_MAX_NDIM];
    for (uint32_t k = 0; k < layout->ndim; k++) {
        extents[k] = ndp_object_int(objects, layout->shape[k]);
        if (extents[k] == NULL) return NULL;
    }
    return ndp_object_tuple(objects, layout->ndim, extents);
}

/* The keys have the order in which joblib's constructor sets them. */
static enum ndp_status make_state(struct ndp_pickle_maker *maker, const struct ndp_elements *elements,
                                  const struct ndp_joblib_form *form, struct ndp_object *state) {
    struct ndp_objects *objects = maker->objects;
    struct ndp_object *dtype = NULL;
    const bool is_fortran = ndp_npy_is_fortran_order(elements);
    const bool is_mappable = !form->is_unmappable && !ndp_dtype_has_object(elements->dtype);
    const char *class_name = form->class_name != NULL ? form->class_name : "ndarray";
    if (!add_pair(maker, state, "subclass", ndp_pickle_maker_numpy_global(maker, class_name)) ||
        !add_pair(maker, state, "shape", make_shape(objects, elements->layout)) ||
        !add_pair(maker, state, "order", ndp_object_text(objects, is_fortran ? "F" : "C")))
        return wrapper_refuse(maker->error, NDP_NOMEM, NULL, "out of memory");
    NDP_TRY(ndp_pickle_dtype_make(maker, elements->dtype, false, &dtype));
    if (!add_pair(maker, state, "dtype", dtype) ||
        !add_pair(maker, state, "allow_mmap", ndp_object_bool(objects, is_mappable)) ||
        (form->alignment_bytes > 0 && !add_pair(maker, state, "numpy_array_alignment_bytes",
                                                ndp_object_int(objects, (int64_t)form->alignment_bytes))))
        return wrapper_refuse(maker->error, NDP_NOMEM, NULL, "out of memory");
    return NDP_OK;
}

enum ndp_status ndp_joblib_wrapper_make(struct ndp_pickle_maker *maker, const struct ndp_elements *elements,
                                        const struct ndp_joblib_form *form, struct ndp_object **out) {
    struct ndp_object *wrapper = make_instance(maker, form->protocol);
    struct ndp_object *state = ndp_object_new(maker->objects, NDP_OBJECT_DICT);
    struct ndp_object *object = ndp_object_new(maker->objects, NDP_OBJECT_RAW);
    struct ndp_raw *raw = NDP_ARENA_NEW(maker->objects->arena, struct ndp_raw);
    if (wrapper == NULL || state == NULL || object == NULL || raw == NULL)
        return wrapper_refuse(maker->error, NDP_NOMEM, NULL, "out of memory");
    NDP_TRY(make_state(maker, elements, form, state));
    wrapper->call->state = state;
    *raw = (struct ndp_raw){.wrapper = wrapper, .elements = elements};
    object->raw = raw;
    *out = object;
    return NDP_OK;
}
