#include "planted/graph_defect.h"

static void lose_defaults(struct ndp_graph_defect *defect) {
    for (uint32_t i = 0; i < defect->count; i++) {
        for (uint32_t k = defect->nodes[i].edge_count; k-- > 0;)
            if (defect->nodes[i].edges[k].role == NDP_EDGE_DEFAULT) ndp_graph_defect_drop_edge(defect, i, k);
    }
}

NDP_PLANT_GRAPH(defaults_lost, "closure", "The default arguments of a function are lost.", lose_defaults);
