/* shrink_graph.c: simpler graphs: another root, fewer edges, fewer calls, the smallest arrays. Unreachable nodes are
 * dropped, and nodes keep their order, so that the result does not depend on the way. */
#include "generate/shrink_parts.h"
#include "model/graph/graph.h"

#include <string.h>

static const struct ndp_dtype smallest_dtype = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1};

/* Marks the nodes reachable from `root`. */
static void mark_reached(const struct ndp_node *nodes, uint32_t root, bool *is_kept) {
    uint32_t stack[NDP_MAX_NODES];
    uint32_t count = 0;
    is_kept[root] = true;
    stack[count++] = root;
    while (count > 0) {
        const struct ndp_node *node = &nodes[stack[--count]];
        for (uint32_t i = 0; i < node->edge_count; i++) {
            if (is_kept[node->edges[i].to]) continue;
            is_kept[node->edges[i].to] = true;
            stack[count++] = node->edges[i].to;
        }
    }
}

/* Gives the nodes reachable from `root`, renumbered. */
static enum ndp_status keep_reached(struct ndp_arena *arena, const struct ndp_node *nodes, uint32_t count,
                                    uint32_t root, struct ndp_descriptor *out) {
    bool is_kept[NDP_MAX_NODES] = {false};
    uint32_t number_of[NDP_MAX_NODES];
    uint32_t kept = 0;
    mark_reached(nodes, root, is_kept);
    struct ndp_graph *graph = NDP_ARENA_NEW(arena, struct ndp_graph);
    struct ndp_node *all = NDP_ARENA_ITEMS(arena, struct ndp_node, count);
    if (graph == NULL || all == NULL) return NDP_NOMEM;
    for (uint32_t i = 0; i < count; i++) {
        if (!is_kept[i]) continue;
        number_of[i] = kept;
        all[kept++] = nodes[i];
    }
    for (uint32_t i = 0; i < kept; i++) {
        struct ndp_edge *edges = ndp_arena_copy(arena, all[i].edges, all[i].edge_count * sizeof *edges);
        if (edges == NULL) return NDP_NOMEM;
        for (uint32_t k = 0; k < all[i].edge_count; k++) edges[k].to = number_of[edges[k].to];
        all[i].edges = edges;
    }
    *graph = (struct ndp_graph){number_of[root], kept, all};
    out->value.graph = graph;
    return NDP_OK;
}

static uint32_t count_roots(const struct ndp_descriptor *from) {
    return from->value.graph->count;
}

static enum ndp_status make_root(const struct ndp_shrink *shrink, uint32_t index, struct ndp_descriptor *out) {
    const struct ndp_graph *graph = out->value.graph;
    return keep_reached(shrink->arena, graph->nodes, graph->count, index, out);
}

static struct ndp_node *copy_nodes(const struct ndp_shrink *shrink, const struct ndp_graph *graph) {
    return ndp_arena_copy(shrink->arena, graph->nodes, graph->count * sizeof *graph->nodes);
}

static uint32_t count_edges(const struct ndp_descriptor *from) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < from->value.graph->count; i++) count += from->value.graph->nodes[i].edge_count;
    return count;
}

/* Removes one edge; of a dict, a key with its value; of an object array, an item. */
static enum ndp_status make_without_edge(const struct ndp_shrink *shrink, uint32_t index, struct ndp_descriptor *out) {
    const struct ndp_graph *graph = out->value.graph;
    struct ndp_node *nodes = copy_nodes(shrink, graph);
    if (nodes == NULL) return NDP_NOMEM;
    uint32_t number = 0;
    while (index >= nodes[number].edge_count) index -= nodes[number++].edge_count;
    struct ndp_node *node = &nodes[number];
    uint32_t gone = node->kind == NDP_NODE_DICT ? 2 : 1;
    uint32_t first = node->kind == NDP_NODE_DICT ? index - index % 2 : index;
    if (first + gone > node->edge_count) return NDP_INVALID;
    struct ndp_edge *edges = ndp_arena_copy(shrink->arena, node->edges, node->edge_count * sizeof *edges);
    int64_t *shape = NDP_ARENA_ITEMS(shrink->arena, int64_t, 1);
    if (edges == NULL || shape == NULL) return NDP_NOMEM;
    memmove(edges + first, edges + first + gone, (node->edge_count - first - gone) * sizeof *edges);
    node->edges = edges;
    node->edge_count -= gone;
    if (node->kind == NDP_NODE_OBJECTS) {
        shape[0] = (int64_t)ndp_graph_node_count_edges(node, NDP_EDGE_ITEM);
        node->ndim = 1;
        node->shape = shape;
        node->is_fortran = false;
    }
    return keep_reached(shrink->arena, nodes, graph->count, graph->root, out);
}

