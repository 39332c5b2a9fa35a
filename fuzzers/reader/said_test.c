/* What headers say is as NumPy 2.4.6 writes them (numpy.lib.format.write_array_header_1_0), and what strides are is as
 * numpy.empty(...).strides. */
#include "reader/said.h"

#include "base/byteorder.h"
#include "base/suite.h"
#include "fuzz.h"

/* Ten bytes that nobody looks at, and the text. */
#define HEADER(text)                                                                                                   \
    { (const uint8_t *)"\x93NUMPY\1\0vv" text, sizeof(text) + 9 }

static void headers_say_one_array(void **state) {
    (void)state;
    static const struct ndp_dtype dtype = {.kind = NDP_KIND_COMPLEX, .itemsize_bytes = 16, .order = NDP_ORDER_LITTLE};
    static const struct {
        struct ndp_bytes file;
        bool is_so;
    } rows[] = {
        {HEADER("{'descr': '<c16', 'fortran_order': False, 'shape': (2, 3), }"), true},
        {HEADER("{'descr': '=c16', 'fortran_order': False, 'shape': (2, 3,), }  \n"), true},
        {HEADER("{'descr': '>c16', 'fortran_order': False, 'shape': (2, 3), }"), false},
        {HEADER("{'descr': '<c8', 'fortran_order': False, 'shape': (2, 3), }"), false},
        {HEADER("{'descr': '<f16', 'fortran_order': False, 'shape': (2, 3), }"), false},
        {HEADER("{'descr': '<c16', 'fortran_order': True, 'shape': (2, 3), }"), false},
        {HEADER("{'descr': '<c16', 'fortran_order': False, 'shape': (3, 2), }"), false},
        {HEADER("{'descr': '<c16', 'fortran_order': False, 'shape': (2,), }"), false},
        {HEADER("{'descr': '<c16', 'fortran_order': False, 'shape': (2, 3, 1), }"), false},
        {HEADER("{'shape': (2, 3), 'descr': '<c16', 'fortran_order': False}"), true},
        {HEADER("{'shape': (9,), 'descr': '<c16', 'fortran_order': False}"), false},
        {HEADER("{'shape': (9,), 'descr': '<c16', 'fortran_order': False, 'shape': (2, 3), }"), true},
        {HEADER("{'shape': (2, 3), 'descr': '<c16', 'fortran_order': False, 'shape': (9,), }"), false},
        {HEADER("{'descr': '>c16', 'descr': '<c16', 'fortran_order': False, 'shape': (2, 3), }"), true},
        {HEADER("{ 'shape': (9,), 'descr': '<c8', 'fortran_order': False, }"), true}, /* not NumPy's spelling */
        {HEADER(""), true},
    };
    if (!ndp_host_is_little_endian()) skip();
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct ndp_npy_header header = {
            .major = 1, .dtype = &dtype, .ndim = 2, .shape = {2, 3}, .data_offset_bytes = rows[i].file.size_bytes};
        if (fuzz_header_says(rows[i].file, &header) != rows[i].is_so) fail_msg("row %zu", i);
        assert_int_equal(fuzz_header_chars(rows[i].file, &header), rows[i].file.size_bytes - 10);
    }
}

/* ast.literal_eval of CPython 3.11: (3) is no tuple, and 3L no number; NumPy reads that L up to version 2
 * (lib/_format_impl.py, _filter_header). */
static void tuples_have_commas_and_numbers_no_l(void **state) {
    (void)state;
    static const struct ndp_dtype dtype = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1};
    static const struct {
        struct ndp_bytes file;
        uint8_t major;
        bool is_so;
    } rows[] = {
        {HEADER("{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }"), 1, true},
        {HEADER("{'descr': '|u1', 'fortran_order': False, 'shape': (3), }"), 1, false},
        {HEADER("{'descr': '|u1', 'fortran_order': False, 'shape': (3L,), }"), 1, true},
        {HEADER("vv{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }"), 3, true},
        {HEADER("vv{'descr': '|u1', 'fortran_order': False, 'shape': (3L,), }"), 3, false},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct ndp_npy_header header = {.major = rows[i].major,
                                              .dtype = &dtype,
                                              .ndim = 1,
                                              .shape = {3},
                                              .data_offset_bytes = rows[i].file.size_bytes};
        if (fuzz_header_says(rows[i].file, &header) != rows[i].is_so) fail_msg("row %zu", i);
    }
}

