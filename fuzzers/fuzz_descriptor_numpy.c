/* fuzz_descriptor_numpy.c: a descriptor through NumPy in a resident testee, and between it and the reference.
 * Oracle: the contract: whichever of the two encodes and whichever decodes, every observed field is as promised; a
 * side that refuses what the other takes is a finding, and so is a testee that dies. */
#include "runtime/cases.h"

static const char *const formats[] = {"npy", "npz", "raw", "pickle", NULL};
const struct fuzz_cases fuzz_cases = {.formats = formats, .with_testee = true};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    (void)fuzz_run_descriptor(&fuzz_cases, data, size);
    return 0;
}
