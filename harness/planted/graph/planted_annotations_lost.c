#include "planted/graph_defect.h"

static void lose_annotations(struct ndp_graph_defect *defect) {
    ndp_graph_defect_drop_description(defect, "__annotations__");
}

NDP_PLANT_GRAPH(annotations_lost, "closure", "The annotations of a function are lost.", lose_annotations);
