/* fuzz_descriptor_numpy.c: a descriptor through NumPy in a resident testee, and between NumPy and the
 * reference.
 * Oracle: whichever side encodes and whichever decodes, both accept the value, every observed field is as the contract
 * promises, and no process ends. */
#include "runtime/cases.h"

static const char *const formats[] = {"npy", "npz", "raw", "pickle", NULL};
const struct fuzz_cases fuzz_cases = {.formats = formats, .with_testee = true};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    (void)fuzz_run_descriptor(&fuzz_cases, data, size);
    return 0;
}
