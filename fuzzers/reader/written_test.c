/* Where headers end, and in which version, is as NumPy 2.5.5 has it (numpy.lib.format.write_array of numpy.zeros). */
#include "reader/written.h"

#include <stdio.h>
#include <string.h>

#include "base/suite.h"

enum { ROOM_BYTES = 1 << 17 };

static uint8_t room[ROOM_BYTES];

/* A header of this text with spaces behind it up to the data; what stands in its prefix is not looked at. */
static bool is_written(const char *text, uint8_t major, uint64_t data_offset, struct ndp_npy_header header) {
    const size_t start = major == 1 ? 10 : 12;
    memset(room, ' ', sizeof room);
    memcpy(room + start, text, strlen(text));
    room[data_offset - 1] = '\n';
    header.major = major;
    header.data_offset_bytes = data_offset;
    return fuzz_is_written((struct ndp_bytes){room, data_offset}, &header);
}

#define SHAPE_2                                                                                                        \
    {                                                                                                                  \
        .ndim = 1, .shape = { 2 }                                                                                      \
    }

static void headers_of_numpy_are_written_so(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint8_t major;
        struct ndp_npy_header header;
    } rows[] = {
        {"{'descr': '|u1', 'fortran_order': False, 'shape': (), }", 1, {.ndim = 0}},
        {"{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }", 1, {.ndim = 2, .shape = {2, 3}}},
        {"{'descr': '|u1', 'fortran_order': True, 'shape': (2, 100), }",
         1,
         {.ndim = 2, .shape = {2, 100}, .is_fortran_order = true}},
        {"{'descr': '|u1', 'fortran_order': False, 'shape': (1234567,), }", 1, {.ndim = 1, .shape = {1234567}}},
        {"{'descr': [('\xe9', '|u1')], 'fortran_order': False, 'shape': (2,), }", 1, SHAPE_2},
        {"{'descr': [('\xce\xb1', '|u1')], 'fortran_order': False, 'shape': (2,), }", 3, SHAPE_2},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        if (!is_written(rows[i].text, rows[i].major, 128, rows[i].header)) fail_msg("row %zu", i);
        assert_false(is_written(rows[i].text, rows[i].major, 192, rows[i].header));
        assert_false(is_written(rows[i].text, rows[i].major, 127, rows[i].header));
        assert_false(is_written(rows[i].text, 2, 128, rows[i].header));
    }
}

static void other_spellings_are_not(void **state) {
    (void)state;
    static const struct ndp_npy_header header = {.ndim = 2, .shape = {2, 3}};
    assert_false(is_written("{'shape': (2, 3), 'fortran_order': False, 'descr': '|u1', }", 1, 128, header));
    assert_false(is_written("{'descr': '|u1', 'shape': (2, 3), 'fortran_order': False, }", 1, 128, header));
    assert_false(is_written("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3)}", 1, 128, header));
    assert_false(is_written("{'descr': '|u1', 'fortran_order': False, 'shape': (2,3), }", 1, 128, header));
    assert_false(is_written("{\"descr\": '|u1', 'fortran_order': False, 'shape': (2, 3), }", 1, 128, header));
    assert_false(is_written("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }", 1, 128, header));
    /* No newline, and nothing at all. */
    assert_true(is_written("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }", 1, 128, header));
    struct ndp_npy_header read = header;
    read.major = 1, read.data_offset_bytes = 128;
    room[127] = ' ';
    assert_false(fuzz_is_written((struct ndp_bytes){room, 128}, &read));
    read.data_offset_bytes = 10;
    assert_false(fuzz_is_written((struct ndp_bytes){room, 128}, &read));
}

/* Of numpy.zeros(2, [("a" * n, "u1")]): these are the first n of each end. */
static void long_headers_end_where_numpy_ends_them(void **state) {
    (void)state;
    static const struct {
        size_t letters;
        uint8_t major;
        uint64_t data_offset;
    } rows[] = {{10, 1, 128},      {32, 1, 192},      {96, 1, 256},      {65312, 1, 65472},
                {65376, 1, 65536}, {65440, 2, 65600}, {65502, 2, 65664}, {65566, 2, 65728}};
    static const struct ndp_npy_header header = SHAPE_2;
    static char text[ROOM_BYTES];
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        for (size_t less = 0; less < 2; less++) {
            memcpy(text, "{'descr': [('", 13);
            memset(text + 13, 'a', rows[i].letters - less);
            strcpy(text + 13 + rows[i].letters - less, "', '|u1')], 'fortran_order': False, 'shape': (2,), }");
            const bool is_first = i == 0;
            if (is_written(text, rows[i].major, rows[i].data_offset, header) != (less == 0 || is_first))
                fail_msg("row %zu, %zu less", i, less);
        }
    }
}

