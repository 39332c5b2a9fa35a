#include "base/suite.h"
#include "describe/json_fixture.h"
#include "describe/json_write.h"

/* Above 2^53 - 1, ECMAScript's Number.MAX_SAFE_INTEGER, a number is text. */
static void integers_are_exact_or_text(void **state) {
    const struct {
        int64_t number;
        const char *text;
    } rows[] = {
        {0, "0"},
        {-1, "-1"},
        {INT64_C(1000000000000000), "1000000000000000"},
        {INT64_C(9007199254740991), "9007199254740991"},
        {INT64_C(9007199254740992), "\"9007199254740992\""},
        {-INT64_C(9007199254740991), "-9007199254740991"},
        {-INT64_C(9007199254740992), "\"-9007199254740992\""},
        {INT64_MAX, "\"9223372036854775807\""},
        {INT64_MIN, "\"-9223372036854775808\""},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        NDP_BUFFER_SCOPED(buffer, 100);
        assert_int_equal(ndp_json_print(&buffer, ndp_json_from_i64(rows[i].number)), NDP_OK);
        assert_int_equal(buffer.size_bytes, strlen(rows[i].text));
        assert_memory_equal(buffer.data, rows[i].text, buffer.size_bytes);
    }
}

static void words_are_those_of_nodes(void **state) {
    static const uint64_t numbers[] = {
        0, 9, 10, 4294967296, 9007199254740991, 9007199254740992, INT64_MAX, UINT64_C(1) << 63, UINT64_MAX};
    for (size_t i = 0; i < 2 * NDP_ARRAY_LEN(numbers) + 256; i++) {
        const uint64_t number = numbers[i / 2 % NDP_ARRAY_LEN(numbers)];
        const uint8_t letters[] = {'a', (uint8_t)i, (uint8_t)i, 'b'};
        const struct ndp_bytes text = {letters, sizeof letters};
        NDP_BUFFER_SCOPED(direct, 256);
        NDP_BUFFER_SCOPED(by_node, 256);
        if (i >= 2 * NDP_ARRAY_LEN(numbers)) {
            cJSON *node = ndp_json_from_text(text);
            const enum ndp_status status = ndp_json_add_text(&direct, text);
            assert_int_equal(status == NDP_OK, node != NULL);
            if (node == NULL) continue;
            assert_int_equal(ndp_json_print(&by_node, node), NDP_OK);
        } else if (i % 2 == 0) {
            assert_int_equal(ndp_json_add_u64(&direct, number), NDP_OK);
            assert_int_equal(ndp_json_print(&by_node, ndp_json_from_u64(number)), NDP_OK);
        } else {
            const int64_t negative = -(int64_t)(number / 2) - (number > INT64_MAX ? 1 : 0);
            assert_int_equal(ndp_json_add_i64(&direct, negative), NDP_OK);
            assert_int_equal(ndp_json_print(&by_node, ndp_json_from_i64(negative)), NDP_OK);
        }
        assert_int_equal(direct.size_bytes, by_node.size_bytes);
        assert_memory_equal(direct.data, by_node.data, by_node.size_bytes);
    }
}

static void check_printed(cJSON *tree, const char *expected) {
    NDP_BUFFER_SCOPED(buffer, 1000);
    assert_non_null(tree);
    assert_int_equal(ndp_json_print(&buffer, tree), NDP_OK);
    assert_int_equal(ndp_buffer_add(&buffer, "", 1), NDP_OK);
    assert_string_equal((const char *)buffer.data, expected);
}

