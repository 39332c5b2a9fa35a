/* Expected: names and marks of harness/testees/python/numpy_testee/graph_functions.py. */
#include <string.h>

#include "base/suite.h"
#include "codec/pickle/pickle_function.h"

static const struct {
    const char *module, *name;
    bool is_there;
    enum ndp_code code;
} rows[] = {
    {"numpy_testee.graph_functions", "const", true, NDP_CODE_CONST},
    {"numpy_testee.graph_functions", "add", true, NDP_CODE_ADD},
    {"numpy_testee.graph_functions", "identity", true, NDP_CODE_IDENTITY},
    {"numpy_testee.graph_functions", "decorated", true, NDP_CODE_CALL},
    {"numpy_testee.graph_functions", "_hidden", false, NDP_CODE_CONST},
    {"numpy_testee.graph_functions", "ad", false, NDP_CODE_CONST},
    {"numpy", "add", false, NDP_CODE_CONST},
};

static void functions_go_by_module_and_name(void **state) {
    (void)state;
    struct ndp_arena arena;
    struct ndp_objects objects;
    ndp_arena_init(&arena, 1 << 20);
    ndp_objects_init(&objects, &arena);
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct ndp_named_function *found = ndp_function_find(ndp_object_global(
            &objects, ndp_object_text(&objects, rows[i].module), ndp_object_text(&objects, rows[i].name)));
        assert_int_equal(found != NULL, rows[i].is_there);
        if (found == NULL) continue;
        assert_string_equal(found->name, rows[i].name);
        assert_int_equal(found->code, rows[i].code);
        assert_ptr_equal(ndp_function_named(ndp_bytes_view(rows[i].name), rows[i].code), found);
    }
    assert_null(ndp_function_find(ndp_object_none(&objects)));
    ndp_arena_clear(&arena);
}

/* What a decorator hides is no longer what the module has under the name. */
static void a_name_with_another_code_is_another_function(void **state) {
    (void)state;
    assert_null(ndp_function_named(ndp_bytes_view("decorated"), NDP_CODE_IDENTITY));
    assert_null(ndp_function_named(ndp_bytes_view("add"), NDP_CODE_CONST));
    assert_null(ndp_function_named(ndp_bytes_view(""), NDP_CODE_ADD));
}

NDP_SUITE(pickle_function_test, cmocka_unit_test(functions_go_by_module_and_name),
          cmocka_unit_test(a_name_with_another_code_is_another_function));
