/* The fast path and the general writer and reader (pickle_write.h, pickle_read.h) agree on the same arrays and bytes.
 * pickle_codec_test.c compares the bytes with NumPy's. */
#include "base/suite.h"
#include "codec/npy/npy_encode.h"
#include "codec/pickle/pickle_plain.h"

enum { ARENA_BYTES = 1 << 22, DATA_BYTES = 40000 };

static uint8_t data[DATA_BYTES];

static const struct ndp_array_form form = {.protocol = 5};

static const struct {
    const char *typestr;
    bool is_plain;
} dtypes[] = {
    {"|b1", true},   {"|i1", true},  {"|u1", true},  {"<i2", true},  {">i2", true},     {"<u4", true},  {">i8", true},
    {"<f2", true},   {">f4", true},  {"<f8", true},  {"<c8", true},  {"<c16", true},    {">c16", true}, {"<f16", false},
    {"<c32", false}, {"|S2", false}, {"<U1", false}, {"|V4", false}, {"<M8[s]", false}, {"<m8", false},
};

static const struct {
    uint32_t ndim;
    int64_t shape[4];
    bool is_plain;
} shapes[] = {
    {0, {0}, true},
    {1, {0}, true},
    {1, {3}, true},
    {1, {255}, true},
    {1, {256}, true},
    {2, {2, 3}, true},
    {2, {65535, 0}, true},
    {2, {0, 65536}, true},
    {2, {0, 2147483647}, true},
    {3, {1, 2, 3}, true},
    {3, {0, 300, 70000}, true},
    {4, {1, 1, 1, 1}, false},
    {2, {0, 2147483648}, false},
};

static enum ndp_status read_bytes(void *from, void *to, uint64_t room_bytes, uint64_t *got_bytes) {
    struct ndp_cursor *cursor = from;
    struct ndp_bytes piece;
    const uint64_t left = ndp_cursor_left(cursor);
    NDP_TRY(ndp_cursor_take(cursor, left < room_bytes ? left : room_bytes, &piece));
    if (piece.size_bytes > 0) memcpy(to, piece.data, (size_t)piece.size_bytes);
    *got_bytes = piece.size_bytes;
    return NDP_OK;
}

/* The general writer. */
static void write_objects(struct ndp_arena *arena, const struct ndp_elements *elements, enum ndp_numpy_release release,
                          struct ndp_buffer *out) {
    struct ndp_objects objects;
    struct ndp_object *root = NULL;
    struct ndp_blob blob = {0};
    const struct ndp_pickle_form pickle = {.protocol = 5};
    ndp_objects_init(&objects, arena);
    struct ndp_pickle_maker maker = {.objects = &objects, .release = release};
    assert_int_equal(ndp_pickle_array_make(&maker, elements, &form, &root, &blob), NDP_OK);
    assert_int_equal(ndp_pickle_write(&objects, root, &pickle, ndp_write_to_buffer, out, NULL), NDP_OK);
    assert_null(blob.owned);
}

/* Both readers accept or refuse the input for the same reason. */
static void assert_read_alike(struct ndp_bytes bytes) {
    struct ndp_pickle_array a = {0};
    struct ndp_pickle_array b = {0};
    struct ndp_cursor cursor = ndp_cursor_view(bytes);
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    const enum ndp_status status = ndp_pickle_codec_decode_memory(&arena, bytes, NULL, &a, NULL);
    assert_int_equal(ndp_pickle_codec_decode_stream(&arena, read_bytes, &cursor, NULL, &b, NULL), status);
    if (status == NDP_OK) {
        assert_int_equal(ndp_dtype_compare(a.dtype, b.dtype, NULL), 0);
        assert_memory_equal(&a.layout, &b.layout, sizeof(a.layout));
        assert_int_equal(a.size_bytes, b.size_bytes);
        if (a.size_bytes > 0) assert_memory_equal(a.data, b.data, a.size_bytes);
        assert_int_equal(a.is_writeable, b.is_writeable);
        assert_int_equal(a.consumed_bytes, b.consumed_bytes);
        ndp_pickle_codec_array_clear(&a);
        ndp_pickle_codec_array_clear(&b);
    }
}

