/* pickle_class.h: names of array classes in pickles, and the effect of unpickling on each class. NumPy's own classes
 * moved between modules; the test classes (NDP_CLASS_LIST) have the module of the Python testee, and follow their
 * definitions there. Source: NumPy 1.19 to 2.4; harness/testees/python/numpy_testee/graph_classes.py. */
#ifndef NDP_PICKLE_CLASS_H
#define NDP_PICKLE_CLASS_H

#include "codec/pickle/object.h"
#include "model/graph/array_class.h"
#include "model/graph/graph.h"

/* Position of the attributes in the pickled form of a class.
 * NONE      attributes are not pickled
 * LAST      a dict at the end of the state
 * PAIR      a pair of the state and a dict
 * REBUILD   a function receives the class, a plain array and a dict */
enum ndp_pickled_attributes { NDP_PICKLED_NONE, NDP_PICKLED_LAST, NDP_PICKLED_PAIR, NDP_PICKLED_REBUILD };

/* Module of the test classes and of the function that REBUILD calls. */
extern const char ndp_pattern_module[];
extern const char ndp_pattern_rebuild[];

/* Fills *out with the class of a GLOBAL; NULL means numpy.ndarray. False for an unknown name. */
bool ndp_pickle_class_find(const struct ndp_object *global, enum ndp_array_class *out);

/* Fills both with the names under which NumPy 2, or NumPy 1, pickles the class. False for classes without a name. */
bool ndp_pickle_class_names(enum ndp_array_class class, bool is_numpy_1, const char **module, const char **name);

enum ndp_pickled_attributes ndp_pickle_class_attributes(enum ndp_array_class class);

/* Whether an unpickled array of the class always has its promised attribute, None by default. */
bool ndp_pickle_class_sets_promised(enum ndp_array_class class);

#endif
