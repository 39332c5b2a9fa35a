/* pickle_graph_make_array_test.c: expected: obj.__reduce_ex__(4) of NumPy 1.26.4 and 2.4.6 for arrays of the classes in
 * harness/testees/python/numpy_testee/graph_classes.py. */
#include "base/suite.h"
#include "codec/pickle/pickle_class.h"
#include "codec/pickle/pickle_graph.h"
#include "codec/pickle/pickle_make_fixture.h"

#define F4(shape, rest) "'base':{'dtype':'<f4','shape':" shape rest "}"
#define OF(class)       "{'array':{" F4("[2,2]", "") ",'class':{'name':'" class "'}}"

/* Position of the dict of attributes. */
enum attributes_at { NO_ATTRIBUTES, AFTER_STATE, BESIDE_STATE, AS_ARGUMENT };

static const struct {
    const char *class, *module_1, *module_2, *name;
    enum attributes_at attributes_at;
} classes[] = {
    {"ndarray", "numpy", "numpy", "ndarray", NO_ATTRIBUTES},
    {"matrix", "numpy", "numpy", "matrix", NO_ATTRIBUTES},
    {"recarray", "numpy", "numpy.rec", "recarray", NO_ATTRIBUTES},
    {"plain", "numpy_testee.graph_classes", "numpy_testee.graph_classes", "plain", NO_ATTRIBUTES},
    {"finalize_none", "numpy_testee.graph_classes", "numpy_testee.graph_classes", "finalize_none", NO_ATTRIBUTES},
    {"finalize_getattr", "numpy_testee.graph_classes", "numpy_testee.graph_classes", "finalize_getattr", NO_ATTRIBUTES},
    {"reduce_setstate", "numpy_testee.graph_classes", "numpy_testee.graph_classes", "reduce_setstate", AFTER_STATE},
    {"reduce_pair", "numpy_testee.graph_classes", "numpy_testee.graph_classes", "reduce_pair", BESIDE_STATE},
    {"reduce_only", "numpy_testee.graph_classes", "numpy_testee.graph_classes", "reduce_only", AS_ARGUMENT},
    {"reduce_ex", "numpy_testee.graph_classes", "numpy_testee.graph_classes", "reduce_ex", AS_ARGUMENT},
    {"slots", "numpy_testee.graph_classes", "numpy_testee.graph_classes", "slots", NO_ATTRIBUTES},
};

static const enum ndp_numpy_release releases[] = {NDP_NUMPY_1, NDP_NUMPY_2_3};

static void check_reconstructed(const struct ndp_object *object, bool is_numpy_1, const char *module,
                                const char *name) {
    assert_true(ndp_object_is(object, NDP_OBJECT_CALL));
    assert_true(ndp_object_is_global(object->call->callable,
                                     is_numpy_1 ? "numpy.core.multiarray" : "numpy._core.multiarray", "_reconstruct"));
    assert_int_equal(object->call->args->list.count, 3);
    if (!ndp_object_is_global(ndp_pickle_make_fixture_item(object->call->args, 0), module, name))
        fail_msg("not %s.%s", module, name);
}

/* Returns the dict of attributes and fills NumPy's part of the state; NULL for none. */
static const struct ndp_object *find_attributes(const struct ndp_object *object, enum attributes_at attributes_at,
                                                const struct ndp_object **numpy_state) {
    const struct ndp_object *values = object->call->state;
    *numpy_state = values;
    if (attributes_at == AFTER_STATE) return ndp_pickle_make_fixture_item(values, 5);
    if (attributes_at != BESIDE_STATE) return NULL;
    assert_int_equal(values->list.count, 2);
    *numpy_state = ndp_pickle_make_fixture_item(values, 0);
    return ndp_pickle_make_fixture_item(values, 1);
}

