/* fuzz_joblib_graph_joblib.c: the same dump of a graph to the reference and to joblib in a resident testee.
 * Oracle: a graph that the reference reads is the same graph in joblib, also after joblib has dumped it once more. A
 * dump that the reference refuses is not sent, because a dump is a program. */
#include "runtime/cases.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const formats[] = {"joblib", NULL};
    static const struct fuzz_cases cases = {.formats = formats, .with_testee = true, .is_program = true};
    fuzz_run_graph(&cases, "joblib", data, size);
    return 0;
}
