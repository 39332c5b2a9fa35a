/* graph.h: arrays in company: objects that refer to each other, as a recipe and as what a target says it holds.
 *
 * A graph is a list of nodes; edges are numbers of nodes and may go anywhere, so that cycles and sharing are just
 * numbers that come twice. The same node struct serves the recipe (a descriptor), the expectation (ndp_graph_expect)
 * and the observation (END): which members are set follows from the kind and from that role. Nothing here recurses.
 * Source of the closure model: functions, cells, defaults, keyword defaults, attributes and globals as nodes with an
 * identity of their own, as cloudpickle's _dynamic_function_reduce takes them apart.
 */
#ifndef NDP_GRAPH_H
#define NDP_GRAPH_H

#include "model/array.h"
#include "model/equality.h"
#include "model/observation.h"

/* enum name, key in JSON, what it is */
#define NDP_NODE_LIST(X)                                                                                               \
    X(NONE, "none", "None")                                                                                            \
    X(BOOL, "bool", "a truth value")                                                                                   \
    X(INT, "int", "an integer of any size, in decimal")                                                                \
    X(FLOAT, "float", "a double, by its bits")                                                                         \
    X(TEXT, "text", "a string")                                                                                        \
    X(BYTES, "bytes", "a byte string")                                                                                 \
    X(OTHER, "other", "observed only: something that has no words here, by its type's name")                           \
    X(TUPLE, "tuple", "a tuple")                                                                                       \
    X(LIST, "list", "a list")                                                                                          \
    X(DICT, "dict", "a dict, keys and values in turn")                                                                 \
    X(ARRAY, "array", "an array, of any class")                                                                        \
    X(VIEW, "view", "recipe only: a view of an array node; observed as an array that shares its memory")               \
    X(OBJECTS, "objects", "an object array whose items are nodes")                                                     \
    X(FUNCTION, "function", "a function")                                                                              \
    X(CELL, "cell", "a variable that functions share; it may be empty")                                                \
    X(GLOBALS, "globals", "the global names that a function looks up")                                                 \
    X(METHOD, "method", "a function bound to an object")                                                               \
    X(PARTIAL, "partial", "a function with its first arguments")                                                       \
    X(VECTORIZE, "vectorize", "numpy.vectorize of a function")                                                         \
    X(FROMPYFUNC, "frompyfunc", "numpy.frompyfunc of a function")

enum ndp_node_kind {
#define NDP_NODE_ENUM(name, key, text) NDP_NODE_##name,
    NDP_NODE_LIST(NDP_NODE_ENUM)
#undef NDP_NODE_ENUM
        NDP_NODE_COUNT
};

/* What an edge is to the node that it leaves. Edges of one node are in this order; those of one role in their own.
 * enum name, word in paths, whether its edges have names */
#define NDP_EDGE_LIST(X)                                                                                               \
    X(ITEM, "items", false)                                                                                            \
    X(KEY, "keys", false)                                                                                              \
    X(VALUE, "values", false)                                                                                          \
    X(OF, "of", false) /* recipe of a view */                                                                          \
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
    X(ENTRY, "entries", true)

enum ndp_edge_role {
#define NDP_EDGE_ENUM(name, word, is_named) NDP_EDGE_##name,
    NDP_EDGE_LIST(NDP_EDGE_ENUM)
#undef NDP_EDGE_ENUM
        NDP_EDGE_COUNT
};

/* Where an attribute leads that a class promises and that is not there: only in a graph that a codec holds. */
#define NDP_GRAPH_NOWHERE UINT32_MAX

struct ndp_edge {
    enum ndp_edge_role role;
    struct ndp_bytes name; /* of named roles; else empty */
    uint32_t to;
};

/* What a function does. Results are sums of integers.
 * enum name, word, what it returns */
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

enum ndp_code {
#define NDP_CODE_ENUM(name, word, text) NDP_CODE_##name,
    NDP_CODE_LIST(NDP_CODE_ENUM)
#undef NDP_CODE_ENUM
        NDP_CODE_COUNT
};

/* How a class of arrays keeps what it adds to them. The word is the class's name. OWN: the class defines its own
 * pickling. FREE: it takes attributes of any name. PROMISED: an attribute that every object of the class has, empty
 * when there is none. LIBRARY: what must be there for the class to be. STAND-IN: the class that pickles in the same way
 * and is always there.
 * enum name, word, defines its own pickling, takes attributes, promised attribute, library, stand-in */
