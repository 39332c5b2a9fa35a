#include "planted/graph_defect.h"

static void split_globals(struct ndp_graph_defect *defect) {
    ndp_graph_defect_split_shared(defect, NDP_NODE_GLOBALS);
}

NDP_PLANT_GRAPH(globals_apart, "closure", "Functions of one module arrive with separate globals.", split_globals);
