/* graph_print_test.c: graphs as JSON: recipes in descriptors, recipes and observations in messages of the testee
 * protocol. Expected: harness/testees/README.md, "Graphs". */
#include "base/arena_fixture.h"
#include "base/suite.h"
#include "describe/graph_json.h"
#include "describe/json_fixture.h"

enum { ARENA_BYTES = 1 << 20 };

static void read_graph(struct ndp_arena *arena, const char *nodes, struct ndp_graph *out) {
    struct ndp_json_reader reader = {.arena = arena, .limits = &ndp_describe_default_limits};
    cJSON *object = cJSON_CreateObject(), *list = NULL;
    assert_int_equal(ndp_json_parse(ndp_json_quoted(arena, nodes), &ndp_describe_default_limits, &list, NULL), NDP_OK);
    assert_true(ndp_json_put(object, "nodes", list));
    if (ndp_graph_read_json(&reader, object, NULL, out) != NDP_OK) fail_msg("%s", nodes);
    cJSON_Delete(object);
}

#define ARRAY "{'array':{'base':{'dtype':'<f4','shape':[2],'data':{'pattern':'index'}}"
#define MASK  "{'array':{'base':{'dtype':'|b1','shape':[2]}}}"
/* A name longer than any attribute of a real object. */
#define LONG_16  "abcdefghijklmnop"
#define LONG_128 LONG_16 LONG_16 LONG_16 LONG_16 LONG_16 LONG_16 LONG_16 LONG_16
#define F        "{'function':{'code':'add','name':'f'}}"
#define CELLS    "{'cell':1},{'cell':null}"

/* Every kind of node with all its members, as read. Empty members and defaults are omitted in the canonical form. */
static const struct {
    const char *nodes, *canonical; /* NULL: unchanged */
} recipes[] = {
    {"[{'none':true},{'bool':true},{'bool':false},{'int':'-123456789012345678901234567890'}]", NULL},
    {"[{'float':'7ff8000000000001'},{'text':'a\\\\\\n'},{'bytes':'00ff'},{'bytes':''}]", NULL},
    {"[{'text':{'codepoints':[0,55296]}}]", NULL},
    {"[{'tuple':[]},{'dict':[[0,1],[0,0]]},{'dict':[]},{'list':[1,0,1]}]", NULL},
    {"[{'objects':{'shape':[],'items':[0]}},{'objects':{'shape':[2,0],'items':[]}}]", NULL},
    {"[{'objects':{'shape':[0]}}]", "[{'objects':{'shape':[0],'items':[]}}]"},
    {"[{'objects':{'shape':[2,2],'items':[0,0,0,0],'order':'F'}}]", NULL},
    {"[{'objects':{'shape':[1],'items':[0],'order':'F'}}]", "[{'objects':{'shape':[1],'items':[0]}}]"},
    {"[{'objects':{'shape':[0,2],'items':[],'order':'F'}}]", "[{'objects':{'shape':[0,2],'items':[]}}]"},
    {"[{'objects':{'shape':[1],'items':[0],'order':'C'}}]", "[{'objects':{'shape':[1],'items':[0]}}]"},
    {"[" ARRAY ",'class':{'name':'plain'}},'attributes':{'extra':0,'note':0}}]", NULL},
    {"[" ARRAY ",'class':{'name':'plain'}},'attributes':{'" LONG_128 "':0,'" LONG_128 "q':0}}]", NULL},
    {"[" ARRAY ",'class':{'name':'MaskedArray'}},'mask':1,'fill_value':'0000803f','hard_mask':true}," MASK "]", NULL},
    {"[" ARRAY "},'attributes':{},'mask':null,'fill_value':null,'hard_mask':false}]", "[" ARRAY "}}]"},
    {"[{'view':{'of':1,'views':[{'newaxis':0},{'transpose':[1,0]}]}}," ARRAY "}}]", NULL},
    {"[{'view':{'of':1,'views':[]}}," ARRAY "}}]", "[{'view':{'of':1}}," ARRAY "}}]"},
    {"[" CELLS ",{'globals':{}},{'globals':{'late':0,'b':1}}]", NULL},
    {"[{'function':{'code':'add','name':'f','cells':[1,2],'defaults':[0],'kwdefaults':{'k':0,'j':1},'attributes':{'a':"
     "0},"
     "'globals':3}}," CELLS ",{'globals':{}}]",
     NULL},
    {"[{'function':{'code':'identity','name':'<lambda>','cells':[],'importable':false}}]",
     "[{'function':{'code':'identity','name':'<lambda>'}}]"},
    {"[{'function':{'code':'add','name':'add','importable':true}}]", NULL},
    {"[{'method':{'function':1,'self':0}}," F "]", NULL},
    {"[{'partial':{'function':1,'args':[0,1],'keywords':{'k':0}}}," F "]", NULL},
    {"[{'partial':{'function':1,'args':[],'keywords':{}}}," F "]", "[{'partial':{'function':1}}," F "]"},
    {"[{'vectorize':{'function':1,'otypes':'d','excluded':[0,2],'signature':'()->()','calls':16}}," F "]", NULL},
    {"[{'vectorize':{'function':1,'otypes':'','signature':''}}," F "]", NULL},
    {"[{'vectorize':{'function':1,'otypes':null,'excluded':null,'signature':null,'calls':0}}," F "]",
     "[{'vectorize':{'function':1}}," F "]"},
    {"[{'frompyfunc':{'function':1,'calls':1}}," F "]", NULL},
};

static char text[NDP_JSON_TEXT_BYTES];

