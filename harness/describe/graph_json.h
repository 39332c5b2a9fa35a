/* graph_json.h: a graph as JSON: recipes in descriptors and on the wire, observations on the wire
 * (harness/testees/README.md, "Graphs"). Nothing here recurses but for dtypes, which their own reader bounds. */
#ifndef NDP_GRAPH_JSON_H
#define NDP_GRAPH_JSON_H

#include "describe/value_json.h"
#include "model/graph.h"

/* Reads the "array" member of an observed node, whose other members are read already. */
typedef enum ndp_status ndp_observed_array_reader(void *context, const cJSON *array, struct ndp_node *node);

/* Fills *out from the object behind "graph". With `read_observed` it is an observation: other keys, node 0 the root.
 * Every edge leads to a node. A recipe is not checked further (ndp_graph_check). Errors: INVALID, LIMIT, NOMEM. */
enum ndp_status ndp_graph_read_json(struct ndp_json_reader *reader, const cJSON *object,
                                    ndp_observed_array_reader *read_observed, void *context,
                                    struct ndp_graph *out) NDP_MUST_USE;

/* Gives a recipe as a new tree, {"root": .., "nodes": [..]}, or NULL when out of memory. Without `binary_bytes` arrays
 * have their "data" as patterns; with it they have the places of their bytes (node->data) behind *binary_bytes, which
 * grows by them. */
cJSON *ndp_graph_to_json(const struct ndp_graph *graph, uint64_t *binary_bytes);

#endif
