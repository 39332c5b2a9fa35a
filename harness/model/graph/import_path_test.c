#include "base/suite.h"
#include "model/graph/import_path.h"

static void paths_are_two_dotted_names(void **state) {
    static const char *const right[] = {"a:B", "a.b_1:C", "datetime:datetime.fromisoformat", "_x:_y"};
    static const char *const wrong[] = {"",     "a.B",   "a:",   ":B",   "a:B:C", "a..b:C", "a:B()",
                                        "a:1B", "a b:C", "a:B.", ".a:B", "a/b:C", "a:B ",   "1a:B"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(right); i++)
        if (!ndp_import_path_is_valid(ndp_bytes_view(right[i]))) fail_msg("%s", right[i]);
    for (size_t i = 0; i < NDP_ARRAY_LEN(wrong); i++)
        if (ndp_import_path_is_valid(ndp_bytes_view(wrong[i]))) fail_msg("%s", wrong[i]);
}

static void kept_names_are_attributes_and_methods(void **state) {
    static const char *const right[] = {"mask", "toarray()", "dtype.str", "unit.to_string()", "a().b", "__iter__"};
    static const char *const wrong[] = {"", "()", "a(", "a)", "a(1)", "a.", ".a", "a()b", "a-b"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(right); i++)
        if (!ndp_import_path_is_kept_name(ndp_bytes_view(right[i]))) fail_msg("%s", right[i]);
    for (size_t i = 0; i < NDP_ARRAY_LEN(wrong); i++)
        if (ndp_import_path_is_kept_name(ndp_bytes_view(wrong[i]))) fail_msg("%s", wrong[i]);
}

static void the_package_is_the_first_name(void **state) {
    assert_true(ndp_bytes_is_word(ndp_import_path_package(ndp_bytes_view("astropy.units:Quantity")), "astropy"));
    assert_true(ndp_bytes_is_word(ndp_import_path_package(ndp_bytes_view("uuid:UUID")), "uuid"));
}

static void a_path_is_in_its_module_only(void **state) {
    const struct ndp_bytes path = ndp_bytes_view("scipy.sparse:csr_array");
    assert_true(ndp_import_path_is_in(path, "scipy.sparse"));
    assert_false(ndp_import_path_is_in(path, "scipy"));
    assert_false(ndp_import_path_is_in(path, "scipy.sparse:csr_array"));
}

NDP_SUITE(import_path_test, NDP_TEST(paths_are_two_dotted_names), NDP_TEST(kept_names_are_attributes_and_methods),
          NDP_TEST(the_package_is_the_first_name), NDP_TEST(a_path_is_in_its_module_only));
