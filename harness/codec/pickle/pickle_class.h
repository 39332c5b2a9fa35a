/* pickle_class.h: classes of arrays by the names that pickles have for them, and what unpickling does with each.
 *
 * NumPy's own have had several modules; the patterns (NDP_CLASS_LIST) are of the module that the Python testee keeps
 * them in, and follow their definitions there.
 * Source: NumPy 1.19 to 2.4; harness/testees/python/numpy_testee/graph_classes.py.
 */
#ifndef NDP_PICKLE_CLASS_H
#define NDP_PICKLE_CLASS_H

#include "codec/pickle/object.h"
#include "model/array_class.h"
#include "model/graph.h"

/* Where a class that is pickled keeps its attributes.
 * NONE      they are not pickled
 * LAST      a dict at the end of the state
 * PAIR      a pair of the state and a dict
 * REBUILD   a function is called with the class, a plain array and a dict */
enum ndp_pickled_attributes { NDP_PICKLED_NONE, NDP_PICKLED_LAST, NDP_PICKLED_PAIR, NDP_PICKLED_REBUILD };

/* The module of the patterns, and of the function that REBUILD calls. */
extern const char ndp_pattern_module[];
extern const char ndp_pattern_rebuild[];

/* Fills *out with the class that a GLOBAL names; NULL is numpy.ndarray. False when it is none of them. */
bool ndp_pickle_class_find(const struct ndp_object *global, enum ndp_array_class *out);

/* Fills both with the names that today's NumPy, or NumPy 1, pickles the class under. False for classes without one. */
bool ndp_pickle_class_names(enum ndp_array_class class, bool is_numpy_1, const char **module, const char **name);

enum ndp_pickled_attributes ndp_pickle_class_attributes(enum ndp_array_class class);

/* Whether an array of the class that comes out of a pickle has its promised attribute whatever the pickle says: None.
 */
bool ndp_pickle_class_sets_promised(enum ndp_array_class class);

#endif
