#include "base/rng.h"
#include "base/suite.h"
#include "codec/npy/npy_encode.h"
#include "codec/npy/npy_sample.h"

static void check_bytes(const struct npy_vector *vector, const char *entry, struct ndp_bytes bytes) {
    if (bytes.size_bytes == vector->size_bytes &&
        ndp_hash_bytes(bytes.data, bytes.size_bytes, NDP_HASH_START) == vector->hash)
        return;
    fail_msg("%s, %u axes, %s: differs from NumPy's file", vector->dtype, vector->ndim, entry);
}

static struct ndp_bytes file_bytes(struct ndp_arena *arena, const char *path) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    uint8_t *bytes = ndp_arena_alloc(arena, 1 << 16);
    assert_non_null(bytes);
    const size_t size = fread(bytes, 1, 1 << 16, file);
    assert_int_equal(fclose(file), 0);
    return (struct ndp_bytes){bytes, size};
}

static void every_encoder_writes_numpys_bytes(void **state) {
    char path[] = "/tmp/ndproof-test-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    for (size_t i = 0; i < NDP_ARRAY_LEN(npy_vectors); i++) {
        const struct npy_vector *vector = &npy_vectors[i];
        SAMPLE(sample, vector);
        NDP_BUFFER_SCOPED(buffer, 1 << 20);
        assert_int_equal(ndp_npy_encode_buffer(&sample.elements, 0, &buffer, NULL), NDP_OK);
        check_bytes(vector, "buffer", ndp_buffer_view(&buffer));
        buffer.size_bytes = 0;
        assert_int_equal(ndp_npy_encode(&sample.elements, 0, ndp_write_to_buffer, &buffer, NULL), NDP_OK);
        check_bytes(vector, "stream", ndp_buffer_view(&buffer));
        assert_int_equal(ndp_npy_encode_file(&sample.elements, 0, path, NULL), NDP_OK);
        check_bytes(vector, "file", file_bytes(&sample.arena, path));
        assert_int_equal(ndp_npy_encode_mapped(&sample.elements, 0, path, NULL), NDP_OK);
        check_bytes(vector, "mapped", file_bytes(&sample.arena, path));
    }
    assert_int_equal(close(fd), 0);
    assert_int_equal(unlink(path), 0);
}

/* Source: numpy.save, NumPy 1.24 to 2.4: it raises for the first two and loses the name in the last two. */
static void unrepresentable_arrays_are_refused(void **state) {
    static const char *const rows[] = {
        "{\"fields\":[{\"name\":\"a\",\"offset\":0,\"dtype\":\"<i4\"},{\"name\":\"b\",\"offset\":2,\"dtype\":\"<i4\"}],"
        "\"itemsize\":8}",
        "{\"fields\":[{\"name\":\"a\",\"offset\":4,\"dtype\":\"<i4\"},{\"name\":\"b\",\"offset\":0,\"dtype\":\"<i4\"}],"
        "\"itemsize\":8}",
        "\"|O\"",
        "{\"fields\":[{\"name\":\"a\",\"offset\":0,\"dtype\":\"|O\"}],\"itemsize\":8}",
        "{\"base\":\"<i2\",\"shape\":[2]}",
        "{\"fields\":[{\"name\":\"\",\"offset\":0,\"dtype\":\"|V4\"}],\"itemsize\":4}",
        "{\"fields\":[{\"name\":\"\",\"offset\":0,\"dtype\":{\"base\":\"<i2\",\"shape\":[2]}}],\"itemsize\":4}",
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct npy_vector vector = {.dtype = rows[i], .ndim = 1, .shape = {2}};
        struct ndp_error error = {0};
        SAMPLE(sample, &vector);
        NDP_BUFFER_SCOPED(buffer, 1 << 12);
        assert_int_equal(ndp_npy_encode(&sample.elements, 0, ndp_write_to_buffer, &buffer, &error), NDP_UNSUPPORTED);
        assert_int_equal(buffer.size_bytes, 0);
        assert_true(error.text[0] != '\0');
    }
}

