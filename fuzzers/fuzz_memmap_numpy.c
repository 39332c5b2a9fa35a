/* fuzz_memmap_numpy.c: any file as elements without a header, at an offset, between the reference and NumPy.
 * Oracle: whichever side writes the file and whichever reads or maps it, the array is as the contract requires, and
 * no process ends. */
#include "form/raw_form.h"
#include "runtime/cases.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const formats[] = {"raw", NULL};
    static const struct fuzz_cases cases = {.formats = formats, .with_testee = true};
    struct fuzz_raw_form form;
    fuzz_raw_form_of((struct ndp_bytes){data, size}, &form);
    fuzz_run_array(&cases, &form.value, form.offset_bytes, data, size);
    return 0;
}
