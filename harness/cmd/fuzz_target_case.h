/* fuzz_target_case.h: findings of fuzz targets as descriptors, and how to run them again. */
#ifndef NDP_FUZZ_TARGET_CASE_H
#define NDP_FUZZ_TARGET_CASE_H

#include "cmd/run_fuzz_target.h"

/* Returns whether the signature is that of a fuzz target, "DIVERGES|fuzz_npy|...", which no case of a run can have;
 * then fills `name` (NDP_FUZZER_NAME_BYTES) with the fuzz target. */
bool ndp_fuzz_target_case_of_signature(const char *signature, char *name);

/* Prints an input of fuzz target `name` as a descriptor (arena): `parsed`, the descriptor in the input, or if NULL, a
 * decode case of the bytes. Errors: as ndp_descriptor_print; NOMEM. */
enum ndp_status ndp_fuzz_target_case_print(struct ndp_arena *arena, const char *name, struct ndp_bytes input,
                                           const struct ndp_descriptor *parsed, struct ndp_bytes *out) NDP_MUST_USE;

/* Runs fuzz target `name` on the input that ndp_fuzz_target_case_print() printed as `descriptor`. `stop` and errors: as
 * ndp_run_fuzz_target(). */
enum ndp_status ndp_fuzz_target_case_run(struct ndp_arena *arena, const char *name,
                                         const struct ndp_descriptor *descriptor, const volatile sig_atomic_t *stop,
                                         struct ndp_fuzz_target_result *out, struct ndp_error *error) NDP_MUST_USE;

#endif
