#include "base/suite.h"
#include "base/text.h"

/* Expected bytes: CPython 3.11, chr(code_point).encode("utf-8", "surrogatepass"). */
static const struct {
    uint32_t code_point;
    const char *bytes;
    uint64_t size_bytes;
    bool fits_json;
} points[] = {
    {0x0, "\x00", 1, false},
    {0x41, "A", 1, true},
    {0x7f, "\x7f", 1, true},
    {0x80, "\xc2\x80", 2, true},
    {0x7ff, "\xdf\xbf", 2, true},
    {0x800, "\xe0\xa0\x80", 3, true},
    {0xd7ff, "\xed\x9f\xbf", 3, true},
    {0xd800, "\xed\xa0\x80", 3, false},
    {0xdfff, "\xed\xbf\xbf", 3, false},
    {0xe000, "\xee\x80\x80", 3, true},
    {0xffff, "\xef\xbf\xbf", 3, true},
    {0x10000, "\xf0\x90\x80\x80", 4, true},
    {0x1f600, "\xf0\x9f\x98\x80", 4, true},
    {0x10ffff, "\xf4\x8f\xbf\xbf", 4, true},
};

/* Expected: RFC 3629, sections 3 and 4, with surrogates allowed; TRUNCATED if further bytes could complete the code
 * point. */
static const struct {
    const char *bytes;
    enum ndp_status status;
} wrong[] =
    NDP_ROWS({"\x80", NDP_INVALID}, {"\xbf", NDP_INVALID}, {"\xc0\x80", NDP_INVALID}, {"\xc1\xbf", NDP_INVALID},
             {"\xe0\x80\x80", NDP_INVALID}, {"\xe0\x9f\xbf", NDP_INVALID}, {"\xe0\x9f", NDP_INVALID},
             {"\xf0\x80\x80\x80", NDP_INVALID}, {"\xf0\x8f\xbf\xbf", NDP_INVALID}, {"\xf0\x8f", NDP_INVALID},
             {"\xf4\x90\x80\x80", NDP_INVALID}, {"\xf4\x90", NDP_INVALID}, {"\xf5\x80\x80\x80", NDP_INVALID},
             {"\xff", NDP_INVALID}, {"\xc2", NDP_TRUNCATED}, {"\xc2\x41", NDP_INVALID}, {"\xe2\x82", NDP_TRUNCATED},
             {"\xe2\x82\x41", NDP_INVALID}, {"\xe2", NDP_TRUNCATED}, {"\xed\xa0", NDP_TRUNCATED},
             {"\xf0\x9f\x98", NDP_TRUNCATED}, {"\xf0\x9f\x98\xc0", NDP_INVALID}, {"", NDP_TRUNCATED});

static void code_points_are_encoded_and_decoded(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(points); i++) {
        const struct ndp_bytes bytes = {(const uint8_t *)points[i].bytes, points[i].size_bytes};
        NDP_BUFFER_SCOPED(buffer, 16);
        assert_int_equal(ndp_text_add(&buffer, points[i].code_point), NDP_OK);
        assert_true(ndp_bytes_is_equal(ndp_buffer_view(&buffer), bytes));
        struct ndp_cursor cursor = ndp_cursor_view(ndp_buffer_view(&buffer));
        uint32_t code_point = 1;
        assert_int_equal(ndp_text_next(&cursor, &code_point), NDP_OK);
        assert_int_equal(code_point, points[i].code_point);
        assert_int_equal(ndp_cursor_left(&cursor), 0);
        assert_true(ndp_text_is_valid(bytes));
        assert_int_equal(ndp_text_fits_json(bytes), points[i].fits_json);
        assert_int_equal(ndp_text_has_surrogate(bytes), code_point >= 0xd800 && code_point <= 0xdfff);
    }
}

static void every_code_point_round_trips(void **state) {
    NDP_BUFFER_SCOPED(buffer, 1 << 23);
    for (uint32_t point = 0; point <= 0x10ffff; point++) assert_int_equal(ndp_text_add(&buffer, point), NDP_OK);
    struct ndp_cursor cursor = ndp_cursor_view(ndp_buffer_view(&buffer));
    for (uint32_t point = 0; point <= 0x10ffff; point++) {
        uint32_t read = 0;
        if (ndp_text_next(&cursor, &read) != NDP_OK || read != point) fail_msg("U+%X reads as U+%X", point, read);
    }
    assert_int_equal(ndp_cursor_left(&cursor), 0);
}

