/* pickle_graph_read_array.c: arrays of every class as nodes. What a class does to its attributes when it is unpickled
 * is in pickle_class.c; what becomes of elements, masks and fill values is NumPy's. */
#include <string.h>

#include "base/byteorder.h"
#include "codec/joblib/joblib_wrapper.h"
#include "codec/map_file.h"
#include "codec/pickle/pickle_class.h"
#include "codec/pickle/pickle_graph_reader.h"
#include "model/array_class.h"
#include "model/masked.h"

static bool is_rebuilt(const struct ndp_object *object) {
    return ndp_object_is(object, NDP_OBJECT_CALL) &&
           ndp_object_is_global(object->call->callable, ndp_pattern_module, ndp_pattern_rebuild);
}

bool ndp_graph_is_array(const struct ndp_object *object) {
    return is_rebuilt(object) || ndp_object_is(object, NDP_OBJECT_RAW) || ndp_pickle_is_array(object);
}

/* What is behind joblib's wrapper is read as joblib.load without a mode does: a map has become an ndarray, and objects
 * are what the pickle inside says. */
static enum ndp_status read_any(struct ndp_graph_reader *r, const struct ndp_object *object,
                                struct ndp_pickled_array *out) {
    enum ndp_array_class class;
    if (ndp_object_is(object, NDP_OBJECT_RAW) && object->raw->nested != NULL) object = object->raw->nested;
    if (!ndp_object_is(object, NDP_OBJECT_RAW)) return ndp_pickle_array_read(&r->arrays, object, out);
    NDP_TRY(ndp_joblib_array_read(&r->arrays, object, out));
    if (ndp_pickle_class_find(out->class, &class) && (class == NDP_CLASS_NDARRAY || class == NDP_CLASS_MEMMAP))
        out->class = NULL;
    return NDP_OK;
}

/* ---- elements ---- */

/* Gives the node an array with memory of its own. */
static enum ndp_status own_elements(struct ndp_graph_reader *r, const struct ndp_pickled_array *read,
                                    const struct ndp_dtype *dtype, const struct ndp_layout *layout,
                                    struct ndp_bytes bytes, struct ndp_bytes class_name, struct ndp_node *node) {
    uint8_t *copy = ndp_arena_copy(r->objects->arena, bytes.data, bytes.size_bytes);
    if (copy == NULL) return ndp_graph_reader_fail(r, NDP_NOMEM, read->object, "no memory for the elements");
    node->kind = NDP_NODE_ARRAY;
    node->has_model = true;
    node->model = (struct ndp_array){.dtype = dtype,
                                     .layout = *layout,
                                     .buffer = copy,
                                     .buffer_bytes = bytes.size_bytes,
                                     .is_writeable = read->is_writeable,
                                     .owns_data = true,
                                     .host_is_little_endian = ndp_host_is_little_endian(),
                                     .class_name = class_name};
    return NDP_OK;
}

/* Whether joblib would map the array: its elements lie in the file that the graph is read from. */
static bool is_in_map(const struct ndp_graph_reader *r, const struct ndp_object *object,
                      const struct ndp_pickled_array *read) {
    if (r->map == NULL || !ndp_object_is(object, NDP_OBJECT_RAW) || object->raw->said == NULL) return false;
    return object->raw->said->allow_mmap && object->raw->offset_bytes <= r->map->size_bytes &&
           read->bytes.size_bytes <= r->map->size_bytes - object->raw->offset_bytes;
}

