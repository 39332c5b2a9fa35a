/* npy_descr_test.c: conversion between dtype and descr. */
#include "base/suite.h"
#include "codec/npy/npy_descr.h"

enum { ARENA_BYTES = 1 << 20, START_BYTES = 10 };

static const struct ndp_dtype *dtype_of(struct ndp_arena *arena, const char *text, bool is_lenient,
                                        enum ndp_status *status, struct ndp_error *error) {
    const struct ndp_literal_options options = {.start_bytes = START_BYTES, .is_utf8 = true, .max_nesting = 200};
    const struct ndp_literal *literal = NULL;
    const struct ndp_dtype *dtype = NULL;
    assert_int_equal(ndp_py_literal_read(arena, ndp_bytes_view(text), &options, &literal, NULL), NDP_OK);
    *status = ndp_npy_descr_read(arena, literal, is_lenient, &dtype, error);
    return dtype;
}

static void check_type(const char *text, bool is_lenient, enum ndp_status expected) {
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    enum ndp_status status = NDP_OK;
    const struct ndp_dtype *dtype = dtype_of(&arena, text, is_lenient, &status, &error);
    if (status != expected)
        fail_msg("%s, %s: %s, not %s (%s)", text, is_lenient ? "lenient" : "strict", ndp_status_name(status),
                 ndp_status_name(expected), error.text);
    assert_int_equal(dtype == NULL, status != NDP_OK);
    if (status != NDP_OK && (error.offset_bytes == NDP_NO_OFFSET || error.text[0] == '\0'))
        fail_msg("%s: the error has no offset or no text", text);
}

/* Source of the rows: numpy.load of a header with that descr in NumPy 1.24.4, 2.4.6 and 2.5. OK: all accept it;
 * INVALID: all refuse it; UNSUPPORTED: some accept it. */
static void types_are_those_that_writers_emit(void **state) {
    static const struct {
        enum ndp_status strict, lenient;
        const char *texts[32];
    } rows[] = {
        {NDP_OK, NDP_OK,
         NDP_ROWS("'|b1'", "'b1'", "'>c16'", "'<f16'", "'|S0'", "'<M8'", "'<M8[25us]'", "'|S2147483647'", "'|O'", "[]",
                  "[('a', '<i4'), ('b', '>f8', (2, 3))]", "[('', '|V4'), ('a', '<i4'), ('', '|V8')]",
                  "[(('T', 'a'), '<i2')]", "[((None, 'a'), '<i2')]", "[('a', '<i2', ())]", "[('a', '<i2', 3)]",
                  "[('a', '<i2', (0,))]", "[('a', ('<i2', (2,)), (3,))]", "[('a', [('b', '<i2')])]", "'|O8'",
                  "[('a', '<c16', (2147483647, 0, 2147483647))]")},
        {NDP_UNSUPPORTED, NDP_OK,
         NDP_ROWS("'i2'", "'=i2'", "'|i2'", "'>i1'", "'<S3'", "'S3'", "'float64'", "'i02'", "'datetime64[ns]'", "{}",
                  "[['a', '<i2']]", "[('a', '<i2', [2])]")},
        {NDP_UNSUPPORTED, NDP_UNSUPPORTED,
         NDP_ROWS("'i2,i2'", "'2i2'", "('<i2', (2,))", "[((1, 'a'), '<i2')]", "[('a', '|V0', 3)]",
                  "[('a', '|S0', 0)]")},
        {NDP_INVALID, NDP_INVALID,
         NDP_ROWS("[('a', '|V0', ())]", "[('a', '<U0', (2,))]", "'<i3'", "'>float64'", "'<f10'", "' <i2'", "'<i2 '",
                  "'<i-2'", "'<M8[-1ns]'", "'<M8[x]'", "''", "None", "2", "()", "('<i2',)",
                  "{'names': ['a'], 'formats': ['<i2']}", "[('a',)]", "[('a', '<i2', (1,), 0)]", "['<i2']",
                  "[(1, '<i2')]", "[('a', '<i2'), ('a', '<i4')]", "[(('a', 'a'), '<i2')]",
                  "[(('T', 'a'), '<i2'), (('T', 'b'), '<i2')]", "[('a', '<i2', (-1,))]", "[('a', '<i2', (True,))]",
                  "[('a', ('<i2', {'x': 1}))]")},
        {NDP_LIMIT, NDP_LIMIT,
         NDP_ROWS("'|S2147483648'", "'|S99999999999999999999'", "'<U536870912'",
                  "[('a', '|S2147483647'), ('b', '|i1')]", "[('a', '<i2', (65536, 65536))]",
                  "[('a', '<c16', (2147483647, 2147483647, 2147483647, 0))]",
                  "[('a', [('b', '<i2', (0,))], (65536, 65536))]")},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        for (const char *const *text = rows[i].texts; *text != NULL; text++) {
            check_type(*text, false, rows[i].strict);
            check_type(*text, true, rows[i].lenient);
        }
    }
}

