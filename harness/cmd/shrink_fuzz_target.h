/* shrink_fuzz_target.h: minimises the bytes of an artifact for the fuzz target that fails on it. */
#ifndef NDP_SHRINK_FUZZ_TARGET_H
#define NDP_SHRINK_FUZZ_TARGET_H

#include "cmd/fuzz_target_case.h"
#include "engine/minimise.h"

/* A fuzz target that fails on a file. */
struct ndp_fuzz_target_failure {
    char name[NDP_FUZZER_NAME_BYTES]; /* "" for none */
    struct ndp_fuzz_target_result result;
    uint32_t run_count; /* fuzz targets that could run */
};

/* Runs the fuzz targets of the file at `path` up to the first that fails, and fills *out. Prints on standard error why
 * one cannot run. Memory comes from `arena`. */
void ndp_shrink_fuzz_target_find(struct ndp_arena *arena, const char *path, const struct ndp_fuzz_target_list *oracles,
                                 const volatile sig_atomic_t *stop, struct ndp_fuzz_target_failure *out);

/* Replaces `bytes` by the smallest ones for which the fuzz target reports the same failure: the same verdict and
 * signature. Each question runs its program. Errors: as ndp_minimise_bytes and ndp_fuzz_target_case_run; `bytes` is
 * then the smallest so far. */
enum ndp_status ndp_shrink_fuzz_target(const struct ndp_fuzz_target_failure *failure, struct ndp_buffer *bytes,
                                       uint32_t max_runs, const struct ndp_minimise_limits *patience, uint32_t *runs,
                                       struct ndp_error *error) NDP_MUST_USE;

/* Writes `bytes` as minimized-from-<name> into the folder of `path` and prints its path on standard error. */
void ndp_shrink_fuzz_target_write(const char *path, struct ndp_bytes bytes);

#endif
