/* pickle_graph_make_array.c: makes the objects of array nodes, as NumPy and the test classes pickle them. */
#include <string.h>

#include "codec/data_memory.h"
#include "codec/npy/npy_encode.h"
#include "codec/pickle/pickle_class.h"
#include "codec/pickle/pickle_graph_maker.h"
#include "model/graph/array_class.h"
#include "model/masked.h"

/* A tuple, or NULL when an item is NULL. */
static struct ndp_object *make_tuple(const struct ndp_pickle_graph_maker *m, uint64_t count,
                                     struct ndp_object *const *items) {
    for (uint64_t i = 0; i < count; i++)
        if (items[i] == NULL) return NULL;
    return ndp_object_tuple(m->pickle->objects, count, items);
}

/* Makes the ndarray part of a class; joblib wraps an array of the class ndarray itself. */
static enum ndp_status make_plain(struct ndp_pickle_graph_maker *m, const struct ndp_array *array,
                                  struct ndp_array_form form, struct ndp_object **out) {
    const struct ndp_elements elements = {array->dtype, &array->layout, array->buffer};
    struct ndp_blob blob = {0};
    if (m->joblib != NULL && form.class_name == NULL) return ndp_pickle_graph_maker_wrapper(m, array, "ndarray", out);
    form.protocol = m->protocol;
    form.is_readonly = !array->is_writeable;
    NDP_TRY(ndp_pickle_array_make(m->pickle, &elements, &form, out, &blob));
    return ndp_objects_keep(m->pickle->objects, &blob);
}

/* ---- objects ---- */

/* The last item of the state is the list of items. */
enum ndp_status ndp_pickle_graph_maker_objects(struct ndp_pickle_graph_maker *m, uint32_t number,
                                               struct ndp_object **out) {
    static const struct ndp_dtype type = {.kind = NDP_KIND_OBJECT, .order = NDP_ORDER_NONE, .itemsize_bytes = 8};
    const struct ndp_node *node = &m->graph->nodes[number];
    struct ndp_objects *objects = m->pickle->objects;
    struct ndp_object *extents[NDP_MAX_NDIM], *dtype = NULL;
    struct ndp_object *zero = ndp_object_int(objects, 0);
    if (node->is_string) return ndp_pickle_graph_maker_fail(m, NDP_UNSUPPORTED, number, "elements are strings");
    if (node->ndim > NDP_MAX_NDIM) return ndp_pickle_graph_maker_fail(m, NDP_LIMIT, number, "too many dimensions");
    for (uint32_t k = 0; k < node->ndim; k++) extents[k] = ndp_object_int(objects, node->shape[k]);
    NDP_TRY(ndp_pickle_dtype_make(m->pickle, &type, false, &dtype));
    struct ndp_object *args[3] = {ndp_pickle_maker_numpy_global(m->pickle, "ndarray"), make_tuple(m, 1, &zero),
                                  ndp_object_bytes(objects, NDP_OBJECT_BYTES, ndp_bytes_view("b"))};
    struct ndp_object *state[5] = {ndp_object_int(objects, 1), make_tuple(m, node->ndim, extents), dtype,
                                   ndp_object_bool(objects, ndp_graph_node_is_fortran(node)),
                                   ndp_object_new(objects, NDP_OBJECT_LIST)};
    struct ndp_object *callable = ndp_pickle_graph_maker_global(
        m, m->pickle->release == NDP_NUMPY_1 ? "numpy.core.multiarray" : "numpy._core.multiarray", "_reconstruct");
    struct ndp_object *tuple = make_tuple(m, 3, args);
    struct ndp_object *object =
        callable == NULL || tuple == NULL ? NULL : ndp_object_call(objects, NDP_CALL_REDUCE, callable, tuple);
    if (object != NULL) object->call->state = make_tuple(m, 5, state);
    if (object == NULL || object->call->state == NULL)
        return ndp_pickle_graph_maker_fail(m, NDP_NOMEM, number, "out of memory");
    *out = object;
    return NDP_OK;
}

/* ---- masked arrays ---- */

