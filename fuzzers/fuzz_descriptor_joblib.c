/* fuzz_descriptor_joblib.c: a descriptor through joblib files of a resident testee.
 * Oracle: whichever side encodes and whichever decodes, both accept the value, every observed field is as the contract
 * promises, and no process ends. */
#include "runtime/cases.h"

static const char *const formats[] = {"joblib", NULL};
const struct fuzz_cases fuzz_cases = {.formats = formats, .with_testee = true, .graphs_one_in = 6};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    (void)fuzz_run_descriptor(&fuzz_cases, data, size);
    return 0;
}
