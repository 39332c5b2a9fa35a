#include "oracle/same_graph.h"

#include <string.h>

#include "fuzz.h"
#include "model/array_class.h"
#include "model/graph_compare.h"
#include "oracle/same_array.h"
#include "reader/dump_inside.h"
#include "reader/said_pickle.h"
#include "reader/told.h"
#include "reader/whole.h"

static bool is_same_array(const struct ndp_array *a, const struct ndp_array *b) {
    const struct ndp_elements x = {a->dtype, &a->layout, a->buffer}, y = {b->dtype, &b->layout, b->buffer};
    return ndp_dtype_compare(a->dtype, b->dtype, NULL) == 0 && a->layout.ndim == b->layout.ndim &&
           memcmp(a->layout.shape, b->layout.shape, a->layout.ndim * sizeof a->layout.shape[0]) == 0 &&
           fuzz_same_elements(&x, &y);
}

/* Whether NumPy pickles it over a buffer, which in protocol 5 says whether it may be written; not all that it does.
 * Source: NumPy 2.4, multiarray/methods.c, array_reduce_ex_picklebuffer. */
static bool goes_by_buffer(const struct ndp_array *array) {
    const struct ndp_dtype *dtype = array->dtype;
    const bool is_number = dtype->kind == NDP_KIND_BOOL || dtype->kind == NDP_KIND_INT ||
                           dtype->kind == NDP_KIND_UINT || dtype->kind == NDP_KIND_FLOAT;
    const bool is_plain = array->class_name.size_bytes == 0 || ndp_bytes_is_word(array->class_name, "ndarray");
    return is_number && is_plain && dtype->itemsize_bytes <= 8 &&
           ndp_layout_is_c_contiguous(&array->layout, dtype->itemsize_bytes);
}

static bool keeps_permission(const struct ndp_array *a, const struct ndp_array *b) {
    return a->is_writeable == b->is_writeable || !goes_by_buffer(a);
}

/* Whether a float is a NaN of another sign or with other bits than the one that "nan" stands for. */
static bool has_other_nan(const struct ndp_graph *graph) {
    static const uint8_t nan[8] = {0x7f, 0xf8};
    for (uint32_t i = 0; i < graph->count; i++) {
        const struct ndp_node *node = &graph->nodes[i];
        if (node->kind != NDP_NODE_FLOAT || memcmp(node->text.data, nan, sizeof nan) == 0) continue;
        uint64_t bits = 0;
        for (uint32_t k = 0; k < sizeof bits; k++) bits = bits << 8 | node->text.data[k];
        if ((bits << 1) > UINT64_C(0xffe) << 52) return true;
    }
    return false;
}

bool fuzz_has_unknowns(const struct ndp_graph *graph) {
    for (uint32_t i = 0; i < graph->count; i++) {
        const struct ndp_node *node = &graph->nodes[i];
        if (node->is_opaque) return true;
        for (uint32_t k = 0; k < node->edge_count; k++)
            if (node->edges[k].to >= graph->count) return true;
    }
    return false;
}

/* What is known by the name of its class alone may lose it: below protocol 4 __newobj_ex__ is written as another call.
 */
static bool has_names_alone(const struct ndp_graph *graph) {
    for (uint32_t i = 0; i < graph->count; i++)
        if (graph->nodes[i].kind == NDP_NODE_OTHER) return true;
    return false;
}

/* The graph without the edges that lead nowhere, of attributes that nothing has set, and without the names of what is
 * opaque, which may be known in one protocol and not in another; `has_no_names`: of any instance. No nodes where there
 * is no memory. */
static struct ndp_graph comparable(struct ndp_arena *arena, const struct ndp_graph *graph, bool has_no_names) {
    struct ndp_graph out = *graph;
    struct ndp_node *nodes = ndp_arena_copy(arena, graph->nodes, graph->count * sizeof *nodes);
    out.nodes = nodes;
    for (uint32_t i = 0; nodes && i < graph->count; i++) {
        struct ndp_node *node = &nodes[i];
        struct ndp_edge *edges = ndp_arena_copy(arena, node->edges, node->edge_count * sizeof *edges);
        uint32_t count = 0;
        if (!edges && node->edge_count > 0) return (struct ndp_graph){.nodes = NULL};
        for (uint32_t k = 0; k < node->edge_count; k++)
            if (edges[k].to < graph->count) edges[count++] = edges[k];
        node->edges = edges;
        node->edge_count = count;
        if (node->kind == NDP_NODE_OTHER && (node->is_opaque || has_no_names)) node->text.size_bytes = 0;
    }
    return out;
}

