/* witness.h: asks the other readers of a bench about the bytes of a minimal case. Private to this folder. */
#ifndef NDP_WITNESS_H
#define NDP_WITNESS_H

#include "engine/experiment.h"

enum { NDP_WITNESS_NAMES_BYTES = 96 };

/* The answers of the other readers. They are independent if their libraries, or the versions of one library, differ
 * from each other, from the writer and from the reader that failed. */
struct ndp_witnesses {
    uint32_t right;                            /* they read what was promised */
    uint32_t alike;                            /* they fail like the reader */
    uint32_t apart;                            /* they fail in another way */
    char right_names[NDP_WITNESS_NAMES_BYTES]; /* "reference, numpy 1.26.4" */
    char alike_names[NDP_WITNESS_NAMES_BYTES];
};

/* Sends the value of a round trip (borrowed) from its encoder to every independent reader of the format. No witness is
 * found if one library has both ends, or if the encoder itself failed. Uses and clears `batch`. Errors: NOMEM; those of
 * ndp_batch_start. */
enum ndp_status ndp_witness_ask(struct ndp_batch *batch, const struct ndp_descriptor *descriptor,
                                const struct ndp_divergence *failure, struct ndp_witnesses *out,
                                struct ndp_error *error) NDP_MUST_USE;

#endif
