#include "planted/graph_defect.h"

static void own_memory(struct ndp_graph_defect *defect) {
    for (uint32_t i = 0; i < defect->count; i++)
        if (defect->nodes[i].kind == NDP_NODE_ARRAY) ndp_graph_defect_own_memory(defect, i);
}

NDP_PLANT_GRAPH(view_detached, "identity", "A view arrives with memory of its own, separate from its base.",
                own_memory);
