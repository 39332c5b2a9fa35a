#include "planted/graph_defect.h"

static void mark_lists(struct ndp_graph_defect *defect) {
    for (uint32_t i = 0; i < defect->count; i++) defect->nodes[i].is_sent = defect->nodes[i].kind == NDP_NODE_LIST;
}

NDP_PLANT_GRAPH(list_sent_itself, "identity", "The result contains the lists that were sent, and no new ones.",
                mark_lists);
