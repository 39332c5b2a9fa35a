#include "planted/graph_defect.h"

#include <string.h>

/* The first earlier array with equal bytes in separate memory, or `number` for none. */
static uint32_t find_equal(const struct ndp_graph_defect *defect, uint32_t number) {
    const struct ndp_array *array = &defect->nodes[number].model;
    for (uint32_t i = 0; i < number && array->buffer_bytes > 0; i++) {
        const struct ndp_array *other = &defect->nodes[i].model;
        if (defect->nodes[i].kind == NDP_NODE_ARRAY && other->buffer_bytes == array->buffer_bytes &&
            memcmp(other->buffer, array->buffer, (size_t)array->buffer_bytes) == 0)
            return i;
    }
    return number;
}

static void merge_equal_memory(struct ndp_graph_defect *defect) {
    for (uint32_t i = 0; i < defect->count; i++) {
        if (defect->nodes[i].kind == NDP_NODE_ARRAY)
            defect->nodes[i].model.buffer = defect->nodes[find_equal(defect, i)].model.buffer;
    }
}

NDP_PLANT_GRAPH(memory_merged, "identity", "Arrays of equal content arrive in one shared memory.", merge_equal_memory);
