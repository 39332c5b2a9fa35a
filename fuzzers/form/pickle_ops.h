/* pickle_ops.h: a pickle as a list of opcodes, each with its argument. */
#ifndef NDP_FUZZ_PICKLE_OPS_H
#define NDP_FUZZ_PICKLE_OPS_H

#include "base/bytes.h"

enum { FUZZ_MAX_OPS = 2048 };

struct fuzz_ops {
    struct ndp_bytes list[FUZZ_MAX_OPS]; /* borrow the pickle, or are literals or an arena's */
    uint32_t count;
};

/* The size of the opcode at the start of some bytes (at least one) with its argument; 0 if there is none or it is cut.
 */
uint64_t fuzz_op_bytes(struct ndp_bytes bytes);

/* Splits the bytes (borrowed). From the first byte that is no opcode on, the rest is one item. */
void fuzz_ops_split(struct ndp_bytes bytes, struct fuzz_ops *out);

/* Appends all items. If `is_honest`, the length of each frame is set to the bytes up to the next frame or the end.
 * Errors: LIMIT, NOMEM. */
enum ndp_status fuzz_ops_join(const struct fuzz_ops *ops, bool is_honest, struct ndp_buffer *out) NDP_MUST_USE;

#endif
