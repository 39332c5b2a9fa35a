#include "planted/graph_defect.h"

static void lose_attributes(struct ndp_graph_defect *defect) {
    for (uint32_t i = 0; i < defect->count; i++) {
        while (defect->nodes[i].kind == NDP_NODE_ARRAY && defect->nodes[i].edge_count > 0)
            ndp_graph_defect_drop_edge(defect, i, 0);
    }
}

NDP_PLANT_GRAPH(attributes_lost, "class", "The attributes of an instance of an array subclass are lost.",
                lose_attributes);
