#include "planted/graph_defect.h"

static void split_cycle(struct ndp_graph_defect *defect) {
    const uint32_t count = defect->count;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < defect->nodes[i].edge_count; k++) {
            if (defect->nodes[i].edges[k].to == i)
                ndp_graph_defect_redirect_edge(defect, i, k, ndp_graph_defect_duplicate_node(defect, i));
        }
    }
}

NDP_PLANT_GRAPH(self_lost, "identity", "An object that contains itself arrives with an equal copy in its place.",
                split_cycle);
