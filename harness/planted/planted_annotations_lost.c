#include "planted/graph_defect.h"

static void change(struct ndp_graph_defect *defect) {
    ndp_graph_defect_undescribe(defect, "__annotations__");
}

NDP_PLANT_GRAPH(annotations_lost, "closure", "The annotations of a function stay behind.", change);
