/* wire_graph.h: graphs in BATCH frames. */
#ifndef NDP_WIRE_GRAPH_H
#define NDP_WIRE_GRAPH_H

#include "model/graph/graph.h"

/* Appends `,"value":{"graph":...}` for a recipe with the data of its arrays (borrowed). The data will follow the
 * `*binary_bytes` bytes so far, in the order of the nodes, and are added to the count. Errors: NOMEM, LIMIT. */
enum ndp_status ndp_wire_graph_add(struct ndp_buffer *out, const struct ndp_graph *graph,
                                   uint64_t *binary_bytes) NDP_MUST_USE;

/* Adds ",\"keep\":[..]" with the import paths of the graph's instances and what they keep, for a target that observes
 * what it has not built; nothing without instances. Errors: NOMEM. */
enum ndp_status ndp_wire_graph_add_kept(struct ndp_buffer *out, const struct ndp_graph *graph) NDP_MUST_USE;

#endif
