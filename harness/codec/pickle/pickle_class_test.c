/* Expected: type(array).__module__ and __qualname__ of NumPy 1.26.4 and 2.4.6, and the behaviour of
 * numpy_testee.graph_classes during unpickling. */

#include "base/suite.h"
#include "codec/pickle/pickle_class.h"
#include "model/graph/array_class.h"

static const struct {
    enum ndp_array_class class;
    const char *module_1, *module_2; /* NumPy 1.26.4, 2.4.6 */
    const char *name;
} names[] = {
    {NDP_CLASS_NDARRAY, "numpy", "numpy", "ndarray"},
    {NDP_CLASS_MEMMAP, "numpy", "numpy", "memmap"},
    {NDP_CLASS_MATRIX, "numpy", "numpy", "matrix"},
    {NDP_CLASS_RECARRAY, "numpy", "numpy.rec", "recarray"},
    {NDP_CLASS_MASKED, "numpy.ma.core", "numpy.ma", "MaskedArray"},
    {NDP_CLASS_PLAIN, "numpy_testee.graph_classes", "numpy_testee.graph_classes", "plain"},
    {NDP_CLASS_PROXY, "numpy_testee.graph_classes", "numpy_testee.graph_classes", "proxy"},
};

static struct ndp_object *global(struct ndp_objects *objects, const char *module, const char *name) {
    struct ndp_object *object =
        ndp_object_global(objects, ndp_object_text(objects, module), ndp_object_text(objects, name));
    assert_non_null(object);
    return object;
}

static void names_equal_numpys(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(names); i++) {
        const char *module = NULL, *name = NULL;
        assert_true(ndp_pickle_class_names(names[i].class, true, &module, &name));
        assert_string_equal(module, names[i].module_1);
        assert_string_equal(name, names[i].name);
        assert_true(ndp_pickle_class_names(names[i].class, false, &module, &name));
        assert_string_equal(module, names[i].module_2);
        assert_string_equal(name, names[i].name);
    }
}

/* Classes of other libraries define their own pickling. */
static void classes_of_other_libraries_have_no_names(void **state) {
    const char *module = NULL, *name = NULL;
    assert_false(ndp_pickle_class_names(NDP_CLASS_QUANTITY, false, &module, &name));
    assert_false(ndp_pickle_class_names(NDP_CLASS_CUDF, true, &module, &name));
}

static void every_written_name_is_found(void **state) {
    struct ndp_objects objects;
    NDP_ARENA_SCOPED(arena, 1 << 20);
    ndp_objects_init(&objects, &arena);
    for (uint32_t class = 0; class < NDP_CLASS_COUNT; class ++) {
        for (int is_numpy_1 = 0; is_numpy_1 < 2; is_numpy_1++) {
            const char *module = NULL, *name = NULL;
            enum ndp_array_class found;
            if (!ndp_pickle_class_names((enum ndp_array_class) class, is_numpy_1 != 0, &module, &name)) continue;
            assert_true(ndp_pickle_class_find(global(&objects, module, name), &found));
            assert_int_equal(found, class);
        }
    }
}

static void older_names_are_found_and_unknown_names_are_not(void **state) {
    static const struct {
        const char *module, *name;
        bool is_known;
        enum ndp_array_class class;
    } rows[] = {
        {"numpy.core.defmatrix", "matrix", true, NDP_CLASS_MATRIX}, /* 1.3 and earlier */
        {"numpy.matrixlib.defmatrix", "matrix", true, NDP_CLASS_MATRIX},
        {"numpy.core.records", "recarray", true, NDP_CLASS_RECARRAY},
        {"numpy.core.memmap", "memmap", true, NDP_CLASS_MEMMAP},
        {"numpy", "ndarray ", false, NDP_CLASS_NDARRAY},
        {"numpy", "plain", false, NDP_CLASS_NDARRAY},
        {"numpy_testee.graph_classes", "ndarray", false, NDP_CLASS_NDARRAY},
        {"numpy_testee.graph_classes", "MaskedArray", false, NDP_CLASS_NDARRAY},
        {"", "", false, NDP_CLASS_NDARRAY},
    };
    struct ndp_objects objects;
    enum ndp_array_class found = NDP_CLASS_COUNT;
    NDP_ARENA_SCOPED(arena, 1 << 20);
    ndp_objects_init(&objects, &arena);
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        assert_int_equal(ndp_pickle_class_find(global(&objects, rows[i].module, rows[i].name), &found),
                         rows[i].is_known);
        if (rows[i].is_known) assert_int_equal(found, rows[i].class);
    }
    assert_true(ndp_pickle_class_find(NULL, &found));
    assert_int_equal(found, NDP_CLASS_NDARRAY);
    assert_false(ndp_pickle_class_find(ndp_object_none(&objects), &found));
}

static void position_of_attributes_depends_on_the_class(void **state) {
    static const struct {
        enum ndp_array_class class;
        enum ndp_pickled_attributes attributes;
        bool sets_promised;
    } rows[] = {
        {NDP_CLASS_NDARRAY, NDP_PICKLED_NONE, false},        {NDP_CLASS_PLAIN, NDP_PICKLED_NONE, false},
        {NDP_CLASS_FINALIZE_NONE, NDP_PICKLED_NONE, false},  {NDP_CLASS_FINALIZE_GETATTR, NDP_PICKLED_NONE, true},
        {NDP_CLASS_REDUCE_SETSTATE, NDP_PICKLED_LAST, true}, {NDP_CLASS_REDUCE_PAIR, NDP_PICKLED_PAIR, true},
        {NDP_CLASS_REDUCE_ONLY, NDP_PICKLED_REBUILD, true},  {NDP_CLASS_REDUCE_EX, NDP_PICKLED_REBUILD, true},
        {NDP_CLASS_SLOTS, NDP_PICKLED_NONE, false},          {NDP_CLASS_PROXY, NDP_PICKLED_NONE, false},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        assert_int_equal(ndp_pickle_class_attributes(rows[i].class), rows[i].attributes);
        assert_int_equal(ndp_pickle_class_sets_promised(rows[i].class), rows[i].sets_promised);
    }
}

NDP_SUITE(pickle_class_test, NDP_TEST(names_equal_numpys), NDP_TEST(classes_of_other_libraries_have_no_names),
          NDP_TEST(every_written_name_is_found), NDP_TEST(older_names_are_found_and_unknown_names_are_not),
          NDP_TEST(position_of_attributes_depends_on_the_class));
