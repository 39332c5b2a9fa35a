/* graph_judgement.h: functions for the properties of graphs. */
#ifndef NDP_GRAPH_JUDGEMENT_H
#define NDP_GRAPH_JUDGEMENT_H

#include "model/graph/graph_compare.h"
#include "property/judgement.h"

/* The graph of the result, with its nodes matched to those that were sent (*match, memory from trial->arena). NULL if
 * there is nothing to judge, with the reason in *out, as for ndp_judgement_result. */
const struct ndp_graph *ndp_graph_judgement_match(const struct ndp_trial *trial, struct ndp_graph_compare *match,
                                                  struct ndp_judgement *out);

/* The row of `field` for one node of the graph that was sent. */
const struct ndp_contract_row *ndp_graph_judgement_row(const struct ndp_trial *trial, enum ndp_contract_field field,
                                                       uint32_t node);

/* The features of an array of the graph that was sent, for its own rows. An archive stores each array of a dict as a
 * member of its own, like one that is sent alone. */
uint64_t ndp_graph_judgement_array_features(const struct ndp_trial *trial, const struct ndp_node *sent);

/* Replaces the row of ACCEPTED in the contract of a graph that an archive stores as members: one member that may be
 * refused is enough. Does nothing for other graphs. */
void ndp_graph_judgement_accept_members(const struct ndp_trial *trial, struct ndp_contract *contract);

/* Whether a finding belongs to the field that is judged. */
typedef bool ndp_graph_judgement_filter(const struct ndp_trial *trial, const struct ndp_graph_finding *finding);

/* Adds the findings that `filter` selects, each under the row of `field` for its node, and one comparison per pair.
 * Findings whose row promises nothing are skipped. The role of an edge or the part of a description is added to the
 * name: "structure.kwdefaults", "description.__doc__". */
void ndp_graph_judgement_add_findings(const struct ndp_trial *trial, const struct ndp_graph_compare *match,
                                      ndp_graph_judgement_filter *filter, enum ndp_contract_field field,
                                      const char *name, struct ndp_judgement *out);

/* Whether a kind of node is a function, a part of one, or calls one. */
bool ndp_graph_judgement_is_of_functions(enum ndp_node_kind kind);

#endif