static void check_array(size_t type, size_t shape, enum ndp_numpy_release release) {
    struct ndp_dtype dtype;
    struct ndp_layout layout;
    struct ndp_plain_pickle plain;
    struct ndp_plain_array array;
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    NDP_BUFFER_SCOPED(general, 1 << 20);
    assert_int_equal(ndp_dtype_read_typestr(ndp_bytes_view(dtypes[type].typestr), &dtype, NULL), NDP_OK);
    assert_int_equal(
        ndp_layout_contiguous(&layout, shapes[shape].shape, shapes[shape].ndim, dtype.itemsize_bytes, NDP_MEMORY_C, 0),
        NDP_OK);
    const struct ndp_elements elements = {&dtype, &layout, data};
    const bool is_plain = dtypes[type].is_plain && shapes[shape].is_plain;
    assert_int_equal(ndp_pickle_plain_make(&elements, &form, release, &plain), is_plain);
    write_objects(&arena, &elements, release, &general);
    assert_int_equal(ndp_pickle_plain_read(ndp_buffer_view(&general), &array), is_plain);
    if (is_plain) {
        const uint64_t size = plain.elements.size_bytes;
        assert_int_equal(general.size_bytes, plain.head_bytes + size + plain.tail_bytes);
        assert_memory_equal(general.data, plain.head, plain.head_bytes);
        if (size > 0) assert_memory_equal(general.data + plain.head_bytes, plain.elements.data, size);
        assert_memory_equal(general.data + plain.head_bytes + size, plain.tail, plain.tail_bytes);
    }
    assert_int_equal(ndp_buffer_add(&general, "more", 4), NDP_OK);
    assert_read_alike(ndp_buffer_view(&general));
}

static void bytes_equal_the_general_writers(void **state) {
    for (size_t i = 0; i < DATA_BYTES; i++) data[i] = (uint8_t)(7 * i + i / 251);
    for (size_t type = 0; type < NDP_ARRAY_LEN(dtypes); type++) {
        for (size_t shape = 0; shape < NDP_ARRAY_LEN(shapes); shape++) {
            check_array(type, shape, NDP_NUMPY_1);
            check_array(type, shape, NDP_NUMPY_2_3);
        }
    }
}

/* Changes every byte of a few pickles, and truncates them at every length. */
static void corrupted_pickles_are_read_like_the_general_reader(void **state) {
    static const uint8_t changes[] = {0x01, 0x02, 0x06, 0x10, 0x20, 0x80, 0xff};
    static const int64_t shape[] = {2, 300, 1};
    for (uint32_t ndim = 0; ndim <= 3; ndim++) {
        struct ndp_dtype dtype;
        struct ndp_layout layout;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        NDP_BUFFER_SCOPED(bytes, 1 << 20);
        assert_int_equal(ndp_dtype_read_typestr(ndp_bytes_view(ndim == 1 ? "<c16" : "|u1"), &dtype, NULL), NDP_OK);
        assert_int_equal(ndp_layout_contiguous(&layout, shape, ndim, dtype.itemsize_bytes, NDP_MEMORY_C, 0), NDP_OK);
        const struct ndp_elements elements = {&dtype, &layout, data};
        write_objects(&arena, &elements, ndim % 2 == 0 ? NDP_NUMPY_1 : NDP_NUMPY_2_3, &bytes);
        for (uint64_t at = 0; at < bytes.size_bytes; at++) {
            assert_read_alike((struct ndp_bytes){bytes.data, at});
            for (size_t i = 0; i < sizeof(changes); i++) {
                bytes.data[at] ^= changes[i];
                assert_read_alike(ndp_buffer_view(&bytes));
                bytes.data[at] ^= changes[i];
            }
        }
    }
}

static void other_forms_are_refused(void **state) {
    static const struct ndp_array_form others[] = {
        {.protocol = 4},
        {.protocol = 5, .is_out_of_band = true},
        {.protocol = 5, .is_readonly = true},
        {.protocol = 5, .is_record = true},
        {.protocol = 5, .class_module = "numpy", .class_name = "matrix"},
    };
    static const int64_t shape[] = {3, 5};
    struct ndp_dtype dtype;
    struct ndp_layout layout;
    struct ndp_plain_pickle plain;
    assert_int_equal(ndp_dtype_read_typestr(ndp_bytes_view("<i4"), &dtype, NULL), NDP_OK);
    assert_int_equal(ndp_layout_contiguous(&layout, shape, 2, 4, NDP_MEMORY_F, 0), NDP_OK);
    const struct ndp_elements elements = {&dtype, &layout, data};
    assert_false(ndp_pickle_plain_make(&elements, &form, NDP_NUMPY_2_3, &plain));
    assert_int_equal(ndp_layout_contiguous(&layout, shape, 2, 4, NDP_MEMORY_C, 8), NDP_OK);
    assert_true(ndp_pickle_plain_make(&elements, &form, NDP_NUMPY_2_3, &plain));
    assert_ptr_equal(plain.elements.data, data + 8);
    for (size_t i = 0; i < NDP_ARRAY_LEN(others); i++)
        assert_false(ndp_pickle_plain_make(&elements, &others[i], NDP_NUMPY_2_3, &plain));
    const int64_t long_shape[] = {NDP_PLAIN_ELEMENTS_BYTES / 4 + 1};
    assert_int_equal(ndp_layout_contiguous(&layout, long_shape, 1, 4, NDP_MEMORY_C, 0), NDP_OK);
    assert_false(ndp_pickle_plain_make(&elements, &form, NDP_NUMPY_2_3, &plain));
}

NDP_SUITE(pickle_plain_test, NDP_TEST(bytes_equal_the_general_writers),
          NDP_TEST(corrupted_pickles_are_read_like_the_general_reader), NDP_TEST(other_forms_are_refused));
