/* oracle_case.h: what only the oracle of a fuzz target sees, as the descriptor of a finding, and asked again from
 * there. */
#ifndef NDP_ORACLE_CASE_H
#define NDP_ORACLE_CASE_H

#include "cmd/run_oracle.h"

/* Whether the signature is a fuzz target's own, "DIVERGES|fuzz_npy|...", which no case of a run can show; then fills
 * `name` (NDP_FUZZER_NAME_BYTES) with that target. */
bool ndp_oracle_of_signature(const char *signature, char *name);

/* Writes an input of fuzz target `name` as a descriptor: as `words`, the descriptor that it was read as, or, where that
 * is NULL, as a decode case of its bytes. `out` is in the arena. Errors: of ndp_descriptor_print; NOMEM. */
enum ndp_status ndp_oracle_case_print(struct ndp_arena *arena, const char *name, struct ndp_bytes input,
                                      const struct ndp_descriptor *words, struct ndp_bytes *out) NDP_MUST_USE;

/* Asks the oracle of target `name` about the input that ndp_oracle_case_print() wrote as `descriptor`. `stop` and
 * errors are those of ndp_oracle_ask(). */
enum ndp_status ndp_oracle_ask_case(struct ndp_arena *arena, const char *name, const struct ndp_descriptor *descriptor,
                                    const volatile sig_atomic_t *stop, struct ndp_oracle_word *out,
                                    struct ndp_error *error) NDP_MUST_USE;

#endif
