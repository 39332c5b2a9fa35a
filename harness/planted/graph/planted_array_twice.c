#include "planted/graph_defect.h"

static void split_arrays(struct ndp_graph_defect *defect) {
    ndp_graph_defect_split_shared(defect, NDP_NODE_ARRAY);
}

NDP_PLANT_GRAPH(array_twice, "identity", "An array that is referenced twice arrives as two arrays.", split_arrays);
