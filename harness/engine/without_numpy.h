/* without_numpy.h: whether a failure of a minimal case is CPython's: it shows without NumPy. Private to this folder. */
#ifndef NDP_WITHOUT_NUMPY_H
#define NDP_WITHOUT_NUMPY_H

#include "engine/experiment.h"

/* Gives the graph without the nodes of some kinds (memory from `arena`, parts shared): such a node becomes a list of
 * what it refers to, or a number if it refers to nothing. *out is NULL if no such graph can be built. Errors: NOMEM. */
enum ndp_status ndp_without_kinds_graph(struct ndp_arena *arena, const struct ndp_graph *graph,
                                        bool (*is_left_out)(enum ndp_node_kind),
                                        const struct ndp_graph **out) NDP_MUST_USE;

/* Gives the value without its arrays (memory from `arena`, parts shared): an array or a view becomes a number, or a
 * list of its attributes; an object array, and a vectorized function, a list of its items or its function. *out is NULL
 * if nothing but NumPy would be left, or if no such graph can be built. Errors: NOMEM. */
enum ndp_status ndp_without_numpy_graph(struct ndp_arena *arena, const struct ndp_graph *graph,
                                        const struct ndp_graph **out) NDP_MUST_USE;

/* A failure of a minimal case that is so far attributed to `library`. All borrowed. */
struct ndp_without_numpy_case {
    const struct ndp_descriptor *descriptor;
    const struct ndp_divergence *failure;
    const char *library;
};

/* Fills `evidence` with one sentence if the failure is CPython's; otherwise it becomes "". Uses and clears `batch`.
 * Errors: NOMEM; those of ndp_batch_start. */
enum ndp_status ndp_without_numpy_ask(struct ndp_batch *batch, const struct ndp_without_numpy_case *item,
                                      char *evidence, size_t evidence_bytes, struct ndp_error *error) NDP_MUST_USE;

#endif