/* Offsets and padding follow from the sizes of the previous fields; numpy.lib.format.descr_to_dtype of 2.4.6 agrees. */
static void offsets_are_cumulative_and_padding_is_not_a_field(void **state) {
    static const char text[] = "[('', '|V4'), ('a', '<i4'), ('', '<u2', (3,)), (('T', ''), '|V2'), ('b', '>f8'), "
                               "('', '|V8')]";
    enum ndp_status status = NDP_OK;
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    const struct ndp_dtype *dtype = dtype_of(&arena, text, false, &status, NULL);
    assert_int_equal(status, NDP_OK);
    assert_int_equal(dtype->itemsize_bytes, 32);
    assert_int_equal(dtype->field_count, 3);
    assert_int_equal(dtype->fields[0].offset_bytes, 4);
    assert_int_equal(dtype->fields[1].offset_bytes, 14);
    assert_int_equal(dtype->fields[1].dtype->kind, NDP_KIND_VOID);
    assert_true(dtype->fields[1].has_title);
    assert_true(ndp_bytes_is_equal(dtype->fields[1].title, ndp_bytes_view("T")));
    assert_int_equal(dtype->fields[2].offset_bytes, 16);
    assert_int_equal(dtype->fields[2].dtype->order, NDP_ORDER_BIG);
}

static void errors_point_at_the_literal(void **state) {
    static const struct {
        const char *text;
        enum ndp_status status;
        uint64_t at_bytes;
    } rows[] = {
        {"'<i3'", NDP_INVALID, 0},
        {"[('a', '<i2'), ('b', '<q2')]", NDP_INVALID, 21},
        {"[('a', '<i2'), 'b']", NDP_INVALID, 15},
        {"[('a', '<i2'), (('T', 2), '<i2')]", NDP_INVALID, 22},
        {"[('a', '<i2'), ((2, 'T'), '<i2')]", NDP_UNSUPPORTED, 17},
        {"[('a', '<i2', (2, -1))]", NDP_INVALID, 18},
        {"[('a', [('b', 'i2')])]", NDP_UNSUPPORTED, 14},
        {"[('a', '|V2147483647'), ('b', '|V1')]", NDP_LIMIT, 24},
        {"('<i2', 2)", NDP_UNSUPPORTED, 0},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_error error = {0};
        enum ndp_status status = NDP_OK;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        (void)dtype_of(&arena, rows[i].text, false, &status, &error);
        if (status != rows[i].status || error.offset_bytes != START_BYTES + rows[i].at_bytes)
            fail_msg("%s: %s at %d", rows[i].text, ndp_status_name(status), (int)error.offset_bytes - START_BYTES);
    }
}

/* Expected: numpy.lib.format.dtype_to_descr(numpy.lib.format.descr_to_dtype(text)) of NumPy 2.4.6. */
static void types_are_written_as_numpy_writes_them(void **state) {
    static const struct {
        const char *read;
        const char *written; /* NULL: unchanged */
        uint32_t highest;
    } rows[] = {
        {"'<i4'", NULL, 0},
        {"'>M8[25us]'", NULL, 0},
        {"[]", NULL, 0},
        {"[('a', '<i4'), ('b', '>f8', (2, 3))]", NULL, 'b'},
        {"[('', '|V4'), ('a', '<i4'), ('', '|V8')]", NULL, 'a'},
        {"[(('T', 'a'), '<i2')]", NULL, 'a'},
        {"[((None, 'a'), '<i2')]", "[('a', '<i2')]", 'a'},
        {"[('a', '<i2', ())]", "[('a', '<i2')]", 'a'},
        {"[('a', '<i2', 3)]", "[('a', '<i2', (3,))]", 'a'},
        {"[('a', ('<i2', (2,)), (3,))]", NULL, 'a'},
        {"[('a', '<i2', (0,))]", NULL, 'a'},
        {"[('a', [('b', '|S3')], (2,)), ('', '<u2', (3,)), (('T', ''), '|V2')]",
         "[('a', [('b', '|S3')], (2,)), ('', '|V6'), (('T', ''), '|V2')]", 'b'},
        {"[(\"it's\", '<M8[25us]')]", NULL, 't'},
        {"[(('T\\n', '\xc3\xa9'), '<U2', (2,))]", NULL, 0xe9},
        {"[('\xe2\x82\xac', '|S1')]", NULL, 0x20ac},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const char *expected = rows[i].written == NULL ? rows[i].read : rows[i].written;
        enum ndp_status status = NDP_OK;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        const struct ndp_dtype *dtype = dtype_of(&arena, rows[i].read, false, &status, NULL);
        assert_int_equal(status, NDP_OK);
        for (uint64_t max = 0; max <= strlen(expected); max++) {
            uint32_t highest = 0;
            NDP_BUFFER_SCOPED(buffer, max);
            status = ndp_npy_descr_add(&buffer, dtype, &highest, NULL);
            assert_int_equal(status, max < strlen(expected) ? NDP_LIMIT : NDP_OK);
            if (status == NDP_OK && !ndp_bytes_is_equal(ndp_buffer_view(&buffer), ndp_bytes_view(expected)))
                fail_msg("%s: written as %.*s", rows[i].read, (int)buffer.size_bytes, (const char *)buffer.data);
            /* Values below 0x80 have no effect. */
            if (status == NDP_OK && rows[i].highest >= 0x80) assert_int_equal(highest, rows[i].highest);
            if (status == NDP_OK && rows[i].highest < 0x80) assert_true(highest < 0x80);
        }
    }
}

