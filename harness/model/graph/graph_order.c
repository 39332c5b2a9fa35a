/* graph_order.c: depth-first numbering of a graph.
 *
 * Problem: two graphs compare only if nodes have the same numbers, and a chain of nodes may be as deep as the graph is
 * large. Method: pre-order with an explicit stack; a node gets its number when it is first reached. Cost: linear in
 * nodes and edges. Limits: unreachable nodes are dropped.
 */
#include "model/graph/graph.h"

/* Progress of the walk in a node: number of edges followed. */
struct walk_position {
    uint32_t node;
    uint32_t edge;
};

struct order {
    uint32_t *numbers; /* by node: new number + 1; 0 for not reached */
    uint32_t *nodes;   /* by new number */
    uint32_t count;
    struct walk_position *stack; /* each node is entered once, which bounds the stack */
    uint32_t depth;
};

static enum ndp_status walk_start(struct ndp_arena *arena, uint32_t count, struct order *out) {
    *out = (struct order){
        .numbers = NDP_ARENA_ITEMS(arena, uint32_t, count),
        .nodes = NDP_ARENA_ITEMS(arena, uint32_t, count),
        .stack = NDP_ARENA_ITEMS(arena, struct walk_position, count),
    };
    return out->numbers && out->nodes && out->stack ? NDP_OK : NDP_NOMEM;
}

static void walk_enter(struct order *order, uint32_t node) {
    if (order->numbers[node] != 0) return;
    order->nodes[order->count++] = node;
    order->numbers[node] = order->count;
    order->stack[order->depth++] = (struct walk_position){node, 0};
}

static void walk_order(struct order *order, const struct ndp_graph *graph) {
    walk_enter(order, graph->root);
    while (order->depth > 0) {
        struct walk_position *top = &order->stack[order->depth - 1];
        const struct ndp_node *node = &graph->nodes[top->node];
        if (top->edge == node->edge_count) {
            order->depth--;
        } else {
            walk_enter(order, node->edges[top->edge++].to);
        }
    }
}

static enum ndp_status renumber_edges(struct ndp_arena *arena, const struct order *order, struct ndp_node *node) {
    struct ndp_edge *edges = ndp_arena_copy(arena, node->edges, node->edge_count * sizeof *edges);
    if (edges == NULL) return NDP_NOMEM;
    for (uint32_t i = 0; i < node->edge_count; i++) edges[i].to = order->numbers[edges[i].to] - 1;
    node->edges = edges;
    return NDP_OK;
}

enum ndp_status ndp_graph_in_order(struct ndp_arena *arena, const struct ndp_graph *graph, struct ndp_graph *out) {
    struct order order;
    NDP_TRY(walk_start(arena, graph->count, &order));
    walk_order(&order, graph);
    struct ndp_node *nodes = NDP_ARENA_ITEMS(arena, struct ndp_node, order.count);
    if (nodes == NULL) return NDP_NOMEM;
    for (uint32_t i = 0; i < order.count; i++) {
        nodes[i] = graph->nodes[order.nodes[i]];
        NDP_TRY(renumber_edges(arena, &order, &nodes[i]));
    }
    *out = (struct ndp_graph){0, order.count, nodes};
    return NDP_OK;
}
