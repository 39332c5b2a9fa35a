/* minimise_bytes.h: finds the smallest bytes that still show a divergence: of a decode case, or of anything that can be
 * asked about bytes. */
#ifndef NDP_MINIMISE_BYTES_H
#define NDP_MINIMISE_BYTES_H

#include "engine/minimise.h"

/* Answers whether `candidate` (borrowed) still shows what is minimised. An error ends the search. */
typedef enum ndp_status ndp_minimise_bytes_question(void *context, struct ndp_bytes candidate, bool *is_kept,
                                                    struct ndp_error *error);

/* Replaces `bytes` by the smallest ones found within `max_runs` questions: shorter, then with more zeros; at least one
 * byte. `*runs` counts the questions. Errors: those of `ask`; NOMEM; `bytes` is then the smallest so far. */
enum ndp_status ndp_minimise_bytes(struct ndp_buffer *bytes, ndp_minimise_bytes_question *ask, void *context,
                                   uint32_t max_runs, const struct ndp_minimise_limits *patience, uint32_t *runs,
                                   struct ndp_error *error) NDP_MUST_USE;

/* Does this for the bytes, or the corpus file, of a decode case without a fault; leaves other cases as they are. The
 * parameters and errors are those of ndp_minimise(). */
enum ndp_status ndp_minimise_case_bytes(struct ndp_batch *batch, struct ndp_buffer *text,
                                        const struct ndp_signature *wanted, uint32_t max_runs,
                                        const struct ndp_minimise_limits *patience, uint32_t *runs,
                                        struct ndp_error *error) NDP_MUST_USE;

#endif