static void classes_are_pickled_under_their_names(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(classes) * 2; i++) {
        const bool is_numpy_1 = i % 2 == 0;
        const char *module = is_numpy_1 ? classes[i / 2].module_1 : classes[i / 2].module_2;
        const enum attributes_at attributes_at = classes[i / 2].attributes_at;
        struct ndp_pickle_make_fixture made;
        char recipe[200];
        snprintf(recipe, sizeof recipe, OF("%s") "}", classes[i / 2].class);
        const bool is_free = attributes_at != NO_ATTRIBUTES;
        if (is_free)
            snprintf(recipe, sizeof recipe, OF("%s") ",'attributes':{'extra':1,'note':0}},{'int':'7'}",
                     classes[i / 2].class);
        ndp_pickle_make_fixture_recipe(&made, recipe, releases[i % 2]);
        if (made.status != NDP_OK) fail_msg("%s: %s", classes[i / 2].class, made.error.text);
        const struct ndp_object *object = made.root, *dict = NULL, *values = NULL;
        if (attributes_at == AS_ARGUMENT) {
            assert_true(ndp_object_is_global(object->call->callable, ndp_pattern_module, "rebuild"));
            assert_int_equal(object->call->args->list.count, 3);
            assert_true(
                ndp_object_is_global(ndp_pickle_make_fixture_item(object->call->args, 0), module, classes[i / 2].name));
            assert_null(object->call->state);
            dict = ndp_pickle_make_fixture_item(object->call->args, 2);
            object = ndp_pickle_make_fixture_item(object->call->args, 1);
            check_reconstructed(object, is_numpy_1, "numpy", "ndarray");
            values = object->call->state;
        } else {
            check_reconstructed(object, is_numpy_1, module, classes[i / 2].name);
            dict = find_attributes(object, attributes_at, &values);
        }
        assert_int_equal(values->list.count, attributes_at == AFTER_STATE ? 6 : 5);
        assert_int_equal(dict != NULL, is_free);
        if (is_free) {
            assert_true(ndp_object_is(dict, NDP_OBJECT_DICT));
            assert_int_equal(dict->list.count, 4);
            assert_true(ndp_object_integer(ndp_object_lookup(dict, "extra")) == 7);
            assert_ptr_equal(ndp_object_lookup(dict, "note"), made.root);
        }
        ndp_pickle_make_fixture_clear(&made);
    }
}

#define MASKED(base, rest, mask)                                                                                       \
    "{'array':{" base ",'class':{'name':'MaskedArray'}}" rest "},{'array':{'base':{'dtype':" mask "}}}"
#define TWO_MASKED                                                                                                     \
    "{'list':[1,2]},{'array':{" F4(                                                                                    \
        "[2]", "") ",'class':{'name':'MaskedArray'}},'mask':3,'fill_value':'0000803f'},"                               \
                   "{'array':{" F4("[2]", "") ",'class':{'name':'MaskedArray'}}},"                                     \
                                              "{'array':{'base':{'dtype':'|b1','shape':[2],'data':{'hex':'0001'}}}}"

/* _mareconstruct(class, ndarray, (0,), 'b') with (1, shape, dtype, is_fortran, bytes, mask, fill value); mask and
 * elements have the same order; a missing mask is all False. */