static void recipes_are_written_in_their_canonical_form(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(recipes); i++) {
        struct ndp_graph graph;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        read_graph(&arena, recipes[i].nodes, &graph);
        const char *nodes = recipes[i].canonical != NULL ? recipes[i].canonical : recipes[i].nodes;
        snprintf(text, sizeof text, "{'root':0,'nodes':%s}", nodes);
        ndp_json_check_text(ndp_graph_to_json(&graph, NULL), text);
        graph.root = graph.count - 1;
        snprintf(text, sizeof text, "{'root':%u,'nodes':%s}", graph.root, nodes);
        ndp_json_check_text(ndp_graph_to_json(&graph, NULL), text);
    }
}

/* In the protocol, the bytes of all arrays follow each other and patterns are omitted. */
static void arrays_have_offsets_in_messages(void **state) {
    struct ndp_arena *arena = *state;
    struct ndp_graph graph;
    uint64_t binary_bytes = 100;
    read_graph(arena,
               "[{'list':[1,2,3]}," ARRAY "}}," MASK "," ARRAY ",'class':{'name':'plain'}},'attributes':{'a':0}}]",
               &graph);
    struct ndp_node *nodes = ndp_arena_copy(arena, graph.nodes, graph.count * sizeof *nodes);
    assert_non_null(nodes);
    nodes[1].data = ndp_bytes_view("12345678");
    nodes[3].data = ndp_bytes_view("123");
    graph.nodes = nodes;
    ndp_json_check_text(ndp_graph_to_json(&graph, &binary_bytes),
                        "{'root':0,'nodes':[{'list':[1,2,3]},"
                        "{'array':{'base':{'dtype':'<f4','shape':[2]}},'data':[100,8]},"
                        "{'array':{'base':{'dtype':'|b1','shape':[2]}},'data':[108,0]},"
                        "{'array':{'base':{'dtype':'<f4','shape':[2]},'class':{'name':'plain'}},'data':[108,3],"
                        "'attributes':{'a':0}}]}");
    assert_int_equal(binary_bytes, 111);
}

/* The context is the text that represents the array. */
static cJSON *print_array(void *context, const struct ndp_node *node) {
    return node->kind == NDP_NODE_ARRAY ? cJSON_CreateString(context) : NULL;
}

/* An observation: arrays with class and memory, complete or not; results; no calls; a ufunc by name only. */
static void observations_are_printed(void **state) {
    struct ndp_arena *arena = *state;
    struct ndp_graph graph;
    char context[] = "seen";
    read_graph(arena,
               "[{'list':[1,2,3,4]}," ARRAY "},'attributes':{'extra':0},'fill_value':'00000000'}," ARRAY "}},"
               "{'vectorize':{'function':5,'otypes':'d','calls':3}},{'frompyfunc':{'function':5,'calls':1}}," F "]",
               &graph);
    struct ndp_node *nodes = ndp_arena_copy(arena, graph.nodes, graph.count * sizeof *nodes);
    assert_non_null(nodes);
    graph.nodes = nodes;
    nodes[1].observation.class_name = ndp_bytes_view("plain");
    nodes[1].has_memory = true;
    nodes[1].memory_group = 2;
    nodes[1].memory_offset_bytes = -16;
    nodes[2].observation.class_name = ndp_bytes_view("module.Class");
    nodes[2].trouble = ndp_bytes_view("AttributeError: extra");
    nodes[3].result_count = 2;
    nodes[3].results[0] = ndp_bytes_view("[2 3]");
    nodes[3].results[1] = ndp_bytes_view("TypeError");
    nodes[4].name = ndp_bytes_view("f");
    nodes[4].result_count = 1;
    nodes[4].results[0] = ndp_bytes_view("2");
    ndp_json_check_text(ndp_graph_observed_to_json(&graph, print_array, context),
                        "{'nodes':[{'list':[1,2,3,4]},"
                        "{'array':'seen','class':'plain','attributes':{'extra':0},'fill_value':'00000000','whole':true,"
                        "'memory':[2,-16]},"
                        "{'array':'seen','class':'module.Class','whole':'AttributeError: extra'},"
                        "{'vectorize':{'function':5,'otypes':'d'},'results':['[2 3]','TypeError']},"
                        "{'frompyfunc':{'name':'f'},'results':['2']}," F "]}");
    nodes[0] = (struct ndp_node){.kind = NDP_NODE_OTHER, .text = ndp_bytes_view("builtins.set")};
    graph.count = 1;
    ndp_json_check_text(ndp_graph_observed_to_json(&graph, print_array, context),
                        "{'nodes':[{'other':'builtins.set'}]}");
}

static cJSON *make_recipe(const void *graph) {
    uint64_t binary_bytes = 0;
    return ndp_graph_to_json(graph, &binary_bytes);
}

static cJSON *make_seen(const void *graph) {
    char context[] = "seen";
    return ndp_graph_observed_to_json(graph, print_array, context);
}

static void every_failing_allocation_is_reported(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(recipes); i++) {
        struct ndp_graph graph;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        read_graph(&arena, recipes[i].nodes, &graph);
        ndp_json_starve(make_recipe, &graph, 5);
        ndp_json_starve(make_seen, &graph, 4);
    }
}

NDP_SUITE_FIXTURE(graph_print_test, make_arena, clear_arena, NDP_TEST(recipes_are_written_in_their_canonical_form),
                  NDP_TEST(arrays_have_offsets_in_messages), NDP_TEST(observations_are_printed),
                  NDP_TEST(every_failing_allocation_is_reported));
