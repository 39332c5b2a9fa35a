/* coverage.h: the coverage that the engine has counted for the current input, in libFuzzer's counters or AFL++'s map.
 */
#ifndef NDP_FUZZ_COVERAGE_H
#define NDP_FUZZ_COVERAGE_H

/* Starts an input with no coverage; discards the saved coverage. */
void fuzz_coverage_begin(void);

/* Marks the current coverage; fuzz_forget_coverage() restores it. */
void fuzz_coverage_hold(void);

/* Saves the coverage before another run of the same input that the engine must not see. */
void fuzz_coverage_keep(void);

/* Restores the coverage saved by fuzz_coverage_keep(). */
void fuzz_coverage_put_back(void);

#endif
