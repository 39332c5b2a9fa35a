/* minimise.h: finds the smallest descriptor that still shows a divergence. */
#ifndef NDP_MINIMISE_H
#define NDP_MINIMISE_H

#include <signal.h>

#include "engine/batch.h"

/* When to stop with the smallest case so far: a flag that a signal handler sets (NULL: none), and a time of
 * ndp_clock_ns() (0: none), for targets whose cases take seconds. */
struct ndp_minimise_limits {
    const volatile sig_atomic_t *stop;
    uint64_t until_ns;
};

/* Whether the search must end. */
bool ndp_minimise_is_over(const struct ndp_minimise_limits *patience);

/* Replaces `text`, a descriptor, by the smallest one found within `max_runs` cases that shows a divergence with the
 * core of `wanted`. Uses and clears `batch`. *runs counts the cases. Errors: those of ndp_batch_start. */
enum ndp_status ndp_minimise(struct ndp_batch *batch, struct ndp_buffer *text, const struct ndp_signature *wanted,
                             uint32_t max_runs, const struct ndp_minimise_limits *patience, uint32_t *runs,
                             struct ndp_error *error) NDP_MUST_USE;

#endif
