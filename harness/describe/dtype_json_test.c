#include "base/suite.h"
#include "describe/dtype_json.h"
#include "describe/json_write.h"

static enum ndp_status read_dtype(struct ndp_arena *arena, const char *text, const struct ndp_dtype **out,
                                  struct ndp_error *error) {
    cJSON *tree = NULL;
    enum ndp_status status = ndp_json_parse(ndp_bytes_view(text), &ndp_describe_default_limits, &tree, error);
    if (status == NDP_OK) status = ndp_dtype_from_json(arena, tree, &ndp_describe_default_limits, out, error);
    cJSON_Delete(tree);
    return status;
}

/* Texts with their printed form; NULL if it equals the text. */
static const struct {
    const char *read;
    const char *printed;
} stable[] = {
    {"\"<f8\"", NULL},
    {"\">c32\"", NULL},
    {"\"|u1\"", NULL},
    {"\"=i4\"", NULL},
    {"\"|S0\"", NULL},
    {"\"<U3\"", NULL},
    {"\"|V5\"", NULL},
    {"\"<M8[25us]\"", NULL},
    {"\">m8\"", NULL},
    {"\"|O\"", NULL},
    {"{\"type\":\"<f8\",\"metadata\":{\"a\":1,\"b\":[null,\"x\",{}]}}", NULL},
    {"{\"type\":\"<f8\",\"metadata\":{}}", NULL},
    {"{\"metadata\": { \"a\" : 1.5 }, \"type\": \"<f8\"}", "{\"type\":\"<f8\",\"metadata\":{\"a\":1.5}}"},
    {"{\"type\":\"<f8\"}", "\"<f8\""},
    {"{\"fields\":[],\"itemsize\":0}", NULL},
    {"{\"fields\":[],\"itemsize\":7}", NULL},
    {"{\"fields\":[{\"name\":\"a\",\"offset\":0,\"dtype\":\"<f8\"}],\"itemsize\":8}", NULL},
    {"{\"fields\":[{\"name\":\"a\",\"title\":\"T\",\"offset\":3,\"dtype\":\">i2\"},{\"name\":\"\",\"offset\":0,"
     "\"dtype\":\"|S2\"}],\"itemsize\":9}",
     NULL},
    {"{\"fields\":[{\"name\":\"a\",\"offset\":0,\"dtype\":{\"fields\":[{\"name\":\"b\",\"offset\":0,\"dtype\":{"
     "\"base\":\"<f4\",\"shape\":[2,3]}}],\"itemsize\":24}}],\"itemsize\":24}",
     NULL},
    {"{\"fields\":[{\"name\":{\"codepoints\":[0,55296]},\"offset\":0,\"dtype\":\"|b1\"}],\"itemsize\":1}", NULL},
    {"{\"fields\":[{\"name\":\"\xf0\x9f\x98\x80\",\"offset\":0,\"dtype\":\"|b1\"}],\"itemsize\":1}", NULL},
    {"{\"base\":\"<f8\",\"shape\":[0]}", NULL},
    {"{\"base\":{\"base\":\"<f8\",\"shape\":[2]},\"shape\":[1],\"metadata\":{\"k\":\"v\"}}", NULL},
    {"{\"type\":\"<f8\",\"metadata\":{\"a\":90071992547409920}}", NULL},
    {"{\"type\":\"|V2\",\"registered\":\"a.b:c_1\"}", NULL},
};

/* Defaults. Expected: NumPy 2.4, np.dtype([("a", "u1"), ("b", "<f8"), ("c", "<i2")], align=...): offsets 0 1 9 and
 * itemsize 11; aligned 0 8 16 and 24. */
static const struct {
    const char *read;
    const char *printed;
} defaults[] = {
    {"{\"fields\":[{\"name\":\"a\",\"dtype\":\"|u1\"},{\"name\":\"b\",\"dtype\":\"<f8\"},{\"name\":\"c\","
     "\"dtype\":\"<i2\"}]}",
     "{\"fields\":[{\"name\":\"a\",\"offset\":0,\"dtype\":\"|u1\"},{\"name\":\"b\",\"offset\":1,\"dtype\":\"<f8\"},"
     "{\"name\":\"c\",\"offset\":9,\"dtype\":\"<i2\"}],\"itemsize\":11}"},
    {"{\"aligned\":true,\"fields\":[{\"name\":\"a\",\"dtype\":\"|u1\"},{\"name\":\"b\",\"dtype\":\"<f8\"},{\"name\":"
     "\"c\",\"dtype\":\"<i2\"}]}",
     "{\"fields\":[{\"name\":\"a\",\"offset\":0,\"dtype\":\"|u1\"},{\"name\":\"b\",\"offset\":8,\"dtype\":\"<f8\"},"
     "{\"name\":\"c\",\"offset\":16,\"dtype\":\"<i2\"}],\"itemsize\":24,\"aligned\":true}"},
    {"{\"fields\":[{\"name\":\"a\",\"offset\":4,\"dtype\":\"<i4\"},{\"name\":\"b\",\"offset\":0,\"dtype\":\"<i4\"}]}",
     "{\"fields\":[{\"name\":\"a\",\"offset\":4,\"dtype\":\"<i4\"},{\"name\":\"b\",\"offset\":0,\"dtype\":\"<i4\"}],"
     "\"itemsize\":8}"},
};

