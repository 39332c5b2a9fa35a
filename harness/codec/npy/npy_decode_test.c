#include "base/byteorder.h"
#include "base/rng.h"
#include "base/suite.h"
#include "codec/npy/npy_decode.h"
#include "codec/npy/npy_encode.h"
#include "codec/npy/npy_sample.h"
#include "codec/source_fixture.h"

#include <fcntl.h>
#include <sys/stat.h>

/* By default the sanitizers abort on an impossible allocation size instead of returning NULL. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "allocator_may_return_null=1";
}

enum { ENTRIES = 6 };
static const char *const entry_names[ENTRIES] = {"memory", "stream", "file", "map r", "map r+", "map c"};

struct scene {
    char path[64];
    struct ndp_arena arena;
    uint8_t *exact; /* the bytes in a block of exact size */
    struct ndp_bytes bytes;
    struct sample sample; /* the array of vector_bytes(), and its file */
    struct ndp_buffer file;
};

static struct scene set_up(void) {
    struct scene scene = {.path = "/tmp/ndproof-test-XXXXXX"};
    const int fd = mkstemp(scene.path);
    assert_true(fd >= 0);
    assert_int_equal(close(fd), 0);
    ndp_arena_init(&scene.arena, 1 << 24);
    ndp_buffer_init(&scene.file, 1 << 20);
    return scene;
}

static void tear_down(struct scene *scene) {
    assert_int_equal(unlink(scene->path), 0);
    ndp_arena_clear(&scene->arena);
    ndp_arena_clear(&scene->sample.arena);
    ndp_buffer_clear(&scene->file);
    free(scene->exact);
}

/* A scene that the end of its block tears down. */
#define SCENE(name) __attribute__((cleanup(tear_down))) struct scene name = set_up()

/* Sets the bytes for the entry points from memory, in a block of exact size. */
static void set_memory(struct scene *scene, struct ndp_bytes bytes) {
    free(scene->exact);
    scene->exact = malloc(bytes.size_bytes == 0 ? 1 : bytes.size_bytes);
    assert_non_null(scene->exact);
    if (bytes.size_bytes > 0) memcpy(scene->exact, bytes.data, bytes.size_bytes);
    scene->bytes = (struct ndp_bytes){scene->exact, bytes.size_bytes};
}

/* Sets the bytes for all entry points. */
static void set_bytes(struct scene *scene, struct ndp_bytes bytes) {
    set_memory(scene, bytes);
    FILE *file = fopen(scene->path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(scene->exact, 1, bytes.size_bytes, file), bytes.size_bytes);
    assert_int_equal(fclose(file), 0);
}

static enum ndp_status decode(struct scene *scene, int entry, struct ndp_npy_array *out, struct ndp_error *error) {
    static const enum ndp_map_mode modes[] = {NDP_MAP_READ, NDP_MAP_READ_WRITE, NDP_MAP_COPY};
    struct source source = {ndp_cursor_view(scene->bytes), 7, NDP_OK};
    switch (entry) {
    case 0:
        return ndp_npy_decode_memory(&scene->arena, scene->bytes, NULL, out, error);
    case 1:
        return ndp_npy_decode_stream(&scene->arena, read_source, &source, NULL, out, error);
    case 2:
        return ndp_npy_decode_file(&scene->arena, scene->path, NULL, out, error);
    default:
        return ndp_npy_decode_mapped(&scene->arena, scene->path, modes[entry - 3], NULL, out, error);
    }
}

/* Makes the array of the vector, and NumPy's file of it: that of our encoder, after comparison with NumPy's hash. */
static void vector_bytes(struct scene *scene, const struct npy_vector *vector) {
    ndp_arena_clear(&scene->sample.arena);
    sample_make(&scene->sample, vector);
    scene->file.size_bytes = 0;
    assert_int_equal(ndp_npy_encode_buffer(&scene->sample.elements, 0, &scene->file, NULL), NDP_OK);
    assert_int_equal(ndp_hash_bytes(scene->file.data, scene->file.size_bytes, NDP_HASH_START), vector->hash);
}

