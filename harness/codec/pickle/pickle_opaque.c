#include "codec/pickle/pickle_opaque.h"

#include "codec/joblib/joblib_wrapper.h"
#include "codec/pickle/object_walk.h"
#include "codec/pickle/pickle_other.h"

/* ---- what a pickle of its own cannot hold ---- */

/* The module and name of a class that joblib's wrapper names; none for ndarray and for maps, which become one. */
static enum ndp_status set_class(struct ndp_graph_reader *r, const struct ndp_object *class,
                                 struct ndp_array_form *form) {
    if (class == NULL || ndp_object_is_global(class, "numpy", "ndarray") ||
        ndp_object_is_global(class, "numpy", "memmap") || ndp_object_is_global(class, "numpy.core.memmap", "memmap"))
        return NDP_OK;
    if (!ndp_object_is_global(class, "numpy", "matrix") &&
        !ndp_object_is_global(class, "numpy.matrixlib.defmatrix", "matrix"))
        return ndp_graph_reader_fail(r, NDP_UNSUPPORTED, class, "another class behind joblib's wrapper");
    form->class_module = "numpy";
    form->class_name = "matrix";
    return NDP_OK;
}

/* An array that stands behind a wrapper, as every release of NumPy reads it. Its dtype stays the object that it is. */
static enum ndp_status unwrap(struct ndp_graph_reader *r, struct ndp_object *object) {
    struct ndp_pickle_maker maker = {.objects = r->objects, .release = NDP_NUMPY_1, .error = r->error};
    struct ndp_array_form form = {.protocol = NDP_OTHER_PROTOCOL};
    struct ndp_pickled_array read;
    struct ndp_object *made = NULL;
    struct ndp_blob blob = {0};
    NDP_TRY(ndp_joblib_array_read(&r->arrays, object, &read));
    NDP_TRY(set_class(r, read.class, &form));
    form.dtype = ndp_joblib_dtype(object);
    const struct ndp_elements elements = {read.dtype, &read.layout, (uint8_t *)(uintptr_t)read.bytes.data};
    NDP_TRY(ndp_pickle_array_make(&maker, &elements, &form, &made, &blob));
    if (ndp_objects_keep(r->objects, &blob) != NDP_OK) return ndp_graph_reader_fail(r, NDP_NOMEM, object, "no memory");
    object->kind = NDP_OBJECT_CALL;
    object->call = made->call;
    return NDP_OK;
}

/* What the pickle inside holds takes the wrapper's place. */
static void take_nested(struct ndp_object *object) {
    const uint32_t number = object->number;
    *object = *object->raw->nested;
    object->number = number;
}

static enum ndp_status read_latin(struct ndp_graph_reader *r, struct ndp_object *object) {
    struct ndp_bytes text;
    bool is_ascii = true;
    for (uint64_t i = 0; i < object->bytes.size_bytes; i++) is_ascii = is_ascii && object->bytes.data[i] < 0x80;
    if (is_ascii) return NDP_OK;
    if (ndp_object_read_text(r->objects->arena, object, &text) != NDP_OK)
        return ndp_graph_reader_fail(r, NDP_NOMEM, object, "no memory");
    object->kind = NDP_OBJECT_TEXT;
    object->bytes = text;
    return NDP_OK;
}

/* A ndp_object_visit. */
static enum ndp_status prepare(void *context, struct ndp_object *object, uint32_t earlier) {
    struct ndp_graph_reader *r = context;
    (void)earlier;
    if (object->kind == NDP_OBJECT_STRING) return read_latin(r, object);
    if (object->kind != NDP_OBJECT_RAW) return NDP_OK;
    if (object->raw->nested == NULL) return unwrap(r, object);
    take_nested(object);
    return NDP_OK;
}

enum ndp_status ndp_opaque_prepare(struct ndp_graph_reader *r, const struct ndp_object *object) {
    if (r->prepared.marks == NULL && ndp_object_marks_new(r->objects, &r->prepared) != NDP_OK)
        return ndp_graph_reader_fail(r, NDP_NOMEM, object, "no memory");
    return ndp_object_walk(r->objects, object, &r->prepared, 1, prepare, r);
}

/* ---- arrays of classes without a word ---- */

bool ndp_opaque_is_told(const struct ndp_object *key) {
    return (key->kind == NDP_OBJECT_TEXT || key->kind == NDP_OBJECT_STRING) && key->bytes.size_bytes > 0 &&
           key->bytes.data[0] != '_';
}

/* Puts None in place of the values that are nodes, and gives what was there: an item for each of the dict's. */
static enum ndp_status hide(struct ndp_graph_reader *r, const struct ndp_object *dict, struct ndp_object ***out) {
    struct ndp_object *nothing = ndp_object_none(r->objects);
    const uint64_t count = dict == NULL ? 0 : dict->list.count;
    struct ndp_object **held = NDP_ARENA_ITEMS(r->objects->arena, struct ndp_object *, count);
    if (nothing == NULL || held == NULL) return ndp_graph_reader_fail(r, NDP_NOMEM, dict, "no memory");
    for (uint64_t i = 0; i < count; i++) {
        held[i] = dict->list.items[i];
        if (i % 2 == 1 && ndp_opaque_is_told(held[i - 1])) dict->list.items[i] = nothing;
    }
    *out = held;
    return NDP_OK;
}

