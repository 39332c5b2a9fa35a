/* fuzz_joblib_joblib.c: the same dump to the reference and to joblib in a resident testee.
 * Oracle: a dump that the reference accepts gives the same array in joblib, by each entry point. A dump that it refuses
 * is not sent, because a dump is a program. */
#include "runtime/cases.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const formats[] = {"joblib", NULL};
    static const struct fuzz_cases cases = {.formats = formats, .with_testee = true, .is_program = true};
    fuzz_run_bytes(&cases, "joblib", data, size);
    return 0;
}
