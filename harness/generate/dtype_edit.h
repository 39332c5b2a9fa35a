/* dtype_edit.h: replaces a node of a dtype. Used by mutation and shrinking.
 *
 * Nodes are numbered in preorder from 0, the root. Structures above the changed node keep their style: a packed one
 * stays packed, an aligned one stays aligned, any other keeps its offsets and grows if necessary.
 */
#ifndef NDP_DTYPE_EDIT_H
#define NDP_DTYPE_EDIT_H

#include "model/dtype.h"

/* The number of nodes: leaves, structures and sub-arrays. */
uint32_t ndp_dtype_nodes(const struct ndp_dtype *dtype);

/* Returns node number `index`, or NULL. */
const struct ndp_dtype *ndp_dtype_node(const struct ndp_dtype *dtype, uint32_t index);

/* Gives the tree with node `index` replaced by `node` (borrowed). The result may violate ndp_dtype_check. Errors:
 * NOMEM; INVALID if there is no such node. */
enum ndp_status ndp_dtype_replace(struct ndp_arena *arena, const struct ndp_dtype *dtype, uint32_t index,
                                  const struct ndp_dtype *node, const struct ndp_dtype **out) NDP_MUST_USE;

/* Gives the structure without the fields [first, first + count), in the same layout style. */
enum ndp_status ndp_dtype_without_fields(struct ndp_arena *arena, const struct ndp_dtype *dtype, uint64_t first,
                                         uint64_t count, const struct ndp_dtype **out) NDP_MUST_USE;

/* Gives the structure with the same fields, packed. */
enum ndp_status ndp_dtype_packed(struct ndp_arena *arena, const struct ndp_dtype *dtype,
                                 const struct ndp_dtype **out) NDP_MUST_USE;

bool ndp_dtype_is_packed(const struct ndp_dtype *dtype);

#endif