static void expect_printed(const char *read, const char *printed) {
    struct ndp_error error = {.status = NDP_OK};
    const struct ndp_dtype *dtype = NULL;
    NDP_ARENA_SCOPED(arena, 1 << 20);
    NDP_BUFFER_SCOPED(buffer, 1 << 20);
    if (read_dtype(&arena, read, &dtype, &error) != NDP_OK) fail_msg("%s: %s %s", read, error.path, error.text);
    assert_int_equal(ndp_json_print(&buffer, ndp_dtype_to_json(dtype)), NDP_OK);
    if (!ndp_bytes_is_equal(ndp_buffer_view(&buffer), ndp_bytes_view(printed)))
        fail_msg("%s printed as %.*s", printed, (int)buffer.size_bytes, (const char *)buffer.data);
}

static void test_round_trip(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(stable); i++) {
        const char *printed = stable[i].printed != NULL ? stable[i].printed : stable[i].read;
        expect_printed(stable[i].read, printed);
        expect_printed(printed, printed);
    }
}

static void test_defaults(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(defaults); i++) {
        expect_printed(defaults[i].read, defaults[i].printed);
        expect_printed(defaults[i].printed, defaults[i].printed);
    }
}

static void test_structure(void **state) {
    NDP_ARENA_SCOPED(arena, 1 << 20);
    const struct ndp_dtype *dtype = NULL;
    assert_int_equal(read_dtype(&arena, stable[17].read, &dtype, NULL), NDP_OK);
    assert_int_equal(dtype->kind, NDP_KIND_STRUCT);
    assert_int_equal(dtype->field_count, 2);
    assert_int_equal(dtype->itemsize_bytes, 9);
    assert_true(dtype->fields[0].has_title);
    assert_true(ndp_bytes_is_equal(dtype->fields[0].title, ndp_bytes_view("T")));
    assert_int_equal(dtype->fields[0].offset_bytes, 3);
    assert_int_equal(dtype->fields[0].dtype->order, NDP_ORDER_BIG);
    assert_false(dtype->fields[1].has_title);
    assert_int_equal(dtype->fields[1].name.size_bytes, 0);
    assert_int_equal(dtype->fields[1].dtype->kind, NDP_KIND_BYTES);
}