/* Simplifications of a single node. */
enum { SMALLEST_ARRAY = 5, TEXT_CHANGES = 13, KEPT_CHANGES = 17, NODE_CHANGES = KEPT_CHANGES + NDP_MAX_KEPT };

static uint32_t count_simpler(const struct ndp_descriptor *from) {
    return from->value.graph->count * NODE_CHANGES;
}

static const int64_t one[] = {1};

/* Fits the mask of an array that became the smallest. */
static void fit_mask(struct ndp_base *base) {
    base->ndim = 1;
    base->shape = one;
    base->data = (struct ndp_data){.pattern = NDP_PATTERN_ZEROS};
}

/* Keeps only the name number `index`, so that a difference is in one thing. */
static void keep_one(struct ndp_node *node, uint32_t index) {
    node->keep = &node->keep[index];
    node->keep_count = 1;
}

/* Shortens a text or bytes: to a half, or by one character at either end. */
static void shorten(struct ndp_node *node, uint32_t change) {
    const struct ndp_bytes text = node->text;
    const uint64_t half = text.size_bytes / 2;
    const uint64_t cuts[] = {half, half, text.size_bytes - 1, 1}; /* the place of the cut */
    if (text.size_bytes == 0) return;
    uint64_t cut = cuts[change];
    const bool is_first_kept = change == 0 || change == 2;
    /* No cut lies within a character. */
    while (node->kind == NDP_NODE_TEXT && cut > 0 && cut < text.size_bytes && (text.data[cut] & 0xc0) == 0x80)
        is_first_kept ? cut-- : cut++;
    node->text =
        is_first_kept ? (struct ndp_bytes){text.data, cut} : (struct ndp_bytes){text.data + cut, text.size_bytes - cut};
}

static void simplify_node(struct ndp_node *node, uint32_t change) {
    const bool is_array = node->kind == NDP_NODE_ARRAY;
    const bool is_vectorize = node->kind == NDP_NODE_VECTORIZE;
    if (change == 0 && ndp_graph_words_is_callable(node->kind)) node->calls = 0;
    if (change == 1 && is_vectorize) node->excluded_count = 0;
    if (change == 2 && is_vectorize) node->has_signature = false;
    if (change == 3 && is_vectorize) node->has_otypes = false;
    if (change == 4 && node->kind == NDP_NODE_FUNCTION) node->code = NDP_CODE_CONST;
    if (change == SMALLEST_ARRAY && is_array) {
        struct ndp_array_value small = {.base = {.dtype = &smallest_dtype, .ndim = 1, .shape = one}};
        small.class_name = node->array.class_name;
        small.base.has_map = node->array.base.has_map;
        node->array = small;
        node->fill_value = (struct ndp_bytes){NULL, 0};
    }
    if (change == 6 && is_array) node->array.base.order = NDP_MEMORY_C;
    if (change == 7 && is_array) node->array.base.data = (struct ndp_data){.pattern = NDP_PATTERN_ZEROS};
    if (change == 8 && (node->kind == NDP_NODE_TEXT || node->kind == NDP_NODE_BYTES || node->kind == NDP_NODE_FLOAT)) {
        node->kind = NDP_NODE_INT;
        node->text = ndp_bytes_view("0");
    }
    if (change == 10 && is_array) node->fill_value = (struct ndp_bytes){NULL, 0};
    if (change == 11 && is_array) node->has_hard_mask = false;
    if ((node->kind == NDP_NODE_TEXT || node->kind == NDP_NODE_BYTES) && change >= TEXT_CHANGES &&
        change < KEPT_CHANGES)
        shorten(node, change - TEXT_CHANGES);
    if (change >= KEPT_CHANGES && node->kind == NDP_NODE_INSTANCE && change - KEPT_CHANGES < node->keep_count)
        keep_one(node, change - KEPT_CHANGES);
    if (change == 12 && node->kind == NDP_NODE_OBJECTS) node->is_strict = false;
    if (change == 9 && node->kind == NDP_NODE_VIEW) {
        *node = (struct ndp_node){.kind = NDP_NODE_ARRAY};
        node->array.base = (struct ndp_base){.dtype = &smallest_dtype, .ndim = 1, .shape = one};
    }
}

