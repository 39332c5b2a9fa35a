#include "oracle/graph_spelling.h"

#include <string.h>

#include "codec/pickle/object_walk.h"
#include "fuzz.h"
#include "model/array_class.h"
#include "model/masked.h"
#include "oracle/npy_spelling.h"

enum { PLACES_MAX = 256, ARRAY_STATE = 5, ORDER = 3, TYPE_STATE = 8, PARTIAL_STATE = 4, PROTOCOL = 5, VARIED = 4 };

struct places {
    struct ndp_object *list[PLACES_MAX];
    uint32_t count;
};

static bool is_reduced(const struct ndp_object *object, const char *module, const char *name) {
    return object->kind == NDP_OBJECT_CALL && object->call->how == NDP_CALL_REDUCE &&
           ndp_object_is_global(object->call->callable, module, name);
}

static bool has_state(const struct ndp_object *call, uint64_t count) {
    return ndp_object_is(call->call->state, NDP_OBJECT_TUPLE) && call->call->state->list.count == count;
}

static bool is_array(const struct ndp_object *object) {
    return (is_reduced(object, "numpy._core.multiarray", "_reconstruct") ||
            is_reduced(object, "numpy.core.multiarray", "_reconstruct")) &&
           has_state(object, ARRAY_STATE);
}

static bool is_type(const struct ndp_object *object) {
    return is_reduced(object, "numpy", "dtype") && has_state(object, TYPE_STATE) &&
           ndp_object_is_int(object->call->state->list.items[0]) &&
           ndp_object_integer(object->call->state->list.items[0]) == 3;
}

/* Its function is said twice. The first counts for nothing, but may hold what is done later on, to others: it can be
 * another where it has none of that. */
static bool is_partial(const struct ndp_object *object) {
    if (!is_reduced(object, "functools", "partial") || !has_state(object, PARTIAL_STATE) ||
        object->call->args->list.count != 1)
        return false;
    const struct ndp_object *first = object->call->args->list.items[0];
    return first->kind == NDP_OBJECT_GLOBAL || first == object->call->state->list.items[0];
}

static enum ndp_status find(void *context, struct ndp_object *object, uint32_t earlier) {
    struct places *places = context;
    (void)earlier;
    const bool is_place = (object->kind == NDP_OBJECT_DICT && object->list.count > 0) || is_array(object) ||
                          is_type(object) || is_partial(object);
    if (is_place && places->count < PLACES_MAX) places->list[places->count++] = object;
    return NDP_OK;
}

/* A number that is a key: 1, True and 1.0 are one. */
static struct ndp_object *equal_to(struct ndp_objects *objects, const struct ndp_object *key, uint64_t how) {
    const bool is_truth = ndp_object_is(key, NDP_OBJECT_BOOL);
    if (!is_truth && (!ndp_object_is_int(key) || key->is_big)) return NULL;
    const int64_t number = is_truth ? key->truth : ndp_object_integer(key);
    if (number < -1000 || number > 1000) return NULL;
    if (how % 3 == 0 && (number == 0 || number == 1)) return ndp_object_bool(objects, number == 1);
    return how % 3 == 1 ? ndp_object_int(objects, number) : ndp_object_float(objects, (double)number);
}

static bool insert(struct ndp_objects *objects, struct ndp_object_list *list, uint64_t at, struct ndp_object *key,
                   struct ndp_object *value) {
    if (!ndp_object_append(objects, list, key) || !ndp_object_append(objects, list, value)) return false;
    memmove(list->items + at + 2, list->items + at, (size_t)(list->count - 2 - at) * sizeof(struct ndp_object *));
    list->items[at] = key;
    list->items[at + 1] = value;
    return true;
}

/* Where a pair may come again: of a text that does not come later anywhere behind it, of another key at once. */
static uint64_t place_behind(const struct ndp_object_list *list, uint64_t at, uint64_t how) {
    const struct ndp_object *key = list->items[at];
    if (key->kind != NDP_OBJECT_TEXT) return at + 2;
    for (uint64_t i = at + 2; i < list->count; i += 2) {
        const struct ndp_object *later = list->items[i];
        const bool is_text = later->kind == NDP_OBJECT_TEXT || later->kind == NDP_OBJECT_STRING;
        if (is_text && ndp_object_is_same_text(key, later)) return at + 2;
    }
    return at + 2 + how % ((list->count - at) / 2) * 2;
}

