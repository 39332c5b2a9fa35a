/* mutation.h: makes a step of a mutator reproducible. A step that ends the process becomes an artifact.
 *
 * When a mutator crashes, no input is running, so the engine would write an empty file. A sanitizer's report during a
 * step writes the file <prefix>fuzz_<name>-mutation-<way>-<seed>-<most bytes>-<bytes of the first>-<hash>: the
 * concatenated inputs of the step. A fuzz target that is given such a file first repeats the step. Source: LLVM 14,
 * compiler-rt/include/sanitizer: asan_interface.h (__asan_on_error), common_interface_defs.h
 * (__sanitizer_set_death_callback), lib/ubsan/ubsan_monitor.h (__ubsan_on_report). */
#ifndef NDP_FUZZ_MUTATION_H
#define NDP_FUZZ_MUTATION_H

#include "base/bytes.h"

enum fuzz_mutation_way { FUZZ_MUTATION_CHANGE, FUZZ_MUTATION_CORRUPT, FUZZ_MUTATION_CROSS };

struct fuzz_mutation {
    enum fuzz_mutation_way way;
    uint64_t seed;
    uint64_t max_bytes;             /* of the result */
    struct ndp_bytes first, second; /* borrowed */
};

/* Sets the current step (borrowed until the step ends); NULL if there is none. */
void fuzz_mutation_begin(const struct fuzz_mutation *what);
void fuzz_mutation_end(void);

/* Runs a step for its side effects. In mutator.c. */
void fuzz_mutation_run(const struct fuzz_mutation *what);

#endif
