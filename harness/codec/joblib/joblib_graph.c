/* joblib_graph.c: graphs in dumps. Arrays become RAW objects with a wrapper per reference; the items of object arrays
 * are made a second time without wrappers, as objects of a nested pickle. Mapped graphs read the whole map as memory
 * and keep it open. */
#include "codec/joblib/joblib_graph.h"

#include "codec/pickle/pickle_graph_maker.h"

/* Elements that outlive the call that borrows them. */
struct kept {
    struct ndp_elements elements;
    struct ndp_layout layout;
};

static enum ndp_status make_raw(struct ndp_pickle_graph_maker *m, const struct ndp_elements *elements,
                                const char *class_name, struct ndp_object **out) {
    struct kept *kept = NDP_ARENA_NEW(m->pickle->objects->arena, struct kept);
    struct ndp_joblib_form form = *m->joblib;
    if (kept == NULL) return ndp_error_set(m->pickle->error, NDP_NOMEM, NDP_NO_OFFSET, "out of memory for an array");
    kept->layout = *elements->layout;
    kept->elements = (struct ndp_elements){elements->dtype, &kept->layout, elements->data};
    form.class_name = class_name;
    return ndp_joblib_wrapper_make(m->pickle, &kept->elements, &form, out);
}

enum ndp_status ndp_pickle_graph_maker_wrapper(struct ndp_pickle_graph_maker *m, const struct ndp_array *array,
                                               const char *class_name, struct ndp_object **out) {
    const struct ndp_elements elements = {array->dtype, &array->layout, array->buffer};
    return make_raw(m, &elements, class_name, out);
}

/* Makes all nodes again, as objects of a nested pickle without wrappers. */
static enum ndp_status make_nested(struct ndp_pickle_graph_maker *m) {
    struct ndp_pickle_graph_maker nested = {
        .pickle = m->pickle, .graph = m->graph, .protocol = NDP_JOBLIB_NESTED_PROTOCOL};
    if (m->nested != NULL) return NDP_OK;
    NDP_TRY(ndp_pickle_graph_maker_make_all(&nested));
    m->nested = nested.objects;
    return NDP_OK;
}

enum ndp_status ndp_pickle_graph_maker_wrapped_objects(struct ndp_pickle_graph_maker *m, uint32_t number,
                                                       struct ndp_object **out) {
    static const struct ndp_dtype type = {.kind = NDP_KIND_OBJECT, .order = NDP_ORDER_NONE, .itemsize_bytes = 8};
    const struct ndp_node *node = &m->graph->nodes[number];
    struct ndp_layout layout;
    const struct ndp_elements elements = {&type, &layout, NULL};
    if (node->ndim > NDP_MAX_NDIM) return ndp_pickle_graph_maker_fail(m, NDP_LIMIT, number, "too many dimensions");
    const enum ndp_status status =
        ndp_layout_contiguous(&layout, node->shape, node->ndim, type.itemsize_bytes,
                              ndp_graph_node_is_fortran(node) ? NDP_MEMORY_F : NDP_MEMORY_C, 0);
    if (status != NDP_OK) return ndp_pickle_graph_maker_fail(m, status, number, "shape exceeds int64");
    NDP_TRY(make_nested(m));
    NDP_TRY(make_raw(m, &elements, "ndarray", out));
    (*out)->raw->nested = m->nested[number];
    return NDP_OK;
}

/* Copies the wrapper's state with a new shape, because ndarray.shape returns a new tuple on each access. */
static struct ndp_object *copy_state(struct ndp_objects *objects, const struct ndp_object *state) {
    struct ndp_object *copy = ndp_object_new(objects, NDP_OBJECT_DICT);
    for (uint64_t i = 0; copy != NULL && i < state->list.count; i++) {
        struct ndp_object *item = state->list.items[i];
        if (item->kind == NDP_OBJECT_TUPLE) item = ndp_object_tuple(objects, item->list.count, item->list.items);
        if (item == NULL || !ndp_object_append(objects, &copy->list, item)) return NULL;
    }
    return copy;
}

