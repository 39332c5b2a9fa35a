/* pickle_opaque.h: what nobody knows who does not call it: objects that a function gives, names of modules, functions
 * of other programs with all that is theirs, and pickles of more objects than a graph has nodes.
 *
 * A node is opaque (model/graph.h) when it can be written back and not be told of. What of it is shared with the rest
 * must stay shared: then the whole pickle is one opaque node.
 */
#ifndef NDP_PICKLE_OPAQUE_H
#define NDP_PICKLE_OPAQUE_H

#include "codec/pickle/pickle_graph_reader.h"

/* Makes ready for a pickle of its own all that `object` leads to: what stands behind joblib's wrappers becomes what
 * pickle writes of it, and texts of Python 2 that are not ASCII become what latin-1 makes of them. Errors: as
 * ndp_joblib_array_read and ndp_pickle_array_make. */
enum ndp_status ndp_opaque_prepare(struct ndp_graph_reader *r, const struct ndp_object *object) NDP_MUST_USE;

/* Gives the body of an array of a class without a word: a pickle of its own, but for those attributes of `dict` (or
 * NULL) that are nodes. Errors: as ndp_other_take. */
enum ndp_status ndp_opaque_array_take(struct ndp_graph_reader *r, const struct ndp_object *object,
                                      const struct ndp_object *dict, struct ndp_bytes *out) NDP_MUST_USE;

/* Whether what such a dict has under a key is a node: what a class keeps to itself is not. */
bool ndp_opaque_is_told(const struct ndp_object *key);

/* Fills *is_apart with whether opaque nodes, and arrays of classes without a word, have everything for themselves that
 * can be changed, and other objects that are kept as pickles hold no node that can. Errors: NOMEM. */
enum ndp_status ndp_opaque_check(struct ndp_graph_reader *r, bool *is_apart) NDP_MUST_USE;

/* Gives the graph of one opaque node that is all of `root`. Errors: as ndp_other_take. */
enum ndp_status ndp_opaque_whole(struct ndp_graph_reader *r, const struct ndp_object *root,
                                 struct ndp_graph *out) NDP_MUST_USE;

#endif
