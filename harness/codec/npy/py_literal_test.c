/* py_literal_test.c: trees of literals. Expected: repr(ast.literal_eval(text)) of CPython 3.11 for values that a header
 * may contain, as printed by `write_repr` below; refused: numpy.load of a header that contains the text. */
#include "base/arena_fixture.h"
#include "base/suite.h"
#include "codec/npy/py_literal.h"
#include "codec/npy/py_repr.h"

enum { ARENA_BYTES = 1 << 20 };

static const struct ndp_literal_options strict = {.max_nesting = 8};
static const struct ndp_literal_options lenient = {.is_lenient = true, .max_nesting = 8};
static const struct ndp_literal_options utf8 = {.is_utf8 = true, .max_nesting = 8};
static const struct ndp_literal_options with_long = {.allows_long = true, .max_nesting = 8};

/* Writes the literal as repr() does. The depth is that of the rows below. */
static void write_repr(struct ndp_buffer *to, const struct ndp_literal *node) {
    static const char *const words[] = {"", "", "True", "False", "None", "[]", "()", "{}"};
    uint32_t highest = 0;
    if (node->kind == NDP_LITERAL_STRING) {
        assert_int_equal(ndp_py_repr_text(to, node->text, &highest), NDP_OK);
    } else if (node->kind == NDP_LITERAL_INT) {
        if (node->integer_fits) assert_int_equal(ndp_py_repr_int(to, node->integer), NDP_OK);
        if (!node->integer_fits) assert_int_equal(node->integer, 0);
        if (!node->integer_fits) assert_int_equal(ndp_buffer_printf(to, "too large"), NDP_OK);
    } else if (node->kind < NDP_LITERAL_LIST) {
        assert_int_equal(ndp_buffer_printf(to, "%s", words[node->kind]), NDP_OK);
    } else {
        uint64_t count = 0;
        assert_int_equal(ndp_buffer_add(to, &words[node->kind][0], 1), NDP_OK);
        for (const struct ndp_literal *item = node->first; item != NULL; item = item->next, count++) {
            const bool is_value = node->kind == NDP_LITERAL_DICT && count % 2 == 1;
            if (count > 0) assert_int_equal(ndp_buffer_printf(to, is_value ? ": " : ", "), NDP_OK);
            write_repr(to, item);
        }
        assert_int_equal(count, node->count);
        if (node->kind == NDP_LITERAL_TUPLE && count == 1) assert_int_equal(ndp_buffer_add(to, ",", 1), NDP_OK);
        assert_int_equal(ndp_buffer_add(to, &words[node->kind][1], 1), NDP_OK);
    }
}

/* Reads an exact-size copy of the text. */
static enum ndp_status read_exact(struct ndp_arena *arena, const char *text, const struct ndp_literal_options *options,
                                  const struct ndp_literal **out, struct ndp_error *error) {
    const size_t size = strlen(text);
    uint8_t *exact = malloc(size == 0 ? 1 : size);
    assert_non_null(exact);
    if (size > 0) memcpy(exact, text, size);
    const enum ndp_status status = ndp_py_literal_read(arena, (struct ndp_bytes){exact, size}, options, out, error);
    free(exact);
    return status;
}