/* The mask in element order; all False without a mask edge. */
static enum ndp_status make_mask(struct ndp_pickle_graph_maker *m, uint32_t number, struct ndp_object **out) {
    const struct ndp_node *node = &m->graph->nodes[number];
    const struct ndp_edge *edge = ndp_graph_node_edge(node, NDP_EDGE_MASK, 0);
    const struct ndp_elements elements = {node->model.dtype, &node->model.layout, node->model.buffer};
    const uint64_t count = ndp_layout_count(&node->model.layout);
    const struct ndp_dtype *dtype = NULL;
    const enum ndp_status status = ndp_masked_dtype(m->pickle->objects->arena, node->model.dtype, &dtype);
    if (status != NDP_OK) return ndp_pickle_graph_maker_fail(m, status, number, "dtype or shape does not allow a mask");
    uint8_t *bytes = ndp_arena_alloc_items(m->pickle->objects->arena, count, dtype->itemsize_bytes);
    if (bytes == NULL) return ndp_pickle_graph_maker_fail(m, NDP_NOMEM, number, "out of memory for a mask");
    memset(bytes, 0, count * dtype->itemsize_bytes);
    if (edge != NULL) {
        const struct ndp_array *mask = &m->graph->nodes[edge->to].model;
        if (m->graph->nodes[edge->to].kind != NDP_NODE_ARRAY || mask->dtype->itemsize_bytes != dtype->itemsize_bytes ||
            ndp_layout_count(&mask->layout) != count)
            return ndp_pickle_graph_maker_fail(m, NDP_INVALID, number, "size of the mask differs from the array");
        ndp_array_gather(mask, ndp_npy_is_fortran_order(&elements) ? NDP_MEMORY_F : NDP_MEMORY_C, bytes);
    }
    *out = ndp_object_bytes(m->pickle->objects, NDP_OBJECT_BYTES,
                            (struct ndp_bytes){bytes, count * dtype->itemsize_bytes});
    return *out != NULL ? NDP_OK : ndp_pickle_graph_maker_fail(m, NDP_NOMEM, number, "out of memory");
}

/* A 0-d array of the array's dtype, or None for the default. */
static enum ndp_status make_fill_value(struct ndp_pickle_graph_maker *m, uint32_t number, struct ndp_object **out) {
    const struct ndp_node *node = &m->graph->nodes[number];
    struct ndp_array value = {.dtype = node->model.dtype, .is_writeable = true};
    const struct ndp_array_form form = {.protocol = 0};
    if (node->fill_value.size_bytes == 0) {
        *out = ndp_object_none(m->pickle->objects);
        return *out != NULL ? NDP_OK : ndp_pickle_graph_maker_fail(m, NDP_NOMEM, number, "out of memory");
    }
    if (node->fill_value.size_bytes != node->model.dtype->itemsize_bytes)
        return ndp_pickle_graph_maker_fail(m, NDP_INVALID, number, "size of the fill value differs from the dtype");
    value.buffer = ndp_arena_copy(m->pickle->objects->arena, node->fill_value.data, node->fill_value.size_bytes);
    if (value.buffer == NULL) return ndp_pickle_graph_maker_fail(m, NDP_NOMEM, number, "out of memory");
    const enum ndp_status status = ndp_masked_swap_fill_value(m->pickle->objects->arena, value.dtype, value.buffer);
    if (status != NDP_OK) return ndp_pickle_graph_maker_fail(m, status, number, "fill value has overlapping fields");
    return make_plain(m, &value, form, out);
}

/* The initial shape (0,) of every masked array is one object in numpy.ma.core. */
static struct ndp_object *first_shape(struct ndp_pickle_graph_maker *m) {
    if (m->masked_shape != NULL) return m->masked_shape;
    struct ndp_object *zero = ndp_object_int(m->pickle->objects, 0);
    return m->masked_shape = make_tuple(m, 1, &zero);
}

/* Makes _mareconstruct(class, ndarray, (0,), 'b') with the state (1, shape, dtype, is_fortran, bytes, mask, fill
 * value). */
static enum ndp_status make_masked(struct ndp_pickle_graph_maker *m, uint32_t number, struct ndp_object **out) {
    struct ndp_objects *objects = m->pickle->objects;
    struct ndp_object *data = NULL, *state[7] = {NULL};
    const char *module = NULL, *name = NULL;
    /* An explicit class keeps the elements out of a protocol 5 buffer, as in NumPy. */
    const struct ndp_array_form form = {.class_module = "numpy", .class_name = "ndarray"};
    if (m->graph->nodes[number].has_hard_mask)
        return ndp_pickle_graph_maker_fail(m, NDP_UNSUPPORTED, number, "hard mask is not preserved by NumPy's pickles");
    NDP_TRY(make_plain(m, &m->graph->nodes[number].model, form, &data));
    memcpy(state, data->call->state->list.items, 5 * sizeof(struct ndp_object *));
    NDP_TRY(make_mask(m, number, &state[5]));
    NDP_TRY(make_fill_value(m, number, &state[6]));
    (void)ndp_pickle_class_names(NDP_CLASS_MASKED, m->pickle->release == NDP_NUMPY_1, &module, &name);
    struct ndp_object *args[4] = {ndp_pickle_graph_maker_global(m, module, name),
                                  ndp_pickle_maker_numpy_global(m->pickle, "ndarray"), first_shape(m),
                                  ndp_object_text(objects, "b")};
    struct ndp_object *callable = ndp_pickle_graph_maker_global(m, "numpy.ma.core", "_mareconstruct");
    struct ndp_object *tuple = make_tuple(m, 4, args);
    struct ndp_object *object =
        callable == NULL || tuple == NULL ? NULL : ndp_object_call(objects, NDP_CALL_REDUCE, callable, tuple);
    if (object != NULL) object->call->state = make_tuple(m, 7, state);
    if (object == NULL || object->call->state == NULL)
        return ndp_pickle_graph_maker_fail(m, NDP_NOMEM, number, "out of memory");
    *out = object;
    return NDP_OK;
}

