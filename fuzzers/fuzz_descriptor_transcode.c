/* fuzz_descriptor_transcode.c: a value through one codec of this process, then the decoded value through another
 * format. Oracle: both routes keep their promises, and both decoded values have the same shape and elements. */
#include "runtime/cases.h"

const struct fuzz_cases fuzz_cases = {.is_light = true};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_run_transcoding(&fuzz_cases, data, size);
    return 0;
}
