/* py_repr_test.c: repr() of text. Expected: CPython 3.11's repr(), in UTF-8. */
#include "base/suite.h"
#include "codec/npy/py_repr.h"

static void text_is_quoted_and_escaped_as_python_does(void **state) {
    static const struct {
        const char *text;
        const char *repr;
        uint32_t highest;
    } rows[] = {
        {"", "''", 0},
        {"abc", "'abc'", 'c'},
        {"it's", "\"it's\"", 't'},
        {"say \"x\"", "'say \"x\"'", 'y'},
        {"'\"", "'\\'\"'", '\''},
        {"a\\b", "'a\\\\b'", 'b'},
        {"\t\n\r\x0b\x1b\x7f", "'\\t\\n\\r\\x0b\\x1b\\x7f'", 0},
        {"\xc2\x80\xc2\xa0\xc2\xad", "'\\x80\\xa0\\xad'", 0},
        {"\xc2\xa1\xc3\xa9", "'\xc2\xa1\xc3\xa9'", 0xe9},
        {"\xe2\x80\x8b\xe2\x80\xa8\xe3\x80\x80\xef\xbb\xbf", "'\\u200b\\u2028\\u3000\\ufeff'", 0},
        {"\xed\xa0\x80\xed\xbf\xbf", "'\\ud800\\udfff'", 0},
        {"\xef\xbf\xbf\xee\x80\x80", "'\\uffff\\ue000'", 0},
        {"\xce\xb1\xe6\xbc\xa2", "'\xce\xb1\xe6\xbc\xa2'", 0x6f22},
        {"\xf0\x9f\x98\x80", "'\xf0\x9f\x98\x80'", 0x1f600},
        {"\xf3\xa0\x80\x81\xf4\x8f\xbf\xbf", "'\\U000e0001\\U0010ffff'", 0},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        uint32_t highest = 0;
        NDP_BUFFER_SCOPED(buffer, 1000);
        assert_int_equal(ndp_py_repr_text(&buffer, ndp_bytes_view(rows[i].text), &highest), NDP_OK);
        if (!ndp_bytes_is_equal(ndp_buffer_view(&buffer), ndp_bytes_view(rows[i].repr))) fail_msg("row %zu", i);
        if (rows[i].highest != 0 && highest < 0x80) highest = rows[i].highest; /* values below 0x80 have no effect */
        assert_int_equal(highest, rows[i].highest);
    }
    uint32_t highest = 0;
    NDP_BUFFER_SCOPED(buffer, 1000);
    assert_int_equal(ndp_py_repr_text(&buffer, ndp_bytes_view("\xff"), &highest), NDP_INVALID);
}

static void numbers_and_shapes_are_written(void **state) {
    static const struct {
        uint32_t ndim;
        int64_t shape[3];
        const char *text;
    } rows[] = {
        {0, {0}, "()"},
        {1, {3}, "(3,)"},
        {2, {0, INT64_MAX}, "(0, 9223372036854775807)"},
        {3, {-1, INT64_MIN, 10}, "(-1, -9223372036854775808, 10)"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        NDP_BUFFER_SCOPED(buffer, 1000);
        assert_int_equal(ndp_py_repr_shape(&buffer, rows[i].shape, rows[i].ndim), NDP_OK);
        assert_true(ndp_bytes_is_equal(ndp_buffer_view(&buffer), ndp_bytes_view(rows[i].text)));
    }
}

/* A maximum that is too small is a LIMIT, wherever it truncates the text. */
static void a_buffer_that_is_too_small_is_reported(void **state) {
    static const char text[] = "a'\"\n\xc3\xa9\xe2\x80\x8b";
    for (uint64_t max = 0; max <= 18; max++) {
        uint32_t highest = 0;
        NDP_BUFFER_SCOPED(buffer, max);
        /* 'a\'"\n(e acute)\u200b' */
        const enum ndp_status status = ndp_py_repr_text(&buffer, ndp_bytes_view(text), &highest);
        assert_int_equal(status, max < 16 ? NDP_LIMIT : NDP_OK);
    }
}

NDP_SUITE(py_repr_test, NDP_TEST(text_is_quoted_and_escaped_as_python_does), NDP_TEST(numbers_and_shapes_are_written),
          NDP_TEST(a_buffer_that_is_too_small_is_reported));
