#include "planted/graph_defect.h"

static void split_memoized(struct ndp_graph_defect *defect) {
    ndp_graph_defect_split_shared(defect, NDP_NODE_ARRAY);
    ndp_graph_defect_split_shared(defect, NDP_NODE_OBJECTS);
    ndp_graph_defect_split_shared(defect, NDP_NODE_LIST);
}

NDP_PLANT_PICKLED_GRAPH(pickled_memo_forgotten, "identity", "Each memo reference of a pickle creates a new object.",
                        split_memoized);