static void masked_arrays_keep_mask_and_fill_value(void **state) {
    static const struct {
        const char *recipe, *mask;
        uint64_t mask_bytes;
        bool is_fortran;
    } rows[] = {
        {MASKED(F4("[2,2]", ""), ",'mask':1", "'|b1','shape':[2,2],'data':{'hex':'00010000'}"), "\0\1\0\0", 4, false},
        {MASKED(F4("[2,2]", ",'order':'F'"), ",'mask':1", "'|b1','shape':[2,2],'data':{'hex':'00010000'}"), "\0\0\1\0",
         4, true},
        {MASKED(F4("[2,2]", ""), ",'mask':1", "'|b1','shape':[2,2],'order':'F','data':{'hex':'00010000'}"), "\0\0\1\0",
         4, false},
        {MASKED(F4("[3]", ""), "", "'|b1','shape':[2]"), "\0\0\0", 3, false},
        {MASKED(F4("[0]", ""), "", "'|b1','shape':[2]"), "", 0, false},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows) * 2; i++) {
        struct ndp_pickle_make_fixture made;
        ndp_pickle_make_fixture_recipe(&made, rows[i / 2].recipe, releases[i % 2]);
        if (made.status != NDP_OK) fail_msg("%s: %s", rows[i / 2].recipe, made.error.text);
        const struct ndp_object *args = made.root->call->args, *values = made.root->call->state;
        assert_true(ndp_object_is_global(made.root->call->callable, "numpy.ma.core", "_mareconstruct"));
        assert_int_equal(args->list.count, 4);
        assert_true(ndp_object_is_global(ndp_pickle_make_fixture_item(args, 0),
                                         i % 2 == 0 ? "numpy.ma.core" : "numpy.ma", "MaskedArray"));
        assert_true(ndp_object_is_global(ndp_pickle_make_fixture_item(args, 1), "numpy", "ndarray"));
        assert_true(ndp_object_is_text(ndp_pickle_make_fixture_item(args, 3), "b"));
        assert_int_equal(values->list.count, 7);
        assert_int_equal(ndp_pickle_make_fixture_item(values, 3)->truth, rows[i / 2].is_fortran);
        const struct ndp_object *mask = ndp_pickle_make_fixture_item(values, 5);
        assert_true(ndp_object_is(mask, NDP_OBJECT_BYTES));
        if (!ndp_bytes_is_equal(mask->bytes,
                                (struct ndp_bytes){(const uint8_t *)rows[i / 2].mask, rows[i / 2].mask_bytes}))
            fail_msg("%s: another mask", rows[i / 2].recipe);
        assert_true(ndp_object_is(ndp_pickle_make_fixture_item(values, 6), NDP_OBJECT_NONE));
        ndp_pickle_make_fixture_clear(&made);
    }
}

/* The shape (0,) is a constant of NumPy's code. A fill value is a 0-d array. */
static void two_masked_arrays_share_the_objects_that_numpy_shares(void **state) {
    struct ndp_pickle_make_fixture made;
    ndp_pickle_make_fixture_recipe(&made, TWO_MASKED, NDP_NUMPY_2_3);
    if (made.status != NDP_OK) fail_msg("%s", made.error.text);
    const struct ndp_call *first = ndp_pickle_make_fixture_item(made.root, 0)->call,
                          *second = ndp_pickle_make_fixture_item(made.root, 1)->call;
    assert_ptr_equal(ndp_pickle_make_fixture_item(first->args, 2), ndp_pickle_make_fixture_item(second->args, 2));
    assert_int_equal(ndp_pickle_make_fixture_item(first->args, 2)->list.count, 1);
    const struct ndp_object *fill = ndp_pickle_make_fixture_item(first->state, 6);
    check_reconstructed(fill, false, "numpy", "ndarray");
    assert_int_equal(ndp_pickle_make_fixture_item(fill->call->state, 1)->list.count, 0);
    const struct ndp_object *item = ndp_pickle_make_fixture_item(fill->call->state, 4);
    assert_int_equal(item->bytes.size_bytes, 4);
    assert_memory_equal(item->bytes.data, "\0\0\x80\x3f", 4);
    ndp_pickle_make_fixture_clear(&made);
}

