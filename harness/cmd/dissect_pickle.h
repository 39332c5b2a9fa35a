/* dissect_pickle.h: prints a pickle: its opcodes, the globals that it names, and the arrays that the reference finds in
 * it. Nothing is executed. */
#ifndef NDP_DISSECT_PICKLE_H
#define NDP_DISSECT_PICKLE_H

#include "cmd/dissect_opcodes.h"
#include "codec/pickle/pickle_array.h"

/* Prints the pickle at `start_bytes` of `bytes`. Memory comes from `arena`. Errors: NOMEM. */
enum ndp_status ndp_dissect_pickle(FILE *out, uint32_t indent, struct ndp_arena *arena, struct ndp_bytes bytes,
                                   uint64_t start_bytes) NDP_MUST_USE;

/* Prints protocol, frames and globals of a list, how many opcodes it did not print, and where and why it ended. */
void ndp_dissect_pickle_summary(const struct ndp_opcode_list *list);

/* Prints class, dtype, shape, order and size of every array below `root`, in their order, or the error of reading one.
 * Their number is limited. Errors: NOMEM. */
enum ndp_status ndp_dissect_pickle_arrays(FILE *out, uint32_t indent, struct ndp_objects *objects,
                                          struct ndp_object *root) NDP_MUST_USE;

#endif
