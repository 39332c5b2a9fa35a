#include <string.h>

#include "planted/graph_defect.h"

static void shift_masks(struct ndp_graph_defect *defect) {
    for (uint32_t i = 0; i < defect->count; i++) {
        const struct ndp_edge *edge = ndp_graph_node_edge(&defect->nodes[i], NDP_EDGE_MASK, 0);
        if (edge == NULL || defect->nodes[edge->to].model.buffer_bytes < 2) continue;
        const struct ndp_array *mask = &defect->nodes[edge->to].model;
        const uint8_t last = mask->buffer[mask->buffer_bytes - 1];
        memmove(mask->buffer + 1, mask->buffer, mask->buffer_bytes - 1);
        mask->buffer[0] = last;
    }
}

NDP_PLANT_PICKLED_GRAPH(pickled_mask_late, "company", "The mask of an array is unpickled one element too late.",
                        shift_masks);
