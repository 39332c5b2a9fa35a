/* npy_header_test.c: accepted and refused headers, and the offsets of errors.
 *
 * Source of the rows: numpy.load of the same bytes in NumPy 1.24.4, 2.4.6 and 2.5. OK: all accept it; INVALID: all
 * refuse it; UNSUPPORTED: some accept it.
 */
#include "base/byteorder.h"
#include "base/suite.h"
#include "codec/npy/npy_header.h"

enum { TEXT_BYTES_MAX = 100000 };

/* Appends a header with exactly `text`, which may contain NULs. */
static struct ndp_bytes build(struct ndp_buffer *buffer, uint8_t major, const char *text, size_t size_bytes) {
    uint8_t prefix[12] = {0x93, 'N', 'U', 'M', 'P', 'Y', major, 0};
    if (major == 1) {
        ndp_store_u16le(prefix + 8, (uint16_t)size_bytes);
    } else {
        ndp_store_u32le(prefix + 8, (uint32_t)size_bytes);
    }
    ndp_buffer_init(buffer, 1 << 20);
    assert_int_equal(ndp_buffer_add(buffer, prefix, major == 1 ? 10 : 12), NDP_OK);
    assert_int_equal(ndp_buffer_add(buffer, text, size_bytes), NDP_OK);
    /* Exact-size copy, so that sanitizers detect overreads. */
    uint8_t *exact = malloc(buffer->size_bytes);
    assert_non_null(exact);
    memcpy(exact, buffer->data, buffer->size_bytes);
    free(buffer->data);
    buffer->data = exact;
    buffer->capacity_bytes = buffer->size_bytes;
    return ndp_buffer_view(buffer);
}

struct result {
    enum ndp_status status;
    struct ndp_npy_header header;
    struct ndp_error error;
};

static struct result read_text(struct ndp_arena *arena, uint8_t major, const char *text, size_t size_bytes,
                               bool is_lenient) {
    struct ndp_buffer buffer;
    const struct ndp_npy_options options = {.is_lenient = is_lenient};
    struct result result = {.error = {.offset_bytes = NDP_NO_OFFSET}};
    const struct ndp_bytes bytes = build(&buffer, major, text, size_bytes);
    result.status = ndp_npy_header_read(arena, bytes, &options, &result.header, &result.error);
    ndp_buffer_clear(&buffer);
    return result;
}

struct row {
    enum ndp_status strict, lenient;
    const char *texts[24];
};

#define DICT(descr, order, shape) "{'descr': " descr ", 'fortran_order': " order ", 'shape': " shape ", }"
#define SHAPE(shape)              DICT("'<i2'", "False", shape)
#define DESCR(descr)              DICT(descr, "False", "(2,)")

static void check_text(const char *text, uint8_t major, bool is_lenient, enum ndp_status expected) {
    NDP_ARENA_SCOPED(arena, 1 << 22);
    const struct result result = read_text(&arena, major, text, strlen(text), is_lenient);
    if (result.status != expected)
        fail_msg("version %d, %s: %s is %s, not %s (%s)", major, is_lenient ? "lenient" : "strict", text,
                 ndp_status_name(result.status), ndp_status_name(expected), result.error.text);
    if (expected != NDP_OK && (result.error.offset_bytes == NDP_NO_OFFSET || result.error.text[0] == '\0'))
        fail_msg("%s: the error has no offset or no text", text);
}

static void check_rows(const struct row *rows, size_t count, uint8_t major) {
    for (size_t i = 0; i < count; i++) {
        for (const char *const *text = rows[i].texts; *text != NULL; text++) {
            check_text(*text, major, false, rows[i].strict);
            check_text(*text, major, true, rows[i].lenient);
        }
    }
}