static const struct {
    const char *text;
    enum ndp_status status;
    const char *path;
} bad[] = {
    {"1", NDP_INVALID, ""},
    {"null", NDP_INVALID, ""},
    {"[]", NDP_INVALID, ""},
    {"\"<f7\"", NDP_INVALID, ""},
    {"{}", NDP_INVALID, ""},
    {"{\"Type\":\"<f8\"}", NDP_INVALID, ""},
    {"{\"type\":1}", NDP_INVALID, "/type"},
    {"{\"type\":\"<f8\",\"x\":1}", NDP_INVALID, "/x"},
    {"{\"type\":\"<f8\",\"metadata\":[]}", NDP_INVALID, "/metadata"},
    {"{\"type\":\"<f8\",\"metadata\":{\"a\":{\"b\":1,\"b\":2}}}", NDP_INVALID, "/metadata/a/b"},
    {"{\"fields\":{}}", NDP_INVALID, "/fields"},
    {"{\"type\":\"|V2\",\"registered\":\"a\"}", NDP_INVALID, "/registered"},
    {"{\"type\":\"|V2\",\"registered\":\"a:\"}", NDP_INVALID, "/registered"},
    {"{\"type\":\"|V2\",\"registered\":\":a\"}", NDP_INVALID, "/registered"},
    {"{\"type\":\"|V2\",\"registered\":\"a:b:c\"}", NDP_INVALID, "/registered"},
    {"{\"type\":\"|V2\",\"registered\":\"a..b:c\"}", NDP_INVALID, "/registered"},
    {"{\"type\":\"|V2\",\"registered\":1}", NDP_INVALID, "/registered"},
    {"{\"type\":\"<f8\",\"registered\":\"a:b\"}", NDP_INVALID, "/registered"},
    {"{\"type\":\"|V3\",\"registered\":\"a:b\"}", NDP_INVALID, ""},
    {"{\"type\":\"|V2\",\"registered\":\"a:b\",\"metadata\":{\"k\":1}}", NDP_INVALID, ""},
    {"\"|X2\"", NDP_INVALID, ""},
    {"{\"fields\":[{\"dtype\":\"<f8\"}]}", NDP_INVALID, "/fields/0"},
    {"{\"fields\":[{\"name\":\"a\"}]}", NDP_INVALID, "/fields/0"},
    {"{\"fields\":[{\"name\":1,\"dtype\":\"<f8\"}]}", NDP_INVALID, "/fields/0/name"},
    {"{\"fields\":[{\"name\":\"a\",\"title\":null,\"dtype\":\"<f8\"}]}", NDP_INVALID, "/fields/0/title"},
    {"{\"fields\":[{\"name\":\"a\",\"offset\":-1,\"dtype\":\"<f8\"}]}", NDP_INVALID, "/fields/0/offset"},
    {"{\"fields\":[{\"name\":\"a\",\"offset\":2147483648,\"dtype\":\"<f8\"}]}", NDP_LIMIT, "/fields/0"},
    {"{\"fields\":[{\"name\":\"a\",\"offset\":2147483640,\"dtype\":\"<f8\"}]}", NDP_LIMIT, "/fields/0"},
    {"{\"fields\":[{\"name\":\"a\",\"dtype\":\"<f8\"}],\"itemsize\":\"x\"}", NDP_INVALID, "/itemsize"},
    {"{\"fields\":[{\"name\":\"a\",\"dtype\":\"<f8\"}],\"itemsize\":7}", NDP_INVALID, ""},
    {"{\"fields\":[{\"name\":\"a\",\"dtype\":\"<f8\"},{\"name\":\"a\",\"dtype\":\"<f8\"}]}", NDP_INVALID, ""},
    {"{\"fields\":[],\"aligned\":1}", NDP_INVALID, "/aligned"},
    {"{\"base\":\"<f8\"}", NDP_INVALID, ""},
    {"{\"base\":\"<f8\",\"shape\":3}", NDP_INVALID, "/shape"},
    {"{\"base\":\"<f8\",\"shape\":[-1]}", NDP_INVALID, "/shape/0"},
    {"{\"base\":\"<f8\",\"shape\":[1.5]}", NDP_INVALID, "/shape/0"},
    {"{\"base\":\"<f8\",\"shape\":[\"9223372036854775807\",2]}", NDP_LIMIT, "/shape"},
    {"{\"base\":{\"base\":\"x\",\"shape\":[]},\"shape\":[1]}", NDP_INVALID, "/base/base"},
};

static void test_bad(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(bad); i++) {
        struct ndp_error error = {.status = NDP_OK};
        const struct ndp_dtype *dtype = NULL;
        NDP_ARENA_SCOPED(arena, 1 << 20);
        enum ndp_status status = read_dtype(&arena, bad[i].text, &dtype, &error);
        if (status != bad[i].status || strcmp(error.path, bad[i].path) != 0)
            fail_msg("%s: %s at \"%s\": %s", bad[i].text, ndp_status_name(status), error.path, error.text);
        assert_null(dtype);
    }
}

/* A dtype of `levels` sub-arrays around one number. */
static char *nested(int levels) {
    char *text = malloc((size_t)levels * 24 + 16);
    assert_non_null(text);
    text[0] = '\0';
    for (int i = 0; i < levels; i++) strcat(text, "{\"base\":");
    strcat(text, "\"|u1\"");
    for (int i = 0; i < levels; i++) strcat(text, ",\"shape\":[1]}");
    return text;
}

static void test_depth(void **state) {
    const struct {
        int levels;
        enum ndp_status status;
    } rows[] = {{NDP_MAX_DTYPE_DEPTH - 1, NDP_OK}, {NDP_MAX_DTYPE_DEPTH, NDP_LIMIT}, {150, NDP_LIMIT}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        NDP_ARENA_SCOPED(arena, 1 << 20);
        const struct ndp_dtype *dtype = NULL;
        char *text = nested(rows[i].levels);
        assert_int_equal(read_dtype(&arena, text, &dtype, NULL), rows[i].status);
        free(text);
    }
}

static void test_fail_nth_allocation(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(stable); i++) {
        enum ndp_status status = NDP_NOMEM;
        uint64_t call = 1;
        for (; status != NDP_OK && call < 100; call++) {
            struct ndp_error error = {.status = NDP_OK};
            const struct ndp_dtype *dtype = NULL;
            NDP_ARENA_SCOPED(arena, 1 << 20);
            ndp_arena_fail_at(&arena, call);
            status = read_dtype(&arena, stable[i].read, &dtype, &error);
            if (status != NDP_OK) {
                assert_int_equal(status, NDP_NOMEM);
                assert_int_equal(error.status, NDP_NOMEM);
                assert_null(dtype);
            }
        }
        assert_int_equal(status, NDP_OK);
        assert_true(call > 2);
    }
}

NDP_SUITE(dtype_json_test, NDP_TEST(test_round_trip), NDP_TEST(test_defaults), NDP_TEST(test_structure),
          NDP_TEST(test_bad), NDP_TEST(test_depth), NDP_TEST(test_fail_nth_allocation));
