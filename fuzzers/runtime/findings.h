/* findings.h: files findings, so that a run continues after a divergence.
 *
 * An input that breaks a promise becomes an artifact, once per signature. Processes that fuzz into the same folder
 * share the artifacts: the process that creates the file owns the finding. An artifact of an older program is renamed
 * to `<artifact>.before`. `<artifact>.signature` contains the signature and the number of hits. The process ends at
 * the first broken promise if a file is replayed, if the engine minimises an input, or if NDP_FUZZ_STOP is set.
 *
 * Environment: NDP_FUZZ_ARTIFACTS is the path prefix of artifacts (libFuzzer's -artifact_prefix overrides it).
 * NDP_FUZZ_STOP ends the process at the first finding; if its value is a signature, at the first finding with that
 * signature, so that a minimiser cannot switch to another finding. A build with -DNDP_FUZZ_STOPS always stops. */
#ifndef NDP_FUZZ_FINDINGS_H
#define NDP_FUZZ_FINDINGS_H

#include "base/bytes.h"

/* Reads the environment once; earlier calls of the two functions below take precedence. At exit, the process prints
 * and writes the counts, and its exit code is 3 if a finding could not be written. */
void fuzz_findings_open(void);

/* Sets the path prefix of artifacts (copied). */
void fuzz_findings_prefix(const char *beginning);

/* Ends the process at the first finding. */
void fuzz_findings_stop(void);

/* The bytes that a finding is filed with now: the input, or the bytes last passed to fuzz_runs_instead() (borrowed). */
struct ndp_bytes fuzz_findings_input(void);

#endif
