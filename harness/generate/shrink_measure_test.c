/* shrink_measure_test.c: the order of descriptors by size (generate/shrink_parts.h). */
#include "base/suite.h"
#include "generate/shrink_fixture.h"

static struct ndp_measure measure_of(const char *text) {
    struct ndp_descriptor descriptor;
    NDP_ARENA_SCOPED(arena, NDP_SHRINK_ARENA_BYTES);
    ndp_shrink_read(&arena, text, &descriptor);
    return ndp_shrink_measure(&descriptor);
}

#define BASE(text)    NDP_BASE_CASE("'dtype':" text)
#define U1(rest)      BASE("'|u1','shape':[6]" rest)
#define VIEW(view)    NDP_ARRAY_CASE("'dtype':'|u1','shape':[6]", "'views':[" view "]")
#define FIELD(name)   "{'name':'" name "','offset':0,'dtype':'|u1'}"
#define STRUCT(field) BASE("{'fields':[" field "],'itemsize':1},'shape':[]")
#define RAW(rest)     "{'ndproof':1,'value':{'array':{'base':{'dtype':'|u1','shape':[]}}},'route':{'format':'raw'" rest "}}"
#define BYTES(hex)    "{'ndproof':1,'bytes':'" hex "'}"

/* Smaller before larger: each row differs in one feature that shrinking removes, or an earlier entry outweighs all
 * later ones. */
