/* fuzz_descriptor_transcode.c: a value through one codec of this process, and what arrived through another format.
 * Oracle: both routes keep what they promise, and what arrives at the end has the shape and the elements of what
 * arrived in between. */
#include "runtime/cases.h"

const struct fuzz_cases fuzz_cases = {.is_light = true};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_run_transcoding(&fuzz_cases, data, size);
    return 0;
}
