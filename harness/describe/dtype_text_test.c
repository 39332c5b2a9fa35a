/* Expected texts and results come from cJSON and the tree reader (dtype_json.h). */
#include "base/suite.h"
#include "describe/dtype_json.h"
#include "describe/json_write.h"

static const char *const good[] = {
    "\"<f8\"",
    "\"|O\"",
    "\"<M8[25us]\"",
    "{\"type\":\"|V2\",\"registered\":\"a.b:c\"}",
    "{\"type\":\"<f8\",\"metadata\":{\"a\":[1,1e300,-0.5,\"\\u0001\\\"\",null]}}",
    "{\"fields\":[],\"itemsize\":7}",
    "{\"fields\":[{\"name\":\"a\\n\\t\\\"\\\\\\u0007\\u007f\",\"title\":\"\xf0\x9f\x98\x80/\",\"offset\":3,\"dtype\":"
    "\">i2\"},{\"name\":\"\",\"offset\":0,\"dtype\":\"|S2\"}],\"itemsize\":9}",
    "{\"fields\":[{\"name\":{\"codepoints\":[0,55296]},\"offset\":0,\"dtype\":\"|b1\"}],\"itemsize\":8,\"aligned\":"
    "true}",
    "{\"fields\":[{\"name\":\"a\",\"offset\":0,\"dtype\":{\"base\":\"<f4\",\"shape\":[2,3]}}],\"itemsize\":24,"
    "\"metadata\":{}}",
    "{\"base\":\"<f8\",\"shape\":[0,2147483647],\"metadata\":{\"k\":\"v\"}}",
    "{\"base\":\"|i1\",\"shape\":[2,0,7]}",
    "{\"base\":\"<c16\",\"shape\":[2147483647,0,2147483647]}",
    "{\"fields\":[{\"name\":\"\\b\\f\\r\\\\\\\"\xc3\xa9\",\"title\":{\"codepoints\":[0]},\"offset\":0,\"dtype\":\"|"
    "u1\"}],"
    "\"itemsize\":5}",
    "{\"fields\":[{\"name\":\"a\",\"offset\":0,\"dtype\":\"|u1\"},{\"name\":\"b\",\"offset\":0,\"dtype\":{\"fields\":[]"
    ","
    "\"itemsize\":0}},{\"name\":\"c\",\"offset\":4,\"dtype\":\"|u1\"},{\"name\":\"d\",\"offset\":1,\"dtype\":\"|u1\"},"
    "{\"name\":\"e\",\"offset\":2,\"dtype\":\"|u1\"}],\"itemsize\":5}",
};

static const char *const bad[] = {
    "",
    "\"",
    "\"\"",
    "\"<f8",
    "<f8\"",
    "\"<f9\"",
    "\"f8 \"",
    "\"<f8\"1",
    "\"\\\"",
    "\"\\u003cf8\"",
    "\"<f8\\\"",
    "\"<f8\n\"",
    "\"<M8[0s]\"",
    "\"|V99999999999\"",
    "1",
    "[]",
    "{}",
    "{\"fields\":[{}]}",
    "{\"fields\":[{\"name\":\"a\",\"offset\":1,\"dtype\":\"|u1\"}],\"itemsize\":1}",
    ("{\"fields\":[{\"name\":\"a\",\"offset\":0,\"dtype\":\"|u1\"},{\"name\":\"a\",\"offset\":0,\"dtype\":\"|u1\"}],"
     "\"itemsize\":1}"),
    "{\"fields\":[{\"name\":\"\xff\",\"offset\":0,\"dtype\":\"|u1\"}],\"itemsize\":1}",
    "{\"fields\":[{\"name\":\"a\nb\",\"offset\":0,\"dtype\":\"|u1\"}],\"itemsize\":1}",
    "{\"fields\":[{\"name\":\"a\\\",\"offset\":0,\"dtype\":\"|u1\"}],\"itemsize\":1}",
    "{\"fields\":[{\"name\":\"\\u0000\",\"offset\":0,\"dtype\":\"|u1\"}],\"itemsize\":1}",
    "{\"fields\":[{\"name\":{\"codepoints\":[1114112]},\"offset\":0,\"dtype\":\"|u1\"}],\"itemsize\":1}",
    "{\"fields\":[{\"name\":{\"codepoints\":[1 2]},\"offset\":0,\"dtype\":\"|u1\"}],\"itemsize\":1}",
    "{\"fields\":[{\"name\":\"a\",\"offset\":00,\"dtype\":\"|u1\"}],\"itemsize\":1}",
    "{\"fields\":[],\"itemsize\":99999999999999999999999999999999999999999999999999999999999999}",
    "{\"fields\":[],\"itemsize\":1,\"aligned\":true}",
    "{\"fields\":[],\"itemsize\":1}}",
    "{\"fields\":[],\"itemsize\":1",
    "{\"base\":\"<f8\",\"shape\":[2147483648]}",
    "{\"base\":\"<f8\",\"shape\":[-1]}",
    "{\"base\":\"<f8\",\"shape\":[1,]}",
    "{\"base\":\"<f8\"}",
};

