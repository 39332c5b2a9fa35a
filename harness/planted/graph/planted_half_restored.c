#include "planted/graph_defect.h"

static void unset_last_attribute(struct ndp_graph_defect *defect) {
    for (uint32_t i = 0; i < defect->count; i++) {
        if (defect->nodes[i].kind != NDP_NODE_ARRAY || defect->nodes[i].edge_count == 0) continue;
        const uint32_t last = defect->nodes[i].edge_count - 1;
        if (defect->nodes[i].edges[last].role == NDP_EDGE_ATTRIBUTE)
            ndp_graph_defect_redirect_edge(defect, i, last, NDP_GRAPH_UNSET);
    }
}

NDP_PLANT_GRAPH(half_restored, "class", "The last attribute of an object stays unset.", unset_last_attribute);
