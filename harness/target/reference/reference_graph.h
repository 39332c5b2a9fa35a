/* reference_graph.h: encodes and decodes graphs in memory: the control format "graph" (codec/graph/graph_stream.h), NPY
 * and NPZ (codec/graph/npz_graph.h), pickles (codec/pickle/pickle_graph.h) and joblib dumps
 * (codec/joblib/joblib_graph.h). */
#ifndef NDP_REFERENCE_GRAPH_H
#define NDP_REFERENCE_GRAPH_H

#include "target/plugin_graph.h"

extern const struct ndp_plugin_graph ndp_reference_graph;

/* The members of struct ndp_plugin_graph, for planted defects. */
extern const struct ndp_plugin_entry ndp_reference_graph_entries[];
extern const struct ndp_plugin_entry ndp_reference_graph_dump_entries[]; /* only joblib's */
enum ndp_plugin_result ndp_reference_graph_encode(const struct ndp_plugin_entry *entry, const struct ndp_graph *graph,
                                                  ndp_plugin_write *write, void *sink,
                                                  struct ndp_plugin_refusal *refusal);
enum ndp_plugin_result ndp_reference_graph_decode(const struct ndp_plugin_entry *entry, const void *bytes,
                                                  size_t size_bytes, struct ndp_arena *arena, struct ndp_graph *out,
                                                  struct ndp_plugin_refusal *refusal);

bool ndp_reference_graph_takes_instances(const struct ndp_plugin_entry *entry);

#endif