static const char *const rows[][2] = {
    /* a view outweighs its details; then details */
    {BASE("'<f8','shape':[9,9,9],'order':'F','readonly':true"), VIEW("{'real':true}")},
    {VIEW("{'reshape':[6]}"), VIEW("{'reshape':[6],'order':'F'}")},
    {VIEW("{'reshape':[6]}"), VIEW("{'reshape':[2,3]}")},
    {VIEW("{'newaxis':0}"), VIEW("{'newaxis':1}")},
    {VIEW("{'slice':[[0,1,6]]}"), VIEW("{'slice':[[1,1,5]]}")},
    {VIEW("{'slice':[[1,1,2]]}"), VIEW("{'slice':[[1,2,2]]}")},
    {VIEW("{'slice':[[0,2,3]]}"), VIEW("{'slice':[[0,3,2]]}")},
    {VIEW("{'slice':[[5,-1,6]]}"), VIEW("{'slice':[[5,-1,5]]}")},
    {VIEW("{'slice':[[2,1,1]]}"), VIEW("{'slice':[[2,'-9223372036854775808',1]]}")},
    {VIEW("{'as_dtype':'|u1'}"), VIEW("{'as_dtype':'|b1'}")},
    {VIEW("{'strided':[2],'strides':[0]}"), VIEW("{'strided':[2],'strides':[-1]}")},
    {VIEW("{'strided':[2],'strides':[1]}"), VIEW("{'strided':[2],'strides':[1],'offset':1}")},
    {VIEW("{'broadcast':[1,6]}"), VIEW("{'broadcast':[2,6]}")},
    {NDP_ARRAY_CASE("'dtype':'|u1','shape':[2,3]", "'views':[{'transpose':[0,1]}]"),
     NDP_ARRAY_CASE("'dtype':'|u1','shape':[2,3]", "'views':[{'transpose':[1,0]}]")},
    /* fewer nodes of a type, fewer axes, smaller extents */
    {BASE("'<f8','shape':[9,9]"), STRUCT(FIELD("a"))},
    {U1(""), BASE("'|u1','shape':[1,1]")},
    {BASE("'<f8','shape':[5],'order':'F'"), U1("")},
    /* memory before types */
    {BASE("'>f4','shape':[6]"), U1(",'order':'F'")},
    {U1(",'order':'F'"), U1(",'misalign':2")},
    {U1(",'readonly':true"), U1(",'memmap':{'mode':'r'}")},
    {U1(",'memmap':{'mode':'r'}"), U1(",'memmap':{'mode':'c'}")},
    {U1(",'memmap':{'mode':'c'}"), U1(",'memmap':{'mode':'r','offset':1}")},
    {U1(",'memmap':{'mode':'r','offset':1}"), U1(",'memmap':{'mode':'r','offset':'72057594037927936'}")}, /* 2^56 */
    /* types: u1, i4, f8, then one of each kind, then the others; little-endian before native before big */
    {BASE("'|u1','shape':[]"), BASE("'<i4','shape':[]")},
    {BASE("'<i4','shape':[]"), BASE("'<f8','shape':[]")},
    {BASE("'>f8','shape':[]"), BASE("'|b1','shape':[]")},
    {BASE("'|b1','shape':[]"), BASE("'<c16','shape':[]")},
    {BASE("'|S1','shape':[]"), BASE("'<M8[s]','shape':[]")},
    {BASE("'|O','shape':[]"), BASE("'<i8','shape':[]")},
    {BASE("'<i4','shape':[]"), BASE("'=i4','shape':[]")},
    {BASE("'=i4','shape':[]"), BASE("'>i4','shape':[]")},
    {BASE("'|S4','shape':[]"), BASE("'|S5','shape':[]")},
    {BASE("'<M8[s]','shape':[]"), BASE("'<M8[25us]','shape':[]")},
    {BASE("'<i4','shape':[]"), BASE("{'type':'<i4','metadata':{'a':1}},'shape':[]")},
    {STRUCT(FIELD("a")), STRUCT(FIELD("b"))},
    {STRUCT(FIELD("z")), STRUCT(FIELD("A"))},
    {STRUCT(FIELD("z")), STRUCT(FIELD("aa"))},
    {STRUCT(FIELD("aa")), STRUCT(FIELD(""))},
    {STRUCT(FIELD("a")), STRUCT("{'name':'a','title':'b','offset':0,'dtype':'|u1'}")},
    {STRUCT(FIELD("a")), BASE("{'fields':[" FIELD("a") "],'itemsize':1,'aligned':true},'shape':[]")},
    {STRUCT(FIELD("a")), BASE("{'fields':[" FIELD("a") "],'itemsize':2},'shape':[]")},
    /* data, then flags and route */
    {NDP_ARRAY_CASE("'dtype':'|u1','shape':[6]", "'writeable':false"), U1(",'data':{'pattern':'index'}")},
    {U1(",'data':{'pattern':'index'}"), U1(",'data':{'pattern':'special'}")},
    {U1(",'data':{'pattern':'special','seed':9}"), U1(",'data':{'pattern':'random'}")},
    {U1(",'data':{'pattern':'random','seed':1}"), U1(",'data':{'pattern':'random','seed':2}")},
    {U1(",'data':{'pattern':'random','seed':2}"), U1(",'data':{'pattern':'hex','hex':'000000000000'}")},
    {U1(",'data':{'pattern':'hex','hex':'000000000009'}"), U1(",'data':{'pattern':'hex','hex':'010000000001'}")},
    {U1(""), NDP_ARRAY_CASE("'dtype':'|u1','shape':[6]", "'writeable':false")},
    {U1(""), NDP_ARRAY_CASE("'dtype':'|u1','shape':[6]", "'class':{'name':'plain'}")},
    {RAW(""), RAW(",'offset':1")},
    {RAW(",'offset':1"), RAW(",'offset':2")},
    {RAW(",'offset':2"), RAW(",'offset':'4611686018427387904'")}, /* 2^62 */
    {"{'ndproof':1,'fault':{'name':'cut','argument':3}}", "{'ndproof':1,'fault':{'name':'cut','argument':4}}"},
    /* bytes: number, then number of non-zero bytes */
    {BYTES("00"), BYTES("01")},
    {BYTES("01"), BYTES("0000")},
    /* graphs: nodes, edges, then details of a node */
    {NDP_GRAPH_CASE("{'list':[0,0,0]}"), NDP_GRAPH_CASE("{'list':[1]},{'none':true}")},
    {NDP_GRAPH_CASE("{'list':[1]},{'text':'abc'}"), NDP_GRAPH_CASE("{'list':[1,1]},{'none':true}")},
    {NDP_GRAPH_CASE("{'int':'9'}"), NDP_GRAPH_CASE("{'int':'-9'}")},
    {NDP_GRAPH_CASE("{'int':'0'}"), NDP_GRAPH_CASE("{'text':'0'}")},
    {NDP_GRAPH_CASE("{'function':{'code':'const','name':'f'}}"),
     NDP_GRAPH_CASE("{'function':{'code':'add','name':'f'}}")},
    {NDP_GRAPH_CASE("{'array':{'base':{'dtype':'|u1','shape':[1]}}}"),
     NDP_GRAPH_CASE("{'array':{'base':{'dtype':'|u1','shape':[2]}}}")},
    {NDP_GRAPH_CASE("{'array':{'base':{'dtype':'|u1','shape':[1]}}}"),
     NDP_GRAPH_CASE("{'array':{'base':{'dtype':'|u1','shape':[1]}},'hard_mask':true}")},
    {NDP_GRAPH_CASE("{'array':{'base':{'dtype':'|u1','shape':[1]}}}"),
     NDP_GRAPH_CASE("{'array':{'base':{'dtype':'|u1','shape':[1]}},'fill_value':'00'}")},
    {NDP_GRAPH_CASE("{'array':{'base':{'dtype':'|u1','shape':[1]}}}"),
     NDP_GRAPH_CASE("{'array':{'base':{'dtype':'|u1','shape':[1]},'views':[{'real':true}]}}")},
};