static void check_array(const struct npy_vector *vector, int entry, const struct ndp_npy_array *array,
                        const struct ndp_elements *elements) {
    const uint64_t itemsize = elements->dtype->itemsize_bytes;
    char where[128] = "";
    if (ndp_dtype_compare(array->header.dtype, elements->dtype, where) != 0)
        fail_msg("%s through %s: dtype differs at %s", vector->dtype, entry_names[entry], where);
    assert_int_equal(array->layout.ndim, vector->ndim);
    for (uint32_t k = 0; k < vector->ndim; k++) assert_int_equal(array->layout.shape[k], vector->shape[k]);
    assert_int_equal(ndp_layout_is_c_contiguous(&array->layout, itemsize),
                     ndp_layout_is_c_contiguous(elements->layout, itemsize));
    assert_int_equal(ndp_layout_is_f_contiguous(&array->layout, itemsize),
                     ndp_layout_is_f_contiguous(elements->layout, itemsize));
    const uint64_t size = ndp_layout_count(elements->layout) * itemsize;
    assert_int_equal(array->header.size_bytes, size);
    assert_int_equal(array->consumed_bytes, vector->size_bytes);
    if (size > 0 && memcmp(array->data, elements->data, size) != 0)
        fail_msg("%s through %s: data differ", vector->dtype, entry_names[entry]);
    assert_int_equal((uintptr_t)array->data % 16, entry >= 3 && size == 0 ? (uintptr_t)array->data % 16 : 0);
}

static void every_entry_point_gives_the_array(void **state) {
    SCENE(scene);
    for (size_t i = 0; i < NDP_ARRAY_LEN(npy_vectors); i++) {
        vector_bytes(&scene, &npy_vectors[i]);
        set_bytes(&scene, ndp_buffer_view(&scene.file));
        for (int entry = 0; entry < ENTRIES; entry++) {
            NDP_NPY_ARRAY_SCOPED(array);
            struct ndp_error error = {0};
            if (decode(&scene, entry, &array, &error) != NDP_OK)
                fail_msg("%s through %s: %s", npy_vectors[i].dtype, entry_names[entry], error.text);
            check_array(&npy_vectors[i], entry, &array, &scene.sample.elements);
            assert_int_equal(array.map.is_open, entry >= 3);
        }
        ndp_arena_clear(&scene.arena);
    }
}

/* Checks the result for one length of a file through entry points `first` to `last`. */
static void check_length(struct scene *scene, const struct npy_vector *vector, int first, int last) {
    const bool is_whole = scene->bytes.size_bytes >= vector->size_bytes;
    for (int entry = first; entry <= last; entry++) {
        struct ndp_npy_array array = {.consumed_bytes = 4711};
        const enum ndp_status status = decode(scene, entry, &array, NULL);
        if (status != (is_whole ? NDP_OK : NDP_TRUNCATED))
            fail_msg("%s through %s, %llu bytes: %s", vector->dtype, entry_names[entry],
                     (unsigned long long)scene->bytes.size_bytes, ndp_status_name(status));
        assert_int_equal(array.consumed_bytes, is_whole ? vector->size_bytes : 4711);
        if (is_whole) ndp_npy_array_clear(&array);
        ndp_arena_clear(&scene->arena);
    }
}

/* Every proper prefix of every file is refused from memory and as a stream; as a file, those near the ends of its
 * parts. One additional byte has no effect. */
static void every_truncation_is_refused(void **state) {
    SCENE(scene);
    for (size_t i = 0; i < NDP_ARRAY_LEN(npy_vectors); i++) {
        const struct npy_vector *vector = &npy_vectors[i];
        vector_bytes(&scene, vector);
        assert_int_equal(ndp_buffer_add(&scene.file, "x", 1), NDP_OK);
        for (uint64_t size = 0; size <= vector->size_bytes + 1; size++) {
            const struct ndp_bytes prefix = {scene.file.data, size};
            set_memory(&scene, prefix);
            check_length(&scene, vector, 0, 1);
            if (size > 14 && size + 2 < vector->size_bytes && (size + 3) % 64 > 6) continue;
            set_bytes(&scene, prefix);
            check_length(&scene, vector, 2, ENTRIES - 1);
        }
    }
}

