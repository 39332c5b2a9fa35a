/* pursuit.h: what becomes of a divergence that nobody has heard of. For the files of this folder only.
 *
 * It is made minimal, confirmed in fresh processes and told under the signature of the minimal case. Fresh processes
 * cost more than all else, so what is found together is confirmed together: a round starts them once and runs all that
 * waits, every round beginning with another case. What does not show there in every round is confirmed by itself; so
 * are deaths, what happens by chance and what is judged by repetition, from the beginning.
 */
#ifndef NDP_PURSUIT_H
#define NDP_PURSUIT_H

#include "base/bytes.h"
#include "engine/known.h"
#include "engine/sweep.h"

enum { NDP_MAX_WAITING = 32 };

struct ndp_waiting;

/* Made by ndp_pursuit_init. */
struct ndp_pursuit {
    const struct ndp_bench *bench; /* borrowed, as the next two are */
    const struct ndp_sweep_events *events;
    const volatile sig_atomic_t *stop; /* NULL is none */
    uint64_t end_ns;                   /* of the run, by ndp_clock_ns(); 0 is none */
    struct ndp_known known;
    struct ndp_batch *scratch;   /* for minimising */
    struct ndp_batch *fresh;     /* for confirming */
    struct ndp_buffer text;      /* the descriptor that is pursued */
    struct ndp_buffer drawn;     /* the same as it was drawn */
    struct ndp_waiting *waiting; /* owned; minimal, and to be confirmed */
    uint32_t waiting_count;
};

/* Errors: NOMEM; then there is nothing to clear. */
enum ndp_status ndp_pursuit_init(struct ndp_pursuit *pursuit, const struct ndp_bench *bench,
                                 const struct ndp_sweep_events *events) NDP_MUST_USE;
void ndp_pursuit_clear(struct ndp_pursuit *pursuit);

/* A divergence and the case that showed it. All borrowed, `raw` and `result` from a finished batch. */
struct ndp_sighting {
    const struct ndp_descriptor *descriptor;
    uint32_t properties; /* the mask by which the case was judged */
    uint64_t case_id;
    const struct ndp_divergence *raw;
    const struct ndp_result *result; /* may be NULL */
};

/* Takes up a divergence, which ndp_known_find() does not know; that of a relay under one of its legs, when that shows
 * it alone. Nothing else may be in flight. Errors: as ndp_batch_start. */
enum ndp_status ndp_pursue(struct ndp_pursuit *pursuit, const struct ndp_sighting *seen,
                           struct ndp_error *error) NDP_MUST_USE;

/* Counts a finding once more; one that waits is counted when it is told. */
void ndp_pursuit_again(struct ndp_pursuit *pursuit, const char *finding);

/* Confirms and tells whatever waits, in the order in which it was taken up. Nothing else may be in flight. Errors: as
 * ndp_batch_start. */
enum ndp_status ndp_pursuit_settle(struct ndp_pursuit *pursuit, struct ndp_error *error) NDP_MUST_USE;

#endif
