/* shrink_graph_test.c: another root, fewer edges, simpler nodes. Unreachable nodes are dropped, the rest keeps its
 * order. */
#include "base/suite.h"
#include "generate/shrink_fixture.h"

static void check(const struct ndp_shrink_row *rows, size_t count) {
    for (size_t i = 0; i < count; i++) ndp_shrink_check_row(ndp_shrink_graph_families, &rows[i]);
}

#define TEXT "{'text':'abc'}"
#define INT  "{'int':'7'}"
#define ZERO "{'int':'0'}"
#define HEX  "{'bytes':'00ff'}"

/* A list of a dict, a text and the same dict; the dict also references the text. */
#define SHARING(list, dict, rest) NDP_GRAPH_CASE("{'list':[" list "]},{'dict':[" dict "]}," rest)

static void roots_change_and_edges_are_removed(void **state) {
    static const struct ndp_shrink_row rows[] = {
        {SHARING("1,2,1", "[3,2],[4,4]", TEXT "," INT "," HEX),
         {/* each node as the root */
          NDP_GRAPH_CASE("{'dict':[[2,1],[3,3]]}," TEXT "," INT "," HEX), NDP_GRAPH_CASE(TEXT), NDP_GRAPH_CASE(INT),
          NDP_GRAPH_CASE(HEX),
          /* each edge of the list */
          SHARING("2,1", "[3,2],[4,4]", TEXT "," INT "," HEX), SHARING("1,1", "[3,2],[4,4]", TEXT "," INT "," HEX),
          SHARING("1,2", "[3,2],[4,4]", TEXT "," INT "," HEX),
          /* each key of the dict, with its value */
          SHARING("1,2,1", "[3,3]", TEXT "," HEX), SHARING("1,2,1", "[3,3]", TEXT "," HEX),
          SHARING("1,2,1", "[3,2]", TEXT "," INT), SHARING("1,2,1", "[3,2]", TEXT "," INT),
          /* scalars other than integers, and their halves and ends */
          SHARING("1,2,1", "[3,2],[4,4]", ZERO "," INT "," HEX),
          SHARING("1,2,1", "[3,2],[4,4]", "{'text':'a'}," INT "," HEX),
          SHARING("1,2,1", "[3,2],[4,4]", "{'text':'bc'}," INT "," HEX),
          SHARING("1,2,1", "[3,2],[4,4]", "{'text':'ab'}," INT "," HEX),
          SHARING("1,2,1", "[3,2],[4,4]", "{'text':'bc'}," INT "," HEX),
          SHARING("1,2,1", "[3,2],[4,4]", TEXT "," INT "," ZERO),
          SHARING("1,2,1", "[3,2],[4,4]", TEXT "," INT ",{'bytes':'00'}"),
          SHARING("1,2,1", "[3,2],[4,4]", TEXT "," INT ",{'bytes':'ff'}"),
          SHARING("1,2,1", "[3,2],[4,4]", TEXT "," INT ",{'bytes':'00'}"),
          SHARING("1,2,1", "[3,2],[4,4]", TEXT "," INT ",{'bytes':'ff'}")},
         NDP_ALL_OTHERS},
        /* A cycle remains if its root changes, and ends if its edge is removed. */
        {NDP_GRAPH_CASE("{'list':[1]},{'tuple':[0]}"),
         {"{'ndproof':1,'value':{'graph':{'root':1,'nodes':[{'list':[1]},{'tuple':[0]}]}}}",
          NDP_GRAPH_CASE("{'list':[]}"), NDP_GRAPH_CASE("{'list':[1]},{'tuple':[]}")},
         NDP_ALL_OTHERS},
        /* An item is removed with its position. */
        {NDP_GRAPH_CASE("{'objects':{'shape':[2,2],'items':[1,1,2,0]}}," INT ",{'none':true}"),
         {NDP_GRAPH_CASE(INT), NDP_GRAPH_CASE("{'none':true}"),
          NDP_GRAPH_CASE("{'objects':{'shape':[3],'items':[1,2,0]}}," INT ",{'none':true}"),
          NDP_GRAPH_CASE("{'objects':{'shape':[3],'items':[1,2,0]}}," INT ",{'none':true}"),
          NDP_GRAPH_CASE("{'objects':{'shape':[3],'items':[1,1,0]}}," INT),
          NDP_GRAPH_CASE("{'objects':{'shape':[3],'items':[1,1,2]}}," INT ",{'none':true}")},
         NDP_ALL_OTHERS},
        /* Unreachable nodes are dropped first. */
        {NDP_GRAPH_CASE(INT "," TEXT), {NDP_GRAPH_CASE(INT), NDP_GRAPH_CASE(TEXT)}, NULL},
    };
    check(rows, NDP_ARRAY_LEN(rows));
}

