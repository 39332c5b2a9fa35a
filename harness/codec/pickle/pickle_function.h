/* pickle_function.h: functions that a module has, by name: those that the Python testee offers to import.
 * Source: harness/testees/python/numpy_testee/graph_functions.py. */
#ifndef NDP_PICKLE_FUNCTION_H
#define NDP_PICKLE_FUNCTION_H

#include "codec/pickle/object.h"
#include "model/graph.h"

struct ndp_named_function {
    const char *name;
    enum ndp_code code;
};

extern const char ndp_function_module[];

/* The function that a GLOBAL names, or NULL. */
const struct ndp_named_function *ndp_function_find(const struct ndp_object *object);

/* The one of that name and code, or NULL. */
const struct ndp_named_function *ndp_function_named(struct ndp_bytes name, enum ndp_code code);

/* Whether a signature of numpy.vectorize has no core dimensions. */
bool ndp_function_is_scalar(struct ndp_bytes signature);

#endif
