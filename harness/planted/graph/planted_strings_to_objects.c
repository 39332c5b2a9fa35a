#include "planted/graph_defect.h"

static void forget_strings(struct ndp_graph_defect *defect) {
    for (uint32_t i = 0; i < defect->count; i++) {
        if (defect->nodes[i].kind != NDP_NODE_OBJECTS) continue;
        defect->nodes[i].is_string = defect->nodes[i].is_strict = false;
        for (uint32_t k = defect->nodes[i].edge_count; k-- > 0;)
            if (defect->nodes[i].edges[k].role == NDP_EDGE_NA) ndp_graph_defect_drop_edge(defect, i, k);
    }
}

NDP_PLANT_GRAPH(strings_to_objects, "closure", "An array of strings arrives as an array of objects.", forget_strings);
