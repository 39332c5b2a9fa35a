#include "base/suite.h"
#include "model/value.h"

/* Source: the mode argument of numpy.memmap (numpy/_core/memmap.py, 2.4). */
static void modes_are_numpys_and_found_by_their_words(void **state) {
    static const struct {
        enum ndp_map_mode mode;
        const char *word;
    } rows[] = {{NDP_MAP_READ, "r"}, {NDP_MAP_READ_WRITE, "r+"}, {NDP_MAP_COPY, "c"}};
    static const char *const others[] = {"", "R", "rw", "r+b", "w", " r", "r ", "readonly"};
    enum ndp_map_mode mode = NDP_MAP_COPY;
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        assert_string_equal(ndp_map_mode_words[rows[i].mode], rows[i].word);
        assert_true(ndp_value_find_map_mode(rows[i].word, &mode));
        assert_int_equal(mode, rows[i].mode);
    }
    for (size_t i = 0; i < NDP_ARRAY_LEN(others); i++) {
        if (ndp_value_find_map_mode(others[i], &mode)) fail_msg("'%s' is a mode", others[i]);
        assert_int_equal(mode, NDP_MAP_COPY);
    }
    for (uint32_t i = 0; i < NDP_MAP_MODE_COUNT; i++) {
        assert_true(ndp_value_find_map_mode(ndp_map_mode_words[i], &mode));
        assert_int_equal(mode, i);
    }
}

/* Source: NumPy's array interface, version 3, "typestr"; O is not portable. R and A do not occur in typestrs. */
static void kinds_have_the_letters_of_the_array_interface(void **state) {
    static const struct {
        enum ndp_kind kind;
        char code;
    } rows[] = {
        {NDP_KIND_BOOL, 'b'},     {NDP_KIND_INT, 'i'},       {NDP_KIND_UINT, 'u'},   {NDP_KIND_FLOAT, 'f'},
        {NDP_KIND_COMPLEX, 'c'},  {NDP_KIND_BYTES, 'S'},     {NDP_KIND_TEXT, 'U'},   {NDP_KIND_VOID, 'V'},
        {NDP_KIND_DATETIME, 'M'}, {NDP_KIND_TIMEDELTA, 'm'}, {NDP_KIND_OBJECT, 'O'},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++)
        if (ndp_kind_codes[rows[i].kind] != rows[i].code) fail_msg("kind %c", rows[i].code);
    for (uint32_t i = 0; i < NDP_KIND_COUNT; i++)
        assert_ptr_equal(memchr(ndp_kind_codes, ndp_kind_codes[i], NDP_KIND_COUNT), &ndp_kind_codes[i]);
}

NDP_SUITE(value_words_test, NDP_TEST(modes_are_numpys_and_found_by_their_words),
          NDP_TEST(kinds_have_the_letters_of_the_array_interface));
