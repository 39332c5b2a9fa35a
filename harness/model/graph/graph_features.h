/* graph_features.h: the features of a graph, as bits of a mask. */
#ifndef NDP_GRAPH_FEATURES_H
#define NDP_GRAPH_FEATURES_H

#include "model/graph/graph_node.h"

/* Features of a graph, or of one node: a mask separate from that of arrays; each includes NDP_GRAPH_VALUE. enum name,
 * word */
#define NDP_GRAPH_FEATURE_LIST(X)                                                                                      \
    X(FUNCTIONS, "function")                                                                                           \
    X(LOCAL_FUNCTION, "local-function") /* a function that no module has under its name */                             \
    X(CELLS, "closure")                                                                                                \
    X(SHARED_CELL, "shared-cell")                                                                                      \
    X(EMPTY_CELL, "empty-cell")                                                                                        \
    X(VECTORIZE, "vectorize")                                                                                          \
    X(FROMPYFUNC, "frompyfunc")                                                                                        \
    X(METHOD, "method")                                                                                                \
    X(CALLED, "called")                                                                                                \
    X(OBJECTS, "object-array")                                                                                         \
    X(ATTRIBUTES, "attributes")                                                                                        \
    X(NO_PICKLING, "plain-subclass")      /* a class without its own pickling */                                       \
    X(OWN_PICKLING, "own-pickling-class") /* a class with its own pickling */                                          \
    X(MASKED, "masked")                                                                                                \
    X(MASK, "mask") /* an array that is the mask of another */                                                         \
    X(VIEWS, "view")                                                                                                   \
    X(MAPS, "memmap") /* an array in the memory of a file */                                                           \
    X(SHARED, "shared")                                                                                                \
    X(CYCLE, "cycle")                                                                                                  \
    X(INSTANCE, "instance")     /* of a class that an import path names */                                             \
    X(TYPED, "typed-container") /* of numba */                                                                         \
    X(ALIKE, "alike-items")     /* a typed list of items of one type */                                                \
    X(SLOTS, "slots")           /* a class that keeps its attributes in slots */                                       \
    X(SCALARS, "scalar")                                                                                               \
    X(STRINGS, "string-array")

#define NDP_GRAPH_BIT(name, word) NDP_GRAPH_BIT_##name,
enum ndp_graph_feature_bit { NDP_GRAPH_FEATURE_LIST(NDP_GRAPH_BIT) NDP_GRAPH_FEATURE_COUNT };
#define NDP_GRAPH_ENUM(name, word) NDP_GRAPH_##name = 1 << NDP_GRAPH_BIT_##name,
enum ndp_graph_feature { NDP_GRAPH_FEATURE_LIST(NDP_GRAPH_ENUM) };

/* Set in masks of graphs: the other bits are enum ndp_graph_feature, not enum ndp_feature. */
#define NDP_GRAPH_VALUE (UINT64_C(1) << 32)

/* Also set in masks, but no part of signatures: an array of a stand-in (array_class.h) whose own pickling is hidden. */
#define NDP_GRAPH_STAND_IN (UINT64_C(1) << 36)

/* Also set in masks, but no part of signatures: the root is a dict of plain arrays under text keys, which an archive of
 * arrays stores as members. */
#define NDP_GRAPH_MEMBERS (UINT64_C(1) << 37)

/* Also set in masks of such a dict, but no part of signatures: a name is that of a parameter of numpy.savez. */
#define NDP_GRAPH_CALL_NAMES (UINT64_C(1) << 38)

/* Also set in masks, but no part of signatures: a text or bytes that end in NUL, an integer beyond 64 bits with sign,
 * and a text with a lone surrogate. */
#define NDP_GRAPH_NUL_END   (UINT64_C(1) << 39)
#define NDP_GRAPH_LONG_INT  (UINT64_C(1) << 40)
#define NDP_GRAPH_SURROGATE (UINT64_C(1) << 41)

uint64_t ndp_graph_features(const struct ndp_graph *graph);
uint64_t ndp_graph_features_of_node(const struct ndp_graph *graph, uint32_t number);

/* Whether the root is a list of nothing but numbers, bools, texts, bytes and None. */
bool ndp_graph_is_scalars(const struct ndp_graph *graph);

/* The word of feature number `bit`, "" beyond. */
const char *ndp_graph_features_word(uint32_t bit);

#endif