/* numpy.dtype([("a", "<i2"), (("t", "b"), "S3", (2,)), ("c", [("d", ">f4"), ("e", "u1")])]) with three bytes behind
 * "a", and numpy.dtype("<M8[25us]"). */
static void headers_say_fields_and_units(void **state) {
    (void)state;
    static const int64_t two[] = {2};
    static const struct ndp_dtype i2 = {.kind = NDP_KIND_INT, .itemsize_bytes = 2, .order = NDP_ORDER_LITTLE};
    static const struct ndp_dtype s3 = {.kind = NDP_KIND_BYTES, .itemsize_bytes = 3};
    static const struct ndp_dtype pair = {
        .kind = NDP_KIND_SUBARRAY, .itemsize_bytes = 6, .base = &s3, .shape = two, .ndim = 1};
    static const struct ndp_dtype f4 = {.kind = NDP_KIND_FLOAT, .itemsize_bytes = 4, .order = NDP_ORDER_BIG};
    static const struct ndp_dtype u1 = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1};
#define NAME(letter)                                                                                                   \
    { (const uint8_t *)letter, 1 }
    static const struct ndp_field inner[] = {{.name = NAME("d"), .dtype = &f4},
                                             {.name = NAME("e"), .dtype = &u1, .offset_bytes = 4}};
    static const struct ndp_dtype c = {.kind = NDP_KIND_STRUCT, .itemsize_bytes = 5, .fields = inner, .field_count = 2};
    static const struct ndp_field outer[] = {
        {.name = NAME("a"), .dtype = &i2},
        {.name = NAME("b"), .title = NAME("t"), .has_title = true, .dtype = &pair, .offset_bytes = 5},
        {.name = NAME("c"), .dtype = &c, .offset_bytes = 11}};
    static const struct ndp_dtype whole = {
        .kind = NDP_KIND_STRUCT, .itemsize_bytes = 16, .fields = outer, .field_count = 3};
    /* Two characters of latin-1, four bytes of UTF-8. */
    static const struct ndp_field accents[] = {{.name = {(const uint8_t *)"\xc3\x83\xc2\xa9", 4}, .dtype = &i2}};
    static const struct ndp_dtype accent = {
        .kind = NDP_KIND_STRUCT, .itemsize_bytes = 2, .fields = accents, .field_count = 1};
    static const struct ndp_dtype time = {.kind = NDP_KIND_DATETIME,
                                          .itemsize_bytes = 8,
                                          .order = NDP_ORDER_LITTLE,
                                          .unit = NDP_UNIT_MICRO,
                                          .unit_multiple = 25};
