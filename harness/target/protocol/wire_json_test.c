/* Expected: RFC 8259 for texts, harness/testees/README.md for pieces and numbers. */
#include "base/suite.h"
#include "target/protocol/wire_fixture.h"
#include "target/protocol/wire_json.h"

struct reading {
    struct ndp_json_reader reader;
    struct ndp_error error;
    cJSON *tree;
};

static void start_reading(struct reading *r, const char *json) {
    memset(r, 0, sizeof *r);
    r->reader.limits = &ndp_wire_json_limits;
    r->reader.error = &r->error;
    assert_int_equal(ndp_json_parse(ndp_bytes_view(json), &ndp_wire_json_limits, &r->tree, &r->error), NDP_OK);
}

/* Expects the status and, for an error, the path. */
static void expect_blamed(struct reading *r, enum ndp_status status, enum ndp_status expected, const char *path) {
    assert_int_equal(status, expected);
    ndp_json_locate(&r->reader, r->tree, (struct ndp_bytes){NULL, 0});
    assert_string_equal(r->error.path, path);
    assert_true(r->error.text[0] != '\0');
    cJSON_Delete(r->tree);
}

static void texts_fit_or_are_refused(void **state) {
    static const struct {
        const char *json;
        const char *text; /* NULL: refused */
    } rows[] = {
        {"\"\"", ""},       {"\"abc\"", "abc"},     {"\"\\u00e9\"", "\xc3\xa9"},
        {"\"abcd\"", NULL}, {"\"a\\u0001\"", NULL}, {"\"a\\nb\"", NULL},
        {"1", NULL},        {"null", NULL},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct reading r;
        char out[4] = "old";
        start_reading(&r, rows[i].json);
        const enum ndp_status status = ndp_wire_json_text(&r.reader, r.tree, out, sizeof out);
        assert_string_equal(out, rows[i].text != NULL ? rows[i].text : "old");
        if (rows[i].text == NULL) {
            expect_blamed(&r, status, NDP_INVALID, "");
        } else {
            assert_int_equal(status, NDP_OK);
            cJSON_Delete(r.tree);
        }
    }
}

/* Never ends in half a code point, and contains no control characters. */
static void long_texts_are_cut(void **state) {
    static const struct {
        const char *json, *text;
    } rows[] = NDP_ROWS({"\"abcdef\"", "abcd"}, {"\"abc\\u00e9\"", "abc"}, {"\"ab\\u20ac\"", "ab"},
                        {"\"a\\u20acb\"", "a\xe2\x82\xac"}, {"\"\\ud83d\\ude00b\"", "\xf0\x9f\x98\x80"},
                        {"\"a\\u001b[2\"", "a?[2"}, {"\"\"", ""});
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct reading r;
        char out[5];
        start_reading(&r, rows[i].json);
        assert_int_equal(ndp_wire_json_cut_text(&r.reader, r.tree, out, sizeof out), NDP_OK);
        assert_string_equal(out, rows[i].text);
        cJSON_Delete(r.tree);
    }
}

static void words_are_found(void **state) {
    static const char *const words[] = {"", "one", "two"};
    struct reading r;
    uint32_t word = 9;
    start_reading(&r, "\"two\"");
    assert_int_equal(ndp_wire_json_word(&r.reader, r.tree, words, NDP_ARRAY_LEN(words), &word), NDP_OK);
    assert_int_equal(word, 2);
    cJSON_Delete(r.tree);
    start_reading(&r, "[\"\", \"tw\"]");
    const cJSON *second = r.tree->child->next;
    expect_blamed(&r, ndp_wire_json_word(&r.reader, second, words, NDP_ARRAY_LEN(words), &word), NDP_INVALID, "/1");
    assert_int_equal(word, 2);
}

static void pieces_lie_inside(void **state) {
    static const struct {
        const char *json;
        const char *piece; /* NULL: refused */
        const char *path;
    } rows[] = {
        {"[0,3]", "abc", NULL},
        {"[1,1]", "b", NULL},
        {"[3,0]", "", NULL},
        {"[4,0]", NULL, ""},
        {"[0,4]", NULL, ""},
        {"[1]", NULL, ""},
        {"[]", NULL, ""},
        {"[0,1,2]", NULL, ""},
        {"{\"a\":0,\"b\":1}", NULL, ""},
        {"[-1,1]", NULL, "/0"},
        {"[0,0.5]", NULL, "/1"},
        {"[\"18446744073709551615\",1]", NULL, ""},
        {"[1,\"18446744073709551615\"]", NULL, ""},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct reading r;
        struct ndp_bytes piece = {NULL, 7};
        start_reading(&r, rows[i].json);
        const enum ndp_status status = ndp_wire_json_piece(&r.reader, r.tree, ndp_bytes_view("abc"), &piece);
        if (rows[i].piece == NULL) {
            assert_int_equal(piece.size_bytes, 7);
            expect_blamed(&r, status, NDP_INVALID, rows[i].path);
        } else {
            assert_int_equal(status, NDP_OK);
            assert_text(piece, rows[i].piece);
            cJSON_Delete(r.tree);
        }
    }
}

