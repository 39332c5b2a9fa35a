#include "planted/graph_defect.h"

static void lock_arrays(struct ndp_graph_defect *defect) {
    for (uint32_t i = 0; i < defect->count; i++)
        if (defect->nodes[i].kind == NDP_NODE_ARRAY) defect->nodes[i].model.is_writeable = false;
}

NDP_PLANT_GRAPH(graph_array_locked, "company", "Arrays inside other objects arrive read-only.", lock_arrays);
