#include "base/suite.h"
#include "codec/npy/npy_header.h"

static const struct ndp_dtype leaf = {.kind = NDP_KIND_INT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 2};

/* Spaces and a line end up to 128 bytes follow each text. Source: numpy.lib.format.write_array_header_1_0 of NumPy
 * 2.4.6 for an array of that shape. */
static void headers_are_those_of_numpy(void **state) {
    static const struct {
        bool is_fortran;
        uint32_t ndim;
        int64_t shape[2];
        const char *text;
    } rows[] = {
        {false, 0, {0}, "{'descr': '<i2', 'fortran_order': False, 'shape': (), }"},
        {false, 1, {12345}, "{'descr': '<i2', 'fortran_order': False, 'shape': (12345,), }"},
        {false, 2, {0, 7}, "{'descr': '<i2', 'fortran_order': False, 'shape': (0, 7), }"},
        {true, 2, {2, 3}, "{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3), }"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        char expected[129];
        memset(expected, ' ', sizeof(expected));
        memcpy(expected, "\x93NUMPY\1\0v\0", 10);
        memcpy(expected + 10, rows[i].text, strlen(rows[i].text));
        expected[127] = '\n';
        NDP_BUFFER_SCOPED(buffer, 1000);
        assert_int_equal(ndp_buffer_add(&buffer, "before", 6), NDP_OK);
        assert_int_equal(ndp_npy_header_add(&buffer, &leaf, rows[i].is_fortran, rows[i].shape, rows[i].ndim, 0, NULL),
                         NDP_OK);
        assert_int_equal(buffer.size_bytes, 6 + 128);
        if (memcmp(buffer.data + 6, expected, 128) != 0) fail_msg("%s", rows[i].text);
    }
}

/* The number of digits of the growing axis (the first, in F order the last) does not change the length. Source: NumPy
 * 2.4.6, length of the header of '<i2' in these shapes. */
static void the_growing_axis_has_room(void **state) {
    static const struct {
        bool is_fortran;
        int64_t shape[3];
        uint64_t size_bytes;
    } rows[] = {
        {false, {1, 100000000000000000, 100000000000000000}, 128},
        {false, {1, 100000000000000000, 1000000000000000000}, 192},
        {false, {100000000000000000, 100000000000000000, 100000000000000000}, 128},
        {false, {100000000000000000, 100000000000000000, 1000000000000000000}, 192},
        {true, {10000000000000000, 1000000000000000000, 1}, 128},
        {true, {10000000000000000, 1000000000000000000, 100000000000000000}, 128},
        {true, {100000000000000000, 1000000000000000000, 1}, 128},
        {true, {100000000000000000, 1000000000000000000, 100000000000000000}, 128},
        {true, {1000000000000000000, 1000000000000000000, 1}, 192},
        {true, {1000000000000000000, 1000000000000000000, 100000000000000000}, 192},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        NDP_BUFFER_SCOPED(buffer, 1000);
        assert_int_equal(ndp_npy_header_add(&buffer, &leaf, rows[i].is_fortran, rows[i].shape, 3, 0, NULL), NDP_OK);
        if (buffer.size_bytes != rows[i].size_bytes) fail_msg("row %zu: %d", i, (int)buffer.size_bytes);
    }
}

/* A structure of one field whose name is `length` times "x". Source of the rows: numpy.save in NumPy 2.4.6 of
 * np.zeros(1, [("x" * length, "u1")]): a name of 65439 characters is the longest that fits version 1.0. */
static void the_version_is_the_lowest_that_fits(void **state) {
    static const struct {
        uint64_t length;
        uint8_t major;
        uint64_t offset_bytes;
    } rows[] = {{1, 1, 128},       {65300, 1, 65408}, {65311, 1, 65408}, {65312, 1, 65472},
                {65375, 1, 65472}, {65376, 1, 65536}, {65439, 1, 65536}, {65440, 2, 65600},
                {65501, 2, 65600}, {65502, 2, 65664}, {70000, 2, 70144}};
    static char name[70001];
    memset(name, 'x', sizeof(name) - 1);
    const struct ndp_dtype byte = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1};
    const int64_t shape[] = {1};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct ndp_field field = {.name = {(const uint8_t *)name, rows[i].length}, .dtype = &byte};
        const struct ndp_dtype dtype = {
            .kind = NDP_KIND_STRUCT, .itemsize_bytes = 1, .fields = &field, .field_count = 1};
        NDP_BUFFER_SCOPED(buffer, 1 << 20);
        assert_int_equal(ndp_npy_header_add(&buffer, &dtype, false, shape, 1, 0, NULL), NDP_OK);
        assert_int_equal(buffer.data[6], rows[i].major);
        assert_int_equal(buffer.size_bytes, rows[i].offset_bytes);
    }
}

