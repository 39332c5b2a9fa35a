#include "planted/graph_defect.h"

/* Clears the mask in all fields but the first. */
static void clear_others(struct ndp_graph_defect *defect, uint32_t mask) {
    const struct ndp_array *array = &defect->nodes[mask].model;
    if (array->dtype->kind != NDP_KIND_STRUCT || array->dtype->field_count < 2) return;
    ndp_graph_defect_own_memory(defect, mask);
    uint8_t *bytes = defect->nodes[mask].model.buffer;
    const uint64_t kept_bytes = array->dtype->fields[1].offset_bytes;
    for (uint64_t i = 0; i < array->buffer_bytes; i++)
        if (i % array->dtype->itemsize_bytes >= kept_bytes) bytes[i] = 0;
}

static void keep_mask_of_first_field(struct ndp_graph_defect *defect) {
    for (uint32_t i = 0; i < defect->count; i++) {
        const struct ndp_edge *mask = ndp_graph_node_edge(&defect->nodes[i], NDP_EDGE_MASK, 0);
        if (mask != NULL) clear_others(defect, mask->to);
    }
}

NDP_PLANT_GRAPH(mask_of_fields, "company", "The mask of a structured array is kept in its first field only.",
                keep_mask_of_first_field);
