/* run_fuzz_target.h: reruns artifacts of fuzzing: finds the fuzz target of a file and runs its program (fuzzers/) on
 * it. The separate process contains crashes. */
#ifndef NDP_RUN_FUZZ_TARGET_H
#define NDP_RUN_FUZZ_TARGET_H

#include <signal.h>

#include "engine/result.h"

enum { NDP_FUZZER_NAME_BYTES = NDP_WORD_BYTES, NDP_MAX_FUZZERS = 64 };

/* The result of a fuzz target for one input. */
struct ndp_fuzz_target_result {
    enum ndp_verdict verdict;            /* PASS, DIVERGES (broken promise), CRASH, TIMEOUT, OOM, FAULT */
    char signature[NDP_SIGNATURE_BYTES]; /* "" for PASS */
    struct ndp_death death;
    struct ndp_bytes printed; /* the end of its output (arena) */
};

/* The fuzz targets to run on a file. */
struct ndp_fuzz_target_list {
    char names[NDP_MAX_FUZZERS][NDP_FUZZER_NAME_BYTES]; /* "fuzz_npy", sorted */
    uint32_t count;
    bool is_artifact; /* the name is that of an artifact, or the path names a fuzz target */
    bool is_named;    /* the path names the fuzz target: one name */
    bool is_reported; /* the name reports a crash or a broken promise; false for an entry of a corpus or a queue */
    bool is_absent;   /* the named fuzz target is not built: it comes first, then all others */
};

/* Fills `out` with the fuzz targets that a path may belong to. The file name (as .ci/fuzz.py writes it) or a folder
 * name (as AFL++ writes it) may name one; folder names and engine names (crash-*, id:*) count only if the program is
 * built. An engine name without a fuzz target lists all that are built, possibly none. So does a file name whose fuzz
 * target is not built; a PASS of the others then proves nothing. */
void ndp_run_fuzz_target_candidates(const char *path, struct ndp_fuzz_target_list *out);

/* Fills `out` (NDP_WORD_BYTES) with the input form of a fuzz target: "npy" for "fuzz_npy_numpy". */
void ndp_run_fuzz_target_form(const char *name, char *out);

/* Runs fuzz target `name` on the file at `path`. Prefers the programs of sanitizer builds. `stop`, which may be NULL,
 * ends it once set. Errors: UNSUPPORTED (the program is not built, or lacks e.g. a testee), GONE (stopped), IO,
 * NOMEM. */
enum ndp_status ndp_run_fuzz_target(struct ndp_arena *arena, const char *name, const char *path,
                                    const volatile sig_atomic_t *stop, struct ndp_fuzz_target_result *out,
                                    struct ndp_error *error) NDP_MUST_USE;

#endif
