#include "model/graph.h"

/* Where a node's walk is: how many of its edges have been followed. */
struct place {
    uint32_t node;
    uint32_t edge;
};

struct order {
    uint32_t *numbers; /* of each node and one; 0 is not met yet */
    uint32_t *nodes;   /* of each number */
    uint32_t count;
    struct place *stack; /* a node is entered once, so that it never holds more */
    uint32_t depth;
};

static enum ndp_status start(struct ndp_arena *arena, uint32_t count, struct order *out) {
    *out = (struct order){
        .numbers = NDP_ARENA_ITEMS(arena, uint32_t, count),
        .nodes = NDP_ARENA_ITEMS(arena, uint32_t, count),
        .stack = NDP_ARENA_ITEMS(arena, struct place, count),
    };
    return out->numbers && out->nodes && out->stack ? NDP_OK : NDP_NOMEM;
}

static void enter(struct order *order, uint32_t node) {
    if (order->numbers[node] != 0) return;
    order->nodes[order->count++] = node;
    order->numbers[node] = order->count;
    order->stack[order->depth++] = (struct place){node, 0};
}

static void walk(struct order *order, const struct ndp_graph *graph) {
    enter(order, graph->root);
    while (order->depth > 0) {
        struct place *top = &order->stack[order->depth - 1];
        const struct ndp_node *node = &graph->nodes[top->node];
        if (top->edge == node->edge_count) {
            order->depth--;
        } else {
            enter(order, node->edges[top->edge++].to);
        }
    }
}

static enum ndp_status renumber(struct ndp_arena *arena, const struct order *order, struct ndp_node *node) {
    struct ndp_edge *edges = ndp_arena_copy(arena, node->edges, node->edge_count * sizeof *edges);
    if (edges == NULL) return NDP_NOMEM;
    for (uint32_t i = 0; i < node->edge_count; i++) edges[i].to = order->numbers[edges[i].to] - 1;
    node->edges = edges;
    return NDP_OK;
}

enum ndp_status ndp_graph_in_order(struct ndp_arena *arena, const struct ndp_graph *graph, struct ndp_graph *out) {
    struct order order;
    NDP_TRY(start(arena, graph->count, &order));
    walk(&order, graph);
    struct ndp_node *nodes = NDP_ARENA_ITEMS(arena, struct ndp_node, order.count);
    if (nodes == NULL) return NDP_NOMEM;
    for (uint32_t i = 0; i < order.count; i++) {
        nodes[i] = graph->nodes[order.nodes[i]];
        NDP_TRY(renumber(arena, &order, &nodes[i]));
    }
    *out = (struct ndp_graph){0, order.count, nodes};
    return NDP_OK;
}