static void invalid_bytes_are_refused_without_advancing(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(wrong); i++) {
        struct ndp_cursor cursor = ndp_cursor_view(ndp_bytes_view(wrong[i].bytes));
        uint32_t code_point = 77;
        if (ndp_text_next(&cursor, &code_point) != wrong[i].status) fail_msg("row %zu of the table", i);
        assert_int_equal(code_point, 77);
        assert_int_equal(cursor.at_bytes, 0);
        if (wrong[i].bytes[0] != '\0') assert_false(ndp_text_is_valid(ndp_bytes_view(wrong[i].bytes)));
        if (wrong[i].bytes[0] != '\0') assert_false(ndp_text_fits_json(ndp_bytes_view(wrong[i].bytes)));
    }
}

static void code_points_past_unicode_are_refused(void **state) {
    NDP_BUFFER_SCOPED(buffer, 16);
    assert_int_equal(ndp_text_add(&buffer, 0x110000), NDP_INVALID);
    assert_int_equal(ndp_text_add(&buffer, UINT32_MAX), NDP_INVALID);
    assert_int_equal(buffer.size_bytes, 0);
}

static void empty_text_is_valid(void **state) {
    assert_true(ndp_text_is_valid((struct ndp_bytes){NULL, 0}));
    assert_true(ndp_text_fits_json((struct ndp_bytes){NULL, 0}));
}

/* The check reads eight characters at a time. It must find an invalid byte at each position. */
static void every_position_of_a_text_is_checked(void **state) {
    for (size_t size = 1; size <= 24; size++) {
        for (size_t at = 0; at < size; at++) {
            uint8_t *text = malloc(size); /* exact size, so that a sanitizer detects overreads */
            assert_non_null(text);
            memset(text, 'a', size);
            assert_true(ndp_text_is_valid((struct ndp_bytes){text, size}));
            text[at] = 0x80;
            assert_false(ndp_text_is_valid((struct ndp_bytes){text, size}));
            if (at > 0) text[at - 1] = 0xc2;
            assert_int_equal(ndp_text_is_valid((struct ndp_bytes){text, size}), at > 0);
            free(text);
        }
    }
}

static void other_bytes_are_shown_in_hexadecimal(void **state) {
    static const struct {
        const char *bytes, *shown;
        uint64_t size;
        size_t room;
    } rows[] = {
        {"m.C", "m.C", 3, 32},    {"a\0b\n\x7f c\xe9\xff", "a\\x00b\\x0a\\x7f c\\xe9\\xff", 9, 64},
        {"", "", 0, 1},           {"ab", "", 2, 1},
        {"ab", "a", 2, 2},        {"a\0b", "a", 3, 5},
        {"a\0b", "a\\x00", 3, 6}, {"a\0b", "a\\x00b", 3, 7},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        char out[64];
        memset(out, '?', sizeof out);
        ndp_text_show((struct ndp_bytes){(const uint8_t *)rows[i].bytes, rows[i].size}, out, rows[i].room);
        if (strcmp(out, rows[i].shown) != 0) fail_msg("row %zu: %s", i, out);
        assert_true(strlen(out) < rows[i].room);
    }
}

static void text_is_truncated_to_its_room(void **state) {
    static const struct {
        const char *text;
        size_t room;
        const char *cut;
    } rows[] = {{"", 1, ""}, {"a", 1, ""}, {"value", 6, "value"}, {"value", 5, "valu"}, {"value", 8, "value"}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        char out[9];
        memset(out, '?', sizeof out);
        ndp_text_cut(rows[i].text, out, rows[i].room);
        assert_string_equal(out, rows[i].cut);
        for (size_t at = rows[i].room; at < sizeof out; at++) assert_int_equal(out[at], '?');
    }
}

NDP_SUITE(text_test, NDP_TEST(code_points_are_encoded_and_decoded), NDP_TEST(every_code_point_round_trips),
          NDP_TEST(invalid_bytes_are_refused_without_advancing), NDP_TEST(code_points_past_unicode_are_refused),
          NDP_TEST(empty_text_is_valid), NDP_TEST(every_position_of_a_text_is_checked),
          NDP_TEST(other_bytes_are_shown_in_hexadecimal), NDP_TEST(text_is_truncated_to_its_room));
