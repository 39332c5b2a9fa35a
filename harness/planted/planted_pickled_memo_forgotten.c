#include "planted/graph_defect.h"

static void change(struct ndp_graph_defect *defect) {
    ndp_graph_defect_split(defect, NDP_NODE_ARRAY);
    ndp_graph_defect_split(defect, NDP_NODE_OBJECTS);
    ndp_graph_defect_split(defect, NDP_NODE_LIST);
}

NDP_PLANT_PICKLED_GRAPH(pickled_memo_forgotten, "identity", "What a pickle refers back to is made once more.", change);