/* A header that claims much more data than exist, through every entry point. */
static void a_false_size_allocates_nothing(void **state) {
    static const struct {
        const char *shape;
        enum ndp_status status;
    } rows[] = {
        {"(1152921504606846900,)", NDP_TRUNCATED},
        {"(1152921504606846975,)", NDP_INVALID},
        {"(1099511627776,)", NDP_TRUNCATED},
        {"(1152921504606846976,)", NDP_INVALID},
        {"(4294967296, 4294967296)", NDP_INVALID},
        {"(9223372036854775807,)", NDP_INVALID},
        {"(-1,)", NDP_INVALID},
    };
    SCENE(scene);
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        NDP_BUFFER_SCOPED(bytes, 4096);
        assert_int_equal(ndp_buffer_add(&bytes, "\x93NUMPY\1\0\0\0", 10), NDP_OK);
        assert_int_equal(
            ndp_buffer_printf(&bytes, "{'descr': '<i8', 'fortran_order': False, 'shape': %s, }\n", rows[i].shape),
            NDP_OK);
        ndp_store_u16le(bytes.data + 8, (uint16_t)(bytes.size_bytes - 10));
        assert_int_equal(ndp_buffer_add(&bytes, "12345678", 8), NDP_OK);
        set_bytes(&scene, ndp_buffer_view(&bytes));
        for (int entry = 0; entry < ENTRIES; entry++) {
            struct ndp_npy_array array;
            const enum ndp_status status = decode(&scene, entry, &array, NULL);
            if (status != rows[i].status)
                fail_msg("%s through %s: %s", rows[i].shape, entry_names[entry], ndp_status_name(status));
        }
    }
}

static void a_false_header_length_reads_at_most_the_limit(void **state) {
    static const uint8_t bytes[] = {0x93, 'N', 'U', 'M', 'P', 'Y', 2, 0, 0xff, 0xff, 0xff, 0xff, '{'};
    SCENE(scene);
    set_bytes(&scene, (struct ndp_bytes){bytes, sizeof(bytes)});
    for (int entry = 0; entry < ENTRIES; entry++) {
        struct ndp_npy_array array;
        struct ndp_error error;
        assert_int_equal(decode(&scene, entry, &array, &error), NDP_LIMIT);
        assert_int_equal(error.offset_bytes, 8);
    }
}

/* NEP 1: a file may contain several arrays one after the other. */
static void a_descriptor_is_positioned_after_the_array(void **state) {
    SCENE(scene);
    vector_bytes(&scene, &npy_vectors[1]);
    const uint64_t size = scene.file.size_bytes;
    assert_int_equal(ndp_npy_encode_buffer(&scene.sample.elements, 2, &scene.file, NULL), NDP_OK);
    assert_int_equal(ndp_buffer_add(&scene.file, "rest", 4), NDP_OK);
    set_bytes(&scene, ndp_buffer_view(&scene.file));
    const int fd = open(scene.path, O_RDONLY);
    assert_true(fd >= 0);
    for (off_t k = 1; k <= 2; k++) {
        NDP_NPY_ARRAY_SCOPED(array);
        assert_int_equal(ndp_npy_decode_fd(&scene.arena, fd, NULL, &array, NULL), NDP_OK);
        assert_int_equal(array.header.major, k);
        assert_int_equal(lseek(fd, 0, SEEK_CUR), k * (off_t)size);
    }
    struct ndp_npy_array array;
    assert_int_equal(ndp_npy_decode_fd(&scene.arena, fd, NULL, &array, NULL), NDP_INVALID);
    assert_int_equal(close(fd), 0);
}

/* Makes a file larger than the first read, with a header of `header_bytes`, which blanks pad. */
static void make_large(struct scene *scene, uint16_t header_bytes) {
    static const char text[] = "{'descr': '|u1', 'fortran_order': False, 'shape': (70000,), }";
    uint8_t *room = NULL;
    scene->file.size_bytes = 0;
    assert_int_equal(ndp_buffer_extend(&scene->file, 10 + (uint64_t)header_bytes + 70000, &room), NDP_OK);
    memcpy(room, "\x93NUMPY\1", 8);
    ndp_store_u16le(room + 8, header_bytes);
    memset(room + 10, ' ', header_bytes);
    memcpy(room + 10, text, sizeof(text) - 1);
    room[10 + header_bytes - 1] = '\n';
    for (uint32_t i = 0; i < 70000; i++) room[10 + header_bytes + i] = (uint8_t)(i * 7);
    set_bytes(scene, ndp_buffer_view(&scene->file));
}

