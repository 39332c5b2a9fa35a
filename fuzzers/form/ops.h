/* ops.h: a pickle as its opcodes, each with its argument, for mutation. */
#ifndef NDP_FUZZ_OPS_H
#define NDP_FUZZ_OPS_H

#include "generate/generate.h"

enum { FUZZ_MAX_OPS = 2048 };

struct fuzz_ops {
    struct ndp_bytes list[FUZZ_MAX_OPS]; /* borrow the pickle, or are literals or an arena's */
    uint32_t count;
};

/* How many bytes the opcode at the start of some bytes (at least one) has with its argument; 0 where there is none, or
 * it is cut. */
uint64_t fuzz_op_bytes(struct ndp_bytes bytes);

/* Takes the bytes (borrowed) apart. What begins with no opcode is one piece to the end. */
void fuzz_ops_split(struct ndp_bytes bytes, struct fuzz_ops *out);

/* Makes one change: an opcode other, gone, twice, new, swapped, or of another argument. Errors: NOMEM. */
enum ndp_status fuzz_ops_change(struct ndp_arena *arena, struct ndp_choices *choices,
                                struct fuzz_ops *ops) NDP_MUST_USE;

/* Appends all. Where `is_honest`, the length of each frame becomes what really follows up to the next one or the end.
 * Errors: LIMIT, NOMEM. */
enum ndp_status fuzz_ops_join(const struct fuzz_ops *ops, bool is_honest, struct ndp_buffer *out) NDP_MUST_USE;

#endif
