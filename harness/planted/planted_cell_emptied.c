#include "planted/graph_defect.h"

static void change(struct ndp_graph_defect *defect) {
    for (uint32_t i = 0; i < defect->count; i++) {
        if (defect->nodes[i].kind == NDP_NODE_CELL) defect->nodes[i].edge_count = 0;
    }
}

NDP_PLANT_GRAPH(cell_emptied, "closure", "A variable of a function arrives without its content.", change);
