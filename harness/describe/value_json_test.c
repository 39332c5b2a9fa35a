#include "base/suite.h"
#include "describe/json_write.h"
#include "describe/value_json.h"

static enum ndp_status read_value(struct ndp_arena *arena, const char *text, struct ndp_value *out,
                                  struct ndp_error *error) {
    struct ndp_json_reader reader = {.arena = arena, .limits = &ndp_describe_default_limits, .error = error};
    cJSON *tree = NULL;
    enum ndp_status status = ndp_json_parse(ndp_bytes_view(text), &ndp_describe_default_limits, &tree, error);
    assert_int_equal(status, NDP_OK);
    status = ndp_value_read_json(&reader, tree, out);
    if (status != NDP_OK) ndp_json_locate(&reader, tree, (struct ndp_bytes){NULL, 0});
    cJSON_Delete(tree);
    return status;
}

/* The form of harness/testees/README.md: as a descriptor, without the data. */
static void test_wire_form(void **state) {
    const struct {
        const char *read;
        const char *wire;
    } rows[] = {
        {"{}", "{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[]}}}"},
        {"{\"array\":{\"base\":{\"dtype\":\">f8\",\"shape\":[2,1],\"data\":{\"pattern\":\"special\",\"seed\":3},"
         "\"memmap\":"
         "{\"mode\":\"c\",\"offset\":9}},\"views\":[{\"transpose\":[1,0]}],\"writeable\":false}}",
         "{\"array\":{\"base\":{\"dtype\":\">f8\",\"shape\":[2,1],\"memmap\":{\"mode\":\"c\",\"offset\":9}},\"views\":["
         "{"
         "\"transpose\":[1,0]}],\"writeable\":false}}"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_value value;
        NDP_ARENA_SCOPED(arena, 1 << 20);
        NDP_BUFFER_SCOPED(buffer, 1 << 20);
        assert_int_equal(read_value(&arena, rows[i].read, &value, NULL), NDP_OK);
        assert_int_equal(ndp_json_print(&buffer, ndp_value_to_json(&value, false)), NDP_OK);
        assert_true(ndp_bytes_is_equal(ndp_buffer_view(&buffer), ndp_bytes_view(rows[i].wire)));
        assert_int_equal(read_value(&arena, rows[i].wire, &value, NULL), NDP_OK);
        assert_int_equal(value.array.base.data.pattern, NDP_PATTERN_ZEROS);
    }
}

/* Without a text the error has a path below the node, but no offset. */
static void test_error_path(void **state) {
    struct ndp_value value;
    struct ndp_error error = {.status = NDP_OK};
    NDP_ARENA_SCOPED(arena, 1 << 20);
    assert_int_equal(read_value(&arena, "{\"array\":{\"views\":[{\"slice\":[[0,1,2],[0,1]]}]}}", &value, &error),
                     NDP_INVALID);
    assert_string_equal(error.path, "/array/views/0/slice/1");
    assert_true(error.offset_bytes == NDP_NO_OFFSET);
    assert_int_equal(
        read_value(&arena, "{\"array\":{\"base\":{\"shape\":[1],\"data\":{\"hex\":\"000z\"}}}}", &value, NULL),
        NDP_INVALID);
}

NDP_SUITE(value_json_test, NDP_TEST(test_wire_form), NDP_TEST(test_error_path));