#define NDP_CLASS_LIST(X)                                                                                              \
    X(NDARRAY, "ndarray", false, false, "", "", "")                                                                    \
    X(MEMMAP, "memmap", false, false, "", "", "")                                                                      \
    X(MATRIX, "matrix", false, false, "", "", "")                                                                      \
    X(RECARRAY, "recarray", false, false, "", "", "")                                                                  \
    X(MASKED, "MaskedArray", true, false, "", "", "")                                                                  \
    X(PLAIN, "plain", false, true, "", "", "")                                                                         \
    X(FINALIZE_NONE, "finalize_none", false, true, "extra", "", "")                                                    \
    X(FINALIZE_GETATTR, "finalize_getattr", false, true, "extra", "", "")                                              \
    X(REDUCE_SETSTATE, "reduce_setstate", true, true, "extra", "", "")                                                 \
    X(REDUCE_PAIR, "reduce_pair", true, true, "extra", "", "")                                                         \
    X(REDUCE_ONLY, "reduce_only", true, true, "extra", "", "")                                                         \
    X(REDUCE_EX, "reduce_ex", true, true, "extra", "", "")                                                             \
    X(SLOTS, "slots", false, true, "extra", "", "")                                                                    \
    X(PROXY, "proxy", true, true, "wrapped", "", "")                                                                   \
    X(QUANTITY, "Quantity", true, false, "unit", "astropy", "reduce_pair")                                             \
    X(CUDF, "cudf.pandas", true, false, "", "cudf", "proxy")

enum ndp_array_class {
#define NDP_CLASS_ENUM(name, word, is_own, is_free, promised, library, stand_in) NDP_CLASS_##name,
    NDP_CLASS_LIST(NDP_CLASS_ENUM)
#undef NDP_CLASS_ENUM
        NDP_CLASS_COUNT
};

enum { NDP_MAX_NODES = 512, NDP_MAX_EDGES = 256, NDP_MAX_RESULTS = 8, NDP_MAX_EXCLUDED = 4, NDP_MAX_CALLS = 16 };

struct ndp_node {
    enum ndp_node_kind kind;
    bool truth;            /* BOOL */
    struct ndp_bytes text; /* INT: digits; FLOAT: eight bytes, big-endian; TEXT, BYTES; OTHER: the type's name */
    const struct ndp_edge *edges;
    uint32_t edge_count;

    /* Recipe: ARRAY; VIEW: the views alone. */
    struct ndp_array_value array;
    struct ndp_bytes data;       /* on the wire: the filled base of ARRAY */
    struct ndp_bytes fill_value; /* MaskedArray: one item, little-endian; empty is the default's */
    bool has_hard_mask;          /* MaskedArray */
    uint32_t ndim;               /* OBJECTS */
    const int64_t *shape;        /* OBJECTS */
    bool is_fortran;             /* OBJECTS: in Fortran order, where that is another one; items are in C order always */
    enum ndp_code code;          /* FUNCTION */
    struct ndp_bytes name;       /* FUNCTION; FROMPYFUNC when expected or observed: that of its function */
    bool is_importable;          /* FUNCTION: out of a module that can be imported */
    bool has_otypes;             /* VECTORIZE */
    struct ndp_bytes otypes;     /* VECTORIZE */
    bool has_signature;          /* VECTORIZE */
    struct ndp_bytes signature;  /* VECTORIZE */
    uint32_t excluded_count;     /* VECTORIZE */
    uint32_t excluded[NDP_MAX_EXCLUDED];
    uint32_t calls; /* VECTORIZE, FROMPYFUNC: how often it is called before it travels */

    /* Expectation and observation: ARRAY. */
    bool has_model; /* expectation only */
    struct ndp_array model;
    bool has_observation;
    struct ndp_observation observation;
    struct ndp_bytes trouble; /* half-initialised: the text of the error that its use raises; empty when whole */
    bool has_memory;
    uint32_t memory_group; /* arrays of one memory have the same number */
    int64_t memory_offset_bytes;

    /* Observation of what can be called: the text of each probe call's result, or the type of the error. */
    uint32_t result_count;
    struct ndp_bytes results[NDP_MAX_RESULTS];
};

struct ndp_graph {
    uint32_t root;
    uint32_t count;
    const struct ndp_node *nodes;
};

/* Words; never NULL. */
const char *ndp_node_word(enum ndp_node_kind kind);
const char *ndp_edge_word(enum ndp_edge_role role);
bool ndp_edge_is_named(enum ndp_edge_role role);
const char *ndp_code_word(enum ndp_code code);

