#include "planted/graph_defect.h"

static void rebind_global(struct ndp_graph_defect *defect) {
    for (uint32_t i = 0; i < defect->count; i++) {
        const bool has_names = defect->nodes[i].kind == NDP_NODE_GLOBALS && defect->nodes[i].edge_count > 0;
        if (!has_names || defect->count == NDP_MAX_NODES) continue;
        defect->nodes[defect->count] = (struct ndp_node){.kind = NDP_NODE_INT, .text = ndp_bytes_view("12")};
        ndp_graph_defect_redirect_edge(defect, i, 0, defect->count++);
    }
}

NDP_PLANT_GRAPH(global_rebound, "closure", "A global name that a function reads refers to another object.",
                rebind_global);
