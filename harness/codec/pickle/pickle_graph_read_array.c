/* pickle_graph_read_array.c: reads array nodes of every class. pickle_class.c defines the effect of unpickling on
 * attributes; elements, masks and fill values follow NumPy. */
#include <string.h>

#include "base/byteorder.h"
#include "codec/joblib/joblib_wrapper.h"
#include "codec/map_file.h"
#include "codec/pickle/pickle_class.h"
#include "codec/pickle/pickle_graph_reader.h"
#include "model/graph/array_class.h"
#include "model/masked.h"

static bool is_rebuilt(const struct ndp_object *object) {
    return ndp_object_is(object, NDP_OBJECT_CALL) &&
           ndp_object_is_global(object->call->callable, ndp_pattern_module, ndp_pattern_rebuild);
}

bool ndp_pickle_graph_reader_is_array(const struct ndp_object *object) {
    return is_rebuilt(object) || ndp_object_is(object, NDP_OBJECT_RAW) || ndp_pickle_array_is_array(object);
}

/* Reads a joblib wrapper like joblib.load without mmap_mode: a memmap becomes an ndarray, and a nested pickle replaces
 * its wrapper. */
static enum ndp_status read_any(struct ndp_pickle_graph_reader *r, const struct ndp_object *object,
                                struct ndp_pickled_array *out) {
    enum ndp_array_class class;
    if (ndp_object_is(object, NDP_OBJECT_RAW) && object->raw->nested != NULL) object = object->raw->nested;
    if (!ndp_object_is(object, NDP_OBJECT_RAW)) return ndp_pickle_array_read(&r->arrays, object, out);
    NDP_TRY(ndp_joblib_wrapper_read_array(&r->arrays, object, out));
    if (ndp_pickle_class_find(out->class, &class) && (class == NDP_CLASS_NDARRAY || class == NDP_CLASS_MEMMAP))
        out->class = NULL;
    return NDP_OK;
}

/* ---- elements ---- */

/* Fills the node with an array that owns a copy of the bytes. */
static enum ndp_status own_elements(struct ndp_pickle_graph_reader *r, const struct ndp_pickled_array *read,
                                    const struct ndp_dtype *dtype, const struct ndp_layout *layout,
                                    struct ndp_bytes bytes, struct ndp_bytes class_name, struct ndp_node *node) {
    uint8_t *copy = ndp_arena_copy(r->objects->arena, bytes.data, bytes.size_bytes);
    if (copy == NULL) return ndp_pickle_graph_reader_fail(r, NDP_NOMEM, read->object, "out of memory for the elements");
    node->kind = NDP_NODE_ARRAY;
    node->has_model = true;
    node->model = (struct ndp_array){.dtype = dtype,
                                     .layout = *layout,
                                     .buffer = copy,
                                     .buffer_bytes = bytes.size_bytes,
                                     .is_writeable = read->is_writeable,
                                     .owns_data = true,
                                     .host_is_little_endian = ndp_byteorder_host_is_little(),
                                     .class_name = class_name};
    return NDP_OK;
}

/* Whether joblib would map the array: its elements lie in the mapped file. */
static bool is_in_map(const struct ndp_pickle_graph_reader *r, const struct ndp_object *object,
                      const struct ndp_pickled_array *read) {
    if (r->map == NULL || !ndp_object_is(object, NDP_OBJECT_RAW) || object->raw->parsed == NULL) return false;
    return object->raw->parsed->allow_mmap && object->raw->offset_bytes <= r->map->size_bytes &&
           read->bytes.size_bytes <= r->map->size_bytes - object->raw->offset_bytes;
}

