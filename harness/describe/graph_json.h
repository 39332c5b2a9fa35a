/* graph_json.h: a graph as JSON: recipes in descriptors and on the wire, observations on the wire
 * (harness/testees/README.md, "Graphs"). Nothing here recurses but for dtypes, which their own reader bounds. */
#ifndef NDP_GRAPH_JSON_H
#define NDP_GRAPH_JSON_H

#include "describe/value_json.h"
#include "model/graph.h"

/* Reads one member of an array's node, whose other members are read already. */
typedef enum ndp_status ndp_node_member_reader(void *context, const cJSON *member, struct ndp_node *node);

/* What a graph on the wire has beyond one in a descriptor; NULL is nothing. */
struct ndp_graph_members {
    ndp_node_member_reader *observed; /* reads "array" of an observation: other keys, node 0 the root */
    ndp_node_member_reader *data;     /* reads "data" of a recipe's array, which must be there */
    void *context;
};

/* Fills *out from the object behind "graph"; `members` may be NULL. Every edge leads to a node. A recipe is not checked
 * further (ndp_graph_check). Errors: INVALID, LIMIT, NOMEM. */
enum ndp_status ndp_graph_read_json(struct ndp_json_reader *reader, const cJSON *object,
                                    const struct ndp_graph_members *members, struct ndp_graph *out) NDP_MUST_USE;

/* Gives a recipe as a new tree, {"root": .., "nodes": [..]}, or NULL when out of memory. Without `binary_bytes` arrays
 * have their "data" as patterns; with it they have the places of their bytes (node->data) behind *binary_bytes, which
 * grows by them. */
cJSON *ndp_graph_to_json(const struct ndp_graph *graph, uint64_t *binary_bytes);

/* Gives the "array" member of a node's observation as a new tree, or NULL when out of memory. */
typedef cJSON *ndp_node_member_printer(void *context, const struct ndp_node *node);

/* Gives an observation, whose root is node 0, as a new tree, {"nodes": [..]}, or NULL when out of memory. */
cJSON *ndp_graph_seen_to_json(const struct ndp_graph *graph, ndp_node_member_printer *print, void *context);

#endif
