#include "planted/graph_defect.h"

static void lose_module(struct ndp_graph_defect *defect) {
    ndp_graph_defect_drop_description(defect, "__module__");
}

NDP_PLANT_GRAPH(module_lost, "closure", "The module of a function is lost.", lose_module);
