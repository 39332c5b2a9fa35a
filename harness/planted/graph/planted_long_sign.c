#include "planted/graph_defect.h"

static void drop_sign(struct ndp_graph_defect *defect) {
    for (uint32_t i = 0; i < defect->count; i++) {
        struct ndp_bytes *text = &defect->nodes[i].text;
        if (defect->nodes[i].kind != NDP_NODE_INT || text->size_bytes == 0 || text->data[0] != '-') continue;
        *text = (struct ndp_bytes){text->data + 1, text->size_bytes - 1};
    }
}

NDP_PLANT_GRAPH(long_sign, "closure", "An integer of arbitrary size is read as unsigned.", drop_sign);
