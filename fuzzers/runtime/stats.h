/* stats.h: what is counted of a target. Processes of a run share it where NDP_FUZZ_STATS names a file, so that the
 * counts of one that was killed are not lost; .ci/fuzz.py reads that file. */
#ifndef NDP_FUZZ_STATS_H
#define NDP_FUZZ_STATS_H

#include <stdatomic.h>
#include <stdint.h>

enum { FUZZ_ACCEPTED_MAX = 1 << 15 };

/* All from zero. A file of counters begins so, one after the other. */
struct fuzz_stats {
    _Atomic uint64_t executions;
    _Atomic uint64_t valid;
    _Atomic uint64_t comparisons;
    _Atomic uint64_t mutated;
    _Atomic uint64_t typed; /* mutations that must give something valid */
    _Atomic uint64_t findings;
    _Atomic uint64_t hits;
    _Atomic uint64_t cpu_us; /* of the target's processes and its testee's: what a busy machine does not change */
    _Atomic uint64_t typed_runs;
    _Atomic uint64_t typed_valid;
    _Atomic uint64_t feedback;   /* counters of a testee that moved when it was proved that they do */
    _Atomic uint64_t typed_hash; /* of the last one that was made: the mutator may be another process */
    _Atomic uint64_t accepted[FUZZ_ACCEPTED_MAX]; /* hashes of valid inputs, each at a place that follows from it */
};

/* The counters of this process or of all that share them; never NULL, good until the process ends. */
struct fuzz_stats *fuzz_stats(void);

void fuzz_stats_add(_Atomic uint64_t *counter, uint64_t number);
unsigned long long fuzz_stats_get(_Atomic uint64_t *counter);

/* Says all of them on standard error, where anything was executed. */
void fuzz_stats_tell(void);

#endif
