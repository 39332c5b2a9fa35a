#include "planted/graph_defect.h"

static void split_cells(struct ndp_graph_defect *defect) {
    ndp_graph_defect_split_shared(defect, NDP_NODE_CELL);
}

NDP_PLANT_GRAPH(cells_apart, "closure", "Functions that share a closure variable arrive with a variable each.",
                split_cells);