/* The pair comes again, as an equal number behind itself, or behind another value: of equal keys the
 * first counts, and the last value. Where the key is what globals call their module, a function may be made before the
 * last value is there, and the first counts for it: it is the same. */
static enum fuzz_respelled respell_dict(struct ndp_objects *objects, struct ndp_object_list *list, uint64_t pick) {
    const uint64_t at = pick % (list->count / 2) * 2, how = pick / (list->count / 2);
    struct ndp_object *key = list->items[at], *value = list->items[at + 1], *none = ndp_object_none(objects);
    struct ndp_object *equal = how % 2 ? equal_to(objects, key, how / 2) : NULL;
    if (equal) return insert(objects, list, at + 2, equal, value) ? FUZZ_RESPELLED_NUMBER : FUZZ_RESPELLED_NOTHING;
    struct ndp_object *before = ndp_object_is_text(key, "__name__") ? value : none;
    if (!before || !insert(objects, list, place_behind(list, at, how / 2), key, value)) return FUZZ_RESPELLED_NOTHING;
    list->items[at + 1] = before;
    return FUZZ_RESPELLED_KEY;
}

/* The state is a copy: others may have it for what it is. */
static enum fuzz_respelled respell_call(struct ndp_objects *objects, struct ndp_object *object) {
    struct ndp_call *call = object->call;
    struct ndp_object *state = ndp_object_tuple(objects, call->state->list.count, call->state->list.items);
    if (!state) return FUZZ_RESPELLED_NOTHING;
    if (is_partial(object)) {
        struct ndp_object *other =
            ndp_object_global(objects, ndp_object_text(objects, "builtins"), ndp_object_text(objects, "len"));
        struct ndp_object *args = other ? ndp_object_tuple(objects, 1, &other) : NULL;
        if (args) call->args = args;
        return args ? FUZZ_RESPELLED_PARTIAL : FUZZ_RESPELLED_NOTHING;
    }
    if (is_array(object)) {
        struct ndp_object **order = &state->list.items[ORDER];
        if (!ndp_object_is_int(*order) && !ndp_object_is(*order, NDP_OBJECT_BOOL)) return FUZZ_RESPELLED_NOTHING;
        const bool is_truth = ndp_object_is(*order, NDP_OBJECT_BOOL);
        const bool is_fortran = is_truth ? (*order)->truth : ndp_object_integer(*order) != 0;
        struct ndp_object *other =
            is_truth ? ndp_object_int(objects, is_fortran) : ndp_object_bool(objects, is_fortran);
        if (!other) return FUZZ_RESPELLED_NOTHING;
        *order = other;
        call->state = state;
        return FUZZ_RESPELLED_ORDER;
    }
    struct ndp_object *version = ndp_object_int(objects, 4), *none = ndp_object_none(objects);
    if (!version || !none || !ndp_object_append(objects, &state->list, none)) return FUZZ_RESPELLED_NOTHING;
    state->list.items[0] = version;
    call->state = state;
    return FUZZ_RESPELLED_METADATA;
}

enum fuzz_respelled fuzz_respell_objects(struct ndp_objects *objects, struct ndp_object *root, uint64_t pick) {
    static struct places places;
    struct ndp_object_marks marks;
    places.count = 0;
    if (ndp_object_marks_new(objects, &marks) != NDP_OK ||
        ndp_object_walk(objects, root, &marks, 1, find, &places) != NDP_OK || places.count == 0)
        return FUZZ_RESPELLED_NOTHING;
    struct ndp_object *object = places.list[pick % places.count];
    return object->kind == NDP_OBJECT_DICT ? respell_dict(objects, &object->list, pick / places.count)
                                           : respell_call(objects, object);
}

/* A key more may be one too many. */
static void check_same(struct ndp_arena *arena, enum ndp_status got, const struct ndp_graph *graph,
                       const struct ndp_graph *next) {
    if (got == NDP_LIMIT || got == NDP_NOMEM) return;
    FUZZ_HOLDS(got == NDP_OK && fuzz_is_same_graph(arena, PROTOCOL, graph, next));
}