struct ndp_object *ndp_pickle_graph_maker_rewrap(const struct ndp_pickle_graph_maker *m,
                                                 const struct ndp_object *object) {
    struct ndp_objects *objects = m->pickle->objects;
    const struct ndp_call *call = object->raw->wrapper->call;
    struct ndp_object *again = ndp_object_new(objects, NDP_OBJECT_RAW);
    struct ndp_object *args = ndp_object_tuple(objects, call->args->list.count, call->args->list.items);
    struct ndp_raw *raw = NDP_ARENA_NEW(objects->arena, struct ndp_raw);
    if (again == NULL || args == NULL || raw == NULL) return NULL;
    struct ndp_object *wrapper = ndp_object_call(objects, call->how, call->callable, args);
    if (wrapper == NULL) return NULL;
    wrapper->call->state = copy_state(objects, call->state);
    if (wrapper->call->state == NULL) return NULL;
    *raw = *object->raw;
    raw->wrapper = wrapper;
    again->raw = raw;
    return again;
}

enum ndp_status ndp_joblib_graph_encode(struct ndp_arena *arena, const struct ndp_graph *graph,
                                        const struct ndp_joblib_output *output, ndp_write_bytes *write, void *sink,
                                        struct ndp_error *error) {
    struct ndp_objects objects;
    ndp_objects_init(&objects, arena);
    struct ndp_pickle_maker maker = {.objects = &objects, .release = output->release, .error = error};
    struct ndp_pickle_graph_maker m = {
        .pickle = &maker, .graph = graph, .protocol = output->form.protocol, .joblib = &output->form};
    enum ndp_status status = ndp_pickle_graph_maker_make_all(&m);
    if (status == NDP_OK) status = ndp_joblib_write(&objects, m.objects[graph->root], output, write, sink, error);
    ndp_objects_clear(&objects);
    return status;
}

enum ndp_status ndp_joblib_graph_decode(struct ndp_arena *arena, struct ndp_bytes bytes,
                                        const struct ndp_joblib_options *options, struct ndp_graph *out,
                                        struct ndp_error *error) {
    struct ndp_objects objects;
    struct ndp_joblib joblib;
    ndp_objects_init(&objects, arena);
    enum ndp_status status = ndp_joblib_read_memory(&objects, bytes, options, &joblib, error);
    if (status == NDP_OK) status = ndp_pickle_graph_read(&objects, joblib.root, out, error);
    ndp_objects_clear(&objects);
    return status;
}

enum ndp_status ndp_joblib_graph_decode_file(struct ndp_arena *arena, const char *path,
                                             const struct ndp_joblib_options *options, struct ndp_graph *out,
                                             struct ndp_error *error) {
    struct ndp_objects objects;
    struct ndp_joblib joblib;
    ndp_objects_init(&objects, arena);
    enum ndp_status status = ndp_joblib_read_file(&objects, path, options, &joblib, error);
    if (status == NDP_OK) status = ndp_pickle_graph_read(&objects, joblib.root, out, error);
    ndp_objects_clear(&objects);
    return status;
}

/* Maps the whole file and reads it as memory; the file reader handles compressed files. */
static enum ndp_status read_map(struct ndp_arena *arena, const struct ndp_map *map,
                                const struct ndp_joblib_options *options, struct ndp_graph *out,
                                struct ndp_error *error) {
    const struct ndp_bytes file = {map->data, map->size_bytes};
    const struct ndp_graph_map mapped = {map->data, map->size_bytes, map->mode};
    struct ndp_objects objects;
    struct ndp_joblib joblib;
    ndp_objects_init(&objects, arena);
    enum ndp_status status = ndp_joblib_read_memory(&objects, file, options, &joblib, error);
    if (status == NDP_OK && joblib.method != NDP_COMPRESS_NONE) status = NDP_UNSUPPORTED;
    if (status == NDP_OK) status = ndp_pickle_graph_read_mapped(&objects, joblib.root, &mapped, out, error);
    ndp_objects_clear(&objects);
    return status;
}

enum ndp_status ndp_joblib_graph_decode_mapped(struct ndp_arena *arena, const char *path, enum ndp_map_mode mode,
                                               const struct ndp_joblib_options *options, struct ndp_map *map,
                                               struct ndp_graph *out, struct ndp_error *error) {
    struct ndp_map own = {0};
    if (mode == NDP_MAP_WRITE)
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "mode w+ would truncate the file to be read");
    NDP_TRY(ndp_map_open(path, mode, 0, NDP_MAP_REST, &own, error));
    const enum ndp_status status = read_map(arena, &own, options, out, error);
    if (status != NDP_OK) ndp_map_close(&own);
    if (status == NDP_UNSUPPORTED) {
        NDP_TRY(ndp_joblib_graph_decode_file(arena, path, options, out, error));
    } else if (status != NDP_OK) {
        return status;
    }
    *map = own;
    return NDP_OK;
}
