#include "planted/graph_defect.h"

static void reverse_fill_values(struct ndp_graph_defect *defect) {
    for (uint32_t i = 0; i < defect->count; i++) {
        if (defect->nodes[i].kind != NDP_NODE_ARRAY) continue;
        struct ndp_bytes *value = &defect->nodes[i].fill_value;
        uint8_t *turned = ndp_arena_copy(defect->arena, value->data, value->size_bytes);
        if (turned == NULL) continue;
        for (uint64_t k = 0; k < value->size_bytes; k++) turned[k] = value->data[value->size_bytes - 1 - k];
        value->data = turned;
    }
}

NDP_PLANT_PICKLED_GRAPH(pickled_fill_turned, "class",
                        "The fill value of a masked array is unpickled with reversed bytes.", reverse_fill_values);
