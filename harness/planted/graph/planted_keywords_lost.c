#include "planted/graph_defect.h"

static void lose_keywords(struct ndp_graph_defect *defect) {
    for (uint32_t i = 0; i < defect->count; i++) {
        for (uint32_t k = defect->nodes[i].edge_count; k-- > 0;) {
            const enum ndp_edge_role role = defect->nodes[i].edges[k].role;
            if (role == NDP_EDGE_KEYWORD || role == NDP_EDGE_ARGUMENT) ndp_graph_defect_drop_edge(defect, i, k);
        }
    }
}

NDP_PLANT_GRAPH(keywords_lost, "closure", "A partial function arrives without its keyword arguments.", lose_keywords);
