/* mutation.h: one step of a mutator, which can be made again: where it ends the process, it is an artifact.
 *
 * What an engine writes then is the input that runs, and none does. A sanitizer's report of a step becomes the file
 * <prefix>fuzz_<name>-mutation-<way>-<seed>-<most bytes>-<bytes of the first>-<hash>: the inputs of the step, one
 * behind the other. A fuzz target that is given such a file makes the step again before anything else. Source: LLVM 14,
 * compiler-rt/include/sanitizer: asan_interface.h (__asan_on_error), common_interface_defs.h
 * (__sanitizer_set_death_callback), lib/ubsan/ubsan_monitor.h (__ubsan_on_report). */
#ifndef NDP_FUZZ_MUTATION_H
#define NDP_FUZZ_MUTATION_H

#include "base/bytes.h"

enum fuzz_mutation_way { FUZZ_MUTATION_CHANGE, FUZZ_MUTATION_CORRUPT, FUZZ_MUTATION_CROSS };

struct fuzz_mutation {
    enum fuzz_mutation_way way;
    uint64_t seed;
    uint64_t max_bytes;             /* of what it makes */
    struct ndp_bytes first, second; /* borrowed */
};

/* Says that this step (borrowed until its end) is made now, or none. */
void fuzz_mutation_begin(const struct fuzz_mutation *what);
void fuzz_mutation_end(void);

/* Makes a step, for what happens meanwhile. In mutator.c. */
void fuzz_mutation_run(const struct fuzz_mutation *what);

#endif
