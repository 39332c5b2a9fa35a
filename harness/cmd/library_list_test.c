#include "base/suite.h"
#include "cmd/library_list.h"

static enum ndp_status read_list(const char *text, const char *python, struct ndp_library_list *out,
                                 struct ndp_error *error) {
    return ndp_library_list_read(ndp_bytes_view(text), python, out, error);
}

/* Expected: pip 23.2, the specification of requirements files, PEP 503 and PEP 508. */
static void lines_become_libraries(void **state) {
    static const char text[] = "# the newest releases\n"
                               "\n"
                               "joblib==1.6.0\n"
                               "--only-binary :all:\n"
                               "  ruamel_yaml.clib >= 0.2 # tested\n"
                               "dill[graph]==0.4.1\n"
                               "# ---- needed by these ----\n"
                               "PyYAML==6.0.3\r\n"
                               "lz4";
    struct ndp_library_list list;
    struct ndp_error error = {0};
    assert_int_equal(read_list(text, "3.11.2", &list, &error), NDP_OK);
    assert_int_equal(list.count, 5);
    static const struct {
        const char *name;
        bool is_tested;
    } rows[] = {{"JOBLIB", true}, {"pyyaml", false}, {"ruamel.yaml-clib", true}, {"dill", true}, {"lz4", false}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct ndp_listed_library *library = ndp_library_list_find(&list, rows[i].name);
        if (library == NULL || library->is_tested != rows[i].is_tested || !library->is_for_python)
            fail_msg("%s", rows[i].name);
    }
    assert_null(ndp_library_list_find(&list, "graph"));
    assert_null(ndp_library_list_find(&list, ""));
}

static void markers_select_versions_of_python(void **state) {
    static const struct {
        const char *marker;
        const char *python;
        bool is_for_python;
    } rows[] = {
        {"", "3.11.2", true},
        {"; python_version >= \"3.12\"", "3.11.2", false},
        {"; python_version >= \"3.12\"", "3.12.1", true},
        {"; python_version >= '3.9'", "3.10.0", true},
        {";python_version<'3.11'", "3.11.9", false},
        {"; python_version == \"3.11\"", "3.11.9", true},
        {"; python_version != \"3.11\"", "3.11.9", false},
        {"; python_version <= \"3.11\"", "3.11.9", true},
        {"; python_version > \"3.11\"", "3.11.9", false},
        {"; python_version >= \"3.10\" and python_version < \"3.12\"", "3.11.9", true},
        {"; python_version >= \"3.10\" and python_version < \"3.12\"", "3.12.0", false},
        /* Nothing is known about these, so the library is expected. */
        {"; python_version >= \"3.12\"", "", true},
        {"; sys_platform == \"win32\"", "3.11.2", true},
        {"; python_version < \"3.9\" or sys_platform == \"linux\"", "3.11.2", true},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        char text[128];
        struct ndp_library_list list;
        struct ndp_error error = {0};
        snprintf(text, sizeof text, "numba==0.68.1%s # comment\n", rows[i].marker);
        assert_int_equal(read_list(text, rows[i].python, &list, &error), NDP_OK);
        const struct ndp_listed_library *library = ndp_library_list_find(&list, "numba");
        if (library == NULL || library->is_for_python != rows[i].is_for_python)
            fail_msg("%s under %s", rows[i].marker, rows[i].python);
    }
}

/* A library with one line for each version of Python is there if any line is for this one. */
static void lines_of_one_library_are_joined(void **state) {
    static const char text[] = "numpy==2.5; python_version >= \"3.12\"\nnumpy==2.4; python_version == \"3.11\"\n";
    static const struct {
        const char *python;
        bool is_for_python;
    } rows[] = {{"3.10.1", false}, {"3.11.1", true}, {"3.13.0", true}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_library_list list;
        struct ndp_error error = {0};
        assert_int_equal(read_list(text, rows[i].python, &list, &error), NDP_OK);
        assert_int_equal(list.count, 1);
        assert_int_equal(list.items[0].is_for_python, rows[i].is_for_python);
    }
}

static void invalid_lists_are_refused_with_the_line(void **state) {
    struct ndp_library_list list;
    struct ndp_error error = {0};
    assert_int_equal(read_list("numpy==2.4\n==2\n", "", &list, &error), NDP_INVALID);
    assert_non_null(strstr(error.text, "line 2"));
    assert_int_equal(read_list("numpy|2.4\n", "", &list, &error), NDP_INVALID);
    assert_int_equal(read_list("a-name-of-more-than-thirty-one-bytes==1\n", "", &list, &error), NDP_INVALID);
    char text[8 * (NDP_MAX_LISTED_LIBRARIES + 1)] = "";
    for (int i = 0; i <= NDP_MAX_LISTED_LIBRARIES; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "l%d\n", i);
    assert_int_equal(read_list(text, "", &list, &error), NDP_LIMIT);
    char line[600];
    memset(line, 'a', sizeof line);
    assert_int_equal(ndp_library_list_read((struct ndp_bytes){(const uint8_t *)line, sizeof line}, "", &list, &error),
                     NDP_LIMIT);
}

NDP_SUITE(library_list_test, NDP_TEST(lines_become_libraries), NDP_TEST(markers_select_versions_of_python),
          NDP_TEST(lines_of_one_library_are_joined), NDP_TEST(invalid_lists_are_refused_with_the_line));
