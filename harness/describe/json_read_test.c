#include "base/suite.h"
#include "describe/json_read.h"
#include "describe/json_write.h"

static cJSON *parse(const char *text) {
    cJSON *tree = NULL;
    struct ndp_error error = {.status = NDP_OK};
    if (ndp_json_parse(ndp_bytes_view(text), &ndp_describe_default_limits, &tree, &error) != NDP_OK)
        fail_msg("%s: %s", text, error.text);
    return tree;
}

/* Expected: the ranges of the types; 2^53 - 1 is the largest n for which n and n + 1 are exact doubles. */
static const struct {
    const char *text;
    bool is_i64;
    int64_t i64;
    bool is_u64;
    uint64_t u64;
} integers[] = {
    {"0", true, 0, true, 0},
    {"-0", true, 0, true, 0},
    {"1e3", true, 1000, true, 1000},
    {"-1", true, -1, false, 0},
    {"9007199254740991", true, INT64_C(9007199254740991), true, UINT64_C(9007199254740991)},
    {"-9007199254740991", true, -INT64_C(9007199254740991), false, 0},
    {"9007199254740992", false, 0, false, 0},
    {"9007199254740993", false, 0, false, 0},
    {"-9007199254740992", false, 0, false, 0},
    {"\"9007199254740993\"", true, INT64_C(9007199254740993), true, UINT64_C(9007199254740993)},
    {"\"9223372036854775807\"", true, INT64_MAX, true, INT64_MAX},
    {"\"9223372036854775808\"", false, 0, true, UINT64_C(9223372036854775808)},
    {"\"-9223372036854775808\"", true, INT64_MIN, false, 0},
    {"\"-9223372036854775809\"", false, 0, false, 0},
    {"\"18446744073709551615\"", false, 0, true, UINT64_MAX},
    {"\"18446744073709551616\"", false, 0, false, 0},
    {"\"99999999999999999999999\"", false, 0, false, 0},
    {"\"0\"", true, 0, true, 0},
    {"\"7\"", true, 7, true, 7},
    {"\"-7\"", true, -7, false, 0},
    {"\"\"", false, 0, false, 0},
    {"\"-\"", false, 0, false, 0},
    {"\"-0\"", false, 0, false, 0},
    {"\"+1\"", false, 0, false, 0},
    {"\"01\"", false, 0, false, 0},
    {"\" 1\"", false, 0, false, 0},
    {"\"1 \"", false, 0, false, 0},
    {"\"1.0\"", false, 0, false, 0},
    {"\"0x1\"", false, 0, false, 0},
    {"1.5", false, 0, false, 0},
    {"1e-5", false, 0, false, 0},
    {"1e300", false, 0, false, 0},
    {"true", false, 0, false, 0},
    {"null", false, 0, false, 0},
    {"[1]", false, 0, false, 0},
    {"{}", false, 0, false, 0},
};

static void test_integers(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(integers); i++) {
        cJSON *item = parse(integers[i].text);
        int64_t i64 = 42;
        uint64_t u64 = 42;
        struct ndp_error error = {.status = NDP_OK};
        bool is_i64 = ndp_json_i64(item, &i64, &error) == NDP_OK;
        bool is_u64 = ndp_json_u64(item, &u64, &error) == NDP_OK;
        if (is_i64 != integers[i].is_i64 || is_u64 != integers[i].is_u64) fail_msg("%s", integers[i].text);
        assert_true(i64 == (is_i64 ? integers[i].i64 : 42));
        assert_true(u64 == (is_u64 ? integers[i].u64 : 42));
        cJSON_Delete(item);
    }
    uint64_t u64 = 0;
    assert_int_equal(ndp_json_u64(NULL, &u64, NULL), NDP_INVALID);
}

static void test_u32(void **state) {
    cJSON *item = parse("16");
    uint32_t out = 0;
    assert_int_equal(ndp_json_u32(item, 16, &out, NULL), NDP_OK);
    assert_int_equal(out, 16);
    assert_int_equal(ndp_json_u32(item, 15, &out, NULL), NDP_INVALID);
    cJSON_Delete(item);
}

/* Expected bytes: CPython 3.11, text.encode("utf-8", "surrogatepass"). */
static const struct {
    const char *json;
    const char *bytes;
    uint64_t size_bytes;
    const char *printed; /* NULL: unchanged */
} texts[] = {
    {"\"\"", "", 0, NULL},
    {"\"a\"", "a", 1, NULL},
    {"\"\\u00e9\"", "\xc3\xa9", 2, "\"\xc3\xa9\""},
    {"\"\\ud83d\\ude00\"", "\xf0\x9f\x98\x80", 4, "\"\xf0\x9f\x98\x80\""},
    {"\"\xf0\x9f\x98\x80\"", "\xf0\x9f\x98\x80", 4, NULL},
    {"{\"codepoints\":[]}", "", 0, "\"\""},
    {"{\"codepoints\":[97]}", "a", 1, "\"a\""},
    {"{\"codepoints\":[0]}", "\0", 1, NULL},
    {"{\"codepoints\":[97,0,98]}", "a\0b", 3, NULL},
    {"{\"codepoints\":[55296]}", "\xed\xa0\x80", 3, NULL},
    {"{\"codepoints\":[57343,1114111]}", "\xed\xbf\xbf\xf4\x8f\xbf\xbf", 7, NULL},
    {"{\"codepoints\":[55357,56832]}", "\xed\xa0\xbd\xed\xb8\x80", 6, NULL},
};

