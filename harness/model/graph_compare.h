/* graph_compare.h: the differences between an expected and an observed graph. */
#ifndef NDP_GRAPH_COMPARE_H
#define NDP_GRAPH_COMPARE_H

#include "model/equality.h"
#include "model/graph_node.h"

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
