/* array_class.h: the classes of arrays that a graph can hold, and how each keeps what it adds to an array. */
#ifndef NDP_ARRAY_CLASS_H
#define NDP_ARRAY_CLASS_H

#include "base/bytes.h"

/* How a class of arrays keeps what it adds to them. The word is the class's name. OWN: the class defines its own
 * pickling. HIDDEN: the pickling of ndarray precedes it, so that it is never called. FREE: it takes attributes of any
 * name. PROMISED: an attribute that every object of the class has, empty when there is none. LIBRARY: what must be
 * there for the class to be. `scalar` is no class of arrays: the item of an array without axes, an immutable value of
 * the library's scalar types. STAND-IN: the class of ndproof that pickles in the same way and is always there. enum
 * name, word, defines its own pickling, hidden, takes attributes, promised attribute, library, stand-in */
#define NDP_CLASS_LIST(X)                                                                                              \
    X(NDARRAY, "ndarray", false, false, false, "", "", "")                                                             \
    X(MEMMAP, "memmap", false, false, false, "", "", "")                                                               \
    X(MATRIX, "matrix", false, false, false, "", "", "")                                                               \
    X(RECARRAY, "recarray", false, false, false, "", "", "")                                                           \
    X(MASKED, "MaskedArray", true, false, false, "", "", "")                                                           \
    X(PLAIN, "plain", false, false, true, "", "", "")                                                                  \
    X(FINALIZE_NONE, "finalize_none", false, false, true, "extra", "", "")                                             \
    X(FINALIZE_GETATTR, "finalize_getattr", false, false, true, "extra", "", "")                                       \
    X(REDUCE_SETSTATE, "reduce_setstate", true, false, true, "extra", "", "")                                          \
    X(REDUCE_PAIR, "reduce_pair", true, false, true, "extra", "", "")                                                  \
    X(REDUCE_ONLY, "reduce_only", true, false, true, "extra", "", "")                                                  \
    X(REDUCE_EX, "reduce_ex", true, false, true, "extra", "", "")                                                      \
    X(SLOTS, "slots", false, false, true, "extra", "", "")                                                             \
    X(PROXY, "proxy", true, true, true, "wrapped", "", "")                                                             \
    X(QUANTITY, "Quantity", true, false, false, "unit", "astropy", "reduce_pair")                                      \
    X(CUDF, "cudf.pandas", true, true, false, "", "cudf", "proxy")                                                     \
    X(SCALAR, "scalar", false, false, false, "", "", "")

#define NDP_CLASS_ENUM(name, word, is_own, is_hidden, is_free, promised, library, stand_in) NDP_CLASS_##name,
enum ndp_array_class { NDP_CLASS_LIST(NDP_CLASS_ENUM) NDP_CLASS_COUNT };

/* Words; never NULL. */
const char *ndp_class_word(enum ndp_array_class class);
bool ndp_class_defines_pickling(enum ndp_array_class class);
bool ndp_class_hides_pickling(enum ndp_array_class class);
bool ndp_class_takes_attributes(enum ndp_array_class class);
const char *ndp_class_promised(enum ndp_array_class class);
const char *ndp_class_library(enum ndp_array_class class);
const char *ndp_class_stand_in(enum ndp_array_class class);

/* The class that `class` stands in for, or NDP_CLASS_COUNT: it is none of ndproof's stand-ins. */
enum ndp_array_class ndp_class_stands_for(enum ndp_array_class class);

/* Fills *out with the class of that name. False when there is none. */
bool ndp_class_find(struct ndp_bytes name, enum ndp_array_class *out);

/* Whether the name is the import path of a class in a module, "package.module.Class", and not a class of the list. Such
 * a class is the user's: nothing is known about it, and everything is promised. */
bool ndp_class_is_path(struct ndp_bytes name);

#endif
