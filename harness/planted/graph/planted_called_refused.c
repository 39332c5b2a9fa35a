#include "planted/graph_defect.h"

#include <stdio.h>

static enum ndp_plugin_result encode_uncalled(const struct ndp_plugin_entry *entry, const struct ndp_graph *graph,
                                              ndp_plugin_write *write, void *sink, struct ndp_plugin_refusal *refusal) {
    for (uint32_t i = 0; i < graph->count; i++) {
        if (graph->nodes[i].kind != NDP_NODE_VECTORIZE || graph->nodes[i].calls == 0) continue;
        (void)snprintf(refusal->reason, sizeof refusal->reason, "type");
        (void)snprintf(refusal->message, sizeof refusal->message,
                       "cannot serialize the state that the first call left");
        return NDP_PLUGIN_REFUSED;
    }
    return ndp_reference_graph_encode(entry, graph, write, sink, refusal);
}

static const struct ndp_plugin_graph graph_of_called = {
    .entries = ndp_reference_graph_entries, .encode = encode_uncalled, .decode = ndp_reference_graph_decode};
NDP_PLANT_OBJECTS(called_refused, "picklability", "A vectorized function cannot be serialized after its first call.",
                  .graph = &graph_of_called);