/* Leaves the elements where they are in the file. */
static void map_elements(struct ndp_graph_reader *r, const struct ndp_object *object,
                         const struct ndp_pickled_array *read, struct ndp_bytes class_name, struct ndp_node *node) {
    const bool is_plain = read->class == NULL;
    node->kind = NDP_NODE_ARRAY;
    node->has_model = true;
    node->model = (struct ndp_array){.dtype = read->dtype,
                                     .layout = read->layout,
                                     .buffer = r->map->data,
                                     .buffer_bytes = r->map->size_bytes,
                                     .is_writeable = ndp_map_is_writeable(r->map->mode),
                                     .host_is_little_endian = ndp_host_is_little_endian(),
                                     .class_name = is_plain ? ndp_bytes_view("memmap") : class_name};
    node->model.layout.offset_bytes = (int64_t)object->raw->offset_bytes;
    node->model.map = (struct ndp_map_state){
        .is_backed = true, .has_attributes = is_plain, .mode = r->map->mode, .offset_bytes = object->raw->offset_bytes};
}

/* An array of objects of the class ndarray itself: its items are nodes. */
static enum ndp_status read_objects(struct ndp_graph_reader *r, const struct ndp_pickled_array *read,
                                    struct ndp_node *node) {
    static const struct ndp_bytes no_name = {(const uint8_t *)"", 0};
    if (read->dtype->kind != NDP_KIND_OBJECT || read->class != NULL)
        return ndp_graph_reader_fail(r, NDP_UNSUPPORTED, read->object, "objects in structures or in a class of arrays");
    const int64_t *shape =
        ndp_arena_copy(r->objects->arena, read->layout.shape, read->layout.ndim * sizeof read->layout.shape[0]);
    if (shape == NULL) return ndp_graph_reader_fail(r, NDP_NOMEM, read->object, "no memory");
    node->kind = NDP_NODE_OBJECTS;
    node->ndim = read->layout.ndim;
    node->shape = shape;
    node->is_fortran = ndp_layout_is_f_contiguous(&read->layout, read->dtype->itemsize_bytes);
    for (uint64_t i = 0; i < read->items->list.count; i++)
        NDP_TRY(ndp_graph_reader_follow(r, NDP_EDGE_ITEM, no_name, read->items->list.items[i]));
    return NDP_OK;
}

/* ---- masked arrays ---- */

/* One element of the array's type, each leaf low byte first. Objects that are no array are left to NumPy, which makes
 * of them what the dtype makes: here they are refused. */
static enum ndp_status read_fill_value(struct ndp_graph_reader *r, const struct ndp_pickled_array *masked,
                                       struct ndp_node *node) {
    struct ndp_pickled_array value;
    if (ndp_object_is(masked->fill_value, NDP_OBJECT_NONE)) return NDP_OK;
    NDP_TRY(read_any(r, masked->fill_value, &value));
    const uint64_t itemsize = masked->dtype->itemsize_bytes;
    if (value.items != NULL || value.is_masked || value.count_elems != 1 || value.bytes.size_bytes != itemsize ||
        (ndp_dtype_compare(value.dtype, masked->dtype, NULL) & (NDP_DTYPE_KIND | NDP_DTYPE_SHAPE)) != 0)
        return ndp_graph_reader_fail(r, NDP_UNSUPPORTED, masked->fill_value, "a fill value of another type");
    uint8_t *copy = ndp_arena_copy(r->objects->arena, value.bytes.data, itemsize);
    if (copy == NULL) return ndp_graph_reader_fail(r, NDP_NOMEM, masked->fill_value, "no memory");
    const enum ndp_status status = ndp_fill_value_turn(r->objects->arena, value.dtype, copy);
    if (status != NDP_OK)
        return ndp_graph_reader_fail(r, status, masked->fill_value, "a fill value of fields that overlap");
    node->fill_value = (struct ndp_bytes){copy, itemsize};
    return NDP_OK;
}