/* Fills the node with an array that borrows its elements from the file. */
static void map_elements(struct ndp_pickle_graph_reader *r, const struct ndp_object *object,
                         const struct ndp_pickled_array *read, struct ndp_bytes class_name, struct ndp_node *node) {
    const bool is_plain = read->class == NULL;
    node->kind = NDP_NODE_ARRAY;
    node->has_model = true;
    node->model = (struct ndp_array){.dtype = read->dtype,
                                     .layout = read->layout,
                                     .buffer = r->map->data,
                                     .buffer_bytes = r->map->size_bytes,
                                     .is_writeable = ndp_map_is_writeable(r->map->mode),
                                     .host_is_little_endian = ndp_byteorder_host_is_little(),
                                     .class_name = is_plain ? ndp_bytes_view("memmap") : class_name};
    node->model.layout.offset_bytes = (int64_t)object->raw->offset_bytes;
    node->model.map = (struct ndp_map_state){
        .is_backed = true, .has_attributes = is_plain, .mode = r->map->mode, .offset_bytes = object->raw->offset_bytes};
}

/* Reads an object array of the class ndarray itself: its items are nodes. */
static enum ndp_status read_objects(struct ndp_pickle_graph_reader *r, const struct ndp_pickled_array *read,
                                    struct ndp_node *node) {
    static const struct ndp_bytes no_name = {(const uint8_t *)"", 0};
    if (read->dtype->kind != NDP_KIND_OBJECT || read->class != NULL)
        return ndp_pickle_graph_reader_fail(r, NDP_UNSUPPORTED, read->object,
                                            "object elements in a structure or an array class");
    const int64_t *shape =
        ndp_arena_copy(r->objects->arena, read->layout.shape, read->layout.ndim * sizeof read->layout.shape[0]);
    if (shape == NULL) return ndp_pickle_graph_reader_fail(r, NDP_NOMEM, read->object, "out of memory");
    node->kind = NDP_NODE_OBJECTS;
    node->ndim = read->layout.ndim;
    node->shape = shape;
    node->is_fortran = ndp_layout_is_f_contiguous(&read->layout, read->dtype->itemsize_bytes);
    for (uint64_t i = 0; i < read->items->list.count; i++)
        NDP_TRY(ndp_pickle_graph_reader_add_edge_to(r, NDP_EDGE_ITEM, no_name, read->items->list.items[i]));
    return NDP_OK;
}

/* ---- masked arrays ---- */

/* Reads one element of the array's dtype, every leaf little-endian. NumPy would convert an object that is not an array
 * by the dtype; it is refused here. */
static enum ndp_status read_fill_value(struct ndp_pickle_graph_reader *r, const struct ndp_pickled_array *masked,
                                       struct ndp_node *node) {
    struct ndp_pickled_array value;
    if (ndp_object_is(masked->fill_value, NDP_OBJECT_NONE)) return NDP_OK;
    NDP_TRY(read_any(r, masked->fill_value, &value));
    const uint64_t itemsize = masked->dtype->itemsize_bytes;
    if (value.items != NULL || value.is_masked || value.count_elems != 1 || value.bytes.size_bytes != itemsize ||
        (ndp_dtype_compare(value.dtype, masked->dtype, NULL) & (NDP_DTYPE_KIND | NDP_DTYPE_SHAPE)) != 0)
        return ndp_pickle_graph_reader_fail(r, NDP_UNSUPPORTED, masked->fill_value,
                                            "type of the fill value differs from the array");
    uint8_t *copy = ndp_arena_copy(r->objects->arena, value.bytes.data, itemsize);
    if (copy == NULL) return ndp_pickle_graph_reader_fail(r, NDP_NOMEM, masked->fill_value, "out of memory");
    const enum ndp_status status = ndp_masked_swap_fill_value(r->objects->arena, value.dtype, copy);
    if (status != NDP_OK)
        return ndp_pickle_graph_reader_fail(r, status, masked->fill_value, "fill value has overlapping fields");
    node->fill_value = (struct ndp_bytes){copy, itemsize};
    return NDP_OK;
}