/* State that NumPy's pickles drop, and inconsistent nodes. */
static void unsupported_nodes_are_refused_by_number(void **state) {
    static const struct {
        const char *recipe;
        enum ndp_status status;
        const char *text;
    } rows[] = {
        {MASKED(F4("[2]", ""), ",'mask':1,'hard_mask':true", "'|b1','shape':[2]"), NDP_UNSUPPORTED,
         "nodes[0]: hard mask is not preserved by NumPy's pickles"},
        {OF("proxy") ",'attributes':{'wrapped':1}},{'array':{" F4("[1]", "") "}}", NDP_UNSUPPORTED,
         "nodes[0]: pickling of this class is hidden by NumPy's"},
        {OF("Quantity") ",'attributes':{'unit':1}},{'text':'m'}", NDP_UNSUPPORTED,
         "nodes[0]: class defines its own pickling"},
        {"{'list':[1]},{'array':{'base':{'dtype':'|O','shape':[1]}}}", NDP_UNSUPPORTED,
         "nodes[1]: elements are objects"},
        {OF("cudf.pandas") "}", NDP_UNSUPPORTED, "nodes[0]: class defines its own pickling"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_pickle_make_fixture made;
        ndp_pickle_make_fixture_recipe(&made, rows[i].recipe, NDP_NUMPY_2_3);
        if (made.status != rows[i].status || strcmp(made.error.text, rows[i].text) != 0)
            fail_msg("%s: %s: %s", rows[i].recipe, ndp_status_name(made.status), made.error.text);
        ndp_pickle_make_fixture_clear(&made);
    }
}

/* Graphs that no recipe describes, modified after the build. */
static void inconsistent_nodes_are_refused(void **state) {
    for (uint32_t change = 0; change < 5; change++) {
        static const char *const texts[] = {
            "nodes[1]: size of the mask differs from the array", "nodes[1]: size of the mask differs from the array",
            "nodes[1]: size of the fill value differs from the dtype", "nodes[0]: too many dimensions",
            "nodes[1]: size of the mask differs from the array"};
        struct ndp_pickle_make_fixture made;
        ndp_pickle_make_fixture_recipe(&made, TWO_MASKED, NDP_NUMPY_2_3);
        struct ndp_node *nodes = ndp_arena_copy(&made.arena, made.graph.nodes, made.graph.count * sizeof *nodes);
        assert_non_null(nodes);
        made.graph.nodes = nodes;
        if (change == 0) nodes[3].model.layout.shape[0] = 1;
        if (change == 1) nodes[3].model.dtype = nodes[1].model.dtype;
        if (change == 2) nodes[1].fill_value.size_bytes = 3;
        if (change == 3) nodes[0] = (struct ndp_node){.kind = NDP_NODE_OBJECTS, .ndim = NDP_MAX_NDIM + 1};
        if (change == 4) nodes[3].kind = NDP_NODE_NONE;
        ndp_objects_clear(&made.objects);
        made.root = NULL;
        ndp_pickle_make_fixture_run(&made, NDP_NUMPY_2_3);
        if (made.status != (change == 3 ? NDP_LIMIT : NDP_INVALID) || strcmp(made.error.text, texts[change]) != 0)
            fail_msg("%u: %s: %s", change, ndp_status_name(made.status), made.error.text);
        ndp_pickle_make_fixture_clear(&made);
    }
}

static void every_failing_allocation_is_reported(void **state) {
    assert_true(ndp_pickle_make_fixture_fail_allocations(TWO_MASKED, NDP_NUMPY_2_3) > 40);
    assert_true(
        ndp_pickle_make_fixture_fail_allocations(OF("reduce_setstate") ",'attributes':{'extra':0}}", NDP_NUMPY_1) > 20);
    assert_true(
        ndp_pickle_make_fixture_fail_allocations(OF("reduce_pair") ",'attributes':{'extra':0}}", NDP_NUMPY_2_3) > 20);
    assert_true(ndp_pickle_make_fixture_fail_allocations(OF("reduce_ex") ",'attributes':{'extra':1}},{'int':'7'}",
                                                         NDP_NUMPY_2_3) > 20);
}

NDP_SUITE(pickle_graph_make_array_test, NDP_TEST(classes_are_pickled_under_their_names),
          NDP_TEST(masked_arrays_keep_mask_and_fill_value),
          NDP_TEST(two_masked_arrays_share_the_objects_that_numpy_shares),
          NDP_TEST(unsupported_nodes_are_refused_by_number), NDP_TEST(inconsistent_nodes_are_refused),
          NDP_TEST(every_failing_allocation_is_reported));
