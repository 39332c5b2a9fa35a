#include "planted/graph_defect.h"

static void wrap_scalars(struct ndp_graph_defect *defect) {
    for (uint32_t i = 0; i < defect->count; i++)
        if (ndp_graph_node_is_scalar(&defect->nodes[i])) defect->nodes[i].model.class_name = ndp_bytes_view("ndarray");
}

NDP_PLANT_GRAPH(scalar_to_array, "company", "A scalar arrives as an array of no axes.", wrap_scalars);
