/* fuzz_descriptor_trip.c: a descriptor through every codec in this process: the reference, and what PLUGIN= built in.
 * Oracle: a value that can be built breaks no promise of any property on its way, one route for each input; a decode
 * case is judged by its fault, the reference decoder and the contract. What was drawn, or changed in its parts, can be
 * built, and goes by every route that claims to take it. An array that arrived is told as another one when it is
 * changed, but where what is changed is masked. */
#include "judge/array_changed.h"
#include "judge/masks_judged.h"
#include "oracle/read_as.h"
#include "runtime/cases.h"

const struct fuzz_cases fuzz_cases = {.graphs_one_in = 16};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const struct ndp_result *result = fuzz_run_descriptor(&fuzz_cases, data, size);
    if (result && result->has_source) fuzz_says_observation(&result->source);
    if (!result || !result->has_result) return 0;
    (void)fuzz_check_array_changed(&result->result, fuzz_pick(data, size) + result->comparisons);
    if (fuzz_pick(data, size) % 8 == 0) fuzz_check_masks(&result->result, fuzz_pick(data, size) / 8);
    return 0;
}
