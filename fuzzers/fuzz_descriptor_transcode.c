/* fuzz_descriptor_transcode.c: from one format into another: a value goes by one codec of this process, and what
 * arrived goes on by another.
 * Oracle: both ways keep what they promise of the value, and what arrives at the end has the shape and every value of
 * what arrived in between. Other entry points, a second way and what is written later are fuzz_descriptor_trip's. */
#include "runtime/cases.h"

const struct fuzz_cases fuzz_cases = {.is_light = true};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_run_transcoding(&fuzz_cases, data, size);
    return 0;
}
