/* format_layers.h: formats in the order of the layers of code between a value and its encoding. */
#ifndef NDP_FORMAT_LAYERS_H
#define NDP_FORMAT_LAYERS_H

#include "describe/descriptor.h"

/* Fewest layers first. PYTHON: CPython implements the format, and only the methods of arrays are NumPy's. TWICE:
 * CPython implements it twice, once per entry point, for the same bytes (pickle documentation: _pickle replaces
 * pickle.py). CARRIES: of a transport, the formats in which it sends values. name, CPython implements it, twice,
 * carries, the layers */
#define NDP_FORMAT_LAYER_LIST(X)                                                                                       \
    X("copy", true, false, "", "the copy module calls the methods of the value; there are no bytes")                   \
    X("buffer", false, false, "", "a view of the memory of the value; there are no bytes")                             \
    X("raw", false, false, "", "the elements alone")                                                                   \
    X("pickle", true, true, "", "a pickler of CPython calls __reduce_ex__ of the value")                               \
    X("npy", false, false, "", "a header before the elements, or before a pickle of object arrays")                    \
    X("npz", false, false, "", "npy in a member of an archive")                                                        \
    X("joblib", false, false, "", "CPython's Python pickler, with elements between the pickles and compression")       \
    X("joblib.Memory", false, false, "joblib", "joblib's files, under a hash of the arguments")                        \
    X("cloudpickle", false, false, "", "CPython's pickler, with functions by value")                                   \
    X("dill", false, false, "", "CPython's Python pickler, with functions by value")                                   \
    X("shared_memory", true, false, "", "the elements in memory of several processes")                                 \
    X("shared_memory.ShareableList", true, false, "", "scalars in shared memory, packed by CPython's Python code")     \
    X("multiprocessing", true, false, "pickle", "pickle, through a pipe to another process")                           \
    X("multiprocess", false, false, "pickle dill", "dill, through a pipe to another process")                          \
    X("joblib.Parallel", false, false, "pickle joblib cloudpickle", "pickles and maps of files, to another process")

struct ndp_format_layer {
    const char *format;
    bool is_of_python;
    bool is_twice;
    const char *carries; /* words with a space between them */
    const char *layers;
};

/* The rows in their order. Constants of the program. */
const struct ndp_format_layer *ndp_format_layers(uint32_t *count);

/* The row of a format, or NULL: nothing is known about its layers. */
const struct ndp_format_layer *ndp_format_layers_find(const char *format);

/* Whether `transport` is a transport that sends values in `format`. */
bool ndp_format_layers_carries(const char *transport, const char *format);

#endif
