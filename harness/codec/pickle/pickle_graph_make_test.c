/* pickle_graph_make_test.c: objects of scalars and containers, one per node regardless of the number of edges. */
#include "base/suite.h"
#include "codec/pickle/pickle_graph.h"
#include "codec/pickle/pickle_make_fixture.h"

/* CPython has one None, one True and one (); every other node is an object, lists included. */
static void each_node_is_one_object(void **state) {
    struct ndp_pickle_make_fixture made;
    ndp_pickle_make_fixture_recipe(
        &made,
        "{'list':[0,1,1,2,3,4,5,6,6,7,8,9]},{'list':[]},{'list':[]},{'tuple':[]},{'tuple':[]},{'none':true},"
        "{'tuple':[0]},{'none':true},{'bool':true},{'bool':false}",
        NDP_NUMPY_2_3);
    assert_int_equal(made.status, NDP_OK);
    struct ndp_object *const *items = made.root->list.items;
    assert_true(ndp_object_is(made.root, NDP_OBJECT_LIST));
    assert_int_equal(made.root->list.count, 12);
    assert_ptr_equal(items[0], made.root);
    assert_ptr_equal(items[1], items[2]);
    assert_ptr_not_equal(items[1], items[3]);
    assert_int_equal(items[1]->list.count, 0);
    assert_ptr_equal(items[4], items[5]);
    assert_true(ndp_object_is(items[4], NDP_OBJECT_TUPLE) && items[4]->list.count == 0);
    assert_true(ndp_object_is(items[6], NDP_OBJECT_NONE));
    assert_ptr_equal(items[6], items[9]);
    assert_ptr_equal(items[7], items[8]);
    assert_true(ndp_object_is(items[7], NDP_OBJECT_TUPLE));
    assert_ptr_equal(ndp_pickle_make_fixture_item(items[7], 0), made.root);
    assert_true(items[10]->kind == NDP_OBJECT_BOOL && items[10]->truth);
    assert_true(items[11]->kind == NDP_OBJECT_BOOL && !items[11]->truth);
    ndp_pickle_make_fixture_clear(&made);
}

static void check_int(const struct ndp_object *object, int64_t integer) {
    assert_true(ndp_object_is(object, NDP_OBJECT_INT) && !object->is_big);
    assert_true(object->integer == integer);
}

/* 2**63 in two's complement has nine bytes. A float keeps its bits, including those of a NaN. */
static void scalars_keep_their_values(void **state) {
    struct ndp_pickle_make_fixture made;
    uint64_t bits = 0;
    ndp_pickle_make_fixture_recipe(
        &made,
        "{'list':[1,2,3,4,5,6,7,8]},{'int':'0'},{'int':'9223372036854775807'},"
        "{'int':'-9223372036854775808'},{'int':'9223372036854775808'},{'float':'fff8000000000123'},"
        "{'text':{'codepoints':[0,233,55296]}},{'bytes':'00ff0a'},{'bytes':''}",
        NDP_NUMPY_2_3);
    assert_int_equal(made.status, NDP_OK);
    check_int(ndp_pickle_make_fixture_item(made.root, 0), 0);
    check_int(ndp_pickle_make_fixture_item(made.root, 1), INT64_MAX);
    check_int(ndp_pickle_make_fixture_item(made.root, 2), INT64_MIN);
    const struct ndp_object *big = ndp_pickle_make_fixture_item(made.root, 3),
                            *real = ndp_pickle_make_fixture_item(made.root, 4),
                            *text = ndp_pickle_make_fixture_item(made.root, 5),
                            *bytes = ndp_pickle_make_fixture_item(made.root, 6);
    assert_true(ndp_object_is(big, NDP_OBJECT_INT) && big->is_big && big->bytes.size_bytes == 9);
    assert_memory_equal(big->bytes.data, "\0\0\0\0\0\0\0\x80\0", 9);
    assert_true(ndp_object_is(real, NDP_OBJECT_FLOAT));
    memcpy(&bits, &real->real, sizeof bits);
    assert_true(bits == UINT64_C(0xfff8000000000123));
    assert_true(ndp_object_is(text, NDP_OBJECT_TEXT) && text->bytes.size_bytes == 6);
    assert_memory_equal(text->bytes.data, "\0\xc3\xa9\xed\xa0\x80", 6);
    assert_true(ndp_object_is(bytes, NDP_OBJECT_BYTES) && bytes->bytes.size_bytes == 3);
    assert_memory_equal(bytes->bytes.data, "\0\xff\n", 3);
    assert_int_equal(ndp_pickle_make_fixture_item(made.root, 7)->bytes.size_bytes, 0);
    ndp_pickle_make_fixture_clear(&made);
}