/* Unpickling always creates a mask; its order is that of the elements. */
static enum ndp_status read_mask(struct ndp_pickle_graph_reader *r, const struct ndp_pickled_array *masked) {
    static const struct ndp_bytes no_name = {(const uint8_t *)"", 0};
    const struct ndp_dtype *dtype = NULL;
    const uint64_t itemsize = masked->dtype->itemsize_bytes;
    const bool is_fortran =
        ndp_layout_is_f_contiguous(&masked->layout, itemsize) && !ndp_layout_is_c_contiguous(&masked->layout, itemsize);
    struct ndp_layout layout;
    uint32_t number = 0;
    enum ndp_status status = ndp_masked_dtype(r->objects->arena, masked->dtype, &dtype);
    if (status == NDP_OK)
        status = ndp_layout_contiguous(&layout, masked->layout.shape, masked->layout.ndim, dtype->itemsize_bytes,
                                       is_fortran ? NDP_MEMORY_F : NDP_MEMORY_C, 0);
    if (status != NDP_OK)
        return ndp_pickle_graph_reader_fail(r, status, masked->object, "dtype or shape does not allow a mask");
    NDP_TRY(ndp_pickle_graph_reader_add_node(r, &number));
    NDP_TRY(own_elements(r, masked, dtype, &layout, masked->mask, ndp_bytes_view("ndarray"),
                         ndp_pickle_graph_reader_node_at(r, number)));
    return ndp_pickle_graph_reader_add_edge(r, NDP_EDGE_MASK, no_name, number);
}

/* ---- attributes ---- */

/* A duplicate attribute keeps its first position and its last value. */
static enum ndp_status set_attribute(struct ndp_pickle_graph_reader *r, struct ndp_bytes name,
                                     const struct ndp_object *value) {
    for (uint32_t i = 0; i < r->edge_count; i++) {
        if (r->edges[i].role == NDP_EDGE_ATTRIBUTE && ndp_bytes_is_equal(r->edges[i].name, name))
            return ndp_pickle_graph_reader_find_node(r, value, &r->edges[i].to);
    }
    return ndp_pickle_graph_reader_add_edge_to(r, NDP_EDGE_ATTRIBUTE, name, value);
}

/* Adds the attributes of the dict, and the promised attribute as unpickling leaves it if the dict lacks it. */
static enum ndp_status read_attributes(struct ndp_pickle_graph_reader *r, enum ndp_array_class class,
                                       const struct ndp_object *dict) {
    const char *promised = ndp_class_promised(class);
    struct ndp_object *none = ndp_object_none(r->objects);
    const bool is_kept = dict != NULL && ndp_object_lookup(dict, promised) != NULL;
    if (none == NULL) return ndp_pickle_graph_reader_fail(r, NDP_NOMEM, dict, "out of memory");
    if (promised[0] != '\0' && !is_kept) {
        uint32_t to = NDP_GRAPH_UNSET;
        if (ndp_pickle_class_sets_promised(class)) NDP_TRY(ndp_pickle_graph_reader_add_node(r, &to));
        NDP_TRY(ndp_pickle_graph_reader_add_edge(r, NDP_EDGE_ATTRIBUTE, ndp_bytes_view(promised), to));
    }
    for (uint64_t i = 0; dict != NULL && i + 1 < dict->list.count; i += 2) {
        struct ndp_bytes name;
        const enum ndp_status status = ndp_object_read_text(r->objects->arena, dict->list.items[i], &name);
        if (status != NDP_OK) return ndp_pickle_graph_reader_fail(r, status, dict, "name of an attribute is not text");
        NDP_TRY(set_attribute(r, name, dict->list.items[i + 1]));
    }
    return NDP_OK;
}

/* Finds the dict of attributes in the state of `read`; NULL for none. */
static enum ndp_status find_attributes(struct ndp_pickle_graph_reader *r, const struct ndp_pickled_array *read,
                                       enum ndp_array_class class, const struct ndp_object **out) {
    const enum ndp_pickled_attributes kept = ndp_pickle_class_attributes(class);
    const struct ndp_object *dict = read->extra;
    *out = NULL;
    if (kept == NDP_PICKLED_NONE || kept == NDP_PICKLED_REBUILD)
        return dict == NULL ? NDP_OK
                            : ndp_pickle_graph_reader_fail(r, NDP_INVALID, dict, "class does not accept this state");
    if (dict == NULL || read->is_pair != (kept == NDP_PICKLED_PAIR))
        return ndp_pickle_graph_reader_fail(r, NDP_INVALID, read->object, "state lacks the addition of the class");
    if (kept == NDP_PICKLED_LAST && dict->list.count != 1)
        return ndp_pickle_graph_reader_fail(r, NDP_INVALID, dict, "state has more than one addition");
    if (kept == NDP_PICKLED_LAST) dict = dict->list.items[0];
    if (!ndp_object_is(dict, NDP_OBJECT_DICT))
        return ndp_pickle_graph_reader_fail(r, NDP_INVALID, dict, "attributes are not a dict");
    *out = dict;
    return NDP_OK;
}

