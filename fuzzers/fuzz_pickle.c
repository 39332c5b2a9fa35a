/* fuzz_pickle.c: pickles of any objects through every decoder of pickled graphs in this process.
 * Oracle: each target gives the same graph as the reference and encodes it to a pickle of the same graph; every path
 * through the reference's machine (a stream, another memo, a second round) writes the same pickle. */
#define FUZZ_HASHES_PER_BYTE 4000
#include "oracle/pickle_paths.h"
#include "runtime/cases.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const formats[] = {"pickle", NULL};
    static const struct fuzz_cases cases = {.formats = formats};
    fuzz_run_graph(&cases, "pickle", data, size);
    fuzz_check_pickle_paths((struct ndp_bytes){data, size});
    return 0;
}
