/* fuzz_pickle_graph.c: graphs of objects in pickles, dumps of joblib and NPY files through every target in this
 * process. Oracle: each target gives the same graph as the reference, by each of its entry points, and encodes it to
 * bytes that decode to the same graph. */
#define FUZZ_HASHES_PER_BYTE 4000
#include "runtime/cases.h"

/* Only an NPY file begins with its magic bytes, and a dump of joblib names the library. */
static const char *format_of(const uint8_t *data, size_t size) {
    static const char magic[] = "\x93NUMPY", name[] = "joblib";
    if (size >= sizeof magic - 1 && memcmp(data, magic, sizeof magic - 1) == 0) return "npy";
    for (size_t i = 0; i + sizeof name - 1 <= size; i++)
        if (data[i] == 'j' && memcmp(data + i, name, sizeof name - 1) == 0) return "joblib";
    return "pickle";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const formats[] = {"pickle", "joblib", "npy", NULL};
    static const struct fuzz_cases cases = {.formats = formats};
    fuzz_run_graph(&cases, format_of(data, size), data, size);
    return 0;
}
