/* fuzz_joblib.c: dumps of joblib through every decoder, encoder and map of the format in this process.
 * Oracle: each target accepts or refuses the dump as the reference and the contract require, gives the same array by
 * each of its entry points, and encodes what it accepted to a dump that decodes to the same array. */
#include "oracle/joblib_paths.h"
#include "runtime/cases.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const formats[] = {"joblib", NULL};
    static const struct fuzz_cases cases = {.formats = formats};
    fuzz_run_bytes(&cases, "joblib", data, size);
    fuzz_check_joblib_paths((struct ndp_bytes){data, size});
    return 0;
}
