/* generate_draft.h: a graph under construction, and what everything that is drawn into it is made of. Private to
 * describe/. Nodes and edges come from the draft's arena; where there is no room `is_out_of_memory` says so, and what
 * is drawn afterwards counts for nothing. Drawn in a fixed order: zeros give the simplest. */
#ifndef NDP_GENERATE_DRAFT_H
#define NDP_GENERATE_DRAFT_H

#include "generate/generate.h"
#include "model/array_class.h"
#include "model/graph.h"

enum { NDP_DRAFT_NODES = 192 };

struct ndp_draft {
    struct ndp_arena *arena;     /* borrowed */
    struct ndp_choices *choices; /* borrowed */
    struct ndp_node *nodes;      /* room for NDP_DRAFT_NODES */
    uint32_t count;
    bool is_out_of_memory;
};

/* Gives the number of a new node with room for edges; the last node again when there is no room. */
uint32_t ndp_draft_node(struct ndp_draft *draft, enum ndp_node_kind kind);

/* Adds an edge in the order of the roles; `name` (borrowed) is NULL for roles without. None is added where a node is
 * full. */
void ndp_draft_edge(struct ndp_draft *draft, uint32_t from, enum ndp_edge_role role, const char *name, uint32_t to);

uint32_t ndp_draft_int(struct ndp_draft *draft);
uint32_t ndp_draft_text(struct ndp_draft *draft, const char *text);

/* A number, a text, a truth, bytes or nothing; some of them empty. */
uint32_t ndp_draft_scalar(struct ndp_draft *draft);

/* A small array of that class, without attributes. */
uint32_t ndp_draft_array(struct ndp_draft *draft, enum ndp_array_class class);

/* A function and what calls it, or several in a list, which share cells and globals. Gives the outermost node. */
uint32_t ndp_draft_functions(struct ndp_draft *draft);

#endif
