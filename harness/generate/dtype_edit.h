/* dtype_edit.h: gives a tree in which one node is another. Used by mutation and shrinking.
 *
 * Nodes are numbered in preorder from 0, the root. Structures above the changed node keep their style: a
 * packed one stays packed, an aligned one aligned, any other keeps its offsets and grows when it must.
 */
#ifndef NDP_DTYPE_EDIT_H
#define NDP_DTYPE_EDIT_H

#include "model/dtype.h"

/* The number of nodes: leaves, structures and sub-arrays. */
uint32_t ndp_dtype_nodes(const struct ndp_dtype *dtype);

/* Node number `index`, or NULL. */
const struct ndp_dtype *ndp_dtype_node(const struct ndp_dtype *dtype, uint32_t index);

/* Gives the tree with node `index` replaced by `node` (borrowed). The result may break a rule that
 * ndp_dtype_check knows. Errors: NOMEM; INVALID when there is no such node. */
enum ndp_status ndp_dtype_replace(struct ndp_arena *arena, const struct ndp_dtype *dtype, uint32_t index,
                                  const struct ndp_dtype *node, const struct ndp_dtype **out) NDP_MUST_USE;

/* Gives a structure with the fields [first, first + count) left out, laid out as before. */
enum ndp_status ndp_dtype_without_fields(struct ndp_arena *arena, const struct ndp_dtype *dtype, uint64_t first,
                                         uint64_t count, const struct ndp_dtype **out) NDP_MUST_USE;

/* Gives a structure with the same fields one behind the other. */
enum ndp_status ndp_dtype_packed(struct ndp_arena *arena, const struct ndp_dtype *dtype,
                                 const struct ndp_dtype **out) NDP_MUST_USE;

bool ndp_dtype_is_packed(const struct ndp_dtype *dtype);

#endif