#define SAYS(descr) HEADER("{'descr': " descr ", 'fortran_order': False, 'shape': (), }")
    static const struct {
        const struct ndp_dtype *dtype;
        struct ndp_bytes file;
        bool is_so;
    } rows[] = {
        {&whole, SAYS("[('a', '<i2'), ('', '|V3'), (('t', 'b'), '|S3', (2,)), ('c', [('d', '>f4'), ('e', '|u1')])]"),
         true},
        {&whole, SAYS("[('a', '<i2'), ('', '<V3'), (('t', 'b'), '|S3', (2,)), ('c', [('d', '>f4'), ('e', '|u1')])]"),
         true},
        /* numpy.lib.format.descr_to_dtype of NumPy 2.4.6 has no field for a repeated type without a name. */
        {&whole,
         SAYS("[('a', '<i2'), ('', '|u1', (3,)), (('t', 'b'), '|S3', (2,)), ('c', [('d', '>f4'), ('e', '|u1')])]"),
         true},
        {&whole,
         SAYS("[('a', '<i2'), ('', '|u1', (2,)), (('t', 'b'), '|S3', (2,)), ('c', [('d', '>f4'), ('e', '|u1')])]"),
         false},
        {&whole, SAYS("[('a', '<i2'), ('', '|S3'), (('t', 'b'), '|S3', (2,)), ('c', [('d', '>f4'), ('e', '|u1')])]"),
         false},
        {&whole, SAYS("[('a', '<i2'), ('', '|V2'), (('t', 'b'), '|S3', (2,)), ('c', [('d', '>f4'), ('e', '|u1')])]"),
         false},
        {&whole, SAYS("[('a', '<i2'), ('', '|V3'), ('b', '|S3', (2,)), ('c', [('d', '>f4'), ('e', '|u1')])]"), false},
        {&whole, SAYS("[('a', '<i2'), ('', '|V3'), (('t', 'b'), '|S3', (3,)), ('c', [('d', '>f4'), ('e', '|u1')])]"),
         false},
        {&whole, SAYS("[('a', '<i2'), ('', '|V3'), (('t', 'b'), '|S3', (2,)), ('c', [('d', '<f4'), ('e', '|u1')])]"),
         false},
        {&whole, SAYS("[('a', '<i2'), ('', '|V3'), (('t', 'b'), '|S3', (2,)), ('c', [('d', '>f4')])]"), false},
        {&whole,
         SAYS("[('a', '<i2'), ('', '|V3'), (('t', 'b'), '|S3', (2,)), ('c', [('d', '>f4'), ('e', '|u1')]), ('', "
              "'|V1')]"),
         false},
        {&accent, SAYS("[('\xc3\xa9', '<i2')]"), true},
        {&accent, SAYS("[('\xc3', '<i2')]"), false},
        {&accent, SAYS("[('\xe9', '<i2')]"), false},
        {&time, SAYS("'<M8[25us]'"), true},
        {&time, SAYS("'<M8[26us]'"), false},
        {&time, SAYS("'<M8[25ns]'"), false},
        {&time, SAYS("'<M8'"), false},
        {&time, SAYS("'<M8[25xs]'"), true}, /* no spelling of NumPy's */
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct ndp_npy_header header = {
            .major = 1, .dtype = rows[i].dtype, .data_offset_bytes = rows[i].file.size_bytes};
        if (fuzz_header_says(rows[i].file, &header) != rows[i].is_so) fail_msg("row %zu", i);
    }
}

static void strides_follow_the_order(void **state) {
    (void)state;
    const struct ndp_layout c = {.ndim = 3, .shape = {2, 1, 3}, .strides_bytes = {24, 99, 8}};
    const struct ndp_layout f = {.ndim = 3, .shape = {2, 1, 3}, .strides_bytes = {8, 99, 16}};
    /* An extent of 0 counts as 1 (model/layout.h). */
    const struct ndp_layout none = {.ndim = 3, .shape = {3, 0, 2}, .strides_bytes = {8, 24, 24}};
    assert_true(fuzz_is_contiguous(&c, 8, false) && !fuzz_is_contiguous(&c, 8, true));
    assert_true(fuzz_is_contiguous(&f, 8, true) && !fuzz_is_contiguous(&f, 8, false));
    assert_true(fuzz_is_contiguous(&none, 8, true) && !fuzz_is_contiguous(&none, 8, false));
}

static void objects_are_no_elements(void **state) {
    (void)state;
    static const struct ndp_dtype object = {.kind = NDP_KIND_OBJECT, .itemsize_bytes = 8};
    static const struct ndp_bytes file = HEADER("{'descr': '|O', 'fortran_order': False, 'shape': (), }");
    const struct ndp_npy_header header = {.major = 1, .dtype = &object, .data_offset_bytes = file.size_bytes};
    assert_false(fuzz_header_says(file, &header));
}

