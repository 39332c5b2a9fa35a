/* graph_stream.h: serializes a live graph (target/plugin_graph.h): each memory once, each node once, edges by number.
 *
 * It is the control among the object formats: it preserves everything that can be observed, so that any loss is the
 * fault of the target that wrote or read. The format is private to ndproof and its files are temporary.
 *
 * "NDG1", root, number of nodes, number of memories; memories as byte strings; nodes in their order
 *
 * Numbers are u32, little-endian; a byte string is its length and its bytes. A node is its kind, the members of that
 * kind, and its edges (role, name, node number). The members of an array: hard mask, fill value, memory, dtype in the
 * JSON of descriptors, class, flags, offset of element 0, extents, strides.
 */
#ifndef NDP_GRAPH_STREAM_H
#define NDP_GRAPH_STREAM_H

#include "model/graph/graph.h"

/* Appends `graph` (borrowed), whose ARRAY nodes have a model. Errors: LIMIT, NOMEM. */
enum ndp_status ndp_graph_stream_add(struct ndp_buffer *buffer, const struct ndp_graph *graph) NDP_MUST_USE;

/* Reads a graph into `arena`; memories are copied, texts borrow `bytes`. Checks that every number is in range and every
 * array inside its memory. Errors: INVALID, TRUNCATED, LIMIT with the offset; NOMEM. */
enum ndp_status ndp_graph_stream_read(struct ndp_arena *arena, struct ndp_bytes bytes, struct ndp_graph *out,
                                      struct ndp_error *error) NDP_MUST_USE;

#endif
