/* skip_reasons.h: counts why inputs were not executed, by reason. */
#ifndef NDP_FUZZ_SKIP_REASONS_H
#define NDP_FUZZ_SKIP_REASONS_H

/* Counts an input that was not executed for this reason (copied). The reasons that were most frequent in this process
 * are printed when it ends. */
void fuzz_skip_reason(const char *reason);

#endif
