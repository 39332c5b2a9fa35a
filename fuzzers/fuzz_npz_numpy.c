/* fuzz_npz_numpy.c: the same archive in the reference and in NumPy in a resident testee.
 * Oracle: both refuse it, or both give the same array, as the contract requires for the entry point that NumPy uses,
 * and no process ends. */
#include "runtime/cases.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const formats[] = {"npz", NULL};
    static const struct fuzz_cases cases = {.formats = formats, .with_testee = true};
    fuzz_run_bytes(&cases, "npz", data, size);
    return 0;
}