/* numpy.lib.format.dtype_to_descr of 2.4.6 raises, warns and pickles, or writes a descr of another type. */
static void unrepresentable_dtypes_are_refused(void **state) {
    static const struct ndp_dtype i4 = {.kind = NDP_KIND_INT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 4};
    static const struct ndp_dtype v4 = {.kind = NDP_KIND_VOID, .itemsize_bytes = 4};
    static const int64_t two[] = {2};
    static const struct ndp_field fields[][2] = {
        {{.name = {(const uint8_t *)"a", 1}, .dtype = &i4},
         {.name = {(const uint8_t *)"b", 1}, .offset_bytes = 3, .dtype = &i4}},
        {{.name = {(const uint8_t *)"a", 1}, .offset_bytes = 4, .dtype = &i4},
         {.name = {(const uint8_t *)"b", 1}, .dtype = &i4}},
        {{.name = {(const uint8_t *)"a", 1}, .dtype = &i4},
         {.name = {(const uint8_t *)"b", 1}, .offset_bytes = 5, .dtype = &i4}},
        {{.name = {(const uint8_t *)"a", 1}, .dtype = &i4}, {.offset_bytes = 4, .dtype = &v4}},
    };
    const struct ndp_dtype others[] = {
        {.kind = NDP_KIND_SUBARRAY, .itemsize_bytes = 8, .base = &i4, .shape = two, .ndim = 1},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(fields) + NDP_ARRAY_LEN(others); i++) {
        struct ndp_dtype dtype = {.kind = NDP_KIND_STRUCT, .itemsize_bytes = 8, .field_count = 2};
        struct ndp_error error = {0};
        uint32_t highest = 0;
        if (i < NDP_ARRAY_LEN(fields)) dtype.fields = fields[i];
        if (i >= NDP_ARRAY_LEN(fields)) dtype = others[i - NDP_ARRAY_LEN(fields)];
        NDP_BUFFER_SCOPED(buffer, 1000);
        if (ndp_npy_descr_add(&buffer, &dtype, &highest, &error) != NDP_UNSUPPORTED) fail_msg("row %zu", i);
        assert_true(error.text[0] != '\0');
    }
}

static void every_failing_allocation_is_reported(void **state) {
    const struct ndp_literal_options options = {.is_utf8 = true, .max_nesting = 200};
    uint64_t call = 0;
    enum ndp_status status = NDP_NOMEM;
    while (status != NDP_OK) {
        struct ndp_error error = {0};
        const struct ndp_literal *literal = NULL;
        const struct ndp_dtype *dtype = NULL;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        assert_int_equal(ndp_py_literal_read(&arena, ndp_bytes_view("[('a', '<i2', (2, 2)), ('b', [('c', '|S1')])]"),
                                             &options, &literal, NULL),
                         NDP_OK);
        ndp_arena_fail_at(&arena, ++call);
        status = ndp_npy_descr_read(&arena, literal, false, &dtype, &error);
        assert_int_equal(status, status == NDP_OK ? NDP_OK : NDP_NOMEM);
        assert_int_equal(dtype == NULL, status != NDP_OK);
    }
    assert_true(call > 8);
}

NDP_SUITE(npy_descr_test, NDP_TEST(types_are_those_that_writers_emit),
          NDP_TEST(offsets_are_cumulative_and_padding_is_not_a_field), NDP_TEST(errors_point_at_the_literal),
          NDP_TEST(types_are_written_as_numpy_writes_them), NDP_TEST(unrepresentable_dtypes_are_refused),
          NDP_TEST(every_failing_allocation_is_reported));
