/* shrink_graph_test.c: another root, edges gone, simpler nodes; what the root no longer leads to is dropped, and what
 * is left keeps its order. */
#include "base/suite.h"
#include "generate/shrink_fixture.h"

static void check(const struct ndp_shrink_row *rows, size_t count) {
    for (size_t i = 0; i < count; i++) ndp_shrink_check_row(ndp_shrink_graph_families, &rows[i]);
}

#define TEXT "{'text':'abc'}"
#define INT  "{'int':'7'}"
#define ZERO "{'int':'0'}"
#define HEX  "{'bytes':'00ff'}"

/* A list of a dict, a text and the dict again; the dict leads to the text as well. */
#define COMPANY(list, dict, rest) NDP_GRAPH_CASE("{'list':[" list "]},{'dict':[" dict "]}," rest)

static void roots_and_edges_go(void **state) {
    (void)state;
    static const struct ndp_shrink_row rows[] = {
        {COMPANY("1,2,1", "[3,2],[4,4]", TEXT "," INT "," HEX),
         {/* each node as the root */
          NDP_GRAPH_CASE("{'dict':[[2,1],[3,3]]}," TEXT "," INT "," HEX), NDP_GRAPH_CASE(TEXT), NDP_GRAPH_CASE(INT),
          NDP_GRAPH_CASE(HEX),
          /* each edge of the list */
          COMPANY("2,1", "[3,2],[4,4]", TEXT "," INT "," HEX), COMPANY("1,1", "[3,2],[4,4]", TEXT "," INT "," HEX),
          COMPANY("1,2", "[3,2],[4,4]", TEXT "," INT "," HEX),
          /* each key of the dict with its value */
          COMPANY("1,2,1", "[3,3]", TEXT "," HEX), COMPANY("1,2,1", "[3,3]", TEXT "," HEX),
          COMPANY("1,2,1", "[3,2]", TEXT "," INT), COMPANY("1,2,1", "[3,2]", TEXT "," INT),
          /* scalars that are no integers */
          COMPANY("1,2,1", "[3,2],[4,4]", ZERO "," INT "," HEX),
          COMPANY("1,2,1", "[3,2],[4,4]", TEXT "," INT "," ZERO)},
         NDP_ALL_OTHERS},
        /* A cycle stays one when its root is another, and ends when its edge goes. */
        {NDP_GRAPH_CASE("{'list':[1]},{'tuple':[0]}"),
         {"{'ndproof':1,'value':{'graph':{'root':1,'nodes':[{'list':[1]},{'tuple':[0]}]}}}",
          NDP_GRAPH_CASE("{'list':[]}"), NDP_GRAPH_CASE("{'list':[1]},{'tuple':[]}")},
         NDP_ALL_OTHERS},
        /* An item goes with its place. */
        {NDP_GRAPH_CASE("{'objects':{'shape':[2,2],'items':[1,1,2,0]}}," INT ",{'none':true}"),
         {NDP_GRAPH_CASE(INT), NDP_GRAPH_CASE("{'none':true}"),
          NDP_GRAPH_CASE("{'objects':{'shape':[3],'items':[1,2,0]}}," INT ",{'none':true}"),
          NDP_GRAPH_CASE("{'objects':{'shape':[3],'items':[1,2,0]}}," INT ",{'none':true}"),
          NDP_GRAPH_CASE("{'objects':{'shape':[3],'items':[1,1,0]}}," INT),
          NDP_GRAPH_CASE("{'objects':{'shape':[3],'items':[1,1,2]}}," INT ",{'none':true}")},
         NDP_ALL_OTHERS},
        /* What nothing leads to goes first. */
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

static void what_calls_is_called_less(void **state) {
    (void)state;
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

/* The smallest array keeps its class and that it is a map; its mask goes along. */
static void arrays_get_smaller(void **state) {
    (void)state;
    static const struct ndp_shrink_row rows[] = {
        {MASKED(WIDE ",'order':'F','data':{'pattern':'index'},'memmap':{'mode':'r'}", "'shape':[2,3]", FILL HARD),
         {MASKED("'dtype':'|u1','shape':[1],'memmap':{'mode':'r'}", "'shape':[1]", HARD),
          MASKED(WIDE ",'data':{'pattern':'index'},'memmap':{'mode':'r'}", "'shape':[2,3]", FILL HARD),
          MASKED(WIDE ",'order':'F','memmap':{'mode':'r'}", "'shape':[2,3]", FILL HARD),
          MASKED(WIDE ",'order':'F','data':{'pattern':'index'},'memmap':{'mode':'r'}", "'shape':[2,3]", HARD),
          MASKED(WIDE ",'order':'F','data':{'pattern':'index'},'memmap':{'mode':'r'}", "'shape':[2,3]", FILL)},
         NULL},
        /* A view becomes an array of its own, and what it was taken of goes. */
        {NDP_GRAPH_CASE("{'view':{'of':1,'views':[{'newaxis':0}]}},{'array':{'base':{" WIDE "}}}"),
         {NDP_GRAPH_CASE("{'array':{'base':{" WIDE "}}}"),
          NDP_GRAPH_CASE("{'array':{'base':{'dtype':'|u1','shape':[1]}}}")},
         NULL},
        /* What a plain array by itself could be without. */
        {INSIDE(WIDE ",'order':'F'", ",'views':[{'newaxis':0}]"),
         {INSIDE("'dtype':'|u1','shape':[1]", ""), INSIDE(WIDE, ",'views':[{'newaxis':0}]"),
          INSIDE(WIDE ",'order':'F'", ""),
          INSIDE("'dtype':'<f4','shape':[2,2],'order':'F'", ",'views':[{'newaxis':0}]")},
         NULL},
    };
    check(rows, NDP_ARRAY_LEN(rows));
}

static void every_lack_of_memory_is_told(void **state) {
    (void)state;
    ndp_shrink_check_memory(ndp_shrink_graph_families, COMPANY("1,2,1", "[3,2],[4,4]", TEXT "," INT "," HEX), 100);
}

NDP_SUITE(shrink_graph_test, cmocka_unit_test(roots_and_edges_go), cmocka_unit_test(what_calls_is_called_less),
          cmocka_unit_test(arrays_get_smaller), cmocka_unit_test(every_lack_of_memory_is_told));
