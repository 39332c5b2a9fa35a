#include "base/suite.h"
#include "describe/json_scan.h"

/* Expected: the grammar of RFC 8259, sections 2 to 7. */
static const char *const good[] =
    NDP_ROWS("{}", "[]", " \t\r\n null \t\r\n ", "true", "false", "0", "-0", "-1.5e+10", "1E-2", "1e308", "\"\"",
             "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\"", "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"", "\"\\ud83d\\ude00\"",
             "\"\x7f\"", "[[],[[]],{},{\"a\":{}}]", "{\"a\":1,\"b\":[1,2,{\"c\":null}]}");

/* `offset_bytes` is the first byte that the grammar, or a restriction of json_scan.h, does not allow there. */
static const struct {
    const char *text;
    uint64_t offset_bytes;
} bad[] = NDP_ROWS(
    {"", 0}, {" ", 1}, {"{", 1}, {"[", 1}, {"[1", 2}, {"[1,", 3}, {"[1,]", 3}, {"[,1]", 1}, {"{\"a\"}", 4},
    {"{\"a\":}", 5}, {"{\"a\":1,}", 7}, {"{a:1}", 1}, {"{1:1}", 1}, {"[1}", 2}, {"{\"a\":1]", 6}, {"1 2", 2},
    {"{}x", 2}, {"tru", 3}, {"trux", 3}, {"True", 0}, {"nulL", 3}, {"NaN", 0}, {"Infinity", 0}, {"-", 1}, {"+1", 0},
    {"01", 1}, {"-01", 2}, {"1.", 2}, {".5", 0}, {"1e", 2}, {"1e+", 3}, {"0x10", 1}, {"1e400", 0}, {"-1e400", 0},
    {"'a'", 0}, {"\"a", 2}, {"\"a\nb\"", 2}, {"\"\x01\"", 1}, {"\"\\x\"", 2}, {"\"\\", 2}, {"\"\\u12", 5},
    {"\"\\u12g4\"", 5}, {"\"a\\u0000b\"", 2}, {"\"\\ud800\"", 1}, {"\"\\ud800x\"", 1}, {"\"\\ud800\\u0041\"", 1},
    {"\"\\udc00\"", 1}, {"\"\\ude00\\ud83d\"", 1}, {"\"\xff\"", 1}, {"\"a\xc3\"", 2}, {"\"\xc0\x80\"", 1},
    {"\"\xed\xa0\x80\"", 1}, {"\"\xf4\x90\x80\x80\"", 1}, {"\xef\xbb\xbf{}", 0}, {"{}\x0b", 2}, {"/**/1", 0});

static enum ndp_status scan(const char *text, size_t size, struct ndp_error *error) {
    /* Exact-size copy, so that a sanitizer detects overreads. */
    uint8_t *copy = malloc(size > 0 ? size : 1);
    assert_non_null(copy);
    memcpy(copy, text, size);
    enum ndp_status status = ndp_json_scan((struct ndp_bytes){copy, size}, &ndp_describe_default_limits, error);
    free(copy);
    return status;
}

static void valid_texts_are_accepted(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(good); i++) {
        struct ndp_error error = {.status = NDP_OK};
        if (scan(good[i], strlen(good[i]), &error) != NDP_OK) fail_msg("refused: %s: %s", good[i], error.text);
    }
}

static void invalid_texts_are_refused_with_their_offset(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(bad); i++) {
        struct ndp_error error = {.status = NDP_OK};
        if (scan(bad[i].text, strlen(bad[i].text), &error) != NDP_INVALID) fail_msg("taken: %s", bad[i].text);
        if (error.offset_bytes != bad[i].offset_bytes)
            fail_msg("%s: offset %d instead of %d", bad[i].text, (int)error.offset_bytes, (int)bad[i].offset_bytes);
        assert_true(error.text[0] != '\0');
    }
}

static void test_nul_byte(void **state) {
    struct ndp_error error;
    assert_int_equal(scan("\"a\0b\"", 5, &error), NDP_INVALID);
    assert_int_equal(error.offset_bytes, 2);
    assert_int_equal(scan("{}\0", 3, &error), NDP_INVALID);
    assert_int_equal(error.offset_bytes, 2);
    assert_int_equal(scan("\0", 1, &error), NDP_INVALID);
    assert_int_equal(error.offset_bytes, 0);
}

