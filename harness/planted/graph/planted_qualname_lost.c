#include "planted/graph_defect.h"

static void lose_qualname(struct ndp_graph_defect *defect) {
    ndp_graph_defect_drop_description(defect, "__qualname__");
}

NDP_PLANT_GRAPH(qualname_lost, "closure", "The qualified name of a function is lost.", lose_qualname);
