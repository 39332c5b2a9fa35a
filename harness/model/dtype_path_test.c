#include "base/suite.h"
#include "model/dtype_path.h"

static void pieces_are_appended_and_can_be_cut(void **state) {
    struct ndp_dtype_path path = {.length = 0};
    ndp_dtype_path_add(&path, "/%s", "fields");
    ndp_dtype_path_add_key(&path, "/", 0);
    ndp_dtype_path_add_word(&path, "/dtype");
    assert_string_equal(path.text, "/fields/0/dtype");
    assert_int_equal(path.length, 15);
    ndp_dtype_path_cut(&path, 7);
    assert_string_equal(path.text, "/fields");
    ndp_dtype_path_add_key(&path, "/", UINT64_MAX);
    assert_string_equal(path.text, "/fields/18446744073709551615");
    ndp_dtype_path_cut(&path, 0);
    assert_string_equal(path.text, "");
}

static void names_are_always_printable(void **state) {
    static const struct {
        struct ndp_bytes name;
        const char *text;
    } rows[] = {
        {{(const uint8_t *)"ab", 2}, "ab"},
        {{(const uint8_t *)"", 0}, ""},
        {{(const uint8_t *)"a b", 3}, "a\\x20b"},
        {{(const uint8_t *)"\0\n\x7f", 3}, "\\x00\\x0a\\x7f"},
        {{(const uint8_t *)"\xc3\xa9~!", 4}, "\\xc3\\xa9~!"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_dtype_path path = {.length = 0};
        ndp_dtype_path_add_name(&path, rows[i].name);
        assert_string_equal(path.text, rows[i].text);
        ndp_dtype_path_cut(&path, 0);
        ndp_dtype_path_add_word(&path, "x");
        ndp_dtype_path_add_name(&path, rows[i].name);
        assert_int_equal(strncmp(path.text, "x.", 2), 0);
        assert_string_equal(path.text + 2, rows[i].text);
    }
}

/* Expected: numpy.unravel_index(number, shape) of NumPy 2.4.6. */
static void indices_are_those_of_c_order(void **state) {
    static const struct {
        uint32_t ndim;
        int64_t shape[3];
        uint64_t number;
        const char *text;
    } rows[] = {
        {0, {0}, 0, "[]"},
        {1, {5}, 4, "[4]"},
        {2, {2, 3}, 5, "[1,2]"},
        {3, {2, 3, 4}, 17, "[1,1,1]"},
        {3, {2, 1, INT64_MAX}, UINT64_C(9223372036854775806), "[0,0,9223372036854775806]"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_dtype_path path = {.length = 0};
        ndp_dtype_path_add_index(&path, rows[i].shape, rows[i].ndim, rows[i].number);
        assert_string_equal(path.text, rows[i].text);
    }
    static const int64_t empty[] = {2, 0};
    struct ndp_dtype_path path = {.length = 0};
    ndp_dtype_path_add_index(&path, empty, 2, 0);
    assert_string_equal(path.text, "[0,0]");
}

/* Text added beyond the capacity is cut, and `length` stays correct. */
static void long_paths_are_cut(void **state) {
    static const int64_t shape[] = {1000, 1000};
    for (size_t start = NDP_ERROR_PATH_BYTES - 12; start < NDP_ERROR_PATH_BYTES; start++) {
        for (int way = 0; way < 5; way++) {
            struct ndp_dtype_path path = {.length = start};
            memset(path.text, 'x', start);
            path.text[start] = '\0';
            for (int i = 0; i < 3; i++) {
                if (way == 0) ndp_dtype_path_add(&path, "%s", "abcdef");
                if (way == 1) ndp_dtype_path_add_word(&path, "abcdef");
                if (way == 2) ndp_dtype_path_add_key(&path, "key", UINT64_MAX);
                if (way == 3)
                    ndp_dtype_path_add_name(&path, ndp_bytes_view("a\x01"
                                                                  "b\x02"));
                if (way == 4) ndp_dtype_path_add_index(&path, shape, 2, 999999);
                assert_true(path.length < NDP_ERROR_PATH_BYTES);
                assert_int_equal(strlen(path.text), path.length);
            }
            assert_int_equal(path.length, NDP_ERROR_PATH_BYTES - 1);
        }
    }
}

NDP_SUITE(dtype_path_test, NDP_TEST(pieces_are_appended_and_can_be_cut), NDP_TEST(names_are_always_printable),
          NDP_TEST(indices_are_those_of_c_order), NDP_TEST(long_paths_are_cut));
