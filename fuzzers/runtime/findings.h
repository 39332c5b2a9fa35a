/* findings.h: files findings, so that a divergence is not the end of the run.
 *
 * An input that breaks a promise is an artifact once for each signature, whatever the number of processes that fuzz
 * into the same folder: the first to create its file has it; one that was filed by an older program becomes
 * `<artifact>.before`. Beside it `<artifact>.signature` says the signature and how often it was seen. Where somebody
 * waits for a crash (a file is replayed, the engine makes one smaller, or NDP_FUZZ_STOP is set) the process ends at the
 * first broken promise.
 *
 * Environment: NDP_FUZZ_ARTIFACTS, the beginning of artifacts' paths (under libFuzzer -artifact_prefix says it);
 * NDP_FUZZ_STOP, end at the first finding, or, where it is a signature, at the first of that, so that what makes an
 * input smaller does not come to another. Whoever builds with NDP_FUZZ_STOPS has set it for ever. */
#ifndef NDP_FUZZ_FINDINGS_H
#define NDP_FUZZ_FINDINGS_H

#include "base/bytes.h"

/* Reads the environment, once; what was said before by the two below holds. When the process ends, what was counted is
 * told and written, and it ends with 3 where a finding could not be. */
void fuzz_findings_open(void);

/* The beginning of artifacts' paths (copied). */
void fuzz_findings_prefix(const char *beginning);

/* Ends the process at the first finding. */
void fuzz_findings_stop(void);

/* What is filed when a promise is broken now: what fuzz_runs_instead said last (borrowed as there). */
struct ndp_bytes fuzz_findings_input(void);

#endif
