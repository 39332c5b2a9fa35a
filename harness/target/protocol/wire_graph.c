#include "target/protocol/wire_graph.h"

#include "describe/graph_json.h"
#include "describe/json_write.h"
#include "target/protocol/wire_json.h"

enum ndp_status ndp_wire_graph_add_kept(struct ndp_buffer *out, const struct ndp_graph *graph) {
    bool is_first = true;
    for (uint32_t i = 0; i < graph->count; i++) {
        const struct ndp_node *node = &graph->nodes[i];
        if (node->kind != NDP_NODE_INSTANCE) continue;
        NDP_TRY(ndp_wire_json_add(out, is_first ? ",\"keep\":[" : ","));
        struct ndp_node rule = *node;
        rule.edge_count = 0;
        NDP_TRY(ndp_json_print(out, ndp_graph_instance_to_json(&rule)));
        is_first = false;
    }
    return is_first ? NDP_OK : ndp_wire_json_add(out, "]");
}

enum ndp_status ndp_wire_graph_add(struct ndp_buffer *out, const struct ndp_graph *graph, uint64_t *binary_bytes) {
    NDP_TRY(ndp_wire_json_add(out, ",\"value\":{\"graph\":"));
    NDP_TRY(ndp_json_print(out, ndp_graph_to_json(graph, binary_bytes)));
    return ndp_wire_json_add(out, "}");
}
