/* run_oracle.h: what fuzzing left behind, judged again: which fuzz target a file belongs to, and what the oracle of
 * that target says of it. A target's oracle runs in its own program (fuzzers/), so that whatever it does is seen from
 * outside. */
#ifndef NDP_RUN_ORACLE_H
#define NDP_RUN_ORACLE_H

#include <signal.h>

#include "engine/result.h"

enum { NDP_FUZZER_NAME_BYTES = NDP_WORD_BYTES, NDP_MAX_FUZZERS = 64 };

/* What the oracle said. */
struct ndp_oracle_word {
    enum ndp_verdict verdict;            /* PASS, DIVERGES (a promise is broken), CRASH, TIMEOUT, OOM, FAULT */
    char signature[NDP_SIGNATURE_BYTES]; /* "" for PASS */
    struct ndp_death death;
    struct ndp_bytes printed; /* the end of what it printed (arena) */
};

/* The targets whose oracles are to be asked about a file. */
struct ndp_oracles {
    char names[NDP_MAX_FUZZERS][NDP_FUZZER_NAME_BYTES]; /* "fuzz_npy", sorted */
    uint32_t count;
    bool is_artifact; /* an engine made the file, or the path says of which target it is */
    bool is_named;    /* the path says it: one name */
    bool is_absent;   /* it says one that is not here: that comes first, then all others */
};

/* Fills `out` with the target that the path says: in the file's own name, as .ci/fuzz.py has it, or in that of a
 * folder, as AFL++ has it, if there is a program of that name (in a name that an engine gives, too). A file whose name
 * is one that an engine gives (crash-*, id:*), and whose path says nothing, may be of any target: all whose programs
 * are here are listed, which may be none. So are they where the file's own name says a target that has no program here;
 * what they say nothing of is not judged. */
void ndp_oracles_of_path(const char *path, struct ndp_oracles *out);

/* The form of a target's inputs, "npy" of "fuzz_npy_numpy": `out` has NDP_WORD_BYTES. */
void ndp_fuzzer_form(const char *name, char *out);

/* Runs the oracle of target `name` on the file at `path`. The program is looked for beside the running one and in the
 * sanitizer builds next to it, these first. `stop`, which may be NULL, ends it once it is set. Errors: UNSUPPORTED (no
 * such program is built, or it lacks what it needs here, as a testee), GONE (stopped), IO, NOMEM. */
enum ndp_status ndp_oracle_ask(struct ndp_arena *arena, const char *name, const char *path,
                               const volatile sig_atomic_t *stop, struct ndp_oracle_word *out,
                               struct ndp_error *error) NDP_MUST_USE;

#endif
