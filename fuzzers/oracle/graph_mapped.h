/* graph_mapped.h: a dump of joblib whose arrays stay in their file. */
#ifndef NDP_FUZZ_GRAPH_MAPPED_H
#define NDP_FUZZ_GRAPH_MAPPED_H

#include "model/graph.h"

/* Whether the dump is the same graph (live) in its file, read and with its arrays mapped in that mode; what is mapped
 * lies in the file. The arena is for the comparison. */
bool fuzz_graph_is_mapped(struct ndp_arena *arena, struct ndp_bytes dump, enum ndp_map_mode mode,
                          const struct ndp_graph *graph);

#endif