/* ---- classes ---- */

/* Adds the dict of attributes to the state, or makes a pair of both, depending on the class. */
static enum ndp_status add_attributes(struct ndp_pickle_graph_maker *m, uint32_t number, enum ndp_array_class class,
                                      struct ndp_object *object) {
    struct ndp_object *dict = ndp_object_new(m->pickle->objects, NDP_OBJECT_DICT);
    struct ndp_object *items[6], *pair[2] = {object->call->state, dict};
    if (dict == NULL) return ndp_pickle_graph_maker_fail(m, NDP_NOMEM, number, "out of memory");
    memcpy(items, object->call->state->list.items, 5 * sizeof(struct ndp_object *));
    items[5] = dict;
    object->call->state =
        ndp_pickle_class_attributes(class) == NDP_PICKLED_LAST ? make_tuple(m, 6, items) : make_tuple(m, 2, pair);
    if (object->call->state == NULL) return ndp_pickle_graph_maker_fail(m, NDP_NOMEM, number, "out of memory");
    m->attributes[number] = dict;
    return NDP_OK;
}

/* rebuild(class, array, attributes) */
static enum ndp_status make_rebuilt(struct ndp_pickle_graph_maker *m, uint32_t number, enum ndp_array_class class,
                                    struct ndp_object **out) {
    const struct ndp_array_form form = {.protocol = 0};
    struct ndp_object *args[3] = {ndp_pickle_graph_maker_global(m, ndp_pattern_module, ndp_class_word(class)), NULL,
                                  ndp_object_new(m->pickle->objects, NDP_OBJECT_DICT)};
    NDP_TRY(make_plain(m, &m->graph->nodes[number].model, form, &args[1]));
    struct ndp_object *callable = ndp_pickle_graph_maker_global(m, ndp_pattern_module, ndp_pattern_rebuild);
    struct ndp_object *tuple = make_tuple(m, 3, args);
    struct ndp_object *object = callable == NULL || tuple == NULL
                                    ? NULL
                                    : ndp_object_call(m->pickle->objects, NDP_CALL_REDUCE, callable, tuple);
    if (object == NULL) return ndp_pickle_graph_maker_fail(m, NDP_NOMEM, number, "out of memory");
    m->attributes[number] = args[2];
    *out = object;
    return NDP_OK;
}

static bool find_class(const struct ndp_array *array, enum ndp_array_class *out) {
    *out = NDP_CLASS_NDARRAY;
    return array->class_name.size_bytes == 0 || ndp_class_find(array->class_name, out);
}

enum ndp_status ndp_pickle_graph_maker_array(struct ndp_pickle_graph_maker *m, uint32_t number,
                                             struct ndp_object **out) {
    const struct ndp_array *array = &m->graph->nodes[number].model;
    struct ndp_array_form form = {.protocol = 0};
    enum ndp_array_class class;
    if (ndp_dtype_has_object(array->dtype))
        return ndp_pickle_graph_maker_fail(m, NDP_UNSUPPORTED, number, "elements are objects");
    if (!find_class(array, &class))
        return ndp_pickle_graph_maker_fail(m, NDP_UNSUPPORTED, number, "unknown class of arrays");
    if (class == NDP_CLASS_MASKED) return make_masked(m, number, out);
    if (class == NDP_CLASS_PROXY)
        return ndp_pickle_graph_maker_fail(m, NDP_UNSUPPORTED, number, "pickling of this class is hidden by NumPy's");
    const enum ndp_pickled_attributes kept = ndp_pickle_class_attributes(class);
    if (kept == NDP_PICKLED_REBUILD) return make_rebuilt(m, number, class, out);
    if (class != NDP_CLASS_NDARRAY &&
        !ndp_pickle_class_names(class, m->pickle->release == NDP_NUMPY_1, &form.class_module, &form.class_name))
        return ndp_pickle_graph_maker_fail(m, NDP_UNSUPPORTED, number, "class defines its own pickling");
    if (m->joblib != NULL && (class == NDP_CLASS_MATRIX || class == NDP_CLASS_MEMMAP))
        return ndp_pickle_graph_maker_wrapper(m, array, ndp_class_word(class), out);
    form.is_record = class == NDP_CLASS_RECARRAY && array->dtype->kind == NDP_KIND_STRUCT;
    NDP_TRY(make_plain(m, array, form, out));
    return kept == NDP_PICKLED_NONE ? NDP_OK : add_attributes(m, number, class, *out);
}
