/* graph_judgement.h: what the properties of graphs share. */
#ifndef NDP_GRAPH_JUDGEMENT_H
#define NDP_GRAPH_JUDGEMENT_H

#include "model/graph_compare.h"
#include "property/judgement.h"

/* The graph that arrived, walked beside the one that was sent (*match, of trial->arena), when there is one to judge.
 * Otherwise NULL, and *out says why, as ndp_judge_result. */
const struct ndp_graph *ndp_judge_graph(const struct ndp_trial *trial, struct ndp_graph_match *match,
                                        struct ndp_judgement *out);

/* The row of `field` for one node of the graph that was sent. */
const struct ndp_contract_row *ndp_judge_node_row(const struct ndp_trial *trial, enum ndp_contract_field field,
                                                  uint32_t node);

/* Whether a finding belongs to the field that is judged. */
typedef bool ndp_finding_filter(const struct ndp_trial *trial, const struct ndp_graph_finding *finding);

/* Adds the findings that `filter` takes, each by the row of `field` for its node; one comparison for each pair. Those
 * whose row promises nothing are left out. One about an edge is named after it too, one about a part of a description
 * after that: "structure.kwdefaults", "description.__doc__". */
void ndp_judge_findings(const struct ndp_trial *trial, const struct ndp_graph_match *match, ndp_finding_filter *filter,
                        enum ndp_contract_field field, const char *name, struct ndp_judgement *out);

/* Whether a kind of node belongs to functions: they themselves, what they are made of and what calls them. */
bool ndp_node_is_of_functions(enum ndp_node_kind kind);

#endif