#define CODE(code)           "{'function':{'code':'" code "','name':'f','cells':[2]}},{'cell':3}," INT
#define VECTORIZE(code, say) NDP_GRAPH_CASE("{'vectorize':{'function':1" say "}}," CODE(code))
#define OTYPES               ",'otypes':'d'"
#define EXCLUDED             ",'excluded':[0]"
#define SIGNATURE            ",'signature':'()->()'"
#define CALLS                ",'calls':3"

static void callers_make_fewer_calls(void **state) {
    static const struct ndp_shrink_row row = {
        VECTORIZE("add", OTYPES EXCLUDED SIGNATURE CALLS),
        {VECTORIZE("add", OTYPES EXCLUDED SIGNATURE), VECTORIZE("add", OTYPES SIGNATURE CALLS),
         VECTORIZE("add", OTYPES EXCLUDED CALLS), VECTORIZE("add", EXCLUDED SIGNATURE CALLS),
         VECTORIZE("const", OTYPES EXCLUDED SIGNATURE CALLS)},
        NULL};
    check(&row, 1);
}

#define MASKED(base, mask, say)                                                                                        \
    NDP_GRAPH_CASE("{'array':{'base':{" base "},'class':{'name':'MaskedArray'}},'mask':1" say                          \
                   "},{'array':{'base':{'dtype':'|b1'," mask "}}}")
#define WIDE "'dtype':'<f4','shape':[2,3]"
#define FILL ",'fill_value':'00000000'"
#define HARD ",'hard_mask':true"

#define INSIDE(base, views) NDP_GRAPH_CASE("{'list':[1]},{'array':{'base':{" base "}" views "}}")

/* The smallest array keeps its class and its map; its mask follows. */
static void arrays_get_smaller(void **state) {
    static const struct ndp_shrink_row rows[] = {
        {MASKED(WIDE ",'order':'F','data':{'pattern':'index'},'memmap':{'mode':'r'}", "'shape':[2,3]", FILL HARD),
         {MASKED("'dtype':'|u1','shape':[1],'memmap':{'mode':'r'}", "'shape':[1]", HARD),
          MASKED(WIDE ",'data':{'pattern':'index'},'memmap':{'mode':'r'}", "'shape':[2,3]", FILL HARD),
          MASKED(WIDE ",'order':'F','memmap':{'mode':'r'}", "'shape':[2,3]", FILL HARD),
          MASKED(WIDE ",'order':'F','data':{'pattern':'index'},'memmap':{'mode':'r'}", "'shape':[2,3]", HARD),
          MASKED(WIDE ",'order':'F','data':{'pattern':'index'},'memmap':{'mode':'r'}", "'shape':[2,3]", FILL)},
         NULL},
        /* A view becomes an array of its own, and its base is dropped. */
        {NDP_GRAPH_CASE("{'view':{'of':1,'views':[{'newaxis':0}]}},{'array':{'base':{" WIDE "}}}"),
         {NDP_GRAPH_CASE("{'array':{'base':{" WIDE "}}}"),
          NDP_GRAPH_CASE("{'array':{'base':{'dtype':'|u1','shape':[1]}}}")},
         NULL},
        /* Simplifications of a plain array as outside of a graph. */
        {INSIDE(WIDE ",'order':'F'", ",'views':[{'newaxis':0}]"),
         {INSIDE("'dtype':'|u1','shape':[1]", ""), INSIDE(WIDE, ",'views':[{'newaxis':0}]"),
          INSIDE(WIDE ",'order':'F'", ""),
          INSIDE("'dtype':'<f4','shape':[2,2],'order':'F'", ",'views':[{'newaxis':0}]")},
         NULL},
    };
    check(rows, NDP_ARRAY_LEN(rows));
}

static void every_failing_allocation_is_reported(void **state) {
    ndp_shrink_check_memory(ndp_shrink_graph_families, SHARING("1,2,1", "[3,2],[4,4]", TEXT "," INT "," HEX), 100);
}

NDP_SUITE(shrink_graph_test, NDP_TEST(roots_change_and_edges_are_removed), NDP_TEST(callers_make_fewer_calls),
          NDP_TEST(arrays_get_smaller), NDP_TEST(every_failing_allocation_is_reported));
