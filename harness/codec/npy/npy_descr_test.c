/* npy_descr_test.c: conversion between dtype and descr. */
#include "codec/npy/npy_descr.h"

#include <string.h>

#include "base/suite.h"

enum { ARENA_BYTES = 1 << 20, START_BYTES = 10 };

static const struct ndp_dtype *dtype_of(struct ndp_arena *arena, const char *text, bool is_lenient,
                                        enum ndp_status *status, struct ndp_error *error) {
    const struct ndp_literal_options options = {.start_bytes = START_BYTES, .is_utf8 = true, .max_nesting = 200};
    const struct ndp_literal *literal = NULL;
    const struct ndp_dtype *dtype = NULL;
    assert_int_equal(ndp_literal_read(arena, ndp_bytes_view(text), &options, &literal, NULL), NDP_OK);
    *status = ndp_descr_read(arena, literal, is_lenient, &dtype, error);
    return dtype;
}

/* Source of the rows: numpy.load of a header with that descr in NumPy 1.24.4, 2.4.6 and 2.5. OK: all accept it;
 * INVALID: all refuse it; UNSUPPORTED: some accept it. */
static void types_are_those_that_writers_emit(void **state) {
    static const struct {
        const char *text;
        enum ndp_status strict;
        enum ndp_status lenient;
    } rows[] = {
        {"'|b1'", NDP_OK, NDP_OK},
        {"'b1'", NDP_OK, NDP_OK},
        {"'>c16'", NDP_OK, NDP_OK},
        {"'<f16'", NDP_OK, NDP_OK},
        {"'|S0'", NDP_OK, NDP_OK},
        {"'<M8'", NDP_OK, NDP_OK},
        {"'<M8[25us]'", NDP_OK, NDP_OK},
        {"'|S2147483647'", NDP_OK, NDP_OK},
        {"'|O'", NDP_OK, NDP_OK},
        {"[]", NDP_OK, NDP_OK},
        {"[('a', '<i4'), ('b', '>f8', (2, 3))]", NDP_OK, NDP_OK},
        {"[('', '|V4'), ('a', '<i4'), ('', '|V8')]", NDP_OK, NDP_OK},
        {"[(('T', 'a'), '<i2')]", NDP_OK, NDP_OK},
        {"[((None, 'a'), '<i2')]", NDP_OK, NDP_OK},
        {"[('a', '<i2', ())]", NDP_OK, NDP_OK},
        {"[('a', '<i2', 3)]", NDP_OK, NDP_OK},
        {"[('a', '<i2', (0,))]", NDP_OK, NDP_OK},
        {"[('a', ('<i2', (2,)), (3,))]", NDP_OK, NDP_OK},
        {"[('a', [('b', '<i2')])]", NDP_OK, NDP_OK},
        {"'i2'", NDP_UNSUPPORTED, NDP_OK},
        {"'=i2'", NDP_UNSUPPORTED, NDP_OK},
        {"'|i2'", NDP_UNSUPPORTED, NDP_OK},
        {"'>i1'", NDP_UNSUPPORTED, NDP_OK},
        {"'<S3'", NDP_UNSUPPORTED, NDP_OK},
        {"'S3'", NDP_UNSUPPORTED, NDP_OK},
        {"'float64'", NDP_UNSUPPORTED, NDP_OK},
        {"'|O8'", NDP_OK, NDP_OK},
        {"'i02'", NDP_UNSUPPORTED, NDP_OK},
        {"'datetime64[ns]'", NDP_UNSUPPORTED, NDP_OK},
        {"{}", NDP_UNSUPPORTED, NDP_OK},
        {"[['a', '<i2']]", NDP_UNSUPPORTED, NDP_OK},
        {"[('a', '<i2', [2])]", NDP_UNSUPPORTED, NDP_OK},
        {"'i2,i2'", NDP_UNSUPPORTED, NDP_UNSUPPORTED},
        {"'2i2'", NDP_UNSUPPORTED, NDP_UNSUPPORTED},
        {"('<i2', (2,))", NDP_UNSUPPORTED, NDP_UNSUPPORTED},
        {"[((1, 'a'), '<i2')]", NDP_UNSUPPORTED, NDP_UNSUPPORTED},
        {"[('a', '|V0', 3)]", NDP_UNSUPPORTED, NDP_UNSUPPORTED},
        {"[('a', '|S0', 0)]", NDP_UNSUPPORTED, NDP_UNSUPPORTED},
        {"[('a', '|V0', ())]", NDP_INVALID, NDP_INVALID},
        {"[('a', '<U0', (2,))]", NDP_INVALID, NDP_INVALID},
        {"'<i3'", NDP_INVALID, NDP_INVALID},
        {"'>float64'", NDP_INVALID, NDP_INVALID},
        {"'<f10'", NDP_INVALID, NDP_INVALID},
        {"' <i2'", NDP_INVALID, NDP_INVALID},
        {"'<i2 '", NDP_INVALID, NDP_INVALID},
        {"'<i-2'", NDP_INVALID, NDP_INVALID},
        {"'<M8[-1ns]'", NDP_INVALID, NDP_INVALID},
        {"'<M8[x]'", NDP_INVALID, NDP_INVALID},
        {"''", NDP_INVALID, NDP_INVALID},
        {"None", NDP_INVALID, NDP_INVALID},
        {"2", NDP_INVALID, NDP_INVALID},
        {"()", NDP_INVALID, NDP_INVALID},
        {"('<i2',)", NDP_INVALID, NDP_INVALID},
        {"{'names': ['a'], 'formats': ['<i2']}", NDP_INVALID, NDP_INVALID},
        {"[('a',)]", NDP_INVALID, NDP_INVALID},
        {"[('a', '<i2', (1,), 0)]", NDP_INVALID, NDP_INVALID},
        {"['<i2']", NDP_INVALID, NDP_INVALID},
        {"[(1, '<i2')]", NDP_INVALID, NDP_INVALID},
        {"[('a', '<i2'), ('a', '<i4')]", NDP_INVALID, NDP_INVALID},
        {"[(('a', 'a'), '<i2')]", NDP_INVALID, NDP_INVALID},
        {"[(('T', 'a'), '<i2'), (('T', 'b'), '<i2')]", NDP_INVALID, NDP_INVALID},
        {"[('a', '<i2', (-1,))]", NDP_INVALID, NDP_INVALID},
        {"[('a', '<i2', (True,))]", NDP_INVALID, NDP_INVALID},
        {"[('a', ('<i2', {'x': 1}))]", NDP_INVALID, NDP_INVALID},
        {"'|S2147483648'", NDP_LIMIT, NDP_LIMIT},
        {"'|S99999999999999999999'", NDP_LIMIT, NDP_LIMIT},
        {"'<U536870912'", NDP_LIMIT, NDP_LIMIT},
        {"[('a', '|S2147483647'), ('b', '|i1')]", NDP_LIMIT, NDP_LIMIT},
        {"[('a', '<i2', (65536, 65536))]", NDP_LIMIT, NDP_LIMIT},
        {"[('a', '<c16', (2147483647, 0, 2147483647))]", NDP_OK, NDP_OK},
        {"[('a', '<c16', (2147483647, 2147483647, 2147483647, 0))]", NDP_LIMIT, NDP_LIMIT},
        {"[('a', [('b', '<i2', (0,))], (65536, 65536))]", NDP_LIMIT, NDP_LIMIT},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows) * 2; i++) {
        const bool is_lenient = i % 2 == 1;
        const enum ndp_status expected = is_lenient ? rows[i / 2].lenient : rows[i / 2].strict;
        struct ndp_arena arena;
        struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
        enum ndp_status status = NDP_OK;
        ndp_arena_init(&arena, ARENA_BYTES);
        const struct ndp_dtype *dtype = dtype_of(&arena, rows[i / 2].text, is_lenient, &status, &error);
        if (status != expected)
            fail_msg("%s, %s: %s, not %s (%s)", rows[i / 2].text, is_lenient ? "lenient" : "strict",
                     ndp_status_name(status), ndp_status_name(expected), error.text);
        assert_int_equal(dtype == NULL, status != NDP_OK);
        if (status != NDP_OK && (error.offset_bytes == NDP_NO_OFFSET || error.text[0] == '\0'))
            fail_msg("%s: the error has no offset or no text", rows[i / 2].text);
        ndp_arena_clear(&arena);
    }
}