static void every_entry_point_reads_large_files_and_long_headers(void **state) {
    static const uint16_t lengths[] = {118, 502, 503, 9000};
    SCENE(scene);
    for (size_t i = 0; i < NDP_ARRAY_LEN(lengths); i++) {
        make_large(&scene, lengths[i]);
        for (int entry = 0; entry < ENTRIES; entry++) {
            NDP_NPY_ARRAY_SCOPED(array);
            assert_int_equal(decode(&scene, entry, &array, NULL), NDP_OK);
            assert_int_equal(array.header.data_offset_bytes, 10 + lengths[i]);
            assert_int_equal(array.consumed_bytes, scene.file.size_bytes);
            assert_memory_equal(array.data, scene.file.data + 10 + lengths[i], 70000);
        }
        /* Cut in the header, after the first read. */
        if (lengths[i] > 600) {
            struct ndp_npy_array array = {0};
            set_bytes(&scene, (struct ndp_bytes){scene.file.data, 600});
            for (int entry = 0; entry < ENTRIES; entry++)
                assert_int_equal(decode(&scene, entry, &array, NULL), NDP_TRUNCATED);
        }
    }
}

/* The position of the file is irrelevant and does not change. */
static void a_mapped_descriptor_keeps_its_position(void **state) {
    SCENE(scene);
    struct ndp_npy_array array = {0};
    vector_bytes(&scene, &npy_vectors[1]);
    set_bytes(&scene, ndp_buffer_view(&scene.file));
    const int fd = open(scene.path, O_RDONLY);
    assert_int_equal(lseek(fd, 5, SEEK_SET), 5);
    assert_int_equal(ndp_npy_decode_mapped_fd(&scene.arena, fd, NDP_MAP_COPY, NULL, &array, NULL), NDP_OK);
    assert_int_equal(lseek(fd, 0, SEEK_CUR), 5);
    assert_int_equal(close(fd), 0);
    check_array(&npy_vectors[1], 5, &array, &scene.sample.elements);
    ndp_npy_array_clear(&array);
    assert_int_equal(ndp_npy_decode_mapped_fd(&scene.arena, -1, NDP_MAP_COPY, NULL, &array, NULL), NDP_IO);
}

/* A pipe has no size. 300000 bytes are several times the initial memory. */
static void a_stream_grows_with_what_arrives(void **state) {
    SCENE(scene);
    const struct ndp_dtype leaf = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1};
    struct ndp_layout layout = {.ndim = 1, .shape = {300000}, .strides_bytes = {1}};
    uint8_t *data = malloc(300000);
    assert_non_null(data);
    for (uint32_t i = 0; i < 300000; i++) data[i] = (uint8_t)(i ^ i >> 8);
    const struct ndp_elements elements = {&leaf, &layout, data};
    NDP_BUFFER_SCOPED(bytes, 1 << 20);
    assert_int_equal(ndp_npy_encode_buffer(&elements, 0, &bytes, NULL), NDP_OK);
    static const uint64_t pieces[] = {1000, 65536, 1 << 20};
    for (size_t i = 0; i < NDP_ARRAY_LEN(pieces); i++) {
        NDP_NPY_ARRAY_SCOPED(array);
        struct source source = {ndp_cursor_view(ndp_buffer_view(&bytes)), pieces[i], NDP_OK};
        assert_int_equal(ndp_npy_decode_stream(&scene.arena, read_source, &source, NULL, &array, NULL), NDP_OK);
        assert_memory_equal(array.data, data, 300000);
        assert_int_equal(ndp_cursor_left(&source.cursor), 0);
    }
    free(data);
}