/* Nesting at the limit, and one level beyond. */
static void depth_has_one_limit(void **state) {
    for (uint32_t depth = 2; depth <= NDP_MAX_DTYPE_DEPTH + 1; depth++) {
        for (uint32_t levels = 1; levels <= 3 * depth + 2; levels++) {
            const struct ndp_describe_limits limits = {.text_bytes = 1 << 16, .depth = levels};
            const struct ndp_dtype *dtype = NULL;
            cJSON *tree = NULL;
            NDP_ARENA_SCOPED(arena, 1 << 20);
            NDP_BUFFER_SCOPED(text, 1 << 16);
            for (uint32_t i = 1; i < depth; i++)
                assert_int_equal(ndp_buffer_printf(&text, "{\"fields\":[{\"name\":\"a\",\"offset\":0,\"dtype\":"),
                                 NDP_OK);
            assert_int_equal(ndp_buffer_printf(&text, "\"|u1\""), NDP_OK);
            for (uint32_t i = 1; i < depth; i++)
                assert_int_equal(ndp_buffer_printf(&text, "}],\"itemsize\":1}"), NDP_OK);
            enum ndp_status status = ndp_json_parse(ndp_buffer_view(&text), &limits, &tree, NULL);
            if (status == NDP_OK) status = ndp_dtype_from_json(&arena, tree, &limits, &dtype, NULL);
            cJSON_Delete(tree);
            assert_int_equal(ndp_dtype_parse(&arena, ndp_buffer_view(&text), &limits, &dtype, NULL), status);
        }
    }
}

static enum ndp_status read_tree(struct ndp_arena *arena, struct ndp_bytes text, const struct ndp_dtype **out) {
    cJSON *tree = NULL;
    enum ndp_status status = ndp_json_parse(text, &ndp_describe_default_limits, &tree, NULL);
    if (status == NDP_OK) status = ndp_dtype_from_json(arena, tree, &ndp_describe_default_limits, out, NULL);
    cJSON_Delete(tree);
    return status;
}

static void text_reader_and_tree_reader_agree(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(good) + NDP_ARRAY_LEN(bad); i++) {
        const char *read = i < NDP_ARRAY_LEN(good) ? good[i] : bad[i - NDP_ARRAY_LEN(good)];
        const struct ndp_dtype *direct = NULL;
        const struct ndp_dtype *by_tree = NULL;
        NDP_ARENA_SCOPED(arena, 1 << 20);
        const enum ndp_status status = read_tree(&arena, ndp_bytes_view(read), &by_tree);
        if (i < NDP_ARRAY_LEN(good)) assert_int_equal(status, NDP_OK);
        if (ndp_dtype_parse(&arena, ndp_bytes_view(read), &ndp_describe_default_limits, &direct, NULL) != status)
            fail_msg("%s: text reader and tree reader disagree", read);
        if (status == NDP_OK) assert_int_equal(ndp_dtype_compare(direct, by_tree, NULL), 0);
    }
}

static void texts_are_those_of_trees(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(good); i++) {
        const struct ndp_dtype *dtype = NULL;
        NDP_ARENA_SCOPED(arena, 1 << 20);
        NDP_BUFFER_SCOPED(direct, 1 << 20);
        NDP_BUFFER_SCOPED(by_tree, 1 << 20);
        assert_int_equal(read_tree(&arena, ndp_bytes_view(good[i]), &dtype), NDP_OK);
        assert_int_equal(ndp_json_print(&by_tree, ndp_dtype_to_json(dtype)), NDP_OK);
        assert_int_equal(ndp_dtype_print(&direct, dtype), NDP_OK);
        assert_int_equal(direct.size_bytes, by_tree.size_bytes);
        assert_memory_equal(direct.data, by_tree.data, by_tree.size_bytes);
        for (uint64_t room = 0; room < by_tree.size_bytes; room++) {
            ndp_buffer_clear(&direct);
            direct.max_bytes = room;
            assert_int_equal(ndp_dtype_print(&direct, dtype), NDP_LIMIT);
        }
    }
}

NDP_SUITE(dtype_text_test, NDP_TEST(text_reader_and_tree_reader_agree), NDP_TEST(texts_are_those_of_trees),
          NDP_TEST(depth_has_one_limit));