/* Offsets and padding follow from the sizes of the previous fields; numpy.lib.format.descr_to_dtype of 2.4.6 agrees. */
static void offsets_are_cumulative_and_padding_is_not_a_field(void **state) {
    static const char text[] = "[('', '|V4'), ('a', '<i4'), ('', '<u2', (3,)), (('T', ''), '|V2'), ('b', '>f8'), "
                               "('', '|V8')]";
    struct ndp_arena arena;
    enum ndp_status status = NDP_OK;
    ndp_arena_init(&arena, ARENA_BYTES);
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
    ndp_arena_clear(&arena);
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
        struct ndp_arena arena;
        struct ndp_error error = {0};
        enum ndp_status status = NDP_OK;
        ndp_arena_init(&arena, ARENA_BYTES);
        (void)dtype_of(&arena, rows[i].text, false, &status, &error);
        if (status != rows[i].status || error.offset_bytes != START_BYTES + rows[i].at_bytes)
            fail_msg("%s: %s at %d", rows[i].text, ndp_status_name(status), (int)error.offset_bytes - START_BYTES);
        ndp_arena_clear(&arena);
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
        struct ndp_arena arena;
        enum ndp_status status = NDP_OK;
        ndp_arena_init(&arena, ARENA_BYTES);
        const struct ndp_dtype *dtype = dtype_of(&arena, rows[i].read, false, &status, NULL);
        assert_int_equal(status, NDP_OK);
        for (uint64_t max = 0; max <= strlen(expected); max++) {
            struct ndp_buffer buffer;
            uint32_t highest = 0;
            ndp_buffer_init(&buffer, max);
            status = ndp_descr_add(&buffer, dtype, &highest, NULL);
            assert_int_equal(status, max < strlen(expected) ? NDP_LIMIT : NDP_OK);
            if (status == NDP_OK && !ndp_bytes_is_equal(ndp_buffer_view(&buffer), ndp_bytes_view(expected)))
                fail_msg("%s: written as %.*s", rows[i].read, (int)buffer.size_bytes, (const char *)buffer.data);
            /* Values below 0x80 have no effect. */
            if (status == NDP_OK && rows[i].highest >= 0x80) assert_int_equal(highest, rows[i].highest);
            if (status == NDP_OK && rows[i].highest < 0x80) assert_true(highest < 0x80);
            ndp_buffer_clear(&buffer);
        }
        ndp_arena_clear(&arena);
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
        struct ndp_buffer buffer;
        struct ndp_error error = {0};
        uint32_t highest = 0;
        if (i < NDP_ARRAY_LEN(fields)) dtype.fields = fields[i];
        if (i >= NDP_ARRAY_LEN(fields)) dtype = others[i - NDP_ARRAY_LEN(fields)];
        ndp_buffer_init(&buffer, 1000);
        if (ndp_descr_add(&buffer, &dtype, &highest, &error) != NDP_UNSUPPORTED) fail_msg("row %zu", i);
        assert_true(error.text[0] != '\0');
        ndp_buffer_clear(&buffer);
    }
}

