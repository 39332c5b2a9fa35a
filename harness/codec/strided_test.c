/* strided_test.c: elements in logical order. Expected: view.ravel("C") and view.ravel("F") of NumPy 2.4.6, where
 * a = numpy.arange(24, dtype="u1").reshape(2, 3, 4). */
#include "base/suite.h"
#include "codec/strided.h"

static const struct {
    const char *view;
    struct ndp_layout layout;
    uint64_t count;
    uint8_t by_c[24];
    uint8_t by_f[24];
} rows[] = {
    {"a",
     {3, {2, 3, 4}, {12, 4, 1}, 0},
     24,
     {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23},
     {0, 12, 4, 16, 8, 20, 1, 13, 5, 17, 9, 21, 2, 14, 6, 18, 10, 22, 3, 15, 7, 19, 11, 23}},
    {"a[::-1]",
     {3, {2, 3, 4}, {-12, 4, 1}, 12},
     24,
     {12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
     {12, 0, 16, 4, 20, 8, 13, 1, 17, 5, 21, 9, 14, 2, 18, 6, 22, 10, 15, 3, 19, 7, 23, 11}},
    {"a[:, ::2, 1::2]", {3, {2, 2, 2}, {12, 8, 2}, 1}, 8, {1, 3, 9, 11, 13, 15, 21, 23}, {1, 13, 9, 21, 3, 15, 11, 23}},
    {"a.transpose(1, 2, 0)",
     {3, {3, 4, 2}, {4, 1, 12}, 0},
     24,
     {0, 12, 1, 13, 2, 14, 3, 15, 4, 16, 5, 17, 6, 18, 7, 19, 8, 20, 9, 21, 10, 22, 11, 23},
     {0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11, 12, 16, 20, 13, 17, 21, 14, 18, 22, 15, 19, 23}},
    {"broadcast_to(a[0, 0, :3], (2, 3))", {2, {2, 3}, {0, 1}, 0}, 6, {0, 1, 2, 0, 1, 2}, {0, 0, 1, 1, 2, 2}},
    {"a[1, 2, 3]", {0, {0}, {0}, 23}, 1, {23}, {23}},
    {"a[:, :1, ::-1]", {3, {2, 1, 4}, {12, 4, -1}, 3}, 8, {3, 2, 1, 0, 15, 14, 13, 12}, {3, 15, 2, 14, 1, 13, 0, 12}},
    {"a[:, :, :1]", {3, {2, 3, 1}, {12, 4, 1}, 0}, 6, {0, 4, 8, 12, 16, 20}, {0, 12, 4, 16, 8, 20}},
    {"a[1:, 2:]", {3, {1, 1, 4}, {12, 4, 1}, 20}, 4, {20, 21, 22, 23}, {20, 21, 22, 23}},
    {"a[:, 3:]", {3, {2, 0, 4}, {12, 4, 1}, 12}, 0, {0}, {0}},
};

static const uint64_t itemsizes[] = {1, 2, 3, 4, 8, 16, 24};

/* The array of a row with items of another size; each byte of element k is k. `data` has the exact size. */
static struct ndp_layout widen(size_t row, uint64_t itemsize, uint8_t *data) {
    struct ndp_layout layout = rows[row].layout;
    layout.offset_bytes *= (int64_t)itemsize;
    for (uint32_t i = 0; i < layout.ndim; i++) layout.strides_bytes[i] *= (int64_t)itemsize;
    for (uint64_t k = 0; k < 24; k++) memset(data + k * itemsize, (int)k, (size_t)itemsize);
    return layout;
}

static void check_row(size_t row, uint64_t itemsize, const uint8_t *expected, const uint8_t *got) {
    for (uint64_t i = 0; i < rows[row].count * itemsize; i++) {
        if (got[i] != expected[i / itemsize])
            fail_msg("%s, items of %d: byte %d", rows[row].view, (int)itemsize, (int)i);
    }
}

static enum ndp_status add_bytes(void *sink, const void *bytes, uint64_t size_bytes) {
    return ndp_buffer_add(sink, bytes, size_bytes);
}

/* Copies in pieces of every size, and writes. */
static void elements_come_in_logical_order(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows) * NDP_ARRAY_LEN(itemsizes) * 2; i++) {
        const size_t row = i / 2 / NDP_ARRAY_LEN(itemsizes);
        const uint64_t itemsize = itemsizes[i / 2 % NDP_ARRAY_LEN(itemsizes)];
        const enum ndp_memory_order order = i % 2 == 0 ? NDP_MEMORY_C : NDP_MEMORY_F;
        const uint8_t *expected = i % 2 == 0 ? rows[row].by_c : rows[row].by_f;
        const struct ndp_dtype dtype = {.kind = NDP_KIND_VOID, .itemsize_bytes = itemsize};
        uint8_t *data = malloc(24 * itemsize);
        assert_non_null(data);
        const struct ndp_layout layout = widen(row, itemsize, data);
        const struct ndp_elements elements = {&dtype, &layout, data};
        struct ndp_walk walk;
        for (uint64_t room = 1; room <= 25; room++) {
            uint8_t got[24 * 24];
            uint64_t done = 0;
            uint64_t count = 1;
            ndp_strided_walk_init(&walk, &elements, order);
            while ((count = ndp_strided_walk_copy(&walk, got + done * itemsize, room)) > 0) done += count;
            assert_int_equal(done, rows[row].count);
            check_row(row, itemsize, expected, got);
        }
        NDP_BUFFER_SCOPED(buffer, 24 * itemsize);
        ndp_strided_walk_init(&walk, &elements, order);
        assert_int_equal(ndp_strided_walk_write(&walk, add_bytes, &buffer), NDP_OK);
        assert_int_equal(buffer.size_bytes, rows[row].count * itemsize);
        check_row(row, itemsize, expected, buffer.data);
        free(data);
    }
}

