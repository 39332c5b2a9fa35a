#include "planted/graph_defect.h"

static void reorder_arrays(struct ndp_graph_defect *defect) {
    for (uint32_t i = 0; i < defect->count; i++)
        if (defect->nodes[i].kind == NDP_NODE_ARRAY) ndp_graph_defect_reorder(defect, i);
}

NDP_PLANT_DUMPED_GRAPH(dumped_order, "company",
                       "In a dump of several objects, an array in F order is loaded in C order.", reorder_arrays);
