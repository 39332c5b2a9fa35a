/* minimise.h: confirm a divergence in fresh processes, and find the smallest descriptor that still shows it. */
#ifndef NDP_MINIMISE_H
#define NDP_MINIMISE_H

#include <signal.h>

#include "engine/trial.h"

/* The divergence of `result` whose core is `core`, or NULL. */
const struct ndp_divergence *ndp_result_find(const struct ndp_result *result, const char *core);

enum { NDP_CONFIRM_RUNS = 3 };

/* Runs `text` (a descriptor) `runs` times, each time in fresh processes; *hits is how often `core` came back. Uses and
 * clears `batch`. Errors: as ndp_batch_start. */
enum ndp_status ndp_confirm(struct ndp_batch *batch, struct ndp_bytes text, const char *core, uint32_t runs,
                            uint32_t *hits, struct ndp_error *error) NDP_MUST_USE;

/* When to leave off with what there is: a flag that a signal handler sets (NULL is none), and a point of
 * ndp_clock_ns() (0 is none) for targets of which each case takes seconds. */
struct ndp_patience {
    const volatile sig_atomic_t *stop;
    uint64_t until_ns;
};

/* Replaces `text` by the smallest descriptor found within `max_runs` cases whose divergence keeps `core`. Uses and
 * clears `batch`. `*runs` counts the cases. Errors: as ndp_batch_start. */
enum ndp_status ndp_minimise(struct ndp_batch *batch, struct ndp_buffer *text, const char *core, uint32_t max_runs,
                             const struct ndp_patience *patience, uint32_t *runs, struct ndp_error *error) NDP_MUST_USE;

#endif