/* Rows that are a single run in C or F order: NumPy's C_CONTIGUOUS and F_CONTIGUOUS. */
static void contiguous_arrays_are_detected(void **state) {
    uint8_t data[24];
    const struct ndp_dtype dtype = {.kind = NDP_KIND_VOID, .itemsize_bytes = 1};
    for (size_t row = 0; row < NDP_ARRAY_LEN(rows); row++) {
        const struct ndp_layout layout = widen(row, 1, data);
        const struct ndp_elements elements = {&dtype, &layout, data};
        for (int order = 0; order < 2; order++) {
            struct ndp_walk walk;
            struct ndp_bytes run = {NULL, 77};
            const bool expected = (row == 0 && order == 0) || row == 5 || row >= 8;
            ndp_strided_walk_init(&walk, &elements, order == 0 ? NDP_MEMORY_C : NDP_MEMORY_F);
            if (ndp_strided_walk_is_contiguous(&walk, &run) != expected) fail_msg("%s", rows[row].view);
            if (expected) assert_int_equal(run.size_bytes, rows[row].count);
        }
    }
}

/* Zero-size items are counted without reading memory. */
static void zero_size_items_are_not_read(void **state) {
    const struct ndp_dtype dtype = {.kind = NDP_KIND_VOID};
    const struct ndp_layout layout = {.ndim = 2, .shape = {3, 5}};
    const struct ndp_elements elements = {&dtype, &layout, NULL};
    struct ndp_walk walk;
    ndp_strided_walk_init(&walk, &elements, NDP_MEMORY_C);
    assert_int_equal(ndp_strided_walk_copy(&walk, NULL, 10), 10);
    assert_int_equal(ndp_strided_walk_copy(&walk, NULL, 10), 5);
    assert_int_equal(ndp_strided_walk_copy(&walk, NULL, 10), 0);
    ndp_strided_walk_init(&walk, &elements, NDP_MEMORY_C);
    assert_int_equal(ndp_strided_walk_write(&walk, NULL, NULL), NDP_OK);
}

/* Lengths near the size of the chunks in which elements are gathered. */
static void long_strided_arrays_lose_nothing_between_chunks(void **state) {
    static const int64_t lengths[] = {87381, 87382, 131072, 262144, 262145};
    const struct ndp_dtype dtype = {.kind = NDP_KIND_BYTES, .itemsize_bytes = 3};
    for (size_t i = 0; i < NDP_ARRAY_LEN(lengths); i++) {
        const uint64_t count = (uint64_t)lengths[i];
        struct ndp_layout layout = {.ndim = 1, .shape = {lengths[i]}, .strides_bytes = {4}};
        uint8_t *data = malloc(4 * count);
        struct ndp_buffer buffer;
        struct ndp_walk walk;
        assert_non_null(data);
        for (uint64_t k = 0; k < 4 * count; k++) data[k] = (uint8_t)(k >> 8 ^ k);
        const struct ndp_elements elements = {&dtype, &layout, data};
        ndp_buffer_init(&buffer, 1 << 24);
        ndp_strided_walk_init(&walk, &elements, NDP_MEMORY_C);
        assert_int_equal(ndp_strided_walk_write(&walk, add_bytes, &buffer), NDP_OK);
        assert_int_equal(buffer.size_bytes, 3 * count);
        for (uint64_t k = 0; k < count; k++) assert_memory_equal(buffer.data + 3 * k, data + 4 * k, 3);
        ndp_buffer_clear(&buffer);
        ndp_buffer_init(&buffer, 3 * count - 1);
        ndp_strided_walk_init(&walk, &elements, NDP_MEMORY_C);
        assert_int_equal(ndp_strided_walk_write(&walk, add_bytes, &buffer), NDP_LIMIT);
        ndp_buffer_clear(&buffer);
        free(data);
    }
}

NDP_SUITE(strided_test, NDP_TEST(elements_come_in_logical_order), NDP_TEST(contiguous_arrays_are_detected),
          NDP_TEST(zero_size_items_are_not_read), NDP_TEST(long_strided_arrays_lose_nothing_between_chunks));
