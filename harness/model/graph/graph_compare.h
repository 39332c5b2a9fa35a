/* graph_compare.h: the differences between an expected and an observed graph. */
#ifndef NDP_GRAPH_COMPARE_H
#define NDP_GRAPH_COMPARE_H

#include "model/equality.h"
#include "model/graph/graph_node.h"

/* Differences found by walking two graphs from their roots. */
enum ndp_graph_difference {
    NDP_GRAPH_DIFFERENT_KIND, /* the kinds differ */
    NDP_GRAPH_DIFFERENT_TEXT, /* a scalar, a code, a name, a mask... differs */
    NDP_GRAPH_MISSING,        /* a missing edge */
    NDP_GRAPH_EXTRA,          /* an unexpected edge */
    NDP_GRAPH_SPLIT,          /* one object became two */
    NDP_GRAPH_MERGED,         /* two objects became one */
    NDP_GRAPH_DIFFERENCE_COUNT
};

struct ndp_graph_pair {
    uint32_t expected;
    uint32_t got;
};

struct ndp_graph_finding {
    enum ndp_graph_difference what;
    uint32_t expected;       /* node of the first graph; for another kind or scalar the node that leads to it */
    uint32_t item;           /* the node that differs: `expected`, or another kind or scalar that it leads to */
    enum ndp_edge_role role; /* of the edge: MISSING, EXTRA, another kind or scalar */
    const char *described;   /* part of a function's description (ndp_graph_words_description), or NULL */
    char path[NDP_DIFFERENCE_TEXT_BYTES];
    char expected_text[NDP_DIFFERENCE_TEXT_BYTES];
    char got_text[NDP_DIFFERENCE_TEXT_BYTES];
};

enum { NDP_MAX_GRAPH_FINDINGS = 64 };

struct ndp_graph_compare {
    struct ndp_graph_pair
        *pairs; /* without duplicates, in the order of the walk; includes the copies of split objects */
    uint32_t pair_count;
    struct ndp_graph_finding *findings; /* NULL when there are none */
    uint32_t finding_count;             /* those beyond NDP_MAX_GRAPH_FINDINGS are dropped */
};

/* Walks both graphs. `expected` is an expectation or an observation, `got` an observation. Errors: NOMEM. */
enum ndp_status ndp_graph_compare(struct ndp_arena *arena, const struct ndp_graph *expected,
                                  const struct ndp_graph *got, struct ndp_graph_compare *out) NDP_MUST_USE;

/* Compares which arrays share memory, and at which offsets: pairs that share only in `expected` are LOST, only in `got`
 * NEW. Adds to both masks, which may be the same. Arrays without bytes share nothing. */
void ndp_graph_compare_aliasing(const struct ndp_graph *expected, const struct ndp_graph *got,
                                const struct ndp_graph_compare *match, struct ndp_comparison *lost,
                                struct ndp_comparison *fresh);

/* Adds arrays that are complete in `expected` but not in `got`. */
void ndp_graph_compare_complete(const struct ndp_graph *expected, const struct ndp_graph *got,
                                const struct ndp_graph_compare *match, struct ndp_comparison *out);

/* Compares the results of probe calls if both graphs have some: count and values. `numbers` are the node numbers in the
 * paths of differences, by node of `expected`; NULL: those of `expected`. */
void ndp_graph_compare_results(const struct ndp_graph *expected, const struct ndp_graph *got,
                               const struct ndp_graph_compare *match, const uint32_t *numbers,
                               struct ndp_comparison *out);

#endif
