#include "planted/graph_defect.h"

static void zero_last_bytes(struct ndp_graph_defect *defect) {
    uint32_t arrays = 0;
    for (uint32_t i = 0; i < defect->count; i++) {
        const struct ndp_array *array = &defect->nodes[i].model;
        if (defect->nodes[i].kind != NDP_NODE_ARRAY || arrays++ == 0 || array->buffer_bytes == 0) continue;
        array->buffer[array->buffer_bytes - 1] = 0;
    }
}

NDP_PLANT_GRAPH(graph_array_zeroed, "company", "In every array of a graph after the first, the last byte becomes zero.",
                zero_last_bytes);
