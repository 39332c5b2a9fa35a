#include "planted/graph_defect.h"

static void change(struct ndp_graph_defect *defect) {
    ndp_graph_defect_split(defect, NDP_NODE_ARRAY);
}

NDP_PLANT_GRAPH(array_twice, "identity", "An array that is met twice arrives as two.", change);
