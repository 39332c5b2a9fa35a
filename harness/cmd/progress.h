/* progress.h: how a run is going, on stderr: a live line on a terminal, a plain line now and then elsewhere. */
#ifndef NDP_PROGRESS_H
#define NDP_PROGRESS_H

#include "engine/batch.h"

struct ndp_progress {
    const struct ndp_bench *bench; /* borrowed */
    uint64_t start_ns;
    uint64_t last_ns;
    uint64_t duration_ns; /* 0 when only a count bounds the run */
    uint64_t case_bound;  /* 0 when only the time does */
    uint64_t cases;
    uint64_t findings;
    bool is_terminal;
};

void ndp_progress_init(struct ndp_progress *progress, const struct ndp_bench *bench, uint64_t cases,
                       uint64_t duration_ns);

/* Prints when it is time again. */
void ndp_progress_tick(struct ndp_progress *progress);

/* Leaves the line, so that something else can be printed. */
void ndp_progress_pause(struct ndp_progress *progress);

#endif
