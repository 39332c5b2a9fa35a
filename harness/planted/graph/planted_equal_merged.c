#include "planted/graph_defect.h"

/* Whether two closure variables contain the same number. */
static bool are_equal(const struct ndp_graph_defect *defect, uint32_t a, uint32_t b) {
    const struct ndp_edge *left = ndp_graph_node_edge(&defect->nodes[a], NDP_EDGE_CONTENT, 0);
    const struct ndp_edge *right = ndp_graph_node_edge(&defect->nodes[b], NDP_EDGE_CONTENT, 0);
    if (defect->nodes[a].kind != NDP_NODE_CELL || defect->nodes[b].kind != NDP_NODE_CELL) return false;
    if (left == NULL || right == NULL || defect->nodes[left->to].kind != NDP_NODE_INT) return false;
    return defect->nodes[right->to].kind == NDP_NODE_INT &&
           ndp_bytes_is_equal(defect->nodes[left->to].text, defect->nodes[right->to].text);
}

static void merge_equal_cells(struct ndp_graph_defect *defect) {
    for (uint32_t i = 0; i < defect->count; i++) {
        for (uint32_t k = 0; k < defect->nodes[i].edge_count; k++) {
            const uint32_t to = defect->nodes[i].edges[k].to;
            uint32_t first = 0;
            if (to >= defect->count) continue; /* an attribute that is not there */
            while (first < to && !are_equal(defect, first, to)) first++;
            if (first < to) ndp_graph_defect_redirect_edge(defect, i, k, first);
        }
    }
}

NDP_PLANT_GRAPH(equal_merged, "identity", "Closure variables of equal content are merged into one.", merge_equal_cells);
