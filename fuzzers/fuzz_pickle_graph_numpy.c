/* fuzz_pickle_graph_numpy.c: a pickled graph that the reference accepts (a pickle is a program, so no other is sent),
 * in the reference and in CPython with NumPy in a resident testee. Oracle: CPython reads the same graph as the
 * reference, also after pickling it again. */
#include "runtime/cases.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const formats[] = {"pickle", NULL};
    static const struct fuzz_cases cases = {.formats = formats, .with_testee = true, .is_program = true};
    fuzz_run_graph(&cases, "pickle", data, size);
    return 0;
}
