#include "planted/graph_defect.h"

static void change(struct ndp_graph_defect *defect) {
    for (uint32_t i = 0; i < defect->count; i++) {
        if (defect->nodes[i].kind == NDP_NODE_ARRAY) ndp_graph_defect_reorder(defect, i);
    }
}

NDP_PLANT_DUMPED_GRAPH(dumped_order, "company", "An array in F order, in a dump with others, is loaded in C order.",
                       change);