bool fuzz_is_same_graph(struct ndp_arena *arena, uint32_t protocol, const struct ndp_graph *first,
                        const struct ndp_graph *next) {
    struct ndp_graph_match match;
    if (protocol == 0 && has_other_nan(first)) return true;
    const bool is_told = !fuzz_has_unknowns(first), is_told_still = !fuzz_has_unknowns(next);
    if (is_told && !is_told_still) return has_names_alone(first);
    const bool is_all_told = is_told && is_told_still;
    const struct ndp_graph expected = is_all_told ? *first : comparable(arena, first, protocol < 4);
    const struct ndp_graph got = is_all_told ? *next : comparable(arena, next, protocol < 4);
    if (!expected.nodes || !got.nodes || ndp_graph_match(arena, &expected, &got, &match) != NDP_OK) return true;
    for (uint32_t i = 0; i < match.pair_count; i++) {
        const struct ndp_node *a = &first->nodes[match.pairs[i].expected], *b = &next->nodes[match.pairs[i].got];
        if (a->kind != NDP_NODE_ARRAY) continue;
        if (!is_same_array(&a->model, &b->model)) return false;
        if (protocol == 5 && !keeps_permission(&a->model, &b->model)) return false;
    }
    return match.finding_count == 0;
}

bool fuzz_keeps_opaque(struct ndp_arena *arena, const struct ndp_graph *first, const struct ndp_graph *next) {
    bool is_kept = true;
    for (uint32_t i = 0; i < first->count && i < next->count; i++) {
        const struct ndp_node *a = &first->nodes[i], *b = &next->nodes[i];
        if (a->kind != b->kind || a->is_opaque != b->is_opaque) return true;
        if (a->kind != NDP_NODE_OTHER || !a->is_opaque || ndp_bytes_is_equal(a->body, b->body)) continue;
        is_kept &= fuzz_tells_same(arena, a->body, b->body);
    }
    return is_kept || first->count != next->count;
}

static bool is_loose(const struct ndp_array *array) {
    const uint64_t itemsize = array->dtype->itemsize_bytes;
    if (ndp_layout_is_c_contiguous(&array->layout, itemsize) || ndp_layout_is_f_contiguous(&array->layout, itemsize))
        return false;
    for (uint32_t k = 0; k < array->layout.ndim; k++)
        if (array->layout.shape[k] == 1) return true;
    return false;
}

bool fuzz_has_loose_axes(const struct ndp_graph *graph) {
    for (uint32_t i = 0; i < graph->count; i++)
        if (graph->nodes[i].kind == NDP_NODE_ARRAY && is_loose(&graph->nodes[i].model)) return true;
    return false;
}

bool fuzz_has_maps(const struct ndp_graph *graph) {
    const struct ndp_bytes word = ndp_bytes_view(ndp_class_word(NDP_CLASS_MEMMAP));
    for (uint32_t i = 0; i < graph->count; i++) {
        const struct ndp_node *node = &graph->nodes[i];
        if (node->kind == NDP_NODE_ARRAY && ndp_bytes_is_equal(node->model.class_name, word)) return true;
    }
    return false;
}

static bool is_function_part(enum ndp_node_kind kind) {
    return kind == NDP_NODE_FUNCTION || kind == NDP_NODE_CELL || kind == NDP_NODE_GLOBALS || kind == NDP_NODE_METHOD;
}

