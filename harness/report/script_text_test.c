/* script_text_test.c: pieces of Python. Expected: ast.literal_eval(text) of CPython 3.11 gives the value of each row.
 */
#include <string.h>

#include "base/suite.h"
#include "report/script_fixture.h"

#define BYTES(literal)                                                                                                 \
    { (const uint8_t *)(literal), sizeof(literal) - 1 }

static void literals_mean_their_value(void **state) {
    (void)state;
    static const struct {
        struct ndp_bytes value;
        const char *as_bytes;
        const char *as_string; /* NULL: no text */
    } rows[] = {
        {BYTES(""), "b\"\"", "\"\""},
        {BYTES("ab'"), "b\"ab'\"", "\"ab'\""},
        {BYTES("\"\\%s"), "b\"\\\"\\\\%s\"", "\"\\\"\\\\%s\""},
        {BYTES("\0\n\x7f"), "b\"\\x00\\x0a\\x7f\"", "\"\\x00\\x0a\\x7f\""},
        {BYTES("\xc3\xa9"), "b\"\\xc3\\xa9\"", "\"\\xe9\""},
        {BYTES("\xe2\x82\xac"), "b\"\\xe2\\x82\\xac\"", "\"\\u20ac\""},
        {BYTES("\xed\xa0\x80"), "b\"\\xed\\xa0\\x80\"", "\"\\ud800\""},
        {BYTES("\xf0\x9f\x98\x80"), "b\"\\xf0\\x9f\\x98\\x80\"", "\"\\U0001f600\""},
        {BYTES("\xff"), "b\"\\xff\"", NULL},
        {BYTES("aaaaaaaa"), "b\"aaaaaaaa\"", "\"aaaaaaaa\""},
        {BYTES("aaaaaaaaa"), "b\"a\" * 9", "\"aaaaaaaaa\""},
        {BYTES("aaaaaaaab"), "b\"aaaaaaaab\"", "\"aaaaaaaab\""},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct making m;
        making_init(&m);
        assert_string_equal(ndp_script_bytes(&m.script, rows[i].value), rows[i].as_bytes);
        assert_string_equal(ndp_script_string(&m.script, rows[i].value),
                            rows[i].as_string == NULL ? "" : rows[i].as_string);
        assert_int_equal(m.script.status, rows[i].as_string == NULL ? NDP_INVALID : NDP_OK);
        making_clear(&m);
    }
}

static void tuples_have_their_comma(void **state) {
    (void)state;
    static const int64_t items[] = {3, -1, INT64_MIN};
    static const char *const texts[] = {"()", "(3,)", "(3, -1)", "(3, -1, -9223372036854775808)"};
    struct making m;
    making_init(&m);
    for (uint32_t count = 0; count < NDP_ARRAY_LEN(texts); count++)
        assert_string_equal(ndp_script_tuple(&m.script, items, count), texts[count]);
    making_clear(&m);
}

static void lines_are_indented_in_the_body_and_not_at_the_top(void **state) {
    (void)state;
    struct making m;
    making_init(&m);
    m.script.indent = "    ";
    ndp_script_do(&m.script, "a = 1\nb = 2\n");
    ndp_script_do(&m.script, "c = 3");
    ndp_script_do(&m.script, "");
    ndp_script_define(&m.script, "def f():\n    pass");
    assert_true(
        ndp_bytes_is_equal(ndp_buffer_view(&m.script.body), ndp_bytes_view("    a = 1\n    b = 2\n    c = 3\n")));
    assert_true(ndp_bytes_is_equal(ndp_buffer_view(&m.script.helpers), ndp_bytes_view("def f():\n    pass\n")));
    making_clear(&m);
}

/* The first failure stays, with its reason; whatever comes later does nothing and gives "". */
static void what_fails_is_remembered(void **state) {
    (void)state;
    struct making m;
    static uint8_t large[1 << 17];
    for (size_t i = 0; i < sizeof(large); i++) large[i] = (uint8_t)(i | 0x80);
    making_init(&m);
    ndp_script_refuse(&m.script, "no words for it");
    ndp_script_refuse(&m.script, "another reason");
    assert_int_equal(m.script.status, NDP_UNSUPPORTED);
    assert_string_equal(m.error.text, "no words for it");
    assert_string_equal(ndp_script_text(&m.script, "%d", 5), "");
    ndp_script_do(&m.script, "a = 1");
    assert_int_equal(m.script.body.size_bytes, 0);
    making_clear(&m);
    making_init(&m);
    assert_string_equal(ndp_script_bytes(&m.script, (struct ndp_bytes){large, sizeof(large)}), "");
    assert_int_equal(m.script.status, NDP_UNSUPPORTED);
    assert_int_equal(m.error.status, NDP_UNSUPPORTED);
    making_clear(&m);
    making_init(&m);
    ndp_arena_fail_at(&m.arena, 1);
    assert_string_equal(ndp_script_string(&m.script, ndp_bytes_view("x")), "");
    assert_int_equal(m.script.status, NDP_NOMEM);
    making_clear(&m);
}

NDP_SUITE(script_text_test, cmocka_unit_test(literals_mean_their_value), cmocka_unit_test(tuples_have_their_comma),
          cmocka_unit_test(lines_are_indented_in_the_body_and_not_at_the_top),
          cmocka_unit_test(what_fails_is_remembered));