static void lists_of_pieces_are_limited(void **state) {
    struct reading r;
    struct ndp_bytes pieces[2];
    uint32_t count = 9;
    start_reading(&r, "[[0,1],[1,2]]");
    assert_int_equal(ndp_wire_json_pieces(&r.reader, r.tree, ndp_bytes_view("abc"), 2, pieces, &count), NDP_OK);
    assert_int_equal(count, 2);
    assert_text(pieces[1], "bc");
    cJSON_Delete(r.tree);
    start_reading(&r, "[[0,1],[1,1],[2,1]]");
    expect_blamed(&r, ndp_wire_json_pieces(&r.reader, r.tree, ndp_bytes_view("abc"), 2, pieces, &count), NDP_LIMIT,
                  "/2");
    start_reading(&r, "[[0,1],[3,1]]");
    expect_blamed(&r, ndp_wire_json_pieces(&r.reader, r.tree, ndp_bytes_view("abc"), 2, pieces, &count), NDP_INVALID,
                  "/1");
    start_reading(&r, "7");
    expect_blamed(&r, ndp_wire_json_pieces(&r.reader, r.tree, ndp_bytes_view("abc"), 2, pieces, &count), NDP_INVALID,
                  "");
    assert_int_equal(count, 2);
}

static void a_missing_member_is_named(void **state) {
    struct reading r;
    start_reading(&r, "{\"a\":1}");
    assert_int_equal(ndp_wire_json_required(&r.reader, r.tree, r.tree->child, "a"), NDP_OK);
    const enum ndp_status status = ndp_wire_json_required(&r.reader, r.tree, NULL, "beta");
    assert_non_null(strstr(r.error.text, "\"beta\""));
    expect_blamed(&r, status, NDP_INVALID, "");
}

static void writes_portable_json(void **state) {
    static const int64_t extents[] = {INT64_MIN, -9007199254740992, -9007199254740991, -1, 0, INT64_MAX};
    uint64_t binary_bytes = 5;
    NDP_BUFFER_SCOPED(out, 1 << 16);
    assert_int_equal(ndp_wire_json_add_string(&out, "a\"\\\n\x1f\xc3\xa9\xf0\x9f\x98\x80"), NDP_OK);
    assert_text(ndp_buffer_view(&out), "\"a\\\"\\\\\\u000a\\u001f\xc3\xa9\xf0\x9f\x98\x80\"");
    out.size_bytes = 0;
    assert_int_equal(ndp_wire_json_add_string(&out, "a\xff"
                                                    "b\xed\xa0\x80\xc3"),
                     NDP_OK);
    assert_text(ndp_buffer_view(&out), "\"a?b????\"");
    out.size_bytes = 0;
    assert_int_equal(ndp_wire_json_add_u64(&out, 9007199254740991), NDP_OK);
    assert_int_equal(ndp_wire_json_add_u64(&out, 9007199254740992), NDP_OK);
    assert_int_equal(ndp_wire_json_add_u64(&out, UINT64_MAX), NDP_OK);
    assert_text(ndp_buffer_view(&out), "9007199254740991\"9007199254740992\"\"18446744073709551615\"");
    out.size_bytes = 0;
    assert_int_equal(ndp_wire_json_add_extents(&out, extents, NDP_ARRAY_LEN(extents)), NDP_OK);
    assert_text(ndp_buffer_view(&out), "[\"-9223372036854775808\",\"-9007199254740992\",-9007199254740991,-1,0,"
                                       "\"9223372036854775807\"]");
    out.size_bytes = 0;
    assert_int_equal(ndp_wire_json_add_piece(&out, ndp_bytes_view("abc"), &binary_bytes), NDP_OK);
    assert_text(ndp_buffer_view(&out), "[5,3]");
    assert_int_equal(binary_bytes, 8);
    binary_bytes = UINT64_MAX - 2;
    assert_int_equal(ndp_wire_json_add_piece(&out, ndp_bytes_view("abc"), &binary_bytes), NDP_LIMIT);
}

NDP_SUITE(wire_json_test, NDP_TEST(texts_fit_or_are_refused), NDP_TEST(long_texts_are_cut), NDP_TEST(words_are_found),
          NDP_TEST(pieces_lie_inside), NDP_TEST(lists_of_pieces_are_limited), NDP_TEST(a_missing_member_is_named),
          NDP_TEST(writes_portable_json));