static void literals_are_read_as_python_evaluates_them(void **state) {
    static const struct {
        const struct ndp_literal_options *options;
        const char *text;
        const char *repr;
    } rows[] = {
        {&strict, "{'a': 1, \"b\": (2, 3), 'c': [True, False, None]}",
         "{'a': 1, 'b': (2, 3), 'c': [True, False, None]}"},
        {&strict, "()", "()"},
        {&strict, "(1,)", "(1,)"},
        {&strict, "(1)", "1"},
        {&strict, "((((1,)),))", "((1,),)"},
        {&strict, "[1, ]", "[1]"},
        {&strict, "[(), (), (), (), (), (), (), (), ()]", "[(), (), (), (), (), (), (), (), ()]"},
        {&strict, "{}", "{}"},
        {&strict, " \t{ 'a'\n:\r\n1 , # } \n }  # x", "{'a': 1}"},
        {&strict, "[0x1F, 0o17, 0b101, 1_000, 00, -5, + 7, - 0]", "[31, 15, 5, 1000, 0, -5, 7, 0]"},
        {&strict, "[9223372036854775807, -9223372036854775808]", "[9223372036854775807, -9223372036854775808]"},
        {&strict, "[9223372036854775808, -9223372036854775809, 0x1_0000_0000_0000_0000]",
         "[too large, too large, too large]"},
        {&strict, "['a' \"b\" '''c'd''', r'\\n', u'x']", "[\"abc'd\", '\\\\n', 'x']"},
        {&strict, "'\\\\ \\' \\\" \\a\\b\\f\\n\\r\\t\\v \\101 \\7 \\x41 \\u00e9 \\U0001f600 a\\\nb'",
         "'\\\\ \\' \" \\x07\\x08\\x0c\\n\\r\\t\\x0b A \\x07 A \xc3\xa9 \xf0\x9f\x98\x80 ab'"},
        {&strict, "'''a\r\nb\rc'''", "'a\\nb\\nc'"},
        {&strict, "'\xc3\xa9'", "'\xc3\x83\xc2\xa9'"},
        {&utf8, "'\xc3\xa9'", "'\xc3\xa9'"},
        {&with_long, "[4L, 0x4L, 5 L]", "[4, 4, 5]"},
        {&lenient, "'\\q'", "'\\\\q'"},
        {&lenient, "(1, \\\n2)", "(1, 2)"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_error error = {0};
        const struct ndp_literal *root = NULL;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        NDP_BUFFER_SCOPED(buffer, 1000);
        if (read_exact(&arena, rows[i].text, rows[i].options, &root, &error) != NDP_OK)
            fail_msg("%s: %s", rows[i].text, error.text);
        write_repr(&buffer, root);
        if (!ndp_bytes_is_equal(ndp_buffer_view(&buffer), ndp_bytes_view(rows[i].repr)))
            fail_msg("%s is read as %.*s", rows[i].text, (int)buffer.size_bytes, (const char *)buffer.data);
    }
}

static void errors_have_offsets(void **state) {
    static const struct {
        const struct ndp_literal_options *options;
        const char *text;
        enum ndp_status status;
        uint64_t at_bytes;
    } rows[] = {
        {&strict, "", NDP_INVALID, 0},
        {&strict, "  # x", NDP_INVALID, 5},
        {&strict, "\n  {}", NDP_INVALID, 1},
        {&strict, "[1", NDP_INVALID, 2},
        {&strict, "[1}", NDP_INVALID, 2},
        {&strict, "[1 2]", NDP_INVALID, 3},
        {&strict, "(,)", NDP_INVALID, 1},
        {&strict, "[1,,]", NDP_INVALID, 3},
        {&strict, "{'a'}", NDP_INVALID, 4},
        {&strict, "{'a':}", NDP_INVALID, 5},
        {&strict, "{'b': 2, 1: 1}", NDP_INVALID, 9},
        {&strict, "[True, true]", NDP_INVALID, 7},
        {&strict, "[1.5]", NDP_INVALID, 2},
        {&strict, "[1j]", NDP_INVALID, 2},
        {&strict, "[04]", NDP_INVALID, 1},
        {&strict, "[4_]", NDP_INVALID, 3},
        {&strict, "[0x]", NDP_INVALID, 3},
        {&strict, "[--1]", NDP_INVALID, 2},
        {&strict, "[4L]", NDP_INVALID, 2},
        {&strict, "['a]", NDP_INVALID, 1},
        {&strict, "['a\n']", NDP_INVALID, 3},
        {&strict, "['ab\\x4']", NDP_INVALID, 4},
        {&strict, "['a\\U00110000']", NDP_INVALID, 3},
        {&strict, "b'a'", NDP_INVALID, 0},
        {&strict, "{} {}", NDP_INVALID, 3},
        {&strict, "{}\n ", NDP_INVALID, 3},
        {&with_long, "{}\n ", NDP_UNSUPPORTED, 3},
        {&utf8, "['\xe9']", NDP_INVALID, 2},
        {&strict, "['a\\q']", NDP_UNSUPPORTED, 3},
        {&lenient, "['a\\N{DIGIT ONE}']", NDP_UNSUPPORTED, 3},
        {&strict, "[1, \\\n2]", NDP_UNSUPPORTED, 4},
        {&lenient, "[-(1)]", NDP_UNSUPPORTED, 2},
        {&strict, "[[[[[[[[[]]]]]]]]]", NDP_LIMIT, 8},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_literal_options options = *rows[i].options;
        struct ndp_error error = {0};
        const struct ndp_literal *root = NULL;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        options.start_bytes = 100;
        const enum ndp_status status = read_exact(&arena, rows[i].text, &options, &root, &error);
        if (status != rows[i].status || error.status != status || error.offset_bytes != 100 + rows[i].at_bytes)
            fail_msg("%s: %s at %d, %s", rows[i].text, ndp_status_name(status), (int)error.offset_bytes - 100,
                     error.text);
        assert_null(root);
    }
}

/* CPython's limit on the digits of an int: sys.int_info.default_max_str_digits, 3.11. */
static void a_number_of_too_many_digits_is_refused(void **state) {
    struct ndp_arena *arena = *state;
    static char text[4310], zeros[4310];
    memset(text, '1', 4301);
    memset(zeros, '0', 4301);
    const struct ndp_literal *root = NULL;
    assert_int_equal(read_exact(arena, text, &strict, &root, NULL), NDP_INVALID);
    assert_int_equal(read_exact(arena, text + 1, &strict, &root, NULL), NDP_OK);
    assert_false(root->integer_fits);
    /* ast.literal_eval("0" * 4301) is 0. */
    assert_int_equal(read_exact(arena, zeros, &strict, &root, NULL), NDP_OK);
    assert_true(root->integer_fits && root->integer == 0);
}

static void offsets_count_from_the_given_start(void **state) {
    struct ndp_arena *arena = *state;
    const struct ndp_literal_options options = {.start_bytes = 10, .max_nesting = 2};
    const struct ndp_literal *root = NULL;
    assert_int_equal(read_exact(arena, " ['ab', -1]", &options, &root, NULL), NDP_OK);
    assert_int_equal(root->offset_bytes, 11);
    assert_int_equal(root->first->offset_bytes, 12);
    assert_int_equal(root->first->next->offset_bytes, 18);
    assert_null(root->next);
}

static void every_failing_allocation_is_reported(void **state) {
    uint64_t call = 0;
    enum ndp_status status = NDP_NOMEM;
    while (status != NDP_OK) {
        struct ndp_error error = {0};
        const struct ndp_literal *root = NULL;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        ndp_arena_fail_at(&arena, ++call);
        status = read_exact(&arena, "{'a': ((1), True), 'b': [None]}", &strict, &root, &error);
        assert_int_equal(status, status == NDP_OK ? NDP_OK : NDP_NOMEM);
        if (status != NDP_OK) assert_int_equal(error.status, NDP_NOMEM);
    }
    assert_true(call > 10);
}

NDP_SUITE_FIXTURE(py_literal_test, make_arena, clear_arena, NDP_TEST(literals_are_read_as_python_evaluates_them),
                  NDP_TEST(errors_have_offsets), NDP_TEST(a_number_of_too_many_digits_is_refused),
                  NDP_TEST(offsets_count_from_the_given_start), NDP_TEST(every_failing_allocation_is_reported));
