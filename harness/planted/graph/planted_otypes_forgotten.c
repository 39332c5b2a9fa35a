#include "planted/graph_defect.h"

static void lose_otypes(struct ndp_graph_defect *defect) {
    for (uint32_t i = 0; i < defect->count; i++)
        if (defect->nodes[i].kind == NDP_NODE_VECTORIZE) defect->nodes[i].has_otypes = false;
}

NDP_PLANT_GRAPH(otypes_forgotten, "closure", "A vectorized function loses its otypes.", lose_otypes);
