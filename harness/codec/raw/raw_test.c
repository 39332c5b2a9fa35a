/* raw_test.c: elements after filler bytes. Expected bytes: ndarray.tobytes() of the stated array (NumPy 2.4.6), after
 * 0xEE as in harness/testees/README.md. */
#include "base/suite.h"
#include "codec/npy/npy_encode.h"
#include "codec/raw/raw.h"

#include <fcntl.h>

static const struct ndp_dtype pair = {.kind = NDP_KIND_INT, .order = NDP_ORDER_BIG, .itemsize_bytes = 2};
static const uint8_t memory[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

struct row {
    const char *name;
    struct ndp_layout layout;
    uint8_t size_bytes;
    uint8_t expected[12];
};

/* Views of a = numpy.arange(12, dtype="u1").view(">i2").reshape(2, 3). */
static const struct row rows[] = {
    {"a.tobytes()", {2, {2, 3}, {6, 2}, 0}, 12, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
    {"a.T.tobytes('A')", {2, {3, 2}, {2, 6}, 0}, 12, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
    {"a[:, ::-1].tobytes()", {2, {2, 3}, {6, -2}, 4}, 12, {4, 5, 2, 3, 0, 1, 10, 11, 8, 9, 6, 7}},
    {"a[:, 1:2].tobytes()", {2, {2, 1}, {6, 2}, 2}, 4, {2, 3, 8, 9}},
    {"a[1, 2].tobytes()", {0, {0}, {0}, 10}, 2, {10, 11}},
    {"a[:0].tobytes()", {2, {0, 3}, {6, 2}, 0}, 0, {0}},
};

static const uint64_t offsets[] = {0, 1, 63, 4095, 4096, 4097, 10000};

static void check_bytes(const struct row *row, uint64_t offset, const uint8_t *bytes, uint64_t size_bytes) {
    if (size_bytes != offset + row->size_bytes) fail_msg("%s: %llu bytes", row->name, (unsigned long long)size_bytes);
    for (uint64_t i = 0; i < offset; i++) assert_int_equal(bytes[i], 0xEE);
    if (row->size_bytes > 0 && memcmp(bytes + offset, row->expected, row->size_bytes) != 0)
        fail_msg("%s at offset %llu: bytes differ", row->name, (unsigned long long)offset);
}

static void check_file(const struct row *row, uint64_t offset, const char *path) {
    static uint8_t bytes[1 << 15];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    check_bytes(row, offset, bytes, fread(bytes, 1, sizeof(bytes), file));
    assert_int_equal(fclose(file), 0);
}

/* Entry point 0 is memory, 1 a file, 2 to 4 its maps, and 5 to 8 the same with an open file. */
static enum ndp_status decode_by(int entry, const struct ndp_raw_form *form, struct ndp_bytes bytes, const char *path,
                                 struct ndp_npy_array *out) {
    static const enum ndp_map_mode modes[] = {NDP_MAP_READ, NDP_MAP_READ_WRITE, NDP_MAP_COPY};
    if (entry == 0) return ndp_raw_decode_memory(form, bytes, out, NULL);
    if (entry == 1) return ndp_raw_decode_file(form, path, out, NULL);
    if (entry < 5) return ndp_raw_decode_mapped(form, path, modes[entry - 2], out, NULL);
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0);
    const enum ndp_status status = entry == 5 ? ndp_raw_decode_fd(form, fd, out, NULL)
                                              : ndp_raw_decode_mapped_fd(form, fd, modes[entry - 6], out, NULL);
    assert_int_equal(close(fd), 0);
    return status;
}

/* Every entry point gives the same array; input that is one byte short is refused. */
static void check_decoders(const struct row *row, uint64_t offset, struct ndp_bytes bytes, const char *path) {
    const struct ndp_elements elements = {&pair, &row->layout, memory};
    const bool is_fortran = ndp_npy_is_fortran_order(&elements);
    const struct ndp_raw_form form = {.dtype = &pair,
                                      .shape = row->layout.shape,
                                      .ndim = row->layout.ndim,
                                      .order = is_fortran ? NDP_MEMORY_F : NDP_MEMORY_C,
                                      .offset_bytes = offset};
    for (int shorter = 0; shorter < 2; shorter++) {
        const struct ndp_bytes cut = {bytes.data, bytes.size_bytes - (uint64_t)shorter};
        if (shorter && row->size_bytes == 0) continue;
        if (shorter) assert_int_equal(truncate(path, (off_t)cut.size_bytes), 0);
        for (int entry = 0; entry < 9; entry++) {
            NDP_NPY_ARRAY_SCOPED(array);
            const enum ndp_status status = decode_by(entry, &form, cut, path, &array);
            assert_int_equal(status, shorter ? NDP_TRUNCATED : NDP_OK);
            if (status != NDP_OK) continue;
            assert_int_equal(array.header.size_bytes, row->size_bytes);
            assert_int_equal(array.header.is_fortran_order, is_fortran);
            if (row->size_bytes > 0) assert_memory_equal(array.data, row->expected, row->size_bytes);
            assert_int_equal(array.map.is_open, entry >= 2 && entry != 5);
        }
    }
}

static void bytes_round_trip(void **state) {
    char path[] = "/tmp/ndproof-test-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(close(fd), 0);
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        for (size_t k = 0; k < NDP_ARRAY_LEN(offsets); k++) {
            const struct ndp_elements elements = {&pair, &rows[i].layout, memory};
            NDP_BUFFER_SCOPED(buffer, 1 << 15);
            assert_int_equal(ndp_raw_encode(&elements, offsets[k], ndp_write_to_buffer, &buffer, NULL), NDP_OK);
            check_bytes(&rows[i], offsets[k], buffer.data, buffer.size_bytes);
            assert_int_equal(ndp_raw_encode_mapped(&elements, offsets[k], path, NULL), NDP_OK);
            check_file(&rows[i], offsets[k], path);
            check_decoders(&rows[i], offsets[k], ndp_buffer_view(&buffer), path);
        }
    }
    assert_int_equal(unlink(path), 0);
}

static void impossible_forms_are_refused(void **state) {
    static const struct ndp_dtype object = {.kind = NDP_KIND_OBJECT, .itemsize_bytes = 8};
    const int64_t one[] = {1};
    const int64_t negative[] = {-1};
    const int64_t huge[] = {INT64_MAX / 2};
    const int64_t square[] = {INT64_C(1) << 32, INT64_C(1) << 32};
    const struct ndp_bytes bytes = {memory, sizeof(memory)};
    const struct {
        struct ndp_raw_form form;
        enum ndp_status status;
    } cases[] = {
        {{&object, one, 1, NDP_MEMORY_C, 0}, NDP_UNSUPPORTED},
        {{&pair, negative, 1, NDP_MEMORY_C, 0}, NDP_INVALID},
        {{&pair, square, 2, NDP_MEMORY_C, 0}, NDP_INVALID},
        {{&pair, huge, 1, NDP_MEMORY_C, 4}, NDP_INVALID},
        {{&pair, huge, 1, NDP_MEMORY_C, 0}, NDP_TRUNCATED},
        {{&pair, one, 1, NDP_MEMORY_C, UINT64_MAX}, NDP_INVALID},
        {{&pair, one, 1, NDP_MEMORY_C, 11}, NDP_TRUNCATED},
        {{&pair, one, NDP_MAX_NDIM + 1, NDP_MEMORY_C, 0}, NDP_LIMIT},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(cases); i++) {
        struct ndp_npy_array array;
        struct ndp_error error = {0};
        assert_int_equal(ndp_raw_decode_memory(&cases[i].form, bytes, &array, &error), cases[i].status);
        assert_true(error.text[0] != '\0');
    }
    struct ndp_npy_array array;
    assert_int_equal(ndp_raw_decode_file(&cases[4].form, "/nonexistent", &array, NULL), NDP_IO);
    assert_int_equal(ndp_raw_decode_file(&cases[6].form, "/tmp", &array, NULL), NDP_INVALID);
    assert_int_equal(ndp_raw_decode_mapped(&cases[6].form, "/tmp", NDP_MAP_WRITE, &array, NULL), NDP_INVALID);
    struct ndp_layout layout = {.ndim = 1, .shape = {1}, .strides_bytes = {8}};
    const struct ndp_elements elements = {&object, &layout, memory};
    NDP_BUFFER_SCOPED(buffer, 100);
    assert_int_equal(ndp_raw_encode(&elements, 0, ndp_write_to_buffer, &buffer, NULL), NDP_UNSUPPORTED);
    assert_int_equal(buffer.size_bytes, 0);
}

NDP_SUITE(raw_test, NDP_TEST(bytes_round_trip), NDP_TEST(impossible_forms_are_refused));