static void the_dictionary_may_be_written_in_many_ways(void **state) {
    static const struct row rows[] = {
        {NDP_OK, NDP_OK,
         NDP_ROWS(
             SHAPE("(2, 3)") "   \n", SHAPE("(2, 3)"), "{'shape': (2, 3), 'descr': '<i2', 'fortran_order': False}",
             "{\"shape\":(2,3),\"descr\":\"<i2\",\"fortran_order\":False}",
             "{ 'shape' :\n(2,\t3) ,\r\n'descr' : '<i2'\f, 'fortran_order' : False , } \t\n\n", "(" SHAPE("(2,)") ")",
             "(( " SHAPE("(2,)") " ))\n", SHAPE("(2,)") "# comment", "# first\n" SHAPE("(2,)") " # second\n",
             "{'descr': '<i2', # } ,\n 'fortran_order': False, 'shape': ()}", "  \t" SHAPE("(2,)"), SHAPE("(2,)") "\n",
             SHAPE("(2,)") "\n  \n", "{'shape': (9,), 'descr': '<i2', 'fortran_order': False, 'shape': (2,)}",
             "{u'descr': r'<i2', 'fortran' '_order': False, '''shape''': (2,), }",
             "{'\\x64escr': '<i2', 'fortran\\137order': False, '\\u0073hape': (2,), }")},
        {NDP_INVALID, NDP_INVALID,
         NDP_ROWS("", "\n", "{}", "[]", "{'descr': '<i2', 'fortran_order': False}",
                  "{'descr': '<i2', 'fortran_order': False, 'shape': (2,), 'x': 1}",
                  "{'descr': '<i2', 'fortran_order': False, 'shape': (2,), 1: 1}",
                  "{'descr': '<i2', 'fortran_order': False, b'shape': (2,)}",
                  "{'descr': '<i2', 'fortran_order': False, 'shape': (2,)",
                  "{'descr': '<i2', 'fortran_order': False, 'shape': (2,},",
                  "{'descr': '<i2', 'fortran_order': False,, 'shape': (2,)}",
                  "{'descr': '<i2' 'fortran_order': False, 'shape': (2,)}",
                  "{'descr': '<i2, 'fortran_order': False, 'shape': (2,)}",
                  "{'descr': '<i2', 'fortran_order', 'shape': (2,)}", SHAPE("(2,)") ",", SHAPE("(2,)") "x",
                  SHAPE("(2,)") SHAPE("(2,)"), "\n  " SHAPE("(2,)"),
                  "dict(descr='<i2', fortran_order=False, shape=(2,))", "__import__('os')")},
        {NDP_UNSUPPORTED, NDP_OK, NDP_ROWS(SHAPE("(2,)") "\\\n")},
    };
    for (uint8_t major = 1; major <= 3; major++) check_rows(rows, NDP_ARRAY_LEN(rows), major);
}

static void blanks_after_the_last_line_end_depend_on_the_version(void **state) {
    static const struct row old[] = {{NDP_UNSUPPORTED, NDP_OK, NDP_ROWS(SHAPE("(2,)") "\n  ")}};
    static const struct row new[] = {{NDP_INVALID, NDP_INVALID, NDP_ROWS(SHAPE("(2,)") "\n  ")}};
    check_rows(old, 1, 1);
    check_rows(old, 1, 2);
    check_rows(new, 1, 3);
}

static void a_nul_is_refused_at_every_position(void **state) {
    static const char texts[][64] = {SHAPE("(2,)") "\0\0\n", "{'descr': '<i2\0', 'fortran_order': False, 'shape': ()}",
                                     "\0" SHAPE("(2,)"), SHAPE("(2,)") "#\0"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(texts); i++) {
        NDP_ARENA_SCOPED(arena, 1 << 20);
        assert_int_equal(read_text(&arena, 1, texts[i], sizeof(texts[i]) - 1, true).status, NDP_INVALID);
    }
}