/* The limit is max_header_size of numpy.load, whose text is latin-1 up to version 2; a start that is cut is an error of
 * its own ("EOF: reading array header length"). */
static void a_prefix_says_how_it_is_refused(void **state) {
    (void)state;
#define START(version, rest)                                                                                           \
    { (const uint8_t *)"\x93NUMPY" version "\0" rest, sizeof(version rest) + 6 }
    static const struct {
        struct ndp_bytes file;
        enum ndp_status status;
    } rows[] = {
        {START("\1", "\x10"), NDP_TRUNCATED},          {START("\1", "\x10\x27{"), NDP_TRUNCATED},
        {START("\1", "\x11\x27{"), NDP_LIMIT},         {START("\2", "\x10\x27\0\0{"), NDP_TRUNCATED},
        {START("\2", "\x11\x27\0\0{"), NDP_LIMIT},     {START("\3", "\x11\x27\0\0{"), NDP_TRUNCATED},
        {START("\3", "\x40\x9c\0\0{"), NDP_TRUNCATED}, {START("\3", "\x41\x9c\0\0{"), NDP_LIMIT},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const enum ndp_status other = rows[i].status == NDP_LIMIT ? NDP_TRUNCATED : NDP_LIMIT;
        if (!fuzz_prefix_says(rows[i].file, rows[i].status)) fail_msg("row %zu", i);
        if (fuzz_prefix_says(rows[i].file, other) || fuzz_prefix_says(rows[i].file, NDP_OK)) fail_msg("row %zu", i);
    }
    static const struct ndp_bytes others[] = {START("\4", "\0\0"), {(const uint8_t *)"", 0}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(others); i++)
        assert_true(fuzz_prefix_says(others[i], NDP_INVALID) && !fuzz_prefix_says(others[i], NDP_OK));
}

static void brackets_in_strings_are_none(void **state) {
    (void)state;
    static const struct {
        struct ndp_bytes file;
        uint32_t depth;
    } rows[] = {{HEADER("{'descr': '|u1', 'fortran_order': False, 'shape': (), }"), 2},
                {HEADER("{'descr': [('([{', '|u1')], 'fortran_order': False, 'shape': (), }"), 3},
                {HEADER("{'descr': [(\"'((((\", '|u1')], 'fortran_order': False, 'shape': (2,), }"), 3},
                {HEADER("{'shape': ((((2),))), 'descr': '|u1', 'fortran_order': False}"), 5},
                {HEADER("{'shape': (), # (((\n'descr': '|u1', 'fortran_order': False}"), 0},
                {HEADER("{'shape': (), 'descr': '''|u1''', 'fortran_order': False}"), 0}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct ndp_npy_header header = {.major = 1, .data_offset_bytes = rows[i].file.size_bytes};
        if (fuzz_header_depth(rows[i].file, &header) != rows[i].depth) fail_msg("row %zu", i);
    }
}

/* numpy.memmap tells shape, dtype and offset as they were asked for. */
static void what_is_placed_says_what_the_form_does(void **state) {
    (void)state;
    static const struct ndp_dtype dtype = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1};
    static const int64_t shape[] = {3};
    const struct ndp_raw_form form = {
        .dtype = &dtype, .shape = shape, .ndim = 1, .order = NDP_MEMORY_F, .offset_bytes = 2};
    struct ndp_npy_array array = {0};
    assert_int_equal(ndp_raw_decode_memory(&form, (struct ndp_bytes){(const uint8_t *)"vvabc", 5}, &array, NULL),
                     NDP_OK);
    assert_true(fuzz_is_placed(&form, &array));
    const struct ndp_npy_array right = array;
    struct ndp_npy_array wrong[] = {right, right, right, right, right};
    wrong[0].header.is_fortran_order = false;
    wrong[1].header.shape[0] = 2;
    wrong[2].header.data_offset_bytes = 0;
    wrong[3].consumed_bytes = 3;
    wrong[4].header.ndim = 2;
    for (size_t i = 0; i < NDP_ARRAY_LEN(wrong); i++)
        if (fuzz_is_placed(&form, &wrong[i])) fail_msg("row %zu", i);
    ndp_npy_array_clear(&array);
}