/* Unpickling always makes a mask; its elements lie as those of the array do. */
static enum ndp_status read_mask(struct ndp_graph_reader *r, const struct ndp_pickled_array *masked) {
    static const struct ndp_bytes no_name = {(const uint8_t *)"", 0};
    const struct ndp_dtype *dtype = NULL;
    const uint64_t itemsize = masked->dtype->itemsize_bytes;
    const bool is_fortran =
        ndp_layout_is_f_contiguous(&masked->layout, itemsize) && !ndp_layout_is_c_contiguous(&masked->layout, itemsize);
    struct ndp_layout layout;
    uint32_t number = 0;
    enum ndp_status status = ndp_mask_dtype(r->objects->arena, masked->dtype, &dtype);
    if (status == NDP_OK)
        status = ndp_layout_contiguous(&layout, masked->layout.shape, masked->layout.ndim, dtype->itemsize_bytes,
                                       is_fortran ? NDP_MEMORY_F : NDP_MEMORY_C, 0);
    if (status != NDP_OK) return ndp_graph_reader_fail(r, status, masked->object, "no mask can be like this");
    NDP_TRY(ndp_graph_reader_add(r, &number));
    NDP_TRY(own_elements(r, masked, dtype, &layout, masked->mask, ndp_bytes_view("ndarray"),
                         ndp_graph_reader_at(r, number)));
    return ndp_graph_reader_edge(r, NDP_EDGE_MASK, no_name, number);
}

/* ---- attributes ---- */

/* Of an attribute that comes twice the last value counts, in the first place. */
static enum ndp_status set_attribute(struct ndp_graph_reader *r, struct ndp_bytes name,
                                     const struct ndp_object *value) {
    for (uint32_t i = 0; i < r->edge_count; i++) {
        if (r->edges[i].role == NDP_EDGE_ATTRIBUTE && ndp_bytes_is_equal(r->edges[i].name, name))
            return ndp_graph_reader_node(r, value, &r->edges[i].to);
    }
    return ndp_graph_reader_follow(r, NDP_EDGE_ATTRIBUTE, name, value);
}

/* Every attribute that the dict has, and the promised one as unpickling leaves it when the dict has none. */
static enum ndp_status read_attributes(struct ndp_graph_reader *r, enum ndp_array_class class,
                                       const struct ndp_object *dict) {
    const char *promised = ndp_class_promised(class);
    struct ndp_object *none = ndp_object_none(r->objects);
    const bool is_kept = dict != NULL && ndp_object_lookup(dict, promised) != NULL;
    if (none == NULL) return ndp_graph_reader_fail(r, NDP_NOMEM, dict, "no memory");
    if (promised[0] != '\0' && !is_kept) {
        uint32_t to = NDP_GRAPH_NOWHERE;
        if (ndp_pickle_class_sets_promised(class)) NDP_TRY(ndp_graph_reader_add(r, &to));
        NDP_TRY(ndp_graph_reader_edge(r, NDP_EDGE_ATTRIBUTE, ndp_bytes_view(promised), to));
    }
    for (uint64_t i = 0; dict != NULL && i + 1 < dict->list.count; i += 2) {
        struct ndp_bytes name;
        const enum ndp_status status = ndp_object_read_text(r->objects->arena, dict->list.items[i], &name);
        if (status != NDP_OK) return ndp_graph_reader_fail(r, status, dict, "an attribute whose name is no text");
        NDP_TRY(set_attribute(r, name, dict->list.items[i + 1]));
    }
    return NDP_OK;
}

/* The dict of attributes that the state of `read` brings along; NULL is none. */
static enum ndp_status find_attributes(struct ndp_graph_reader *r, const struct ndp_pickled_array *read,
                                       enum ndp_array_class class, const struct ndp_object **out) {
    const enum ndp_pickled_attributes kept = ndp_pickle_class_attributes(class);
    const struct ndp_object *dict = read->extra;
    *out = NULL;
    if (kept == NDP_PICKLED_NONE || kept == NDP_PICKLED_REBUILD)
        return dict == NULL ? NDP_OK
                            : ndp_graph_reader_fail(r, NDP_INVALID, dict, "a state that the class does not take");
    if (dict == NULL || read->is_pair != (kept == NDP_PICKLED_PAIR))
        return ndp_graph_reader_fail(r, NDP_INVALID, read->object, "a state without what the class adds to it");
    if (kept == NDP_PICKLED_LAST && dict->list.count != 1)
        return ndp_graph_reader_fail(r, NDP_INVALID, dict, "a state with more than a class adds to it");
    if (kept == NDP_PICKLED_LAST) dict = dict->list.items[0];
    if (!ndp_object_is(dict, NDP_OBJECT_DICT))
        return ndp_graph_reader_fail(r, NDP_INVALID, dict, "attributes that are no dict");
    *out = dict;
    return NDP_OK;
}

