/* mutate_graph.c: changes the graph that a pickle contains and writes it again: adds, removes or redirects an edge, or
 * copies an object; sometimes it generates a new graph. Changes of single opcodes rarely produce another complete
 * graph. */
#include "mutate/mutate.h"

#include <string.h>

#include "codec/npy/npy_encode.h"
#include "codec/pickle/pickle_graph.h"
#include "mutate/generated_files.h"

enum { NEW_ONE_IN = 8, GRAPH_ONE_IN = 3, MAX_CHANGES = 4, MAX_TRIES = 16, MAX_NEW = 2 * MAX_CHANGES };

static const struct {
    enum ndp_node_kind kind;
    enum ndp_edge_role role;
} roles[] = {
    {NDP_NODE_TUPLE, NDP_EDGE_ITEM},       {NDP_NODE_LIST, NDP_EDGE_ITEM},       {NDP_NODE_DICT, NDP_EDGE_KEY},
    {NDP_NODE_PARTIAL, NDP_EDGE_ARGUMENT}, {NDP_NODE_PARTIAL, NDP_EDGE_KEYWORD},
};

/* A graph with room for new nodes. */
struct draft {
    struct ndp_arena *arena;
    struct ndp_choices *choices;
    struct ndp_node *nodes;
    uint32_t count, root;
};

static uint32_t some_node(const struct draft *d) {
    return (uint32_t)ndp_choose(d->choices, d->count);
}

static uint32_t add_node(struct draft *d, struct ndp_node node) {
    d->nodes[d->count] = node;
    return d->count++;
}

/* Selects a node of the kind within a few tries, or `otherwise`. */
static uint32_t find_node(const struct draft *d, enum ndp_node_kind kind, uint32_t otherwise) {
    for (int i = 0; i < MAX_TRIES; i++) {
        const uint32_t number = some_node(d);
        if (d->nodes[number].kind == kind) return number;
    }
    return otherwise;
}

/* Inserts an edge after those of the same role, in a copy of all edges. */
static enum ndp_status add_edge(const struct draft *d, struct ndp_node *node, struct ndp_edge edge) {
    struct ndp_edge *edges = NDP_ARENA_ITEMS(d->arena, struct ndp_edge, (uint64_t)node->edge_count + 1);
    uint32_t at = node->edge_count;
    if (!edges) return NDP_NOMEM;
    for (; at > 0 && node->edges[at - 1].role > edge.role; at--) edges[at] = node->edges[at - 1];
    edges[at] = edge;
    if (at > 0) memcpy(edges, node->edges, at * sizeof *edges);
    node->edges = edges;
    node->edge_count++;
    return NDP_OK;
}

/* Adds a part of a kind that the node may have. */
static enum ndp_status add_part(struct draft *d) {
    static const char *const names[] = {"a", "b", "x", "late"};
    for (int i = 0; i < MAX_TRIES; i++) {
        const uint64_t row = ndp_choose(d->choices, NDP_ARRAY_LEN(roles));
        struct ndp_node *node = &d->nodes[some_node(d)];
        const enum ndp_edge_role role = roles[row].role;
        if (node->kind != roles[row].kind || node->edge_count + 2 > NDP_MAX_EDGES) continue;
        struct ndp_edge edge = {.role = role, .name = ndp_bytes_view("")};
        if (ndp_graph_words_edge_is_named(role))
            edge.name = ndp_bytes_view(names[ndp_choose(d->choices, NDP_ARRAY_LEN(names))]);
        edge.to = some_node(d);
        NDP_TRY(add_edge(d, node, edge));
        if (role != NDP_EDGE_KEY) return NDP_OK;
        return add_edge(d, node, (struct ndp_edge){NDP_EDGE_VALUE, edge.name, some_node(d)});
    }
    return NDP_OK;
}

/* Selects an edge of a node, in a copy of all its edges; NULL if it has none. */
static struct ndp_edge *some_edge(const struct draft *d, struct ndp_node **of) {
    for (int i = 0; i < MAX_TRIES; i++) {
        struct ndp_node *node = &d->nodes[some_node(d)];
        if (node->edge_count == 0) continue;
        struct ndp_edge *edges = ndp_arena_copy(d->arena, node->edges, node->edge_count * sizeof *edges);
        if (!edges) return NULL;
        node->edges = edges;
        *of = node;
        return edges + ndp_choose(d->choices, node->edge_count);
    }
    return NULL;
}

