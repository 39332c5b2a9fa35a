/* unexecuted.h: why inputs were not executed, by reason. What no target took is counted and told, so that the share of
 * what was has an explanation. */
#ifndef NDP_FUZZ_SKIP_REASONS_H
#define NDP_FUZZ_SKIP_REASONS_H

/* Counts an input that was not executed for this reason (copied). The reasons that were most frequent in this process
 * are printed when it ends. */
void fuzz_skip_reason(const char *reason);

#endif
