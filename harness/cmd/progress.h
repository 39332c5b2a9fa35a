/* progress.h: the progress of a run on stderr: a live line on a terminal, else a plain line every ten seconds. */
#ifndef NDP_PROGRESS_H
#define NDP_PROGRESS_H

#include "engine/batch.h"

struct ndp_progress {
    const struct ndp_bench *bench; /* borrowed */
    uint64_t start_ns;
    uint64_t last_ns;
    uint64_t duration_ns; /* 0 without a time limit */
    uint64_t case_bound;  /* 0 without a case limit */
    uint64_t cases;
    uint64_t findings;
    bool is_terminal;
};

void ndp_progress_init(struct ndp_progress *progress, const struct ndp_bench *bench, uint64_t cases,
                       uint64_t duration_ns);

/* Prints a line if enough time has passed. */
void ndp_progress_tick(struct ndp_progress *progress);

/* Clears the live line before other output. */
void ndp_progress_pause(struct ndp_progress *progress);

#endif