static enum ndp_status scan_within(const char *text, uint64_t text_bytes, uint32_t depth, uint64_t *offset_bytes) {
    const struct ndp_describe_limits limits = {.text_bytes = text_bytes, .depth = depth};
    struct ndp_error error = {.offset_bytes = 0};
    enum ndp_status status = ndp_json_scan(ndp_bytes_view(text), &limits, &error);
    *offset_bytes = error.offset_bytes;
    return status;
}

static void test_limits(void **state) {
    uint64_t at = 0;
    assert_int_equal(scan_within("[[[]]]", 6, 3, &at), NDP_OK);
    assert_int_equal(scan_within("[[[]]]", 6, 2, &at), NDP_LIMIT);
    assert_int_equal(at, 2);
    assert_int_equal(scan_within("[[[]]]", 5, 3, &at), NDP_LIMIT);
    assert_int_equal(at, 5);
    assert_int_equal(scan_within("[]", 2, 0, &at), NDP_LIMIT);
    assert_int_equal(scan_within("1", 2, 0, &at), NDP_OK);

    char digits[70];
    memset(digits, '1', sizeof digits);
    digits[62] = '\0';
    assert_int_equal(scan_within(digits, 100, 1, &at), NDP_OK);
    digits[62] = '1';
    digits[63] = '\0';
    assert_int_equal(scan_within(digits, 100, 1, &at), NDP_LIMIT);
}

static void test_stated_number_of_values(void **state) {
    const struct ndp_describe_limits limits = {.text_bytes = 100, .depth = 1, .values = 3};
    struct ndp_error error = {.offset_bytes = 0};
    assert_int_equal(ndp_json_scan(ndp_bytes_view("[1,2]"), &limits, &error), NDP_OK);
    assert_int_equal(ndp_json_scan(ndp_bytes_view("[1,2,3]"), &limits, &error), NDP_LIMIT);
    assert_int_equal(error.offset_bytes, 5);
}

static void test_nesting_is_capped(void **state) {
    enum { SIZE = 100000 };
    char *text = malloc(SIZE + 1);
    assert_non_null(text);
    memset(text, '[', SIZE);
    text[SIZE] = '\0';
    uint64_t at = 0;
    assert_int_equal(scan_within(text, SIZE, UINT32_MAX, &at), NDP_LIMIT);
    assert_int_equal(at, NDP_JSON_MAX_DEPTH);
    free(text);
}

static void test_values_are_capped(void **state) {
    enum { SIZE = 2 * NDP_JSON_MAX_VALUES + 1 };
    char *text = malloc(SIZE + 1);
    assert_non_null(text);
    /* The array and its values: one more than the limit. */
    for (size_t i = 0; i < SIZE; i++) text[i] = i % 2 == 1 ? '1' : ',';
    text[0] = '[';
    text[SIZE - 1] = ']';
    text[SIZE] = '\0';
    uint64_t at = 0;
    assert_int_equal(scan_within(text, SIZE, 1, &at), NDP_LIMIT);
    assert_int_equal(at, SIZE - 2);
    text[SIZE - 3] = ']';
    text[SIZE - 2] = ' ';
    text[SIZE - 1] = ' ';
    assert_int_equal(scan_within(text, SIZE, 1, &at), NDP_OK);
    free(text);
}

static void test_offsets(void **state) {
    struct ndp_bytes text = ndp_bytes_view(" {\"a\": [1, {\"b\" : 2}], \"c\": \"x\"}");
    /*                                      0 1 2     6 7 8  11  12      18    23    28 */
    const struct {
        uint64_t value;
        uint64_t key;
    } places[] = {{1, 1}, {7, 2}, {8, 8}, {11, 11}, {18, 12}, {28, 23}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(places); i++) {
        assert_int_equal(ndp_json_offset(text, i, false), places[i].value);
        assert_int_equal(ndp_json_offset(text, i, true), places[i].key);
    }
    assert_true(ndp_json_offset(text, NDP_ARRAY_LEN(places), false) == NDP_NO_OFFSET);
    assert_true(ndp_json_offset(ndp_bytes_view("[1"), 5, false) == NDP_NO_OFFSET);
}

NDP_SUITE(json_scan_test, NDP_TEST(valid_texts_are_accepted), NDP_TEST(invalid_texts_are_refused_with_their_offset),
          NDP_TEST(test_nul_byte), NDP_TEST(test_limits), NDP_TEST(test_stated_number_of_values),
          NDP_TEST(test_nesting_is_capped), NDP_TEST(test_values_are_capped), NDP_TEST(test_offsets));
