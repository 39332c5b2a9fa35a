/* fuzz_joblib_graph_joblib.c: a dump of a graph that the reference accepts (a dump is a program, so no other is sent),
 * in the reference and in joblib in a resident testee. Oracle: joblib reads the same graph as the reference, also after
 * dumping it again. */
#include "runtime/cases.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const formats[] = {"joblib", NULL};
    static const struct fuzz_cases cases = {.formats = formats, .with_testee = true, .is_program = true};
    fuzz_run_graph(&cases, "joblib", data, size);
    return 0;
}