static void numbers_follow_pythons_grammar(void **state) {
    static const struct row rows[] = {
        {NDP_OK, NDP_OK,
         NDP_ROWS(SHAPE("(0x4, 0b1_00, 0o7, +4, 1_0)"), SHAPE("(00, 0_0, -0, 0X_f)"), SHAPE("((4), 5)"),
                  SHAPE("(- 0, + 3)"), SHAPE("(4611686018427387903, 0)"), SHAPE("(0, 4611686018427387903)"))},
        {NDP_INVALID, NDP_INVALID,
         NDP_ROWS(SHAPE("(9223372036854775807, 0)"), SHAPE("(04,)"), SHAPE("(0_4,)"), SHAPE("(4_,)"), SHAPE("(4__0,)"),
                  SHAPE("(_4,)"), SHAPE("(0x,)"), SHAPE("(0b2,)"), SHAPE("(2+2,)"), SHAPE("(2*2,)"), SHAPE("(2,)+(2,)"),
                  SHAPE("(--1,)"), SHAPE("(4.0,)"), SHAPE("(4e0,)"), SHAPE("(4j,)"), SHAPE("(9223372036854775808,)"),
                  SHAPE("(18446744073709551616,)"), SHAPE("(-1,)"), SHAPE("(-1, 4)"))},
    };
    for (uint8_t major = 1; major <= 3; major++) check_rows(rows, NDP_ARRAY_LEN(rows), major);
    static const struct row old[] = {{NDP_OK, NDP_OK, NDP_ROWS(SHAPE("(4L, 0x4L, 5 L)"))},
                                     {NDP_INVALID, NDP_INVALID, NDP_ROWS(SHAPE("(4LL,)"))}};
    static const struct row new[] = {{NDP_INVALID, NDP_INVALID, NDP_ROWS(SHAPE("(4L,)"))}};
    check_rows(old, 2, 1);
    check_rows(old, 2, 2);
    check_rows(new, 1, 3);
}

static void shape_and_order_are_of_their_types(void **state) {
    static const struct row rows[] = {
        {NDP_OK, NDP_OK, NDP_ROWS(SHAPE("()"), DICT("'<i2'", "True", "()"))},
        {NDP_INVALID, NDP_INVALID,
         NDP_ROWS(SHAPE("[2]"), SHAPE("2"), SHAPE("(2)"), SHAPE("'(2,)'"), SHAPE("None"), SHAPE("(True, 4)"),
                  SHAPE("('2',)"), SHAPE("((2,),)"), SHAPE("(,)"), DICT("'<i2'", "0", "()"),
                  DICT("'<i2'", "None", "()"), DICT("'<i2'", "'False'", "()"), DICT("'<i2'", "false", "()"),
                  SHAPE("(4294967296, 4294967296)"), SHAPE("(4611686018427387904, 4, 0)"),
                  SHAPE("(0, 4611686018427387904, 4)"), DICT("'<c16'", "False", "(1152921504606846976,)"))},
    };
    for (uint8_t major = 1; major <= 3; major++) check_rows(rows, NDP_ARRAY_LEN(rows), major);
}