/* numpy.dtype(...).str never is one of the others. */
static void types_are_written_in_one_way(void **state) {
    (void)state;
    static const struct ndp_dtype byte = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1},
                                  fields = {.kind = NDP_KIND_STRUCT};
    /* Python reads each of them, and the last one counts. */
    static const char *const entries[] = {"'descr': '", "'descr' :\t  '", "\"descr\": '", "'descr':\""};
    static const char *const good[] = {"|u1", "u1", "<i8", ">f16", "|S0", "|V12", "<U3", "<M8", ">m8[ns]", "<m8[25us]"};
    static const char *const others[] = {"<",   "=i4",  "i4",       "|u01",     "<i+4",     "<i",      "S4",    "u2",
                                         "f8 ", "<M8[", "<M8[1us]", "<M8[0us]", "<M8[02s]", "float64", "<f8[s", "V1"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(good) + NDP_ARRAY_LEN(others); i++) {
        const bool is_good = i < NDP_ARRAY_LEN(good);
        const char *type = is_good ? good[i] : others[i - NDP_ARRAY_LEN(good)];
        for (size_t k = 0; k < NDP_ARRAY_LEN(entries); k++) {
            const int size = snprintf((char *)room, sizeof room, "{'descr': '<<', %s%s%c, }", entries[k], type,
                                      entries[k][strlen(entries[k]) - 1]);
            struct ndp_npy_header header = {.dtype = &byte, .data_offset_bytes = (uint64_t)size};
            if (fuzz_is_written_type((struct ndp_bytes){room, (uint64_t)size}, &header) != is_good)
                fail_msg("%s%s", entries[k], type);
            header.dtype = &fields;
            assert_true(fuzz_is_written_type((struct ndp_bytes){room, (uint64_t)size}, &header));
        }
    }
    /* The last key may be of several literals. */
    static const char *const joined[] = {"'de' 'scr'", "'de'\"scr\"", "'de'\t u'scr'", "'de' #\n 'scr'"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(joined); i++) {
        const int size = snprintf((char *)room, sizeof room, "{'descr': 'float64', %s: '<i2', }", joined[i]);
        const struct ndp_npy_header header = {.dtype = &byte, .data_offset_bytes = (uint64_t)size};
        assert_true(fuzz_is_written_type((struct ndp_bytes){room, (uint64_t)size}, &header));
    }
    /* A key of another dict is none of the header's. */
    const char *inside = "{'descr': '<i2', 'fortran_order': {'descr': 'float64', }, 'fortran_order': False, }";
    const struct ndp_npy_header header = {.dtype = &byte, .data_offset_bytes = strlen(inside)};
    assert_true(fuzz_is_written_type((struct ndp_bytes){(const uint8_t *)inside, strlen(inside)}, &header));
}

/* Python 3.11: repr() of names. */
static void strings_are_as_python_writes_them(void **state) {
    (void)state;
    static const struct {
        const char *name;
        uint8_t major;
        bool is_so;
    } rows[] = {
        {"'a'", 1, true},
        {"\"a\"", 1, false},
        {"\"it's\"", 1, true},
        {"'it\\'s'", 1, false},
        {"'\"it\\'s\"'", 1, true},
        {"'\"'", 1, true},
        {"'\\\"'", 1, false},
        {"'\\\\ \\t\\n\\r'", 1, true},
        {"'\\a'", 1, false},
        {"'\\x00\\x7f\\x9f\\xad'", 1, true},
        {"'\\x0A'", 1, false},
        {"'\\x1F'", 1, false},
        {"'\\x1f'", 1, true},
        {"'\\x09'", 1, false},
        {"'\\x41'", 1, false},
        {"'\\xe9'", 1, false},
        {"'\\u00ad'", 1, false},
        {"'\\u200b'", 1, true},
        {"'\\u200B'", 1, false},
        {"'\\ud800'", 1, true},
        {"'\\U000e0001'", 1, true},
        {"'\\U0000200b'", 1, false},
        {"'\xe9'", 1, true},
        {"'\xad'", 1, false},
        {"'\x7f'", 1, false},
        {"'\t'", 1, false},
        {"'\xce\xb1\xc2\xae'", 3, true},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        char text[100];
        snprintf(text, sizeof text, "{'descr': [(%s, '|u1')], 'fortran_order': False, 'shape': (2,), }", rows[i].name);
        if (is_written(text, rows[i].major, 128, (struct ndp_npy_header)SHAPE_2) != rows[i].is_so)
            fail_msg("row %zu", i);
    }
}

NDP_SUITE(written_test, cmocka_unit_test(headers_of_numpy_are_written_so), cmocka_unit_test(other_spellings_are_not),
          cmocka_unit_test(long_headers_end_where_numpy_ends_them), cmocka_unit_test(types_are_written_in_one_way),
          cmocka_unit_test(strings_are_as_python_writes_them));