/* Escapes: RFC 8259, section 7. */
static void texts_bytes_and_extents_are_written(void **state) {
    static const int64_t extents[] = {3, -1, INT64_MAX};
    check_printed(ndp_json_from_text(ndp_bytes_view("a\"\\/\b\f\n\r\t\x01\x7f\xc3\xa9")),
                  "\"a\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\x7f\xc3\xa9\"");
    check_printed(ndp_json_from_text((struct ndp_bytes){(const uint8_t *)"a\0", 2}), "{\"codepoints\":[97,0]}");
    check_printed(ndp_json_from_text(ndp_bytes_view("\xed\xa0\x80")), "{\"codepoints\":[55296]}");
    check_printed(ndp_json_from_text((struct ndp_bytes){NULL, 0}), "\"\"");
    assert_null(ndp_json_from_text(ndp_bytes_view("\xff")));
    check_printed(ndp_json_from_hex((struct ndp_bytes){(const uint8_t *)"\0\x0f\xff", 3}), "\"000fff\"");
    check_printed(ndp_json_from_hex((struct ndp_bytes){NULL, 0}), "\"\"");
    check_printed(ndp_json_from_extents(extents, 3), "[3,-1,\"9223372036854775807\"]");
    check_printed(ndp_json_from_extents(NULL, 0), "[]");
    check_printed(ndp_json_from_u64(UINT64_MAX), "\"18446744073709551615\"");
}

/* Expected: CPython 3.11, '%.17g' % x if '%.15g' % x is another number according to json.loads(). */
static void distinct_doubles_print_differently(void **state) {
    cJSON *tree =
        cJSON_Parse("{\"a\":[90071992547409912,0.30000000000000004,0.3,-9007199254740993,7,1e300,-2.5,-0.0,0]}");
    char *text = ndp_json_print_exact(tree);
    assert_string_equal(text,
                        "{\"a\":[90071992547409920,0.30000000000000004,0.3,-9007199254740992,7,1e+300,-2.5,-0,0]}");
    cJSON_free(text);
    uint64_t calls = 0;
    for (bool is_made = false; !is_made; calls++) {
        ndp_json_allow(calls);
        text = ndp_json_print_exact(tree);
        ndp_json_allow_all();
        is_made = text != NULL;
        if (is_made) assert_true(calls > 10);
        cJSON_free(text);
    }
    cJSON_Delete(tree);
}

static void a_text_that_does_not_fit_is_a_limit(void **state) {
    static const char text[] = "a\n\"b"; /* eight characters in JSON */
    for (uint64_t max = 0; max <= 8; max++) {
        struct ndp_buffer buffer;
        ndp_buffer_init(&buffer, max);
        assert_int_equal(ndp_json_add_text(&buffer, ndp_bytes_view(text)), max < 8 ? NDP_LIMIT : NDP_OK);
        ndp_buffer_clear(&buffer);
        ndp_buffer_init(&buffer, max);
        assert_int_equal(ndp_json_print(&buffer, ndp_json_from_text(ndp_bytes_view(text))),
                         max < 8 ? NDP_LIMIT : NDP_OK);
        ndp_buffer_clear(&buffer);
    }
    NDP_BUFFER_SCOPED(buffer, 100);
    assert_int_equal(ndp_json_print(&buffer, NULL), NDP_NOMEM);
    assert_int_equal(buffer.size_bytes, 0);
}

/* A node that cannot be added is freed; sanitizers detect the leak otherwise. */
static void every_failing_allocation_is_reported(void **state) {
    static const int64_t extents[] = {3, INT64_MAX};
    uint64_t calls = 0;
    for (bool is_made = false; !is_made; calls++) {
        ndp_json_allow(calls);
        cJSON *object = cJSON_CreateObject();
        is_made = object != NULL && ndp_json_put(object, "a", ndp_json_from_extents(extents, 2)) &&
                  ndp_json_put(object, "b", ndp_json_from_text(ndp_bytes_view("\xed\xa0\x80"))) &&
                  ndp_json_put(object, "c", ndp_json_from_hex(ndp_bytes_view("x")));
        if (!is_made) assert_int_equal(ndp_json_calls_left, 0);
        cJSON_Delete(object);
    }
    ndp_json_allow_all();
    assert_true(calls > 10);
    assert_false(ndp_json_push(NULL, cJSON_CreateNull()));
    assert_false(ndp_json_put(NULL, "a", cJSON_CreateNull()));
}

NDP_SUITE(json_write_test, NDP_TEST(integers_are_exact_or_text), NDP_TEST(words_are_those_of_nodes),
          NDP_TEST(texts_bytes_and_extents_are_written), NDP_TEST(distinct_doubles_print_differently),
          NDP_TEST(a_text_that_does_not_fit_is_a_limit), NDP_TEST(every_failing_allocation_is_reported));