/* Whether a function of this code reads a global name. */
bool ndp_code_reads_globals(enum ndp_code code);
const char *ndp_class_word(enum ndp_array_class class);
bool ndp_class_defines_pickling(enum ndp_array_class class);
bool ndp_class_takes_attributes(enum ndp_array_class class);
const char *ndp_class_promised(enum ndp_array_class class);
const char *ndp_class_library(enum ndp_array_class class);
const char *ndp_class_stand_in(enum ndp_array_class class);

/* Fills *out with the class of that name. False when there is none. */
bool ndp_class_find(struct ndp_bytes name, enum ndp_array_class *out);

/* Whether the node has an identity that a copy can lose: everything but scalars and tuples. */
bool ndp_node_has_identity(enum ndp_node_kind kind);

/* Whether OBJECTS lie in Fortran order and not in C order, too. */
bool ndp_node_is_fortran(const struct ndp_node *node);

/* Whether the node can be called. */
bool ndp_node_is_callable(enum ndp_node_kind kind);

/* The name of an attribute that a function has beside its dict, "__doc__", or NULL for one of the dict: qualified name,
 * module, documentation and annotations, which nothing that a function does needs. */
const char *ndp_function_description(struct ndp_bytes name);

/* The edge number `ordinal` of `role`, or NULL. */
const struct ndp_edge *ndp_node_edge(const struct ndp_node *node, enum ndp_edge_role role, uint32_t ordinal);
uint32_t ndp_node_edges(const struct ndp_node *node, enum ndp_edge_role role);

/* Whether a graph is one that can be built: edges inside, of the right number and to the right kinds, no two equal keys
 * of a dict, a view chain that ends in an array, class patterns with what they need, at most the limits above. Errors:
 * INVALID, LIMIT, with "nodes[3]..." in the text; NOMEM. `arena` holds the arrays tried. */
enum ndp_status ndp_graph_check(struct ndp_arena *arena, const struct ndp_graph *graph,
                                struct ndp_error *error) NDP_MUST_USE;

/* Gives what a faithful target must say that it holds, without any library: the same numbers of nodes, arrays and
 * views with their observation and memory. Fills data of ARRAY nodes, too. Errors: as ndp_array_build. */
enum ndp_status ndp_graph_expect(struct ndp_arena *arena, const struct ndp_graph *graph, bool host_is_little_endian,
                                 struct ndp_graph *out, struct ndp_error *error) NDP_MUST_USE;

/* Leaves `node`, a copy of a FUNCTION, GLOBALS or FROMPYFUNC of `graph`, the edges that a target tells of: globals only
 * of code that reads some, no names that begin with "_", and of a ufunc nothing but the name of its function. Errors:
 * NOMEM. */
enum ndp_status ndp_node_tell_edges(struct ndp_arena *arena, const struct ndp_graph *graph,
                                    struct ndp_node *node) NDP_MUST_USE;

/* Gives what the root leads to, numbered in depth-first pre-order from it, edges in their order: the numbers that an
 * observation has. Edges lead to nodes of `graph`. Texts and models are shared. Errors: NOMEM. */
enum ndp_status ndp_graph_in_order(struct ndp_arena *arena, const struct ndp_graph *graph,
                                   struct ndp_graph *out) NDP_MUST_USE;

/* Features of a graph, or of one node: a mask beside that of arrays. NDP_GRAPH_VALUE is in every one of them.
 * enum name, word */
#define NDP_GRAPH_FEATURE_LIST(X)                                                                                      \
    X(FUNCTIONS, "function")                                                                                           \
    X(LOCAL_FUNCTION, "local-function") /* one that no module has under its name */                                    \
    X(CELLS, "closure")                                                                                                \
    X(SHARED_CELL, "shared-cell")                                                                                      \
    X(EMPTY_CELL, "empty-cell")                                                                                        \
    X(VECTORIZE, "vectorize")                                                                                          \
    X(FROMPYFUNC, "frompyfunc")                                                                                        \
    X(METHOD, "method")                                                                                                \
    X(CALLED, "called")                                                                                                \
    X(OBJECTS, "object-array")                                                                                         \
    X(ATTRIBUTES, "attributes")                                                                                        \
    X(NO_PICKLING, "plain-subclass")      /* a class that defines no pickling of its own */                            \
    X(OWN_PICKLING, "own-pickling-class") /* one that does */                                                          \
    X(MASKED, "masked")                                                                                                \
    X(MASK, "mask") /* an array that is the mask of another */                                                         \
    X(VIEWS, "view")                                                                                                   \
    X(MAPS, "memmap") /* an array in the memory of a file */                                                           \
    X(SHARED, "shared")                                                                                                \
    X(CYCLE, "cycle")