static void every_failing_allocation_is_reported(void **state) {
    const struct ndp_literal_options options = {.is_utf8 = true, .max_nesting = 200};
    uint64_t call = 0;
    enum ndp_status status = NDP_NOMEM;
    while (status != NDP_OK) {
        struct ndp_arena arena;
        struct ndp_error error = {0};
        const struct ndp_literal *literal = NULL;
        const struct ndp_dtype *dtype = NULL;
        ndp_arena_init(&arena, ARENA_BYTES);
        assert_int_equal(ndp_literal_read(&arena, ndp_bytes_view("[('a', '<i2', (2, 2)), ('b', [('c', '|S1')])]"),
                                          &options, &literal, NULL),
                         NDP_OK);
        ndp_arena_fail_at(&arena, ++call);
        status = ndp_descr_read(&arena, literal, false, &dtype, &error);
        assert_int_equal(status, status == NDP_OK ? NDP_OK : NDP_NOMEM);
        assert_int_equal(dtype == NULL, status != NDP_OK);
        ndp_arena_clear(&arena);
    }
    assert_true(call > 8);
}

NDP_SUITE(npy_descr_test, cmocka_unit_test(types_are_those_that_writers_emit),
          cmocka_unit_test(offsets_are_cumulative_and_padding_is_not_a_field),
          cmocka_unit_test(errors_point_at_the_literal), cmocka_unit_test(types_are_written_as_numpy_writes_them),
          cmocka_unit_test(unrepresentable_dtypes_are_refused), cmocka_unit_test(every_failing_allocation_is_reported));
