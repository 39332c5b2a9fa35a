#include "planted/graph_defect.h"

static void exchange_kept(struct ndp_graph_defect *defect) {
    for (uint32_t i = 0; i < defect->count; i++) {
        const struct ndp_node *node = &defect->nodes[i];
        if (node->kind != NDP_NODE_INSTANCE || node->edge_count < 2) continue;
        const uint32_t first = node->edges[0].to, second = node->edges[1].to;
        ndp_graph_defect_redirect_edge(defect, i, 0, second);
        ndp_graph_defect_redirect_edge(defect, i, 1, first);
    }
}

NDP_PLANT_GRAPH(kept_exchanged, "class", "Two attributes of an instance of a user's class arrive exchanged.",
                exchange_kept);