static void a_requested_version_is_written_or_refused(void **state) {
    const int64_t shape[] = {3};
    const struct ndp_field alpha = {.name = {(const uint8_t *)"\xce\xb1", 2}, .dtype = &leaf};
    const struct ndp_field acute = {.name = {(const uint8_t *)"\xc3\xa9", 2}, .dtype = &leaf};
    const struct ndp_dtype greek = {.kind = NDP_KIND_STRUCT, .itemsize_bytes = 2, .fields = &alpha, .field_count = 1};
    const struct ndp_dtype latin = {.kind = NDP_KIND_STRUCT, .itemsize_bytes = 2, .fields = &acute, .field_count = 1};
    NDP_BUFFER_SCOPED(buffer, 1 << 12);
    for (uint8_t major = 1; major <= 3; major++) {
        buffer.size_bytes = 0;
        assert_int_equal(ndp_npy_header_add(&buffer, &latin, false, shape, 1, major, NULL), NDP_OK);
        assert_int_equal(buffer.data[6], major);
        assert_int_equal(buffer.size_bytes, 128);
        /* {'descr': [('e acute', ...: one byte in latin-1, two in UTF-8. */
        const uint64_t name_at = (major == 1 ? 10 : 12) + 13;
        assert_int_equal(buffer.data[name_at], major == 3 ? 0xc3 : 0xe9);
        const enum ndp_status status = ndp_npy_header_add(&buffer, &greek, false, shape, 1, major, NULL);
        assert_int_equal(status, major == 3 ? NDP_OK : NDP_LIMIT);
    }
}

static void refused_headers_add_nothing(void **state) {
    const struct ndp_dtype native = {.kind = NDP_KIND_INT, .order = NDP_ORDER_NATIVE, .itemsize_bytes = 2};
    const struct {
        const struct ndp_dtype *dtype;
        int64_t extent;
        uint8_t major;
        uint64_t max_bytes;
        enum ndp_status status;
    } rows[] = {
        {&leaf, 3, 4, 1000, NDP_INVALID},
        {&leaf, -1, 0, 1000, NDP_INVALID},
        {&native, 3, 0, 1000, NDP_INVALID},
        {&leaf, 3, 0, 127, NDP_LIMIT},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_error error = {0};
        NDP_BUFFER_SCOPED(buffer, rows[i].max_bytes);
        if (ndp_npy_header_add(&buffer, rows[i].dtype, false, &rows[i].extent, 1, rows[i].major, &error) !=
            rows[i].status)
            fail_msg("row %zu", i);
        assert_int_equal(error.status, rows[i].status);
        assert_true(error.text[0] != '\0');
        assert_int_equal(buffer.size_bytes, 0);
    }
}

NDP_SUITE(npy_header_add_test, NDP_TEST(headers_are_those_of_numpy), NDP_TEST(the_growing_axis_has_room),
          NDP_TEST(the_version_is_the_lowest_that_fits), NDP_TEST(a_requested_version_is_written_or_refused),
          NDP_TEST(refused_headers_add_nothing));
