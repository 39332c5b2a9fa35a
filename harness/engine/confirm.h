/* confirm.h: makes findings of the divergences of a run. For the files of this folder only. confirm.c explains the
 * method.
 */
#ifndef NDP_CONFIRM_H
#define NDP_CONFIRM_H

#include <signal.h>

#include "base/bytes.h"
#include "engine/batch.h"
#include "engine/dedup.h"
#include "engine/sweep.h"

enum { NDP_CONFIRM_RUNS = 3, NDP_MAX_PENDING = 32 };

struct ndp_pending;

/* Made by ndp_confirm_init. */
struct ndp_confirm {
    const struct ndp_sweep_events *events; /* borrowed */
    const volatile sig_atomic_t *stop;     /* NULL is none */
    uint64_t end_ns;                       /* of the run, by ndp_clock_ns(); 0 is none */
    struct ndp_dedup dedup;
    struct ndp_batch *scratch;   /* for minimising */
    struct ndp_batch *fresh;     /* for confirming */
    struct ndp_buffer text;      /* the descriptor in work */
    struct ndp_buffer generated; /* the same before it was minimised */
    struct ndp_pending *pending; /* owned; minimal, and to be confirmed */
    uint32_t pending_count;
};

/* Errors: NOMEM; then there is nothing to clear. */
enum ndp_status ndp_confirm_init(struct ndp_confirm *confirm, const struct ndp_bench *bench,
                                 const struct ndp_sweep_events *events) NDP_MUST_USE;
void ndp_confirm_clear(struct ndp_confirm *confirm);

/* Whether a divergence belongs to a finding, or nobody listens to findings; in the former case it is counted there. */
bool ndp_confirm_has(struct ndp_confirm *confirm, const struct ndp_divergence *divergence);

/* Takes a divergence that belongs to no finding, of a case that was judged by `properties`. It is minimised, and
 * pending until ndp_confirm_finish(). Nothing else may be in flight. Borrows all for the call. Errors: as
 * ndp_batch_start. */
enum ndp_status ndp_confirm_take(struct ndp_confirm *confirm, const struct ndp_descriptor *descriptor,
                                 struct ndp_property_set properties, uint64_t case_id,
                                 const struct ndp_divergence *divergence, struct ndp_error *error) NDP_MUST_USE;

/* Reports the cases of a finished batch to the events, makes findings of its divergences, and confirms all that is
 * pending. `make_idle` is called before anything else runs on the targets: it finishes what is in flight; NULL: nothing
 * is. Errors: of make_idle; as ndp_batch_start. */
typedef enum ndp_status ndp_make_idle(void *context, struct ndp_error *error);
enum ndp_status ndp_confirm_take_batch(struct ndp_confirm *confirm, const struct ndp_batch *batch,
                                       ndp_make_idle *make_idle, void *context, struct ndp_error *error) NDP_MUST_USE;

/* Counts one more case of a finding; of one that is pending when it is reported. */
void ndp_confirm_count(struct ndp_confirm *confirm, const struct ndp_signature *finding);

/* Confirms and reports all that is pending, in the order in which it was taken. Nothing else may be in flight. Errors:
 * as ndp_batch_start. */
enum ndp_status ndp_confirm_finish(struct ndp_confirm *confirm, struct ndp_error *error) NDP_MUST_USE;

/* Runs `text` (a descriptor) `runs` times, each time in fresh processes; *hits is how often a divergence with the core
 * of `wanted` showed. Uses and clears `batch`. Errors: as ndp_batch_start. */
enum ndp_status ndp_confirm_text(struct ndp_batch *batch, struct ndp_bytes text, const struct ndp_signature *wanted,
                                 uint32_t runs, uint32_t *hits, struct ndp_error *error) NDP_MUST_USE;

#endif