/* ---- arrays ---- */

static enum ndp_status read_pickled(struct ndp_pickle_graph_reader *r, const struct ndp_object *object,
                                    struct ndp_node *node) {
    struct ndp_pickled_array read;
    enum ndp_array_class class;
    NDP_TRY(read_any(r, object, &read));
    if (read.is_scalar) return ndp_pickle_graph_reader_refuse(r, object);
    if (read.items != NULL) return read_objects(r, &read, node);
    if (!ndp_pickle_class_find(read.class, &class)) return ndp_pickle_graph_reader_refuse(r, read.class);
    const struct ndp_bytes name = ndp_bytes_view(ndp_class_word(class));
    if (is_in_map(r, object, &read)) {
        map_elements(r, object, &read, name, node);
    } else {
        NDP_TRY(own_elements(r, &read, read.dtype, &read.layout, read.bytes, name, node));
    }
    if (read.is_masked != (class == NDP_CLASS_MASKED))
        return ndp_pickle_graph_reader_fail(r, NDP_UNSUPPORTED, object, "class does not match the mask");
    if (read.is_masked) {
        NDP_TRY(read_fill_value(r, &read, node));
        NDP_TRY(read_mask(r, &read));
        return NDP_OK;
    }
    const struct ndp_object *dict = NULL;
    NDP_TRY(find_attributes(r, &read, class, &dict));
    return read_attributes(r, class, dict);
}

/* rebuild(class, array, attributes): a view of the array in that class. */
static enum ndp_status read_rebuilt(struct ndp_pickle_graph_reader *r, const struct ndp_object *object,
                                    struct ndp_node *node) {
    struct ndp_pickled_array read;
    enum ndp_array_class class;
    const struct ndp_object_list *args = &object->call->args->list;
    if (args->count != 3 || object->call->state != NULL || object->call->items.count > 0 ||
        object->call->pairs.count > 0)
        return ndp_pickle_graph_reader_fail(r, NDP_INVALID, object, "rebuild expects 3 arguments and no state");
    if (!ndp_pickle_class_find(args->items[0], &class) || ndp_pickle_class_attributes(class) != NDP_PICKLED_REBUILD)
        return ndp_pickle_graph_reader_fail(r, NDP_UNSUPPORTED, args->items[0], "class does not use rebuild");
    if (!ndp_object_is(args->items[2], NDP_OBJECT_DICT))
        return ndp_pickle_graph_reader_fail(r, NDP_INVALID, args->items[2], "attributes are not a dict");
    NDP_TRY(read_any(r, args->items[1], &read));
    if (read.is_scalar || read.is_masked || read.class != NULL)
        return ndp_pickle_graph_reader_fail(r, NDP_UNSUPPORTED, args->items[1], "rebuild expects a plain array");
    if (read.items != NULL)
        return ndp_pickle_graph_reader_fail(r, NDP_UNSUPPORTED, args->items[1], "object elements in an array class");
    NDP_TRY(own_elements(r, &read, read.dtype, &read.layout, read.bytes, ndp_bytes_view(ndp_class_word(class)), node));
    return read_attributes(r, class, args->items[2]);
}

enum ndp_status ndp_pickle_graph_reader_array(struct ndp_pickle_graph_reader *r, const struct ndp_object *object,
                                              struct ndp_node *node) {
    return is_rebuilt(object) ? read_rebuilt(r, object, node) : read_pickled(r, object, node);
}