enum ndp_graph_feature_bit {
#define NDP_GRAPH_BIT(name, word) NDP_GRAPH_BIT_##name,
    NDP_GRAPH_FEATURE_LIST(NDP_GRAPH_BIT)
#undef NDP_GRAPH_BIT
        NDP_GRAPH_FEATURE_COUNT
};
enum ndp_graph_feature {
#define NDP_GRAPH_ENUM(name, word) NDP_GRAPH_##name = 1 << NDP_GRAPH_BIT_##name,
    NDP_GRAPH_FEATURE_LIST(NDP_GRAPH_ENUM)
#undef NDP_GRAPH_ENUM
};

/* Set in masks of graphs: the other bits mean enum ndp_graph_feature and not enum ndp_feature. */
#define NDP_GRAPH_VALUE (UINT64_C(1) << 32)

uint64_t ndp_graph_features(const struct ndp_graph *graph);
uint64_t ndp_node_features(const struct ndp_graph *graph, uint32_t number);

/* The word of feature number `bit`, "" beyond. */
const char *ndp_graph_feature_word(uint32_t bit);

/* What two graphs differ in, found by walking both from their roots: which node stands for which. */
enum ndp_graph_difference {
    NDP_GRAPH_DIFFERENT_KIND, /* one is another thing altogether */
    NDP_GRAPH_DIFFERENT_TEXT, /* a scalar, a code, a name, a mask... has another value */
    NDP_GRAPH_MISSING,        /* an edge is gone */
    NDP_GRAPH_EXTRA,          /* an edge that was not there */
    NDP_GRAPH_SPLIT,          /* one object has become two */
    NDP_GRAPH_MERGED,         /* two objects have become one */
    NDP_GRAPH_DIFFERENCE_COUNT
};

struct ndp_graph_pair {
    uint32_t expected;
    uint32_t got;
};

struct ndp_graph_finding {
    enum ndp_graph_difference what;
    uint32_t expected;       /* node of the first graph; of another kind or scalar the node that leads to it */
    enum ndp_edge_role role; /* MISSING, EXTRA, and of another kind or scalar: of the edge */
    const char *described;   /* what it is of a function's description (ndp_function_description), or NULL */
    char path[NDP_DIFFERENCE_TEXT_BYTES];
    char expected_text[NDP_DIFFERENCE_TEXT_BYTES];
    char got_text[NDP_DIFFERENCE_TEXT_BYTES];
};

enum { NDP_MAX_GRAPH_FINDINGS = 64 };

struct ndp_graph_match {
    struct ndp_graph_pair *pairs; /* each once, in the order of the walk; the copies of what was split, too */
    uint32_t pair_count;
    struct ndp_graph_finding *findings; /* NULL when there are none */
    uint32_t finding_count;             /* those beyond NDP_MAX_GRAPH_FINDINGS are dropped */
};

/* Walks both. `expected` is an expectation or an observation, `got` an observation. Errors: NOMEM. */
enum ndp_status ndp_graph_match(struct ndp_arena *arena, const struct ndp_graph *expected, const struct ndp_graph *got,
                                struct ndp_graph_match *out) NDP_MUST_USE;

/* Which arrays share memory, and where in it: pairs that share in `expected` and not in `got` are LOST, the other way
 * round NEW. Adds to both, which may be the same. Arrays without a byte share nothing. */
void ndp_compare_aliasing(const struct ndp_graph *expected, const struct ndp_graph *got,
                          const struct ndp_graph_match *match, struct ndp_comparison *lost,
                          struct ndp_comparison *fresh);

/* Arrays that are not whole in `got` but in `expected`. */
void ndp_compare_whole(const struct ndp_graph *expected, const struct ndp_graph *got,
                       const struct ndp_graph_match *match, struct ndp_comparison *out);

/* Results of probe calls, where both graphs have some: as many, and the same. */
void ndp_compare_results(const struct ndp_graph *expected, const struct ndp_graph *got,
                         const struct ndp_graph_match *match, struct ndp_comparison *out);

#endif