/* ---- arrays ---- */

static enum ndp_status read_pickled(struct ndp_graph_reader *r, const struct ndp_object *object,
                                    struct ndp_node *node) {
    struct ndp_pickled_array read;
    enum ndp_array_class class;
    NDP_TRY(read_any(r, object, &read));
    if (read.is_scalar) return ndp_graph_reader_refuse(r, object);
    if (read.items != NULL) return read_objects(r, &read, node);
    if (!ndp_pickle_class_find(read.class, &class)) return ndp_graph_reader_refuse(r, read.class);
    const struct ndp_bytes name = ndp_bytes_view(ndp_class_word(class));
    if (is_in_map(r, object, &read)) {
        map_elements(r, object, &read, name, node);
    } else {
        NDP_TRY(own_elements(r, &read, read.dtype, &read.layout, read.bytes, name, node));
    }
    if (read.is_masked != (class == NDP_CLASS_MASKED))
        return ndp_graph_reader_fail(r, NDP_UNSUPPORTED, object, "a mask and a class that do not go together");
    if (read.is_masked) {
        NDP_TRY(read_fill_value(r, &read, node));
        NDP_TRY(read_mask(r, &read));
        return NDP_OK;
    }
    const struct ndp_object *dict = NULL;
    NDP_TRY(find_attributes(r, &read, class, &dict));
    return read_attributes(r, class, dict);
}

/* rebuild(class, array, attributes): a view of the array, of that class. */
static enum ndp_status read_rebuilt(struct ndp_graph_reader *r, const struct ndp_object *object,
                                    struct ndp_node *node) {
    struct ndp_pickled_array read;
    enum ndp_array_class class;
    const struct ndp_object_list *args = &object->call->args->list;
    if (args->count != 3 || object->call->state != NULL || object->call->items.count > 0 ||
        object->call->pairs.count > 0)
        return ndp_graph_reader_fail(r, NDP_INVALID, object, "rebuild takes three arguments, and nothing else");
    if (!ndp_pickle_class_find(args->items[0], &class) || ndp_pickle_class_attributes(class) != NDP_PICKLED_REBUILD)
        return ndp_graph_reader_fail(r, NDP_UNSUPPORTED, args->items[0], "a class that is not rebuilt");
    if (!ndp_object_is(args->items[2], NDP_OBJECT_DICT))
        return ndp_graph_reader_fail(r, NDP_INVALID, args->items[2], "attributes that are no dict");
    NDP_TRY(read_any(r, args->items[1], &read));
    if (read.is_scalar || read.is_masked || read.class != NULL)
        return ndp_graph_reader_fail(r, NDP_UNSUPPORTED, args->items[1],
                                     "something else than a plain array in a class");
    if (read.items != NULL)
        return ndp_graph_reader_fail(r, NDP_UNSUPPORTED, args->items[1], "objects in a class of arrays");
    NDP_TRY(own_elements(r, &read, read.dtype, &read.layout, read.bytes, ndp_bytes_view(ndp_class_word(class)), node));
    return read_attributes(r, class, args->items[2]);
}

enum ndp_status ndp_graph_read_array(struct ndp_graph_reader *r, const struct ndp_object *object,
                                     struct ndp_node *node) {
    return is_rebuilt(object) ? read_rebuilt(r, object, node) : read_pickled(r, object, node);
}
