/* fuzz_joblib_joblib.c: a dump that the reference accepts (a dump is a program, so no other is sent), in the reference
 * and in joblib in a resident testee. Oracle: joblib gives the same array as the reference by each entry point. */
#include "runtime/cases.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const formats[] = {"joblib", NULL};
    static const struct fuzz_cases cases = {.formats = formats, .with_testee = true, .is_program = true};
    fuzz_run_bytes(&cases, "joblib", data, size);
    return 0;
}