static void test_text(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(texts); i++) {
        NDP_ARENA_SCOPED(arena, 1000);
        cJSON *item = parse(texts[i].json);
        struct ndp_bytes text = {NULL, 0};
        assert_int_equal(ndp_json_text(&arena, item, &text, NULL), NDP_OK);
        assert_int_equal(text.size_bytes, texts[i].size_bytes);
        if (text.size_bytes > 0) assert_memory_equal(text.data, texts[i].bytes, text.size_bytes);
        NDP_BUFFER_SCOPED(buffer, 1000);
        assert_int_equal(ndp_json_print(&buffer, ndp_json_from_text(text)), NDP_OK);
        const char *printed = texts[i].printed != NULL ? texts[i].printed : texts[i].json;
        assert_true(ndp_bytes_is_equal(ndp_buffer_view(&buffer), ndp_bytes_view(printed)));
        cJSON_Delete(item);
    }
}

static void test_bad_text(void **state) {
    static const char *const bad[] =
        NDP_ROWS("1", "null", "[97]", "{}", "{\"codepoints\":1}", "{\"codepoints\":\"a\"}",
                 "{\"codepoints\":[1114112]}", "{\"codepoints\":[-1]}", "{\"codepoints\":[1.5]}",
                 "{\"codepoints\":[\"a\"]}", "{\"codepoints\":[97],\"x\":1}", "{\"Codepoints\":[97]}");
    for (size_t i = 0; i < NDP_ARRAY_LEN(bad); i++) {
        NDP_ARENA_SCOPED(arena, 1000);
        cJSON *item = parse(bad[i]);
        struct ndp_bytes text = {NULL, 0};
        struct ndp_error error = {.status = NDP_OK};
        if (ndp_json_text(&arena, item, &text, &error) != NDP_INVALID) fail_msg("%s", bad[i]);
        assert_int_equal(error.status, NDP_INVALID);
        cJSON_Delete(item);
    }
}

static void test_words(void **state) {
    char word[NDP_WORD_BYTES] = "kept";
    cJSON *item = parse("[\"mmap:r+\", \"a b\", \"0123456789012345678901234567890\", "
                        "\"01234567890123456789012345678901\", 1, \"\", \"\xc3\xa9\"]");
    static const bool is_good[] = {true, false, true, false, false, true, false};
    for (int i = 0; i < (int)NDP_ARRAY_LEN(is_good); i++) {
        const cJSON *entry = cJSON_GetArrayItem(item, i);
        assert_int_equal(ndp_json_word(entry, word, NULL), is_good[i] ? NDP_OK : NDP_INVALID);
        if (is_good[i]) assert_string_equal(word, entry->valuestring);
    }
    cJSON_Delete(item);
}

/* Reads `json` as an object with the keys "a" and "b". Fills the position of an error. */
static enum ndp_status read_members(const char *json, struct ndp_error *error, bool *has_b) {
    static const char *const keys[] = {"a", "b"};
    const cJSON *members[2];
    struct ndp_json_reader reader = {.error = error};
    cJSON *root = parse(json);
    enum ndp_status status = ndp_json_members(&reader, root, keys, 2, members);
    if (status == NDP_OK) {
        *has_b = members[1] != NULL;
    } else {
        ndp_json_locate(&reader, root, ndp_bytes_view(json));
    }
    cJSON_Delete(root);
    return status;
}

static void test_members(void **state) {
    bool has_b = false;
    struct ndp_error error = {.status = NDP_OK};
    assert_int_equal(read_members("{\"b\": 1, \"a\": 2}", &error, &has_b), NDP_OK);
    assert_true(has_b);
    assert_int_equal(read_members("{}", &error, &has_b), NDP_OK);
    assert_false(has_b);
    assert_int_equal(read_members("{\"a\": 1, \"A\": 2}", &error, &has_b), NDP_INVALID);
    assert_string_equal(error.path, "/A");
    assert_int_equal(error.offset_bytes, 9);
    assert_int_equal(read_members("{\"a\": 1, \"a\": 2}", &error, &has_b), NDP_INVALID);
    assert_string_equal(error.path, "/a");
    assert_int_equal(error.offset_bytes, 9);
    assert_int_equal(read_members(" []", &error, &has_b), NDP_INVALID);
    assert_string_equal(error.path, "");
    assert_int_equal(error.offset_bytes, 1);
    /* RFC 6901, section 3: "~" is written ~0, and "/" is written ~1. */
    assert_int_equal(read_members("{\"x/y~\": 1}", &error, &has_b), NDP_INVALID);
    assert_string_equal(error.path, "/x~1y~0");
}

static void test_locate_long_path(void **state) {
    char json[400] = "";
    for (int i = 0; i < 40; i++) strcat(json, "{\"key\":");
    size_t at = strlen(json);
    strcat(json, "1");
    for (int i = 0; i < 40; i++) strcat(json, "}");
    cJSON *root = parse(json);
    const cJSON *node = root;
    while (node->child != NULL) node = node->child;
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    struct ndp_json_reader reader = {.error = &error, .culprit = node};
    ndp_json_locate(&reader, root, ndp_bytes_view(json));
    assert_int_equal(error.offset_bytes, at);
    assert_int_equal(strlen(error.path), NDP_ERROR_PATH_BYTES - 1);
    cJSON_Delete(root);
}

NDP_SUITE(json_read_test, NDP_TEST(test_integers), NDP_TEST(test_u32), NDP_TEST(test_text), NDP_TEST(test_bad_text),
          NDP_TEST(test_words), NDP_TEST(test_members), NDP_TEST(test_locate_long_path));
