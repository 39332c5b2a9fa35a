/* graph_json.h: a graph as JSON: recipes in descriptors, recipes and observations in messages of the testee protocol
 * (harness/testees/README.md, "Graphs"). Only the reader of dtypes recurses, with a bounded depth. */
#ifndef NDP_GRAPH_JSON_H
#define NDP_GRAPH_JSON_H

#include "describe/value_json.h"
#include "model/graph/graph.h"

/* Reads one member of an array node after the other members. */
typedef enum ndp_status ndp_graph_member_reader(void *context, const cJSON *member, struct ndp_node *node);

/* Extensions of the protocol over a descriptor; NULL for none. */
struct ndp_graph_members {
    ndp_graph_member_reader *observed; /* reads "array" of an observation, which has other keys; node 0 is the root */
    ndp_graph_member_reader *data;     /* reads "data" of an array in a recipe; required */
    void *context;
};

/* Fills *out from the object behind "graph"; `members` may be NULL. Checks that each edge leads to a node, but no
 * further rules of a recipe (see ndp_graph_check). Errors: INVALID, LIMIT, NOMEM. */
enum ndp_status ndp_graph_read_json(struct ndp_json_reader *reader, const cJSON *object,
                                    const struct ndp_graph_members *members, struct ndp_graph *out) NDP_MUST_USE;

/* Gives a recipe as a new tree, {"root": .., "nodes": [..]}, or NULL if out of memory. If `binary_bytes` is NULL,
 * arrays contain their "data" as patterns; otherwise they contain the offsets of their bytes (node->data) from
 * *binary_bytes, which grows accordingly. */
cJSON *ndp_graph_to_json(const struct ndp_graph *graph, uint64_t *binary_bytes);

/* Gives the call of an instance, {"import": .., "args": .., "keywords": .., "keep": ..}, or what it kept, as a new
 * tree, or NULL if out of memory. */
cJSON *ndp_graph_instance_to_json(const struct ndp_node *node);

/* Gives the "array" member of a node's observation as a new tree, or NULL if out of memory. */
typedef cJSON *ndp_graph_member_printer(void *context, const struct ndp_node *node);

/* Gives an observation, whose root is node 0, as a new tree, {"nodes": [..]}, or NULL if out of memory. */
cJSON *ndp_graph_observed_to_json(const struct ndp_graph *graph, ndp_graph_member_printer *print, void *context);

#endif
