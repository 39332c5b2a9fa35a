/* coverage.h: what an engine has counted of the input that runs, libFuzzer in its counters or AFL++ in its map. */
#ifndef NDP_FUZZ_COVERAGE_H
#define NDP_FUZZ_COVERAGE_H

/* Begins an input: nothing is counted yet, whatever was kept. */
void fuzz_coverage_begin(void);

/* Says that what is counted now is of the input's ways so far: fuzz_forget_coverage comes back to it. */
void fuzz_coverage_hold(void);

/* Keeps what is counted now, for a run of the same input that the engine is not to see. */
void fuzz_coverage_keep(void);

/* Comes back to what was kept, when that run is over. */
void fuzz_coverage_put_back(void);

#endif
