/* graph_node.h: a graph of objects as a list of nodes with edges between them. Edges are node numbers without
 * restriction, so that sharing and cycles are repeated numbers. Functions are decomposed like cloudpickle's
 * _dynamic_function_reduce does: functions, cells, defaults, keyword defaults, attributes and globals are nodes with
 * their own identity. */
#ifndef NDP_GRAPH_NODE_H
#define NDP_GRAPH_NODE_H

#include "model/array.h"
#include "model/graph/graph_words.h"

/* Target of a promised attribute that is unset; only in a codec's graph. */
#define NDP_GRAPH_UNSET UINT32_MAX

struct ndp_edge {
    enum ndp_edge_role role;
    struct ndp_bytes name; /* of named roles; else empty */
    uint32_t to;
};

enum {
    NDP_MAX_NODES = 512,
    NDP_MAX_EDGES = 256,
    NDP_MAX_RESULTS = 8,
    NDP_MAX_EXCLUDED = 4,
    NDP_MAX_CALLS = 16,
    NDP_MAX_KEPT = 16
};

/* A node of a graph. The union is by kind; within it, a comment names the role that sets a member:
 * recipe (a descriptor), live (a codec's graph), expected (ndp_graph_expect) and seen (an observation). An expected
 * graph keeps its recipe. Members of other roles are zero. */
struct ndp_node {
    enum ndp_node_kind kind;
    bool is_sent; /* seen: the object is one of those that were sent */
    uint32_t edge_count;
    const struct ndp_edge *edges;
    union {
        bool truth;            /* BOOL */
        struct ndp_bytes text; /* INT: digits; FLOAT: eight bytes, big-endian; TEXT, BYTES; OTHER: the type's name */
        struct {               /* OBJECTS */
            uint32_t ndim;
            bool is_fortran; /* the items are always in C order */
            bool is_string;  /* the dtype is NumPy's StringDType: the items are texts, or the object of edge NA */
            bool is_strict;  /* of these: coerce=False */
            const int64_t *shape;
        };
        struct {                                       /* FUNCTION, METHOD, PARTIAL, VECTORIZE, FROMPYFUNC */
            uint32_t calls;                            /* recipe, live: number of calls before the transfer */
            uint32_t result_count;                     /* seen */
            struct ndp_bytes results[NDP_MAX_RESULTS]; /* of probe calls: a text, or the type of the error */
            union {
                struct { /* FUNCTION */
                    enum ndp_code code;
                    bool is_importable;    /* a function of an importable module */
                    struct ndp_bytes name; /* also FROMPYFUNC, expected and seen: name of its function */
                };
                struct { /* VECTORIZE */
                    bool has_otypes, has_signature;
                    struct ndp_bytes otypes, signature;
                    uint32_t excluded_count, excluded[NDP_MAX_EXCLUDED];
                };
            };
        };
        struct {                          /* INSTANCE */
            struct ndp_bytes import;      /* "package.module:Name"; seen: the class */
            uint32_t keep_count;          /* recipe, live: */
            const struct ndp_bytes *keep; /* the names of what must survive */
            bool has_contents;            /* seen: its edges are what it keeps */
        };
        struct {                         /* ARRAY, VIEW */
            struct ndp_bytes fill_value; /* MaskedArray: one item, little-endian; empty for the default */
            bool has_hard_mask;          /* MaskedArray */
            bool has_model, has_observation, has_memory;
            struct ndp_array_value array;       /* recipe; VIEW: only the views */
            struct ndp_bytes data;              /* recipe: the filled base of the protocol */
            struct ndp_array model;             /* live, expected: has_model */
            struct ndp_observation observation; /* expected, seen: has_observation */
            struct ndp_bytes trouble;           /* seen: the error raised by using a half-initialised array */
            uint32_t memory_group;              /* expected, seen: has_memory; equal for arrays in one memory */
            int64_t memory_offset_bytes;
        };
    };
};

struct ndp_graph {
    uint32_t root;
    uint32_t count;
    const struct ndp_node *nodes;
};

/* Whether OBJECTS are in Fortran order and not also in C order. */
bool ndp_graph_node_is_fortran(const struct ndp_node *node);

/* The edge number `ordinal` of `role`, or NULL. */
const struct ndp_edge *ndp_graph_node_edge(const struct ndp_node *node, enum ndp_edge_role role, uint32_t ordinal);
uint32_t ndp_graph_node_count_edges(const struct ndp_node *node, enum ndp_edge_role role);

/* Number of calls of the node before the transfer; 0 for a node that is not callable. */
uint32_t ndp_graph_node_calls(const struct ndp_node *node);

/* Whether the node is an ARRAY of the class `scalar`: a value without identity and memory of its own. */
bool ndp_graph_node_is_scalar(const struct ndp_node *node);

/* Whether an object of the node can be told from an equal one: ndp_graph_words_has_identity, and no scalar. */
bool ndp_graph_node_has_identity(const struct ndp_node *node);

/* The built array of an ARRAY or VIEW; NULL for other nodes and without has_model. */
const struct ndp_array *ndp_graph_node_model(const struct ndp_node *node);

#endif
