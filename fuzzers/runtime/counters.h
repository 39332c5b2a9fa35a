/* counters.h: feedback from other processes: a small region of counters that a testee can write to, and that engines
 * see as coverage. What was observed of a case counts there, too, whatever language the testee is written in.
 * harness/testees/README.md says what testees do with it. */
#ifndef NDP_FUZZ_COUNTERS_H
#define NDP_FUZZ_COUNTERS_H

#include "engine/batch.h"

/* The last so many counters are for what was observed; a testee has those before them. */
enum { FUZZ_COUNTERS = 16384, FUZZ_OBSERVED = 2048 };

/* Adds the Python testee to the bench and proves that its counters move; ends the process when it cannot be had.
 * NDP_FUZZ_PYTHON names the interpreter, NDP_FUZZ_TESTEE the script, NDP_FUZZ_COUNTERS the mode (cheap, exact, none).
 */
void fuzz_open_testee(struct ndp_bench *bench);
void fuzz_close_testee(struct ndp_bench *bench);
bool fuzz_is_testee(const struct ndp_target *target);

/* What the testee has counted since this input began: a byte for each place, in memory that it writes to. */
struct ndp_bytes fuzz_counted(void);

/* Counts what one case was observed to do. */
void fuzz_observe(const struct ndp_result *result);

#endif
