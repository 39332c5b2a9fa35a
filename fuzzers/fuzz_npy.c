/* fuzz_npy.c: NPY bytes through every decoder, encoder and map of the format in this process.
 * Oracle: each target accepts or refuses the bytes as the reference and the contract require, gives the same array by
 * each of its entry points, and encodes what it accepted to bytes that decode to the same array. */
#define FUZZ_HASHES_PER_BYTE 4000
#include "oracle/npy_paths.h"
#include "runtime/cases.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const formats[] = {"npy", NULL};
    static const struct fuzz_cases cases = {.formats = formats};
    fuzz_run_bytes(&cases, "npy", data, size);
    fuzz_check_npy_paths((struct ndp_bytes){data, size});
    return 0;
}