static enum ndp_status make_simpler(const struct ndp_shrink *shrink, uint32_t index, struct ndp_descriptor *out) {
    const struct ndp_graph *graph = out->value.graph;
    struct ndp_node *nodes = copy_nodes(shrink, graph);
    if (nodes == NULL) return NDP_NOMEM;
    struct ndp_node *node = &nodes[index / NODE_CHANGES];
    simplify_node(node, index % NODE_CHANGES);
    const struct ndp_edge *mask = ndp_graph_node_edge(node, NDP_EDGE_MASK, 0);
    if (mask != NULL && index % NODE_CHANGES == SMALLEST_ARRAY) fit_mask(&nodes[mask->to].array.base);
    return keep_reached(shrink->arena, nodes, graph->count, graph->root, out);
}

/* Simplifications of an array as outside of a graph. */

static const struct ndp_shrink_family *const array_lists[] = {ndp_shrink_value_families, ndp_shrink_dtype_families,
                                                              ndp_shrink_shape_families, ndp_shrink_detail_families};

/* Reports whether the node is an array without a class of its own. A class restricts its array. */
static bool is_plain_array(const struct ndp_node *node) {
    return node->kind == NDP_NODE_ARRAY && node->edge_count == 0 &&
           (node->array.class_name.size_bytes == 0 || ndp_bytes_is_word(node->array.class_name, "ndarray"));
}

static struct ndp_descriptor array_descriptor(const struct ndp_node *node) {
    return (struct ndp_descriptor){.kind = NDP_CASE_ROUND_TRIP,
                                   .value = {.kind = NDP_VALUE_ARRAY, .array = node->array}};
}

/* Finds candidate `*index` of an array, or reduces `*index` by the number of its candidates. */
static const struct ndp_shrink_family *find_family(const struct ndp_descriptor *array, uint32_t *index) {
    for (size_t list = 0; list < NDP_ARRAY_LEN(array_lists); list++) {
        for (const struct ndp_shrink_family *family = array_lists[list]; family->count != NULL; family++) {
            const uint32_t count = family->count(array);
            if (*index < count) return family;
            *index -= count;
        }
    }
    return NULL;
}

static uint32_t count_inside(const struct ndp_descriptor *from) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < from->value.graph->count; i++) {
        const struct ndp_node *node = &from->value.graph->nodes[i];
        if (!is_plain_array(node)) continue;
        const struct ndp_descriptor array = array_descriptor(node);
        uint32_t left = UINT32_MAX;
        (void)find_family(&array, &left);
        count += UINT32_MAX - left;
    }
    return count;
}

static enum ndp_status make_inside(const struct ndp_shrink *shrink, uint32_t index, struct ndp_descriptor *out) {
    struct ndp_graph *graph = ndp_arena_copy(shrink->arena, out->value.graph, sizeof *graph);
    struct ndp_node *nodes = graph == NULL ? NULL : copy_nodes(shrink, graph);
    if (nodes == NULL) return NDP_NOMEM;
    for (uint32_t i = 0; i < graph->count; i++) {
        if (!is_plain_array(&nodes[i])) continue;
        const struct ndp_descriptor array = array_descriptor(&nodes[i]);
        const struct ndp_generate_limits limits = ndp_generate_limits_of(&array.value);
        const struct ndp_shrink_family *family = find_family(&array, &index);
        if (family == NULL) continue;
        const struct ndp_shrink part = {shrink->arena, shrink->scratch, &array};
        struct ndp_descriptor smaller = array;
        NDP_TRY(family->make(&part, index, &smaller));
        NDP_TRY(ndp_generate_repaired_value(shrink->arena, shrink->scratch, &limits, &smaller.value.array));
        nodes[i].array = smaller.value.array;
        graph->nodes = nodes;
        out->value.graph = graph;
        return NDP_OK;
    }
    return NDP_INVALID;
}

const struct ndp_shrink_family ndp_shrink_graph_families[] = {{count_roots, make_root},
                                                              {count_edges, make_without_edge},
                                                              {count_simpler, make_simpler},
                                                              {count_inside, make_inside},
                                                              {NULL, NULL}};
