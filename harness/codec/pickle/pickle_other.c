#include "codec/pickle/pickle_other.h"

#include <string.h>

#include "codec/pickle/pickle_opaque.h"

enum { NAME_BYTES = 256, PART_BYTES = 200, BODIES_BYTES_MORE = 1 << 20 };
#define BODY_BYTES_MAX (UINT64_C(1) << 26)

/* Classes that are called with what makes the same object again. */
static const struct {
    const char *module;
    const char *name;
} called[] = {
    {"builtins", "complex"},        {"builtins", "range"},          {"builtins", "slice"},
    {"datetime", "datetime"},       {"datetime", "date"},           {"datetime", "time"},
    {"datetime", "timedelta"},      {"datetime", "timezone"},       {"decimal", "Decimal"},
    {"fractions", "Fraction"},      {"collections", "deque"},       {"collections", "Counter"},
    {"collections", "OrderedDict"}, {"collections", "defaultdict"},
};

/* ---- names ---- */

static bool is_short(struct ndp_bytes module, struct ndp_bytes name) {
    return module.size_bytes <= PART_BYTES && name.size_bytes <= PART_BYTES &&
           module.size_bytes + 1 + name.size_bytes < NAME_BYTES;
}

enum ndp_status ndp_other_name(struct ndp_graph_reader *r, const struct ndp_object *global, struct ndp_bytes *out) {
    const struct ndp_bytes module = global->global.module->bytes, name = global->global.name->bytes;
    if (!is_short(module, name)) return ndp_graph_reader_fail(r, NDP_LIMIT, global, "a long name");
    uint8_t *text = ndp_arena_alloc(r->objects->arena, module.size_bytes + 1 + name.size_bytes);
    if (text == NULL) return ndp_graph_reader_fail(r, NDP_NOMEM, global, "no memory");
    if (module.size_bytes > 0) memcpy(text, module.data, (size_t)module.size_bytes);
    text[module.size_bytes] = '.';
    if (name.size_bytes > 0) memcpy(text + module.size_bytes + 1, name.data, (size_t)name.size_bytes);
    *out = (struct ndp_bytes){text, module.size_bytes + 1 + name.size_bytes};
    return NDP_OK;
}

static const char *number_name(const char *const *names, uint64_t size_bytes) {
    uint32_t log2 = 0;
    while (UINT64_C(1) << log2 < size_bytes) log2++;
    return log2 <= 3 ? names[log2] : NULL;
}

/* The type of a scalar of NumPy, or NULL. */
static const char *scalar_name(const struct ndp_pickled_array *scalar, bool is_numpy_1) {
    static const char *const ints[] = {"numpy.int8", "numpy.int16", "numpy.int32", "numpy.int64"};
    static const char *const uints[] = {"numpy.uint8", "numpy.uint16", "numpy.uint32", "numpy.uint64"};
    static const char *const floats[] = {NULL, "numpy.float16", "numpy.float32", "numpy.float64"};
    const uint64_t size_bytes = scalar->dtype->itemsize_bytes;
    switch ((int)scalar->dtype->kind) {
    case NDP_KIND_BOOL:
        return is_numpy_1 ? "numpy.bool_" : "numpy.bool";
    case NDP_KIND_INT:
        return number_name(ints, size_bytes);
    case NDP_KIND_UINT:
        return number_name(uints, size_bytes);
    case NDP_KIND_FLOAT:
        return size_bytes > 8 ? "numpy.longdouble" : number_name(floats, size_bytes);
    case NDP_KIND_COMPLEX:
        if (size_bytes > 16) return "numpy.clongdouble";
        return size_bytes == 8 ? "numpy.complex64" : "numpy.complex128";
    case NDP_KIND_BYTES:
        return "numpy.bytes_";
    case NDP_KIND_TEXT:
        return "numpy.str_";
    case NDP_KIND_DATETIME:
        return "numpy.datetime64";
    case NDP_KIND_TIMEDELTA:
        return "numpy.timedelta64";
    case NDP_KIND_VOID:
    case NDP_KIND_STRUCT:
        return scalar->is_record ? "numpy.record" : "numpy.void";
    default:
        return NULL;
    }
}