static bool is_sayable(const struct ndp_graph *graph, const struct ndp_node *node, uint32_t protocol,
                       bool has_library) {
    enum ndp_array_class class;
    const bool is_kept = node->kind == NDP_NODE_OTHER && protocol >= 4 && node->body.size_bytes > 0;
    /* What code is kept as may name what an old protocol has no name for. */
    if (node->body.size_bytes > 0 && protocol < 3) return false;
    if (node->is_opaque || node->kind == NDP_NODE_FROMPYFUNC || (node->kind == NDP_NODE_OTHER && !is_kept))
        return false;
    if (node->kind == NDP_NODE_ARRAY && (node->body.size_bytes > 0 || !ndp_class_find(node->model.class_name, &class)))
        return false;
    for (uint32_t k = 0; k < node->edge_count; k++)
        if (node->edges[k].role == NDP_EDGE_CELL && graph->nodes[node->edges[k].to].kind != NDP_NODE_CELL) return false;
    return has_library || node->is_importable || !is_function_part(node->kind);
}

bool fuzz_must_be_written(const struct ndp_graph *graph, uint32_t protocol, bool has_library, bool is_dump) {
    for (uint32_t i = 0; i < graph->count; i++) {
        const struct ndp_node *node = &graph->nodes[i];
        if (!is_sayable(graph, node, protocol, has_library)) return false;
        if (is_dump && node->kind == NDP_NODE_ARRAY && node->edge_count > 0) return false;
    }
    return true;
}

/* Whether some way from a node leads back to it. */
static bool leads_back(struct ndp_arena *arena, const struct ndp_graph *graph, uint32_t number) {
    uint8_t *seen = NDP_ARENA_ITEMS(arena, uint8_t, graph->count);
    uint32_t *open = NDP_ARENA_ITEMS(arena, uint32_t, graph->count);
    uint32_t count = 1;
    if (seen == NULL || open == NULL) return true;
    memset(seen, 0, graph->count);
    for (open[0] = number; count > 0;) {
        const struct ndp_node *node = &graph->nodes[open[--count]];
        for (uint32_t k = 0; k < node->edge_count; k++) {
            const uint32_t to = node->edges[k].to;
            if (to == number) return true;
            if (to >= graph->count || seen[to]) continue;
            seen[to] = 1;
            open[count++] = to;
        }
    }
    return false;
}

bool fuzz_has_array_twice(struct ndp_arena *arena, const struct ndp_graph *graph) {
    for (uint32_t i = 0; i < graph->count; i++) {
        const struct ndp_node *node = &graph->nodes[i];
        bool has_array = false;
        for (uint32_t k = 0; node->kind == NDP_NODE_TUPLE && k < node->edge_count; k++)
            has_array |= node->edges[k].to < graph->count && graph->nodes[node->edges[k].to].kind == NDP_NODE_ARRAY;
        if (has_array && leads_back(arena, graph, i)) return true;
    }
    return false;
}

bool fuzz_is_encoded(struct ndp_arena *arena, enum ndp_status status, const struct ndp_graph *graph,
                     const struct ndp_buffer *made, bool is_pickle, uint32_t protocol, uint32_t library) {
    FUZZ_HOLDS(status != NDP_NOMEM && status != NDP_INVALID);
    FUZZ_HOLDS(status == NDP_OK || status == NDP_LIMIT ||
               !fuzz_must_be_written(graph, protocol, library > 0, !is_pickle) ||
               (!is_pickle && fuzz_has_array_twice(arena, graph)));
    FUZZ_HOLDS(status != NDP_OK || !is_pickle || fuzz_is_as_pickled(ndp_buffer_view(made), protocol));
    FUZZ_HOLDS(status != NDP_OK || is_pickle || graph->nodes[graph->root].kind != NDP_NODE_OBJECTS ||
               fuzz_dump_is_mapped(arena, ndp_buffer_view(made), false));
    if (status == NDP_OK && !is_pickle && fuzz_is_dump(ndp_buffer_view(made)))
        (void)fuzz_dump_inside(arena, ndp_buffer_view(made), FUZZ_ALIGNMENT);
    if (status == NDP_OK) fuzz_wrote(made->size_bytes);
    return status == NDP_OK;
}

bool fuzz_is_dump(struct ndp_bytes bytes) {
    static const char name[] = "joblib";
    const uint8_t *at = bytes.data, *const end = at + bytes.size_bytes;
    const size_t size = sizeof name - 1;
    while (at && end - at >= (ptrdiff_t)size && (at = memchr(at, name[0], (size_t)(end - at))) != NULL) {
        if (end - at >= (ptrdiff_t)size && memcmp(at, name, size) == 0) return true;
        at++;
    }
    return false;
}
