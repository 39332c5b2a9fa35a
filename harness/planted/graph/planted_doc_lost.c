#include "planted/graph_defect.h"

static void lose_doc(struct ndp_graph_defect *defect) {
    ndp_graph_defect_drop_description(defect, "__doc__");
}

NDP_PLANT_GRAPH(doc_lost, "closure", "The docstring of a function is lost.", lose_doc);
