#include "planted/graph_defect.h"

static void lose_kept(struct ndp_graph_defect *defect) {
    for (uint32_t i = 0; i < defect->count; i++) {
        while (defect->nodes[i].kind == NDP_NODE_INSTANCE && defect->nodes[i].edge_count > 0)
            ndp_graph_defect_drop_edge(defect, i, 0);
    }
}

NDP_PLANT_GRAPH(kept_lost, "class", "An instance of a user's class arrives without what it keeps.", lose_kept);
