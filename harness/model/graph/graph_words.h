/* graph_words.h: words of node kinds, edge roles and function codes. */
#ifndef NDP_GRAPH_WORDS_H
#define NDP_GRAPH_WORDS_H

#include "base/bytes.h"

/* enum name, key in JSON, description */
#define NDP_NODE_LIST(X)                                                                                               \
    X(NONE, "none", "None")                                                                                            \
    X(BOOL, "bool", "a truth value")                                                                                   \
    X(INT, "int", "an integer of any size, in decimal")                                                                \
    X(FLOAT, "float", "a double, bit-exact")                                                                           \
    X(TEXT, "text", "a string")                                                                                        \
    X(BYTES, "bytes", "a byte string")                                                                                 \
    X(OTHER, "other", "observed only: an object of another type, as the name of the type")                             \
    X(TUPLE, "tuple", "a tuple")                                                                                       \
    X(LIST, "list", "a list")                                                                                          \
    X(DICT, "dict", "a dict, keys and values in turn")                                                                 \
    X(ARRAY, "array", "an array, of any class")                                                                        \
    X(VIEW, "view", "recipe only: a view of an array node; observed as an array that shares its memory")               \
    X(OBJECTS, "objects", "an array of objects, or of strings of any length, whose items are nodes")                   \
    X(FUNCTION, "function", "a function")                                                                              \
    X(CELL, "cell", "a variable that functions share; it may be empty")                                                \
    X(GLOBALS, "globals", "the global names that a function looks up")                                                 \
    X(METHOD, "method", "a function bound to an object")                                                               \
    X(PARTIAL, "partial", "a function with its first arguments")                                                       \
    X(VECTORIZE, "vectorize", "numpy.vectorize of a function")                                                         \
    X(FROMPYFUNC, "frompyfunc", "numpy.frompyfunc of a function")                                                      \
    X(INSTANCE, "class", "what a call of an imported class or factory returns")

#define NDP_NODE_ENUM(name, key, text) NDP_NODE_##name,
enum ndp_node_kind { NDP_NODE_LIST(NDP_NODE_ENUM) NDP_NODE_COUNT };

/* Relation of an edge's target to its node. Edges of a node are sorted by role; edges of one role keep their order.
 * enum name, word in paths, whether its edges have names */
#define NDP_EDGE_LIST(X)                                                                                               \
    X(ITEM, "items", false)                                                                                            \
    X(KEY, "keys", false)                                                                                              \
    X(VALUE, "values", false)                                                                                          \
    X(OF, "of", false) /* recipe: base of a view */                                                                    \
    X(CONTENT, "content", false)                                                                                       \
    X(FUNCTION, "function", false)                                                                                     \
    X(SELF, "self", false)                                                                                             \
    X(ARGUMENT, "args", false)                                                                                         \
    X(KEYWORD, "keywords", true)                                                                                       \
    X(CELL, "cells", false)                                                                                            \
    X(DEFAULT, "defaults", false)                                                                                      \
    X(KWDEFAULT, "kwdefaults", true)                                                                                   \
    X(ATTRIBUTE, "attributes", true)                                                                                   \
    X(MASK, "mask", false)                                                                                             \
    X(GLOBALS, "globals", false)                                                                                       \
    X(ENTRY, "entries", true)                                                                                          \
    X(KEPT, "keep", true)     /* observed: what an instance keeps */                                                   \
    X(NA, "na_object", false) /* of an array of strings: the object of missing items */

#define NDP_EDGE_ENUM(name, word, is_named) NDP_EDGE_##name,
enum ndp_edge_role { NDP_EDGE_LIST(NDP_EDGE_ENUM) NDP_EDGE_COUNT };

/* Behaviour of a function. Results are sums of integers. enum name, word, result */
#define NDP_CODE_LIST(X)                                                                                               \
    X(CONST, "const", "the sum of its cells")                                                                          \
    X(ADD, "add", "its argument and the sums of cells, defaults and keyword defaults")                                 \
    X(COUNTER, "counter", "cell 0, which it increments first")                                                         \
    X(RECURSE, "recurse", "calls itself through cell 0")                                                               \
    X(MUTUAL, "mutual", "calls the function in cell 0")                                                                \
    X(LATE, "late", "the global name `late`")                                                                          \
    X(CALL, "call", "what the function in cell 0 returns, as the inner function of a decorator")                       \
    X(NESTED, "nested", "what a function made inside returns, which sees its argument and its cells")                  \
    X(IDENTITY, "identity", "its argument")                                                                            \
    X(DEEP, "deep", "its argument and the global name `late`, which a function made inside reads")

#define NDP_CODE_ENUM(name, word, text) NDP_CODE_##name,
enum ndp_code { NDP_CODE_LIST(NDP_CODE_ENUM) NDP_CODE_COUNT };

/* Words; never NULL. */
const char *ndp_graph_words_node(enum ndp_node_kind kind);
const char *ndp_graph_words_edge(enum ndp_edge_role role);
bool ndp_graph_words_edge_is_named(enum ndp_edge_role role);
const char *ndp_graph_words_code(enum ndp_code code);

/* Whether a function of this code reads a global name. */
bool ndp_graph_words_code_reads_globals(enum ndp_code code);

/* Whether the node has an identity that a copy can lose: every kind except scalars and tuples. */
bool ndp_graph_words_has_identity(enum ndp_node_kind kind);

/* Whether the node can be called. */
bool ndp_graph_words_is_callable(enum ndp_node_kind kind);

/* The attribute name "__doc__" or another one that describes a function outside of its dict (qualified name, module,
 * documentation, annotations) and does not affect calls; NULL for an attribute of the dict. */
const char *ndp_graph_words_description(struct ndp_bytes name);

#endif