/* Removes an edge. Keys are removed with their values; parts of a function stay. */
static void drop_part(struct draft *d) {
    struct ndp_node *node = NULL;
    struct ndp_edge *edge = some_edge(d, &node);
    if (!edge) return;
    for (size_t row = 0; row < NDP_ARRAY_LEN(roles); row++) {
        if (roles[row].role != edge->role || edge->role == NDP_EDGE_KEY) continue;
        const size_t left = (size_t)(node->edges + node->edge_count - edge) - 1;
        memmove(edge, edge + 1, left * sizeof *edge);
        node->edge_count--;
        return;
    }
}

/* Redirects an edge to another node, of the same kind unless the role takes any. */
static void redirect_edge(struct draft *d) {
    struct ndp_node *node = NULL;
    struct ndp_edge *edge = some_edge(d, &node);
    if (!edge || edge->to >= d->count) return;
    const bool takes_any = edge->role != NDP_EDGE_FUNCTION && edge->role != NDP_EDGE_MASK;
    edge->to = takes_any ? some_node(d) : find_node(d, d->nodes[edge->to].kind, edge->to);
}

/* Copies a node with its edges: another object with the same parts, beside the root. */
static enum ndp_status copy_node(struct draft *d) {
    const uint32_t twin = add_node(d, d->nodes[some_node(d)]);
    const uint32_t list = add_node(d, (struct ndp_node){.kind = NDP_NODE_LIST});
    NDP_TRY(add_edge(d, &d->nodes[list], (struct ndp_edge){NDP_EDGE_ITEM, ndp_bytes_view(""), d->root}));
    NDP_TRY(add_edge(d, &d->nodes[list], (struct ndp_edge){NDP_EDGE_ITEM, ndp_bytes_view(""), twin}));
    d->root = list;
    return NDP_OK;
}

/* Replaces an integer by one at which opcodes or digits change. */
static void change_integer(struct draft *d) {
    static const char *const integers[] = {"-1",
                                           "255",
                                           "256",
                                           "65535",
                                           "65536",
                                           "-128",
                                           "-32769",
                                           "2147483647",
                                           "2147483648",
                                           "-2147483649",
                                           "4294967296",
                                           "-4294967296",
                                           "-8388608",
                                           "549755813888",
                                           "-549755813889",
                                           "9007199254740993",
                                           "-9223372036854775808",
                                           "9223372036854775808",
                                           "1000000000000000000000"};
    const uint32_t number = find_node(d, NDP_NODE_INT, d->count);
    if (number == d->count) return;
    d->nodes[number].text = ndp_bytes_view(integers[ndp_choose(d->choices, NDP_ARRAY_LEN(integers))]);
}

static enum ndp_status change_node(struct draft *d) {
    switch (ndp_choose(d->choices, 8)) {
    case 0:
        drop_part(d);
        return NDP_OK;
    case 1:
    case 2:
        redirect_edge(d);
        return NDP_OK;
    case 3:
        return copy_node(d);
    case 4:
        change_integer(d);
        return NDP_OK;
    default:
        return add_part(d);
    }
}

static enum ndp_status change_graph(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes text,
                                    struct ndp_buffer *out) {
    struct ndp_graph graph;
    NDP_TRY(ndp_pickle_graph_decode(arena, text, &graph, NULL));
    if (graph.count + MAX_NEW > NDP_MAX_NODES) return NDP_LIMIT;
    struct draft d = {arena, choices, NDP_ARENA_ITEMS(arena, struct ndp_node, graph.count + MAX_NEW), graph.count,
                      graph.root};
    if (!d.nodes) return NDP_NOMEM;
    memcpy(d.nodes, graph.nodes, graph.count * sizeof *d.nodes);
    for (uint64_t left = 1 + ndp_choose(choices, MAX_CHANGES); left > 0; left--) NDP_TRY(change_node(&d));
    const struct ndp_graph changed = {d.root, d.count, d.nodes};
    const struct ndp_graph_form form = {.protocol = (uint32_t)ndp_choose(choices, 6),
                                        .release = ndp_choose(choices, 2) ? NDP_NUMPY_1 : NDP_NUMPY_2_3};
    return ndp_pickle_graph_encode(arena, &changed, &form, ndp_write_to_buffer, out, NULL);
}

enum ndp_status fuzz_mutate_graph(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes text,
                                  struct ndp_buffer *out) {
    if (text.size_bytes == 0) return NDP_INVALID;
    if (ndp_choose_rarely(choices, NEW_ONE_IN) && fuzz_generate_graph(arena, choices, out) == NDP_OK) return NDP_OK;
    out->size_bytes = 0;
    if (ndp_choose_rarely(choices, GRAPH_ONE_IN) && change_graph(arena, choices, text, out) == NDP_OK) return NDP_OK;
    out->size_bytes = 0;
    return fuzz_mutate_pickle(arena, choices, text, out);
}
