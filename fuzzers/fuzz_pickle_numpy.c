/* fuzz_pickle_numpy.c: the same pickled array to the reference and to CPython with NumPy in a resident testee.
 * Oracle: a pickle that the reference accepts gives the same array in both of CPython's implementations. A pickle that
 * it refuses is not sent, because a pickle is a program. */
#include "runtime/cases.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const formats[] = {"pickle", NULL};
    static const struct fuzz_cases cases = {.formats = formats, .with_testee = true, .is_program = true};
    fuzz_run_bytes(&cases, "pickle", data, size);
    return 0;
}
