/* graph_stream.h: a live graph (target/plugin_graph.h) as bytes: each memory once, each node once, edges by number.
 *
 * It is the control among the formats of objects: it keeps everything that can be observed, so that whatever is missing
 * behind it was lost by the one who read or wrote. Nothing else reads it, and files of it are not kept.
 *
 *     "NDG1", root, number of nodes, number of memories; memories as byte strings; nodes in their order
 *
 * Numbers are u32, little-endian; a byte string is its length and its bytes. A node is its kind, the members of that
 * kind, and its edges (role, name, number of a node). The members of an array: hard mask, fill value, memory, dtype in
 * the JSON of descriptors, class, flags, place of element 0, extents, strides.
 */
#ifndef NDP_GRAPH_STREAM_H
#define NDP_GRAPH_STREAM_H

#include "model/graph.h"

/* Appends the bytes of `graph` (borrowed), whose ARRAY nodes have a model. Errors: LIMIT, NOMEM. */
enum ndp_status ndp_graph_stream_add(struct ndp_buffer *buffer, const struct ndp_graph *graph) NDP_MUST_USE;

/* Gives the graph in `arena`; memories are copies of their own, texts borrow `bytes`. Every number is inside what it
 * counts, and every array inside its memory. Errors: INVALID, TRUNCATED, LIMIT with the offset; NOMEM. */
enum ndp_status ndp_graph_stream_read(struct ndp_arena *arena, struct ndp_bytes bytes, struct ndp_graph *out,
                                      struct ndp_error *error) NDP_MUST_USE;

#endif
