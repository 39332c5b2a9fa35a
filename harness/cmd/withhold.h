/* withhold.h: the option --trust: without it, a command withholds given files from libraries that may run their code.
 */
#ifndef NDP_WITHHOLD_H
#define NDP_WITHHOLD_H

#include "cmd/settings.h"
#include "engine/bench.h"
#include "engine/withheld.h"
#include "report/gate.h"

/* Starts to withhold when the command takes --trust (`options` is its mask) and the settings lack it. */
void ndp_withhold_start(const struct ndp_settings *settings, uint64_t options);

/* The list of this process; NULL when nothing is to be withheld. */
struct ndp_withheld *ndp_withhold_list(void);

/* Whether a fuzz target gives its input to a library that may run its code. Notes it if it is to be withheld. */
bool ndp_withhold_fuzz_target(const char *name);

/* Ends the processes of all targets after a case of given bytes that may have run code, so that the next file meets
 * fresh ones, and prints how many processes had outlived the case. Does nothing without --trust. */
void ndp_withhold_end_case(const struct ndp_bench *bench, const struct ndp_descriptor *descriptor);

/* Prints what was not run. Returns the exit code: a clean one becomes VACUOUS when something was not run. */
enum ndp_exit ndp_withhold_finish(enum ndp_exit code);

#endif
