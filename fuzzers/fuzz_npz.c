/* fuzz_npz.c: archives through every decoder and encoder of NPZ in this process.
 * Oracle: each target accepts or refuses the archive as the reference and the contract require, gives the same array by
 * each of its entry points, and encodes what it accepted to an archive that decodes to the same array. */
#include "runtime/cases.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const formats[] = {"npz", NULL};
    static const struct fuzz_cases cases = {.formats = formats};
    fuzz_run_bytes(&cases, "npz", data, size);
    return 0;
}