static void version_3_is_strict_utf8_and_the_others_latin1(void **state) {
    static const struct {
        uint8_t major;
        const char *text;
        enum ndp_status status;
        const char *name;
    } rows[] = {
        {1, DESCR("[('\xe9', '<i2')]"), NDP_OK, "\xc3\xa9"},
        {2, DESCR("[('\xc3\xa9', '<i2')]"), NDP_OK, "\xc3\x83\xc2\xa9"},
        {3, DESCR("[('\xc3\xa9', '<i2')]"), NDP_OK, "\xc3\xa9"},
        {3, DESCR("[('\xf0\x9f\x98\x80', '<i2')]"), NDP_OK, "\xf0\x9f\x98\x80"},
        {3, DESCR("[('\xe9', '<i2')]"), NDP_INVALID, NULL},
        {3, DESCR("[('\xc0\xa0', '<i2')]"), NDP_INVALID, NULL},
        {3, DESCR("[('\xed\xa0\x80', '<i2')]"), NDP_INVALID, NULL},
        {3, DESCR("[('\xf4\x90\x80\x80', '<i2')]"), NDP_INVALID, NULL},
        {3, SHAPE("()") "# \xff", NDP_INVALID, NULL},
        {3, "\xef\xbb\xbf" SHAPE("()"), NDP_INVALID, NULL},
        {1, DESCR("[('\\ud800', '<i2')]"), NDP_OK, "\xed\xa0\x80"},
        {1, DESCR("[('\\U0001f600', '<i2')]"), NDP_OK, "\xf0\x9f\x98\x80"},
        {1, DESCR("[('a\\'\\\"\\\\\\a\\b\\f\\n\\r\\t\\v\\101\\7\\x41', '<i2')]"), NDP_OK, "a'\"\\\a\b\f\n\r\t\vA\aA"},
        {1, DESCR("[(r'a\\n', '<i2')]"), NDP_OK, "a\\n"},
        {1, DESCR("[('''a'\n\"''' 'b', '<i2')]"), NDP_OK, "a'\n\"b"},
        {1, DESCR("[('a\\\nb', '<i2')]"), NDP_OK, "ab"},
        {1, DESCR("[('\\777', '<i2')]"), NDP_OK, "\xc7\xbf"},
        {1, DESCR("[('a\nb', '<i2')]"), NDP_INVALID, NULL},
        {1, DESCR("[('\\x4', '<i2')]"), NDP_INVALID, NULL},
        {1, DESCR("[('\\U00110000', '<i2')]"), NDP_INVALID, NULL},
        {1, DESCR("[('\\q', '<i2')]"), NDP_UNSUPPORTED, NULL},
        {1, DESCR("[('\\N{DIGIT ONE}', '<i2')]"), NDP_UNSUPPORTED, NULL},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        NDP_ARENA_SCOPED(arena, 1 << 20);
        const struct result result = read_text(&arena, rows[i].major, rows[i].text, strlen(rows[i].text), false);
        if (result.status != rows[i].status)
            fail_msg("row %zu: %s, %s", i, ndp_status_name(result.status), result.error.text);
        if (rows[i].name != NULL &&
            !ndp_bytes_is_equal(result.header.dtype->fields[0].name, ndp_bytes_view(rows[i].name)))
            fail_msg("row %zu: the name differs", i);
    }
}

static void errors_point_at_the_byte(void **state) {
    static const struct {
        const char *text;
        uint64_t at_bytes;
    } rows[] = {
        {"{'descr': '<i2', 'fortran_order': False, 'shape': (2,), 'x': 1}", 10 + 56},
        {"{'descr': '<i3', 'fortran_order': False, 'shape': (2,)}", 10 + 10},
        {"{'descr': '<i2', 'fortran_order': 0, 'shape': (2,)}", 10 + 34},
        {"{'descr': '<i2', 'fortran_order': False, 'shape': (2, -1)}", 10 + 54},
        {"{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3) *}", 10 + 57},
        {"{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3)} ?", 10 + 58},
        {"{'descr': [('a', '<i2'), ('b', '<q2')], 'fortran_order': False, 'shape': ()}", 10 + 31},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        NDP_ARENA_SCOPED(arena, 1 << 20);
        const struct result result = read_text(&arena, 1, rows[i].text, strlen(rows[i].text), false);
        assert_int_equal(result.status, NDP_INVALID);
        assert_int_equal(result.error.offset_bytes, rows[i].at_bytes);
    }
}

/* Source: numpy.load documentation, max_header_size: 10000 characters are accepted and 10001 are not; characters, not
 * bytes. */
static void the_header_limit_counts_characters(void **state) {
    static char text[TEXT_BYTES_MAX];
    static const char comment[] = SHAPE("()") "#";
    const size_t start = sizeof(comment) - 1;
    NDP_ARENA_SCOPED(arena, 1 << 24);
    memset(text, ' ', sizeof(text));
    memcpy(text, comment, start);
    for (uint8_t major = 1; major <= 3; major++) {
        assert_int_equal(read_text(&arena, major, text, 10000, false).status, NDP_OK);
        assert_int_equal(read_text(&arena, major, text, 10001, false).status, NDP_LIMIT);
        assert_int_equal(read_text(&arena, major, text, 40001, false).status, NDP_LIMIT);
    }
    for (size_t i = start; i + 1 < sizeof(text); i += 2) memcpy(text + i, "\xc3\xa9", 2);
    const size_t most = start + 2 * (10000 - start);
    assert_int_equal(read_text(&arena, 3, text, most, false).status, NDP_OK);
    assert_int_equal(read_text(&arena, 3, text, most + 2, false).status, NDP_LIMIT);
}

