/* fuzz_pickle_array.c: pickled arrays through every decoder and encoder of pickles in this process.
 * Oracle: each target accepts or refuses the pickle as the reference and the contract require, gives the same array by
 * each of its entry points, and encodes what it accepted to a pickle that decodes to the same array. */
#define FUZZ_HASHES_PER_BYTE 4000
#include "runtime/cases.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const formats[] = {"pickle", NULL};
    static const struct fuzz_cases cases = {.formats = formats};
    fuzz_run_bytes(&cases, "pickle", data, size);
    return 0;
}
