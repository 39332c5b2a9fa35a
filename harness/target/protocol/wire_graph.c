#include "target/protocol/wire_graph.h"

#include "describe/graph_json.h"
#include "describe/json_write.h"
#include "target/protocol/wire_json.h"

enum ndp_status ndp_wire_graph_add(struct ndp_buffer *out, const struct ndp_graph *graph, uint64_t *binary_bytes) {
    NDP_TRY(ndp_wire_json_add(out, ",\"value\":{\"graph\":"));
    NDP_TRY(ndp_json_print(out, ndp_graph_to_json(graph, binary_bytes)));
    return ndp_wire_json_add(out, "}");
}
