/* confirm.h: turns the divergences of a run into findings. Private to this folder; confirm.c explains the method. */
#ifndef NDP_CONFIRM_H
#define NDP_CONFIRM_H

#include <signal.h>

#include "base/bytes.h"
#include "engine/batch.h"
#include "engine/dedup.h"
#include "engine/sweep.h"

enum { NDP_CONFIRM_RUNS = 3, NDP_MAX_PENDING = 32 };

struct ndp_pending;

struct ndp_confirm {
    const struct ndp_sweep_events *events; /* borrowed */
    const volatile sig_atomic_t *stop;     /* NULL is none */
    uint64_t end_ns;                       /* of the run, by ndp_clock_ns(); 0 is none */
    struct ndp_dedup dedup;
    struct ndp_batch *scratch;   /* for minimising */
    struct ndp_batch *fresh;     /* for confirming */
    struct ndp_buffer text;      /* the descriptor being minimised or confirmed */
    struct ndp_buffer generated; /* the same, as generated */
    struct ndp_pending *pending; /* owned; minimised, not yet confirmed */
    uint32_t pending_count;
};

/* Borrows the bench and the events until clear. Errors: NOMEM (nothing to clear). */
enum ndp_status ndp_confirm_init(struct ndp_confirm *confirm, const struct ndp_bench *bench,
                                 const struct ndp_sweep_events *events) NDP_MUST_USE;
void ndp_confirm_clear(struct ndp_confirm *confirm);

/* Whether a divergence needs no confirmation: it belongs to a finding, which counts it, or there is no handler. */
bool ndp_confirm_has(struct ndp_confirm *confirm, const struct ndp_divergence *divergence);

/* Minimises a divergence that belongs to no finding, of a case that `properties` judged, and makes it pending until
 * ndp_confirm_finish(). No batch may be in flight. Errors: those of ndp_batch_start. */
enum ndp_status ndp_confirm_take(struct ndp_confirm *confirm, const struct ndp_descriptor *descriptor,
                                 struct ndp_property_set properties, uint64_t case_id,
                                 const struct ndp_divergence *divergence, struct ndp_error *error) NDP_MUST_USE;

/* Reports the cases of a finished batch to the events, takes their divergences, and confirms all pending ones.
 * `make_idle` is called before other cases run on the targets; it finishes the batches in flight (NULL: there are
 * none). Errors: those of make_idle and ndp_batch_start. */
typedef enum ndp_status ndp_confirm_make_idle(void *context, struct ndp_error *error);
enum ndp_status ndp_confirm_take_batch(struct ndp_confirm *confirm, const struct ndp_batch *batch,
                                       ndp_confirm_make_idle *make_idle, void *context,
                                       struct ndp_error *error) NDP_MUST_USE;

/* Counts one more case of a finding, on `route`; a pending finding passes the count on when it is reported. */
void ndp_confirm_count(struct ndp_confirm *confirm, const struct ndp_signature *finding, const struct ndp_route *route);

/* Confirms and reports all pending divergences in the order in which they were taken. No batch may be in flight.
 * Errors: those of ndp_batch_start. */
enum ndp_status ndp_confirm_finish(struct ndp_confirm *confirm, struct ndp_error *error) NDP_MUST_USE;

/* Runs `text` (a descriptor) `runs` times, each time in fresh processes. *hits counts the runs with a divergence that
 * has the core of `wanted`. Uses and clears `batch`. Errors: those of ndp_batch_start. */
enum ndp_status ndp_confirm_text(struct ndp_batch *batch, struct ndp_bytes text, const struct ndp_signature *wanted,
                                 uint32_t runs, uint32_t *hits, struct ndp_error *error) NDP_MUST_USE;

#endif
