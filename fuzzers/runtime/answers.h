/* answers.h: what is answered of an input that is known is what is written down of it (fuzz.h, fuzz_known). */
#ifndef NDP_FUZZ_ANSWERS_H
#define NDP_FUZZ_ANSWERS_H

#include <stdbool.h>
#include <stdint.h>

/* Begins a run of the input with this hash. */
void fuzz_answers_begin(uint64_t hash);

/* Ends it, and holds what was answered against what is known. `is_next_way`: the run before it was of this input, too,
 * and fuzz_row() is of both. */
void fuzz_answers_check(bool is_accepted, bool is_next_way);

#endif
