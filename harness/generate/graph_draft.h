/* graph_draft.h: a graph under construction, and functions that generate its parts. Private to generate/. Nodes and
 * edges come from the draft's arena. On allocation failure `is_out_of_memory` is set and later results are meaningless.
 * The order of choices is fixed; zeros give the simplest graph. */
#ifndef NDP_GRAPH_DRAFT_H
#define NDP_GRAPH_DRAFT_H

#include "generate/generate.h"
#include "model/graph/array_class.h"
#include "model/graph/graph.h"

enum { NDP_GRAPH_DRAFT_NODES = 192 };

struct ndp_graph_draft {
    struct ndp_arena *arena;     /* borrowed */
    struct ndp_choices *choices; /* borrowed */
    struct ndp_node *nodes;      /* capacity NDP_GRAPH_DRAFT_NODES */
    uint32_t count;
    bool is_out_of_memory;
};

/* Begins an empty draft. Errors: NOMEM. */
enum ndp_status ndp_graph_draft_start(struct ndp_graph_draft *draft, struct ndp_arena *arena,
                                      struct ndp_choices *choices) NDP_MUST_USE;

/* Fills *out with the finished graph, whose nodes are those of the draft. Errors: NOMEM. */
enum ndp_status ndp_graph_draft_finish(struct ndp_graph_draft *draft, uint32_t root,
                                       struct ndp_value *out) NDP_MUST_USE;

/* Adds an array of objects with this node as its only item. */
uint32_t ndp_graph_draft_wrap(struct ndp_graph_draft *draft, uint32_t item);

/* Returns the number of a new node with room for edges, or of the last node if the draft is full. */
uint32_t ndp_graph_draft_node(struct ndp_graph_draft *draft, enum ndp_node_kind kind);

/* Adds an edge, sorted by role. `name` (borrowed) is NULL for roles without names. Does nothing if the node is full. */
void ndp_graph_draft_edge(struct ndp_graph_draft *draft, uint32_t from, enum ndp_edge_role role, const char *name,
                          uint32_t to);

/* The same with an edge, whose name is borrowed. */
void ndp_graph_draft_named_edge(struct ndp_graph_draft *draft, uint32_t from, struct ndp_edge edge);

/* Add a scalar with a value at which encodings change their form. */
uint32_t ndp_graph_draft_int(struct ndp_graph_draft *draft);
uint32_t ndp_graph_draft_large_int(struct ndp_graph_draft *draft);
uint32_t ndp_graph_draft_float(struct ndp_graph_draft *draft);
uint32_t ndp_graph_draft_bytes(struct ndp_graph_draft *draft);
uint32_t ndp_graph_draft_any_text(struct ndp_graph_draft *draft);
uint32_t ndp_graph_draft_text(struct ndp_graph_draft *draft, const char *text);

/* Adds a number, text, bool, bytes or None; some are empty. */
uint32_t ndp_graph_draft_scalar(struct ndp_graph_draft *draft);

#endif