/* Data of the file for array(arange(24).reshape(2, 3, 4), '<i2') and the views of the rows. */
static void views_are_written_in_logical_order(void **state) {
    static const struct {
        const char *view;
        struct ndp_layout layout;
        bool is_fortran;
        uint8_t count;
        uint8_t expected[24];
    } rows[] = {
        {"a[::-1]", {3, {2, 3, 4}, {-24, 8, 2}, 24}, false, 24, {12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
                                                                 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11}},
        {"a[:, ::2, 1::2]", {3, {2, 2, 2}, {24, 16, 4}, 2}, false, 8, {1, 3, 9, 11, 13, 15, 21, 23}},
        {"a.T", {3, {4, 3, 2}, {2, 8, 24}, 0}, true, 24, {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                                          12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23}},
        {"a.transpose(1, 0, 2)", {3, {3, 2, 4}, {8, 24, 2}, 0}, false, 24, {0, 1, 2,  3,  12, 13, 14, 15,
                                                                            4, 5, 6,  7,  16, 17, 18, 19,
                                                                            8, 9, 10, 11, 20, 21, 22, 23}},
        {"broadcast_to(a[0, 0, :3], (2, 3))", {2, {2, 3}, {0, 2}, 0}, false, 6, {0, 1, 2, 0, 1, 2}},
        {"a[1, 2, 3]", {0, {0}, {0}, 46}, false, 1, {23}},
        {"a[:, :, ::-1].T", {3, {4, 3, 2}, {-2, 8, 24}, 6}, false, 24, {3, 15, 7, 19, 11, 23, 2, 14, 6, 18, 10, 22,
                                                                        1, 13, 5, 17, 9,  21, 0, 12, 4, 16, 8,  20}},
    };
    const struct ndp_dtype leaf = {.kind = NDP_KIND_INT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 2};
    uint8_t data[48];
    for (uint8_t i = 0; i < 24; i++) {
        data[2 * i] = i;
        data[2 * i + 1] = 0x55;
    }
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct ndp_elements elements = {&leaf, &rows[i].layout, data};
        NDP_BUFFER_SCOPED(buffer, 1 << 12);
        assert_int_equal(ndp_npy_encode_buffer(&elements, 0, &buffer, NULL), NDP_OK);
        assert_int_equal(buffer.size_bytes, 128 + 2 * rows[i].count);
        assert_int_equal(ndp_npy_is_fortran_order(&elements), rows[i].is_fortran);
        for (uint8_t k = 0; k < rows[i].count; k++) {
            if (buffer.data[128 + 2 * k] != rows[i].expected[k] || buffer.data[129 + 2 * k] != 0x55)
                fail_msg("%s: element %d", rows[i].view, k);
        }
    }
}

static enum ndp_status write_until(void *sink, const void *bytes, uint64_t size_bytes) {
    uint32_t *calls_left = sink;
    (void)bytes;
    (void)size_bytes;
    if (*calls_left == 0) return NDP_IO;
    (*calls_left)--;
    return NDP_OK;
}

static void a_sink_that_refuses_ends_the_encoding(void **state) {
    struct ndp_error error = {0};
    SAMPLE(sample, &npy_vectors[0]);
    for (uint32_t calls = 0; calls < 2; calls++) {
        uint32_t left = calls;
        assert_int_equal(ndp_npy_encode(&sample.elements, 0, write_until, &left, &error), NDP_IO);
    }
    uint32_t left = 2;
    assert_int_equal(ndp_npy_encode(&sample.elements, 0, write_until, &left, &error), NDP_OK);
    assert_int_equal(ndp_npy_encode_file(&sample.elements, 0, "/nonexistent/x.npy", &error), NDP_IO);
    assert_int_equal(ndp_npy_encode_mapped(&sample.elements, 0, "/tmp", &error), NDP_INVALID);
}

static void sizes_that_do_not_fit_are_refused(void **state) {
    const struct ndp_dtype leaf = {.kind = NDP_KIND_INT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 8};
    struct ndp_layout layout = {.ndim = 2, .shape = {INT64_C(1) << 32, INT64_C(1) << 32}};
    const struct ndp_elements elements = {&leaf, &layout, NULL};
    NDP_BUFFER_SCOPED(buffer, 1 << 12);
    assert_int_equal(ndp_npy_encode_buffer(&elements, 0, &buffer, NULL), NDP_LIMIT);
}

NDP_SUITE(npy_encode_test, NDP_TEST(every_encoder_writes_numpys_bytes), NDP_TEST(unrepresentable_arrays_are_refused),
          NDP_TEST(views_are_written_in_logical_order), NDP_TEST(a_sink_that_refuses_ends_the_encoding),
          NDP_TEST(sizes_that_do_not_fit_are_refused));