static void containers_keep_their_order(void **state) {
    struct ndp_pickle_make_fixture made;
    ndp_pickle_make_fixture_recipe(
        &made, "{'dict':[[3,1],[1,2]]},{'int':'1'},{'objects':{'shape':[2,1],'items':[0,3]}},{'text':'k'}",
        NDP_NUMPY_2_3);
    assert_int_equal(made.status, NDP_OK);
    assert_true(ndp_object_is(made.root, NDP_OBJECT_DICT));
    assert_int_equal(made.root->list.count, 4);
    assert_true(ndp_object_is_text(ndp_pickle_make_fixture_item(made.root, 0), "k"));
    check_int(ndp_pickle_make_fixture_item(made.root, 1), 1);
    assert_ptr_equal(ndp_pickle_make_fixture_item(made.root, 2), ndp_pickle_make_fixture_item(made.root, 1));
    /* _reconstruct(ndarray, (0,), b'b') with (1, shape, dtype, is_fortran, items) */
    const struct ndp_object *array = ndp_pickle_make_fixture_item(made.root, 3);
    assert_true(ndp_object_is(array, NDP_OBJECT_CALL));
    assert_true(ndp_object_is_global(array->call->callable, "numpy._core.multiarray", "_reconstruct"));
    assert_true(ndp_object_is_global(ndp_pickle_make_fixture_item(array->call->args, 0), "numpy", "ndarray"));
    const struct ndp_object *values = array->call->state;
    assert_int_equal(values->list.count, 5);
    check_int(ndp_pickle_make_fixture_item(values, 0), 1);
    check_int(ndp_pickle_make_fixture_item(ndp_pickle_make_fixture_item(values, 1), 0), 2);
    check_int(ndp_pickle_make_fixture_item(ndp_pickle_make_fixture_item(values, 1), 1), 1);
    assert_false(ndp_pickle_make_fixture_item(values, 3)->truth);
    const struct ndp_object *items = ndp_pickle_make_fixture_item(values, 4);
    assert_true(ndp_object_is(items, NDP_OBJECT_LIST) && items->list.count == 2);
    assert_ptr_equal(ndp_pickle_make_fixture_item(items, 0), made.root);
    assert_ptr_equal(ndp_pickle_make_fixture_item(items, 1), ndp_pickle_make_fixture_item(made.root, 0));
    ndp_pickle_make_fixture_clear(&made);
}

/* A promised attribute that is unset is omitted. */
static void unset_attributes_are_omitted(void **state) {
    struct ndp_pickle_make_fixture made;
    ndp_pickle_make_fixture_recipe(&made,
                                   "{'array':{'base':{'dtype':'<f4','shape':[2]},'class':{'name':'reduce_pair'}},"
                                   "'attributes':{'extra':1,'note':1}},{'int':'7'}",
                                   NDP_NUMPY_2_3);
    struct ndp_node *nodes = ndp_arena_copy(&made.arena, made.graph.nodes, 2 * sizeof *nodes);
    struct ndp_edge *edges = ndp_arena_copy(&made.arena, nodes[0].edges, 2 * sizeof *edges);
    assert_true(nodes != NULL && edges != NULL);
    edges[0].to = NDP_GRAPH_UNSET;
    nodes[0].edges = edges;
    made.graph.nodes = nodes;
    ndp_objects_clear(&made.objects);
    made.root = NULL;
    ndp_pickle_make_fixture_run(&made, NDP_NUMPY_2_3);
    const struct ndp_object *dict = ndp_pickle_make_fixture_item(made.root->call->state, 1);
    assert_int_equal(dict->list.count, 2);
    assert_true(ndp_object_is_text(ndp_pickle_make_fixture_item(dict, 0), "note"));
    ndp_pickle_make_fixture_clear(&made);
}

#define TEXT(text)                                                                                                     \
    { (const uint8_t *)(text), sizeof(text) - 1 }

static const struct ndp_edge lone_key = {.role = NDP_EDGE_KEY, .to = 0};

/* Nodes that no recipe describes. */
static void invalid_nodes_are_refused_by_number(void **state) {
    static const struct {
        struct ndp_node node;
        enum ndp_status status;
        const char *text;
    } rows[] = {
        {{.kind = NDP_NODE_VIEW}, NDP_UNSUPPORTED, "nodes[1]: the pickle encoder does not support a view"},
        {{.kind = NDP_NODE_FUNCTION}, NDP_UNSUPPORTED, "nodes[1]: the pickle encoder does not support a function"},
        {{.kind = NDP_NODE_PARTIAL}, NDP_UNSUPPORTED, "nodes[1]: the pickle encoder does not support a partial"},
        {{.kind = NDP_NODE_FLOAT, .text = TEXT("1234567")}, NDP_INVALID, "nodes[1]: double does not have 8 bytes"},
        {{.kind = NDP_NODE_INT, .text = TEXT("x")}, NDP_INVALID, "nodes[1]: invalid integer"},
        {{.kind = NDP_NODE_DICT, .edges = &lone_key, .edge_count = 1}, NDP_INVALID, "nodes[1]: key without a value"},
        {{.kind = NDP_NODE_OTHER, .text = TEXT("builtins.set")}, NDP_UNSUPPORTED, "nodes[1]: "},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct ndp_node nodes[] = {{.kind = NDP_NODE_NONE}, rows[i].node};
        struct ndp_pickle_make_fixture made = {.graph = {0, 2, nodes}};
        ndp_arena_init(&made.arena, NDP_MAKE_ARENA_BYTES);
        ndp_pickle_make_fixture_run(&made, NDP_NUMPY_2_3);
        if (made.status != rows[i].status || strncmp(made.error.text, rows[i].text, strlen(rows[i].text)) != 0)
            fail_msg("row %zu: %s: %s", i, ndp_status_name(made.status), made.error.text);
        ndp_pickle_make_fixture_clear(&made);
    }
}

static void every_failing_allocation_is_reported(void **state) {
    assert_true(ndp_pickle_make_fixture_fail_allocations(
                    "{'list':[1,2,3]},{'int':'99999999999999999999'},{'dict':[[3,0],[1,1]]},{'tuple':[0,2]}",
                    NDP_NUMPY_2_3) > 6);
    assert_true(ndp_pickle_make_fixture_fail_allocations(
                    "{'list':[1,2]},{'objects':{'shape':[2],'items':[0,2]}},{'text':'a'}", NDP_NUMPY_1) > 20);
}

NDP_SUITE(pickle_graph_make_test, NDP_TEST(each_node_is_one_object), NDP_TEST(scalars_keep_their_values),
          NDP_TEST(containers_keep_their_order), NDP_TEST(unset_attributes_are_omitted),
          NDP_TEST(invalid_nodes_are_refused_by_number), NDP_TEST(every_failing_allocation_is_reported));