static bool is_called(const struct ndp_object *global) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(called); i++) {
        if (ndp_object_is_global(global, called[i].module, called[i].name)) return true;
    }
    return false;
}

/* The class that a call surely gives an instance of, or NULL. */
static const struct ndp_object *class_of(const struct ndp_call *call) {
    const struct ndp_object *class = call->callable;
    const bool is_copyreg = call->how == NDP_CALL_REDUCE && call->args->list.count > 0 &&
                            (ndp_object_is_global(class, "copyreg", "_reconstructor") ||
                             ndp_object_is_global(class, "copyreg", "__newobj__"));
    if (is_copyreg) {
        class = call->args->list.items[0];
    } else if (call->how == NDP_CALL_REDUCE && !is_called(class)) {
        return NULL;
    }
    return ndp_object_is(class, NDP_OBJECT_GLOBAL) ? class : NULL;
}

static enum ndp_status name_scalar(struct ndp_graph_reader *r, const struct ndp_object *object, struct ndp_bytes *out) {
    struct ndp_pickled_array scalar;
    NDP_TRY(ndp_pickle_array_read(&r->arrays, object, &scalar));
    const struct ndp_bytes module = object->call->callable->global.module->bytes;
    const struct ndp_bytes before = ndp_bytes_view("numpy.core");
    const bool is_numpy_1 =
        module.size_bytes >= before.size_bytes && memcmp(module.data, before.data, (size_t)before.size_bytes) == 0;
    const char *name = scalar.is_scalar ? scalar_name(&scalar, is_numpy_1) : NULL;
    if (name == NULL) return ndp_graph_reader_fail(r, NDP_UNSUPPORTED, object, "no words for a scalar of this type");
    *out = ndp_bytes_view(name);
    return NDP_OK;
}

/* What the function is called that gives the object, or the object itself; empty when it has no short name. */
static enum ndp_status name_opaque(struct ndp_graph_reader *r, const struct ndp_object *object, struct ndp_node *node) {
    const struct ndp_object *global = object->kind == NDP_OBJECT_CALL ? object->call->callable : object;
    node->is_opaque = true;
    node->text = (struct ndp_bytes){(const uint8_t *)"", 0};
    r->has_others = true;
    if (!ndp_object_is(global, NDP_OBJECT_GLOBAL) ||
        !is_short(global->global.module->bytes, global->global.name->bytes))
        return NDP_OK;
    return ndp_other_name(r, global, &node->text);
}

static enum ndp_status find_name(struct ndp_graph_reader *r, const struct ndp_object *object, struct ndp_node *node) {
    struct ndp_bytes *out = &node->text;
    if (object->kind == NDP_OBJECT_BYTEARRAY) {
        *out = ndp_bytes_view("builtins.bytearray");
    } else if (object->kind == NDP_OBJECT_SET) {
        *out = ndp_bytes_view("builtins.set");
    } else if (object->kind == NDP_OBJECT_FROZENSET) {
        *out = ndp_bytes_view("builtins.frozenset");
    } else if (ndp_pickle_is_array(object)) {
        return name_scalar(r, object, out);
    } else if (object->kind == NDP_OBJECT_CALL && class_of(object->call) != NULL) {
        return ndp_other_name(r, class_of(object->call), out);
    } else if (object->kind == NDP_OBJECT_CALL || object->kind == NDP_OBJECT_GLOBAL) {
        return name_opaque(r, object, node);
    } else {
        return ndp_graph_reader_fail(r, NDP_UNSUPPORTED, object, "no words for it");
    }
    return NDP_OK;
}

/* ---- bodies ---- */

static enum ndp_status add(void *sink, const void *bytes, uint64_t size_bytes) {
    return ndp_buffer_add(sink, bytes, size_bytes);
}

/* A ndp_pickle_raw. */
static enum ndp_status refuse_raw(void *context, const struct ndp_raw *raw, uint64_t *offset_bytes,
                                  ndp_write_bytes *write, void *sink) {
    (void)context;
    (void)raw;
    (void)offset_bytes;
    (void)write;
    (void)sink;
    return NDP_UNSUPPORTED;
}