static void check_pickle(struct ndp_arena *arena, struct ndp_bytes pickle, const struct ndp_graph *graph,
                         uint64_t pick) {
    struct ndp_source source = ndp_source_memory(pickle);
    struct ndp_objects objects;
    struct ndp_pickle read;
    struct ndp_graph next;
    ndp_objects_init(&objects, arena);
    if (ndp_pickle_read(&objects, &source, NULL, &read, NULL) == NDP_OK &&
        fuzz_respell_objects(&objects, read.root, pick) != FUZZ_RESPELLED_NOTHING)
        check_same(arena, ndp_pickle_graph_read(&objects, read.root, &next, NULL), graph, &next);
    ndp_source_clear(&source);
    ndp_objects_clear(&objects);
}

/* As NumPy up to 1.9 wrote it, with the size of an address, which the strict mode takes, too. */
static bool add_old(struct ndp_bytes file, uint64_t pick, struct ndp_buffer *out) {
    static const char type[] = "'|O', ";
    for (uint64_t i = 0; i + sizeof type < file.size_bytes; i++) {
        if (memcmp(file.data + i, type, sizeof type - 1) != 0) continue;
        return ndp_buffer_add(out, file.data, i) == NDP_OK &&
               ndp_buffer_printf(out, pick % 2 ? "'|O4'," : "'|O8',") == NDP_OK &&
               ndp_buffer_add(out, file.data + i + sizeof type - 1, file.size_bytes - i - (sizeof type - 1)) == NDP_OK;
    }
    return false;
}

static void check_file(struct ndp_arena *arena, struct ndp_bytes file, const struct ndp_graph *graph, uint64_t pick) {
    static const struct ndp_npy_options lenient = {.is_lenient = true, .header_chars = 1 << 20};
    static struct ndp_buffer other = {.max_bytes = 1 << 26};
    const bool is_old = pick % 2 == 0;
    struct ndp_graph next;
    other.size_bytes = 0;
    if (is_old ? !add_old(file, pick / 2, &other) : fuzz_npy_respell(arena, file, pick / 2, &other) != NDP_OK) return;
    if (other.size_bytes == 0) return;
    const struct ndp_bytes copy = {ndp_arena_copy(arena, other.data, other.size_bytes), other.size_bytes};
    check_same(arena, ndp_npy_graph_decode(arena, copy, is_old ? NULL : &lenient, &next, NULL), graph, &next);
}

bool fuzz_is_npy(struct ndp_bytes bytes) {
    return bytes.size_bytes > 0 && bytes.data[0] == 0x93;
}

void fuzz_graph_spelling(struct ndp_arena *arena, struct ndp_bytes bytes, bool is_dump, const struct ndp_graph *graph,
                         uint64_t pick) {
    if (!is_dump) (fuzz_is_npy(bytes) ? check_file : check_pickle)(arena, bytes, graph, pick);
}

struct ndp_graph fuzz_vary_graph(struct ndp_arena *arena, const struct ndp_graph *graph, uint64_t pick) {
    struct ndp_graph varied = *graph;
    struct ndp_node *nodes =
        pick % VARIED < 2 ? ndp_arena_copy(arena, graph->nodes, graph->count * sizeof *nodes) : NULL;
    if (!nodes) return *graph;
    for (uint32_t i = 0; i < graph->count; i++) {
        const bool is_masked = nodes[i].kind == NDP_NODE_ARRAY && nodes[i].has_model &&
                               ndp_bytes_is_word(nodes[i].model.class_name, ndp_class_word(NDP_CLASS_MASKED));
        const uint64_t size = is_masked ? nodes[i].model.dtype->itemsize_bytes : 0;
        uint8_t *zeros = size > 0 && pick % VARIED == 0 ? ndp_arena_alloc(arena, size) : NULL;
        if (zeros) memset(zeros, 0, (size_t)size);
        /* One of fields that lie over each other in foreign order has no words. */
        if (zeros && ndp_fill_value_turn(arena, nodes[i].model.dtype, zeros) != NDP_OK) zeros = NULL;
        if (is_masked) nodes[i].fill_value = (struct ndp_bytes){zeros, zeros ? size : 0};
    }
    varied.nodes = nodes;
    return varied;
}
