#include "planted/graph_defect.h"

static void change(struct ndp_graph_defect *defect) {
    ndp_graph_defect_undescribe(defect, "__doc__");
}

NDP_PLANT_GRAPH(doc_lost, "closure", "The documentation of a function stays behind.", change);