static void objects_and_other_files_are_refused(void **state) {
    static const char text[] = "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }\n";
    SCENE(scene);
    struct ndp_npy_array array;
    char fifo[80];
    NDP_BUFFER_SCOPED(bytes, 4096);
    assert_int_equal(ndp_buffer_add(&bytes, "\x93NUMPY\1\0\0\0", 10), NDP_OK);
    assert_int_equal(ndp_buffer_add(&bytes, text, sizeof(text) - 1), NDP_OK);
    bytes.data[8] = sizeof(text) - 1;
    assert_int_equal(ndp_buffer_add(&bytes, "12345678", 8), NDP_OK);
    set_bytes(&scene, ndp_buffer_view(&bytes));
    for (int entry = 0; entry < ENTRIES; entry++)
        assert_int_equal(decode(&scene, entry, &array, NULL), NDP_UNSUPPORTED);

    (void)snprintf(fifo, sizeof(fifo), "%s.fifo", scene.path);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    const char *const special[] = {fifo, "/tmp", "/dev/null"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(special); i++) {
        assert_int_equal(ndp_npy_decode_file(&scene.arena, special[i], NULL, &array, NULL), NDP_INVALID);
        assert_int_equal(ndp_npy_decode_mapped(&scene.arena, special[i], NDP_MAP_READ, NULL, &array, NULL),
                         NDP_INVALID);
    }
    assert_int_equal(unlink(fifo), 0);
    assert_int_equal(ndp_npy_decode_file(&scene.arena, "/nonexistent", NULL, &array, NULL), NDP_IO);
    assert_int_equal(ndp_npy_decode_mapped(&scene.arena, scene.path, NDP_MAP_WRITE, NULL, &array, NULL), NDP_INVALID);
}

static void the_limit_on_data_is_kept(void **state) {
    SCENE(scene);
    struct ndp_npy_array array;
    vector_bytes(&scene, &npy_vectors[1]);
    const struct ndp_npy_options enough = {.data_bytes = 48};
    const struct ndp_npy_options less = {.data_bytes = 47};
    const struct ndp_npy_options flat = {.max_ndim = 1};
    assert_int_equal(ndp_npy_decode_memory(&scene.arena, ndp_buffer_view(&scene.file), &enough, &array, NULL), NDP_OK);
    ndp_npy_array_clear(&array);
    assert_int_equal(ndp_npy_decode_memory(&scene.arena, ndp_buffer_view(&scene.file), &less, &array, NULL), NDP_LIMIT);
    assert_int_equal(ndp_npy_decode_memory(&scene.arena, ndp_buffer_view(&scene.file), &flat, &array, NULL), NDP_LIMIT);
}

static void every_failing_allocation_is_reported(void **state) {
    SCENE(scene);
    vector_bytes(&scene, &npy_vectors[6]);
    set_bytes(&scene, ndp_buffer_view(&scene.file));
    for (int entry = 0; entry < ENTRIES; entry++) {
        enum ndp_status status = NDP_NOMEM;
        uint64_t call = 0;
        while (status != NDP_OK) {
            NDP_NPY_ARRAY_SCOPED(array);
            ndp_arena_clear(&scene.arena);
            ndp_arena_fail_at(&scene.arena, ++call);
            status = decode(&scene, entry, &array, NULL);
            ndp_arena_fail_at(&scene.arena, 0);
            assert_true(status == NDP_OK || status == NDP_NOMEM);
        }
        assert_true(call > 10);
    }
}

NDP_SUITE(npy_decode_test, NDP_TEST(every_entry_point_gives_the_array), NDP_TEST(every_truncation_is_refused),
          NDP_TEST(a_false_size_allocates_nothing), NDP_TEST(a_false_header_length_reads_at_most_the_limit),
          NDP_TEST(a_descriptor_is_positioned_after_the_array),
          NDP_TEST(every_entry_point_reads_large_files_and_long_headers),
          NDP_TEST(a_mapped_descriptor_keeps_its_position), NDP_TEST(a_stream_grows_with_what_arrives),
          NDP_TEST(objects_and_other_files_are_refused), NDP_TEST(the_limit_on_data_is_kept),
          NDP_TEST(every_failing_allocation_is_reported));
