#include "planted/graph_defect.h"

static void empty_cells(struct ndp_graph_defect *defect) {
    for (uint32_t i = 0; i < defect->count; i++)
        if (defect->nodes[i].kind == NDP_NODE_CELL) defect->nodes[i].edge_count = 0;
}

NDP_PLANT_GRAPH(cell_emptied, "closure", "A closure variable arrives empty.", empty_cells);
