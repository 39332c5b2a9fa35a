/* blame.h: decides by experiments where the defect behind a finding is.
 *
 * property/attribute.c names the library from the outcomes of one case. Here further cases are run: the minimal value
 * on formats with fewer layers, its bytes through other readers, and the value without NumPy.
 */
#ifndef NDP_BLAME_H
#define NDP_BLAME_H

#include "engine/batch.h"

enum { NDP_BLAME_EVIDENCE_BYTES = 256 };

struct ndp_blame {
    char library[NDP_WORD_BYTES];            /* the library in which a maintainer would fix it; "CPython" for pickle */
    char format[NDP_WORD_BYTES];             /* the simplest format on which the minimal value shows the same failure */
    char failure[NDP_FAILURE_BYTES];         /* the failure on that format (failure.h) */
    char evidence[NDP_BLAME_EVIDENCE_BYTES]; /* one sentence for people; "" if no experiment was needed */
};

/* Fills *out without experiments: the library and the format of the signature. Borrows `divergence`. */
void ndp_blame_assume(const struct ndp_divergence *divergence, struct ndp_blame *out);

/* Fills *out for `divergence` of the minimal case `descriptor` (all borrowed). Documented losses and hazards, decode
 * cases, timeouts and properties judged by repetition need no experiment. Uses and clears `batch`. Errors: NOMEM; those
 * of ndp_batch_start. */
enum ndp_status ndp_blame_find(struct ndp_batch *batch, const struct ndp_descriptor *descriptor,
                               const struct ndp_divergence *divergence, struct ndp_blame *out,
                               struct ndp_error *error) NDP_MUST_USE;

#endif
