/* run_oracle.h: what fuzzing left behind, judged again: which fuzz target a file belongs to, and what the oracle of
 * that target says of it. A target's oracle runs in its own program (fuzzers/), so that whatever it does is seen from
 * outside. */
#ifndef NDP_RUN_ORACLE_H
#define NDP_RUN_ORACLE_H

#include "engine/trial.h"

enum { NDP_FUZZER_NAME_BYTES = NDP_WORD_BYTES };

/* What the oracle said. */
struct ndp_oracle_word {
    enum ndp_verdict verdict;            /* PASS, DIVERGES (a promise is broken), CRASH, TIMEOUT */
    char signature[NDP_SIGNATURE_BYTES]; /* "" for PASS */
    struct ndp_death death;
    struct ndp_bytes printed; /* the end of what it printed (arena) */
};

/* Fills `out` (NDP_FUZZER_NAME_BYTES) with the name of the target, "fuzz_npy", that the path says: in the file's own
 * name, as both engines' artifacts have it, or in that of a folder, as AFL++ has it. Whether there is one. */
bool ndp_fuzzer_of_path(const char *path, char *out);

/* The form of a target's inputs, "npy" of "fuzz_npy_numpy": `out` has NDP_WORD_BYTES. */
void ndp_fuzzer_form(const char *name, char *out);

/* Runs the oracle of target `name` on the file at `path`. The program is looked for beside the running one and in the
 * sanitizer builds next to it, these first. Errors: UNSUPPORTED (no such program is built), IO, NOMEM. */
enum ndp_status ndp_oracle_ask(struct ndp_arena *arena, const char *name, const char *path, struct ndp_oracle_word *out,
                               struct ndp_error *error) NDP_MUST_USE;

#endif
