/* fuzz_descriptor_cloudpickle.c: a descriptor through cloudpickle and dill in a resident testee.
 * Oracle: the contract: whichever of the two encodes and whichever decodes, every observed field is as promised; a
 * side that refuses what the other takes is a finding, and so is a testee that dies. */
#include "runtime/cases.h"

static const char *const formats[] = {"cloudpickle", "dill", NULL};
const struct fuzz_cases fuzz_cases = {.formats = formats, .with_testee = true, .graphs_one_in = 4};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    (void)fuzz_run_descriptor(&fuzz_cases, data, size);
    return 0;
}
