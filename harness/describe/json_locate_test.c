#include "base/suite.h"
#include "describe/json_read.h"

static const char text[] = "{\"a\": [1, {\"b/c\": \"xyz\", \"~\": null}, []], \"\": true, \"d\\n\": \"q\\\"r\"}";

static cJSON *parse(void) {
    cJSON *root = NULL;
    assert_int_equal(ndp_json_parse(ndp_bytes_view(text), &ndp_describe_default_limits, &root, NULL), NDP_OK);
    return root;
}

/* Pointers: RFC 6901. Offsets refer to the text above: to the value, or to the quote of its key. */
static void every_node_has_its_pointer_and_offset(void **state) {
    static const struct {
        const char *pointer;
        const char *value; /* text from that offset on */
        const char *key;   /* NULL: no key, so the value itself */
    } rows[] = {
        {"", "{\"a\"", NULL},     {"/a", "[1, ", "\"a\": "},           {"/a/0", "1, {", NULL},
        {"/a/1", "{\"b/c", NULL}, {"/a/1/b~1c", "\"xyz\"", "\"b/c\""}, {"/a/1/~0", "null", "\"~\""},
        {"/a/2", "[]", NULL},     {"/", "true", "\"\": true"},         {"/d\n", "\"q\\\"r\"", "\"d\\n\""},
    };
    cJSON *root = parse();
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows) * 2; i++) {
        const bool at_key = i % 2 == 1;
        const char *place = at_key && rows[i / 2].key != NULL ? rows[i / 2].key : rows[i / 2].value;
        struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET, .path = "?"};
        struct ndp_json_reader reader = {
            .error = &error, .culprit = ndp_json_resolve(root, rows[i / 2].pointer), .at_key = at_key};
        ndp_json_locate(&reader, root, ndp_bytes_view(text));
        assert_string_equal(error.path, rows[i / 2].pointer);
        if (error.offset_bytes != (uint64_t)(strstr(text, place) - text))
            fail_msg("%s: at %d", rows[i / 2].pointer, (int)error.offset_bytes);
        error.offset_bytes = NDP_NO_OFFSET;
        ndp_json_locate(&reader, root, (struct ndp_bytes){NULL, 0});
        assert_true(error.offset_bytes == NDP_NO_OFFSET);
        assert_string_equal(error.path, rows[i / 2].pointer);
    }
    cJSON_Delete(root);
}

/* An offset in a string counts from its quote, unless an escape precedes it. */
static void offsets_in_strings_are_located(void **state) {
    static const struct {
        const char *pointer;
        uint64_t inner;
        uint64_t beyond; /* relative to the value */
    } rows[] = {{"/a/1/b~1c", 0, 1}, {"/a/1/b~1c", 2, 3}, {"/d\n", 0, 1},        {"/d\n", 1, 2},
                {"/d\n", 2, 0},      {"/a/0", 1, 0},      {"/a/1/b~1c", 1000, 0}};
    cJSON *root = parse();
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_error plain = {.offset_bytes = NDP_NO_OFFSET};
        struct ndp_error error = {.offset_bytes = rows[i].inner};
        struct ndp_json_reader reader = {.error = &plain, .culprit = ndp_json_resolve(root, rows[i].pointer)};
        ndp_json_locate(&reader, root, ndp_bytes_view(text));
        reader.error = &error;
        ndp_json_locate(&reader, root, ndp_bytes_view(text));
        if (error.offset_bytes != plain.offset_bytes + rows[i].beyond)
            fail_msg("row %zu: %d", i, (int)(error.offset_bytes - plain.offset_bytes));
    }
    cJSON_Delete(root);
}

static void without_an_offending_node_the_document_is_located(void **state) {
    cJSON *root = parse();
    cJSON *other = parse();
    const cJSON *const culprits[] = {NULL, other};
    for (size_t i = 0; i < NDP_ARRAY_LEN(culprits); i++) {
        struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET, .path = "?"};
        struct ndp_json_reader reader = {.error = &error, .culprit = culprits[i]};
        ndp_json_locate(&reader, root, ndp_bytes_view(text));
        assert_string_equal(error.path, "");
        assert_int_equal(error.offset_bytes, 0);
        reader.error = NULL;
        ndp_json_locate(&reader, root, ndp_bytes_view(text));
    }
    cJSON_Delete(other);
    cJSON_Delete(root);
}

static void pointers_lead_as_far_as_they_can(void **state) {
    static const char *const rows[][2] = {
        {"/nothing", ""},     {"/a/3", "/a"},          {"/a/1/b", "/a/1"}, {"/a/1/b~1c/0", "/a/1/b~1c"},
        {"/a/1/x/y", "/a/1"}, {"/a/4294967296", "/a"}, {"", ""},           {"/a/1/~0", "/a/1/~0"},
    };
    cJSON *root = parse();
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
        struct ndp_json_reader reader = {.error = &error, .culprit = ndp_json_resolve(root, rows[i][0])};
        ndp_json_locate(&reader, root, (struct ndp_bytes){NULL, 0});
        if (strcmp(error.path, rows[i][1]) != 0) fail_msg("%s leads to %s", rows[i][0], error.path);
    }
    assert_null(ndp_json_resolve(NULL, "/a"));
    cJSON_Delete(root);
}

/* A long path is truncated; the offset stays correct. */
static void long_paths_are_cut(void **state) {
    char deep[600];
    size_t at = 0;
    for (int i = 0; i < 100; i++) at += (size_t)snprintf(deep + at, sizeof(deep) - at, "[1,");
    deep[at++] = '2';
    memset(deep + at, ']', 100);
    deep[at + 100] = '\0';
    cJSON *root = NULL;
    const struct ndp_describe_limits limits = {.text_bytes = 1000, .value_bytes = 1000, .depth = 200, .values = 1000};
    assert_int_equal(ndp_json_parse(ndp_bytes_view(deep), &limits, &root, NULL), NDP_OK);
    const cJSON *node = root;
    while (cJSON_IsArray(node)) node = node->child->next;
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    struct ndp_json_reader reader = {.error = &error, .culprit = node};
    ndp_json_locate(&reader, root, ndp_bytes_view(deep));
    assert_int_equal(strlen(error.path), NDP_ERROR_PATH_BYTES - 1);
    assert_int_equal(error.offset_bytes, at - 1);
    cJSON_Delete(root);
}

NDP_SUITE(json_locate_test, NDP_TEST(every_node_has_its_pointer_and_offset), NDP_TEST(offsets_in_strings_are_located),
          NDP_TEST(without_an_offending_node_the_document_is_located), NDP_TEST(pointers_lead_as_far_as_they_can),
          NDP_TEST(long_paths_are_cut));