static void nesting_and_axes_are_bounded(void **state) {
    static char text[4000];
    NDP_ARENA_SCOPED(arena, 1 << 22);
    for (uint32_t depth = 1; depth < 1000; depth += 7) {
        memset(text, '(', depth);
        memcpy(text + depth, SHAPE("()"), strlen(SHAPE("()")));
        memset(text + depth + strlen(SHAPE("()")), ')', depth);
        const enum ndp_status status = read_text(&arena, 1, text, 2 * depth + strlen(SHAPE("()")), false).status;
        assert_int_equal(status, depth <= 98 ? NDP_OK : NDP_LIMIT);
    }
    for (uint32_t ndim = 62; ndim < 70; ndim++) {
        NDP_BUFFER_SCOPED(list, sizeof(text));
        assert_int_equal(ndp_buffer_printf(&list, "{'descr': '<i2', 'fortran_order': False, 'shape': ("), NDP_OK);
        for (uint32_t k = 0; k < ndim; k++) assert_int_equal(ndp_buffer_printf(&list, "1, "), NDP_OK);
        assert_int_equal(ndp_buffer_printf(&list, ")}"), NDP_OK);
        const enum ndp_status status = read_text(&arena, 1, (char *)list.data, list.size_bytes, false).status;
        assert_int_equal(status, ndim <= 64 ? NDP_OK : NDP_LIMIT);
    }
}

static void prefixes_are_checked(void **state) {
    static const char text[] = SHAPE("()");
    struct ndp_buffer buffer;
    struct ndp_npy_header header;
    struct ndp_error error;
    NDP_ARENA_SCOPED(arena, 1 << 20);
    const struct ndp_bytes right = build(&buffer, 1, text, sizeof(text) - 1);
    for (uint64_t size = 0; size < right.size_bytes; size++) {
        const struct ndp_bytes cut = {right.data, size};
        assert_int_equal(ndp_npy_header_read(&arena, cut, NULL, &header, &error), NDP_TRUNCATED);
        assert_int_equal(error.offset_bytes, size);
    }
    for (uint32_t i = 0; i < 6; i++) {
        buffer.data[i] ^= 0x20;
        assert_int_equal(ndp_npy_header_read(&arena, right, NULL, &header, &error), NDP_INVALID);
        assert_int_equal(error.offset_bytes, i);
        buffer.data[i] ^= 0x20;
    }
    for (uint32_t version = 0; version < 0x10000; version++) {
        buffer.data[6] = (uint8_t)(version >> 8);
        buffer.data[7] = (uint8_t)version;
        if (version == 0x100 || version == 0x200 || version == 0x300) continue;
        assert_int_equal(ndp_npy_header_read(&arena, right, NULL, &header, &error), NDP_INVALID);
    }
    ndp_buffer_clear(&buffer);
}

static void every_failing_allocation_is_reported(void **state) {
    static const char text[] = DICT("[(('T', 'a'), '<i2', (2,)), ('b', [('c', '|S3')])]", "False", "(2, 3)");
    uint64_t call = 0;
    enum ndp_status status = NDP_NOMEM;
    while (status != NDP_OK) {
        NDP_ARENA_SCOPED(arena, 1 << 20);
        ndp_arena_fail_at(&arena, ++call);
        status = read_text(&arena, 1, text, sizeof(text) - 1, false).status;
        assert_true(status == NDP_OK || status == NDP_NOMEM);
    }
    assert_true(call > 20);
}

NDP_SUITE(npy_header_test, NDP_TEST(the_dictionary_may_be_written_in_many_ways),
          NDP_TEST(blanks_after_the_last_line_end_depend_on_the_version), NDP_TEST(a_nul_is_refused_at_every_position),
          NDP_TEST(numbers_follow_pythons_grammar), NDP_TEST(shape_and_order_are_of_their_types),
          NDP_TEST(version_3_is_strict_utf8_and_the_others_latin1), NDP_TEST(errors_point_at_the_byte),
          NDP_TEST(the_header_limit_counts_characters), NDP_TEST(nesting_and_axes_are_bounded),
          NDP_TEST(prefixes_are_checked), NDP_TEST(every_failing_allocation_is_reported));
