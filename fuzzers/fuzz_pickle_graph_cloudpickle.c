/* fuzz_pickle_graph_cloudpickle.c: the same pickled graph to the reference and to cloudpickle in a resident testee.
 * Oracle: a graph that the reference reads is the same graph in cloudpickle, also after cloudpickle has pickled it once
 * more. A pickle that the reference refuses is not sent, because a pickle is a program. */
#include "runtime/cases.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const formats[] = {"cloudpickle", NULL};
    static const struct fuzz_cases cases = {
        .formats = formats, .with_testee = true, .is_program = true, .testee_format = "cloudpickle"};
    fuzz_run_graph(&cases, "pickle", data, size);
    return 0;
}