/* numpy.save of numpy.asarray([[1, 2, 3], [4, 5, 6]], "u1", order="F") has the elements 1, 4, 2, 5, 3, 6. */
static void elements_lie_as_the_file_says(void **state) {
    (void)state;
    static const struct ndp_bytes file =
        HEADER("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }\n\1\4\2\5\3\6");
    struct ndp_arena arena = {.limit_bytes = 1 << 20};
    uint8_t *bytes = ndp_arena_copy(&arena, file.data, file.size_bytes);
    struct ndp_npy_array array = {0};
    assert_non_null(bytes);
    bytes[8] = (uint8_t)(file.size_bytes - 6 - 10), bytes[9] = 0;
    const struct ndp_bytes whole = {bytes, file.size_bytes};
    assert_int_equal(ndp_npy_decode_memory(&arena, whole, NULL, &array, NULL), NDP_OK);
    assert_true(fuzz_file_says(whole, &array));
    assert_false(fuzz_file_says((struct ndp_bytes){bytes, file.size_bytes - 1}, &array));
    array.data[5] ^= 1;
    assert_false(fuzz_file_says(whole, &array));
    array.data[5] ^= 1;
    array.layout.strides_bytes[0] = 3, array.layout.strides_bytes[1] = 1; /* in C order */
    assert_false(fuzz_file_says(whole, &array));
    array.layout.strides_bytes[0] = 1, array.layout.strides_bytes[1] = 2, array.layout.shape[1] = 2;
    assert_false(fuzz_file_says(whole, &array));
    array.layout.shape[1] = 3;
    array.consumed_bytes--;
    assert_false(fuzz_file_says(whole, &array));
    array.consumed_bytes++;
    assert_true(fuzz_file_says(whole, &array));
    ndp_npy_array_clear(&array);
    ndp_arena_clear(&arena);
}

/* numpy.lib.format.descr_to_dtype of NumPy 2.4.6: a sub-array without a name is void, and so a gap. */
static void a_gap_of_objects_is_as_long_as_they_are(void **state) {
    (void)state;
    static const struct ndp_dtype word = {.kind = NDP_KIND_INT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 2};
    static const struct ndp_field field = {{(const uint8_t *)"a", 1}, {NULL, 0}, false, 0, &word};
    static const struct ndp_bytes file =
        HEADER("{'descr': [('a', '<i2'), ('', '|O', (2,))], 'fortran_order': False, 'shape': (), }");
    for (uint64_t size = 2; size < 34; size += 8) {
        const struct ndp_dtype dtype = {
            .kind = NDP_KIND_STRUCT, .itemsize_bytes = size, .fields = &field, .field_count = 1};
        const struct ndp_npy_header header = {.major = 1, .dtype = &dtype, .data_offset_bytes = file.size_bytes};
        assert_int_equal(fuzz_header_says(file, &header), size == 18);
    }
}

NDP_SUITE(said_test, cmocka_unit_test(headers_say_one_array), cmocka_unit_test(objects_are_no_elements),
          cmocka_unit_test(elements_lie_as_the_file_says), cmocka_unit_test(tuples_have_commas_and_numbers_no_l),
          cmocka_unit_test(headers_say_fields_and_units), cmocka_unit_test(strides_follow_the_order),
          cmocka_unit_test(a_prefix_says_how_it_is_refused), cmocka_unit_test(brackets_in_strings_are_none),
          cmocka_unit_test(what_is_placed_says_what_the_form_does),
          cmocka_unit_test(a_gap_of_objects_is_as_long_as_they_are));
