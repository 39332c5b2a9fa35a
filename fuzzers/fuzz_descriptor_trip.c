/* fuzz_descriptor_trip.c: a descriptor through every codec in this process: the reference, and what PLUGIN= built in.
 * Oracle: a value that can be built keeps every promise of every property on one route, and the decoding of a file with
 * a fault gives the result that the fault, the reference decoder and the contract require. */
#include "runtime/cases.h"

const struct fuzz_cases fuzz_cases = {.graphs_one_in = 16};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    (void)fuzz_run_descriptor(&fuzz_cases, data, size);
    return 0;
}
