#include "planted/graph_defect.h"

static void drop_class(struct ndp_graph_defect *defect) {
    for (uint32_t i = 0; i < defect->count; i++)
        if (defect->nodes[i].kind == NDP_NODE_ARRAY) defect->nodes[i].model.class_name = ndp_bytes_view("ndarray");
}

NDP_PLANT_GRAPH(class_dropped, "company", "A subclass arrives as ndarray.", drop_class);
