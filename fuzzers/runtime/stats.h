/* stats.h: the counters of a target. The processes of a run share them in the file that NDP_FUZZ_STATS names, so that
 * they survive a killed process; .ci/fuzz.py reads that file. */
#ifndef NDP_FUZZ_STATS_H
#define NDP_FUZZ_STATS_H

#include <stdatomic.h>
#include <stdint.h>

enum { FUZZ_ACCEPTED_MAX = 1 << 15 };

/* All counters start at 0. The file contains the members in this order. */
struct fuzz_stats {
    _Atomic uint64_t executions;
    _Atomic uint64_t valid;
    _Atomic uint64_t comparisons;
    _Atomic uint64_t mutated;
    _Atomic uint64_t typed; /* mutations that must produce a valid input */
    _Atomic uint64_t findings;
    _Atomic uint64_t hits;
    _Atomic uint64_t
        cpu_us; /* processor time of the target's processes and its testee, which does not depend on the load */
    _Atomic uint64_t typed_runs;
    _Atomic uint64_t typed_valid;
    _Atomic uint64_t feedback;   /* counters of a testee that changed in the check of fuzz_open_testee() */
    _Atomic uint64_t typed_hash; /* hash of the last typed mutation; the mutator may be another process */
    _Atomic uint64_t accepted[FUZZ_ACCEPTED_MAX]; /* hashes of valid inputs; a hash selects its slot */
};

/* The counters of this process, or the shared ones; never NULL, valid until the process ends. */
struct fuzz_stats *fuzz_stats(void);

void fuzz_stats_add(_Atomic uint64_t *counter, uint64_t number);
unsigned long long fuzz_stats_get(_Atomic uint64_t *counter);

/* Prints all counters on standard error if anything was executed. */
void fuzz_stats_tell(void);

/* Counts an input that was not executed for this reason (copied). The most frequent reasons of this process are printed
 * when it ends. */
void fuzz_skip_reason(const char *reason);

#endif