static void show(const struct ndp_object *dict, struct ndp_object *const *held) {
    for (uint64_t i = 0; dict != NULL && i < dict->list.count; i++) dict->list.items[i] = held[i];
}

enum ndp_status ndp_opaque_array_take(struct ndp_graph_reader *r, const struct ndp_object *object,
                                      const struct ndp_object *dict, struct ndp_bytes *out) {
    struct ndp_graph_unknown *unknown = NDP_ARENA_NEW(r->objects->arena, struct ndp_graph_unknown);
    struct ndp_object **held = NULL;
    if (unknown == NULL) return ndp_graph_reader_fail(r, NDP_NOMEM, object, "no memory");
    /* What is hidden is made ready, too: it may be met again where it is not. */
    NDP_TRY(ndp_opaque_prepare(r, object));
    NDP_TRY(hide(r, dict, &held));
    const enum ndp_status status = ndp_other_take(r, object, out);
    show(dict, held);
    *unknown = (struct ndp_graph_unknown){r->unknown, object, dict};
    r->unknown = unknown;
    r->has_others = true;
    return status;
}

/* ---- what opaque nodes share ---- */

struct sharing {
    const struct ndp_graph_reader *reader;
    const struct ndp_object *from;
    bool has_words; /* what several of these have in common each has for itself, but no node */
};

static bool can_change(const struct ndp_object *object) {
    if (object->kind == NDP_OBJECT_CALL) return !ndp_object_is_global(object->call->callable, "numpy", "dtype");
    return object->kind == NDP_OBJECT_LIST || object->kind == NDP_OBJECT_DICT || object->kind == NDP_OBJECT_SET ||
           object->kind == NDP_OBJECT_BYTEARRAY;
}

/* A ndp_object_visit; LIMIT ends the walk at what another node has, too. */
static enum ndp_status find_shared(void *context, struct ndp_object *object, uint32_t earlier) {
    const struct sharing *sharing = context;
    const struct ndp_graph_reader *r = sharing->reader;
    const bool has_node =
        object != sharing->from && object->number < r->object_count && r->numbers[object->number] != 0;
    return can_change(object) && ((earlier != 0 && !sharing->has_words) || has_node) ? NDP_LIMIT : NDP_OK;
}

/* What array number `mark` is without its attributes. */
static enum ndp_status check_array(struct ndp_graph_reader *r, const struct ndp_graph_unknown *array,
                                   struct ndp_object_marks *marks, uint32_t mark) {
    struct sharing sharing = {r, array->object, false};
    struct ndp_object **held = NULL;
    NDP_TRY(hide(r, array->dict, &held));
    const enum ndp_status status = ndp_object_walk(r->objects, array->object, marks, mark, find_shared, &sharing);
    show(array->dict, held);
    return status;
}

enum ndp_status ndp_opaque_check(struct ndp_graph_reader *r, bool *is_apart) {
    struct ndp_object_marks marks;
    enum ndp_status status = ndp_object_marks_new(r->objects, &marks);
    uint32_t mark = NDP_MAX_NODES;
    for (const struct ndp_graph_unknown *array = r->unknown; array != NULL && status == NDP_OK; array = array->next)
        status = check_array(r, array, &marks, ++mark);
    for (uint32_t i = 0; i < r->count && status == NDP_OK; i++) {
        const struct ndp_node *node = ndp_graph_reader_at(r, i);
        struct sharing sharing = {r, r->origins[i], !node->is_opaque};
        if (node->kind == NDP_NODE_OTHER)
            status = ndp_object_walk(r->objects, r->origins[i], &marks, i + 1, find_shared, &sharing);
    }
    if (status == NDP_NOMEM) return ndp_graph_reader_fail(r, NDP_NOMEM, NULL, "no memory");
    *is_apart = status == NDP_OK;
    return NDP_OK;
}

/* ---- all of it ---- */

enum ndp_status ndp_opaque_whole(struct ndp_graph_reader *r, const struct ndp_object *root, struct ndp_graph *out) {
    struct ndp_node *node = NDP_ARENA_NEW(r->objects->arena, struct ndp_node);
    if (node == NULL) return ndp_graph_reader_fail(r, NDP_NOMEM, root, "no memory");
    *node = (struct ndp_node){.kind = NDP_NODE_OTHER, .is_opaque = true};
    r->body_bytes = 0;
    r->body_most_bytes = 0;
    NDP_TRY(ndp_other_take(r, root, &node->body));
    *out = (struct ndp_graph){0, 1, node};
    return NDP_OK;
}
