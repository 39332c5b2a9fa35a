/* fuzz_memmap.c: any file as elements without a header, at an offset, through every encoder and map of raw memory.
 * Oracle: each entry point of a target reads or maps the elements that it wrote at the offset as the same array, a
 * writable map changes only its own element in the file, and a private map changes nothing. */
#include "form/raw_form.h"
#include "runtime/cases.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const formats[] = {"raw", NULL};
    static const struct fuzz_cases cases = {.formats = formats};
    struct fuzz_raw_form form;
    fuzz_raw_form_of((struct ndp_bytes){data, size}, &form);
    fuzz_run_array(&cases, &form.value, form.offset_bytes, data, size);
    return 0;
}