/* What many bodies have in common each has for itself: all of them together may be so much more than the largest. */
static enum ndp_status count_body(struct ndp_graph_reader *r, const struct ndp_object *object, uint64_t size_bytes) {
    r->body_bytes += size_bytes;
    if (size_bytes > r->body_most_bytes) r->body_most_bytes = size_bytes;
    if (r->body_bytes <= 2 * r->body_most_bytes + BODIES_BYTES_MORE) return NDP_OK;
    return ndp_graph_reader_beyond(r, NDP_LIMIT, object, "objects without words have too much in common");
}

enum ndp_status ndp_other_take(struct ndp_graph_reader *r, const struct ndp_object *object, struct ndp_bytes *out) {
    static const struct ndp_pickle_form form = {.protocol = NDP_OTHER_PROTOCOL, .raw = refuse_raw};
    struct ndp_buffer buffer;
    NDP_TRY(ndp_opaque_prepare(r, object));
    ndp_buffer_init(&buffer, BODY_BYTES_MAX);
    enum ndp_status status = ndp_pickle_write(r->objects, object, &form, add, &buffer, NULL);
    const uint8_t *copy = status == NDP_OK ? ndp_arena_copy(r->objects->arena, buffer.data, buffer.size_bytes) : NULL;
    if (status == NDP_OK && copy == NULL) status = NDP_NOMEM;
    const struct ndp_bytes body = {copy, buffer.size_bytes};
    ndp_buffer_clear(&buffer);
    if (status != NDP_OK) return ndp_graph_reader_fail(r, status, object, "it cannot be kept as a pickle");
    *out = body;
    return count_body(r, object, body.size_bytes);
}

enum ndp_status ndp_other_read(struct ndp_graph_reader *r, const struct ndp_object *object, struct ndp_node *node) {
    NDP_TRY(find_name(r, object, node));
    NDP_TRY(ndp_other_take(r, object, &node->body));
    node->kind = NDP_NODE_OTHER;
    r->has_others = true;
    return NDP_OK;
}

/* A ndp_object_visit: dill alone knows the globals of the program that it runs in by a name. builtins has none like it,
 * and below protocol 3 it is written as that one. */
static enum ndp_status refuse_program(void *context, struct ndp_object *object, uint32_t earlier) {
    const enum ndp_function_form *library = context;
    (void)earlier;
    if (ndp_object_is_global(object, "builtins", "__main__")) return NDP_UNSUPPORTED;
    if (*library == NDP_FUNCTION_DILL) return NDP_OK;
    return ndp_object_is_global(object, "__builtin__", "__main__") ? NDP_UNSUPPORTED : NDP_OK;
}

static enum ndp_status check_program(struct ndp_graph_maker *m, uint32_t number, const struct ndp_object *root) {
    struct ndp_object_marks marks;
    if (!m->graph->nodes[number].is_opaque) return NDP_OK;
    enum ndp_status status = ndp_object_marks_new(m->pickle->objects, &marks);
    if (status == NDP_OK) status = ndp_object_walk(m->pickle->objects, root, &marks, 1, refuse_program, &m->library);
    if (status == NDP_OK) return NDP_OK;
    return ndp_graph_maker_fail(m, status, number, "the globals of a program, which only dill has a name for");
}

enum ndp_status ndp_other_make(struct ndp_graph_maker *m, uint32_t number, struct ndp_object **out) {
    const struct ndp_bytes body = m->graph->nodes[number].body;
    struct ndp_source source = ndp_source_memory(body);
    struct ndp_pickle pickle;
    if (body.size_bytes == 0)
        return ndp_graph_maker_fail(m, NDP_UNSUPPORTED, number, "something that has no words here");
    NDP_TRY(ndp_pickle_read(m->pickle->objects, &source, NULL, &pickle, m->pickle->error));
    NDP_TRY(check_program(m, number, pickle.root));
    *out = pickle.root;
    return NDP_OK;
}