static void one_of_two_is_smaller(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct ndp_measure small = measure_of(rows[i][0]), large = measure_of(rows[i][1]);
        if (!ndp_shrink_measure_is_less(&small, &large)) fail_msg("%s is not smaller than %s", rows[i][0], rows[i][1]);
        if (ndp_shrink_measure_is_less(&large, &small)) fail_msg("%s is smaller than %s", rows[i][1], rows[i][0]);
        assert_false(ndp_shrink_measure_is_less(&small, &small));
    }
}

/* The first difference decides. */
static void entries_are_compared_in_turn(void **state) {
    for (int i = 0; i < NDP_MEASURE_ENTRIES; i++) {
        struct ndp_measure small = {{0}}, large = {{0}};
        large.entries[i] = 1;
        for (int k = i + 1; k < NDP_MEASURE_ENTRIES; k++) small.entries[k] = UINT64_MAX;
        assert_true(ndp_shrink_measure_is_less(&small, &large));
        assert_false(ndp_shrink_measure_is_less(&large, &small));
    }
}

/* The largest numbers neither overflow nor make a descriptor seem small. */
static void the_largest_numbers_are_not_small(void **state) {
    static const char *const largest[] = {
        BASE("'|V0','shape':['9223372036854775807','9223372036854775807',0]"),
        NDP_ARRAY_CASE("'dtype':'|V0','shape':['9223372036854775807']",
                       "'views':[{'slice':[['9223372036854775807',-1,0]]}]"),
        VIEW("{'strided':[1],'strides':['-9223372036854775808'],'offset':'-9223372036854775808'}"),
        U1(",'data':{'pattern':'random','seed':'18446744073709551615'}"),
        U1(",'memmap':{'mode':'c','offset':'18446744073709551615'}"),
        RAW(",'offset':'18446744073709551615'"),
        "{'ndproof':1,'fault':{'name':'cut','argument':'18446744073709551615'}}",
    };
    const struct ndp_measure smallest = measure_of(BASE("'|u1','shape':[]"));
    for (size_t i = 0; i < NDP_ARRAY_LEN(largest); i++) {
        const struct ndp_measure measure = measure_of(largest[i]);
        if (!ndp_shrink_measure_is_less(&smallest, &measure)) fail_msg("%s", largest[i]);
    }
    const struct ndp_measure near = measure_of(VIEW("{'slice':[[1,-1,1]]}")),
                             far = measure_of(VIEW("{'slice':[[1,'-9223372036854775808',1]]}"));
    assert_true(ndp_shrink_measure_is_less(&near, &far));
}

NDP_SUITE(shrink_measure_test, NDP_TEST(one_of_two_is_smaller), NDP_TEST(entries_are_compared_in_turn),
          NDP_TEST(the_largest_numbers_are_not_small));
