/* counters.h: a shared region of counters, one byte each, that a testee in another process increments and that engines
 * see as coverage. The observed values of a case are counted in it, too. harness/testees/README.md describes the
 * testee's side. */
#ifndef NDP_FUZZ_COUNTERS_H
#define NDP_FUZZ_COUNTERS_H

#include "engine/batch.h"

/* Observed values use the last FUZZ_OBSERVED counters; the testee uses those before them. */
enum { FUZZ_COUNTERS = 16384, FUZZ_OBSERVED = 2048 };

/* Adds the Python testee to the bench and checks that its counters change; ends the process if the testee cannot be
 * started. NDP_FUZZ_PYTHON names the interpreter, NDP_FUZZ_TESTEE the script, NDP_FUZZ_COUNTERS the mode (cheap,
 * exact, none). */
void fuzz_open_testee(struct ndp_bench *bench);
void fuzz_close_testee(struct ndp_bench *bench);
bool fuzz_is_testee(const struct ndp_target *target);

/* The testee's counters for this input (borrows the shared region). */
struct ndp_bytes fuzz_counted(void);

/* Counts the observed values of one case. */
void fuzz_observe(const struct ndp_result *result);

#endif
