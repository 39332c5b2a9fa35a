#include "base/byteorder.h"
#include "base/suite.h"
#include "codec/npz/npz_read.h"
#include "codec/npz/npz_vectors.h"
#include "codec/npz/npz_write.h"
#include "model/layout.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <zip.h>

enum { ARENA_BYTES = 1 << 24, DATA_BYTES = 24 };

struct scene {
    struct ndp_arena arena;
    struct ndp_bytes bytes; /* of exact size */
    char path[64];
    struct ndp_error error;
};

static struct scene set_up(void) {
    struct scene scene = {.path = "/tmp/ndproof-test-XXXXXX"};
    const int fd = mkstemp(scene.path);
    assert_true(fd >= 0);
    assert_int_equal(close(fd), 0);
    ndp_arena_init(&scene.arena, ARENA_BYTES);
    return scene;
}

static void tear_down(struct scene *scene) {
    assert_int_equal(unlink(scene->path), 0);
    ndp_arena_clear(&scene->arena);
}

/* A scene that the end of its block tears down. */
#define SCENE(name) __attribute__((cleanup(tear_down))) struct scene name = set_up()

static void set_file(const struct scene *scene, struct ndp_bytes bytes) {
    FILE *file = fopen(scene->path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.data, 1, (size_t)bytes.size_bytes, file), bytes.size_bytes);
    assert_int_equal(fclose(file), 0);
}

static uint8_t *set_vector(struct scene *scene, const char *name) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(npz_vectors); i++) {
        if (strcmp(npz_vectors[i].name, name) != 0) continue;
        assert_int_equal(ndp_hex_read(&scene->arena, npz_vectors[i].hex, &scene->bytes, NULL), NDP_OK);
    }
    uint8_t *copy = ndp_arena_copy(&scene->arena, scene->bytes.data, scene->bytes.size_bytes);
    assert_non_null(copy);
    scene->bytes.data = copy;
    return copy;
}

/* Checks the array of the vectors. */
static void check_array(const struct ndp_npy_array *array) {
    assert_int_equal(array->header.ndim, 2);
    assert_int_equal(array->header.shape[0], 2);
    assert_int_equal(array->header.shape[1], 3);
    assert_int_equal(array->header.size_bytes, DATA_BYTES);
    assert_int_equal(array->header.dtype->kind, NDP_KIND_INT);
    for (uint32_t i = 0; i < 6; i++) assert_int_equal(ndp_load_u32le(array->data + (size_t)i * 4), i);
}

static enum ndp_status read_key(struct scene *scene, const char *key, const struct ndp_npz_limits *limits,
                                struct ndp_npy_array *array) {
    struct ndp_npz *npz = NULL;
    uint64_t index = 0;
    NDP_TRY(ndp_npz_open_memory(scene->bytes, limits, &npz, &scene->error));
    enum ndp_status status = ndp_npz_find(npz, ndp_bytes_view(key), &index, &scene->error);
    if (status == NDP_OK) status = ndp_npz_read_array(npz, &scene->arena, index, NULL, array, &scene->error);
    ndp_npz_free(npz);
    return status;
}

static void check_refused(struct scene *scene, const struct ndp_npz_limits *limits, enum ndp_status status) {
    struct ndp_npy_array array = {0};
    assert_int_equal(read_key(scene, "a", limits, &array), status);
    assert_int_equal(scene->error.status, status);
    assert_true(scene->error.text[0] != '\0');
    assert_null(array.data);
}

static void test_vectors(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(npz_vectors); i++) {
        SCENE(scene);
        struct ndp_npy_array array = {0};
        struct ndp_npz_member member;
        struct ndp_npz *npz = NULL;
        set_vector(&scene, npz_vectors[i].name);
        if (!zip_compression_method_supported(npz_vectors[i].method, 0)) {
            check_refused(&scene, NULL, NDP_UNSUPPORTED);
            continue;
        }
        assert_int_equal(read_key(&scene, "a", NULL, &array), NDP_OK);
        check_array(&array);
        ndp_npy_array_clear(&array);
        set_file(&scene, scene.bytes);
        assert_int_equal(ndp_npz_open_file(scene.path, NULL, &npz, &scene.error), NDP_OK);
        assert_int_equal(ndp_npz_count(npz), 1);
        ndp_npz_member(npz, 0, &member);
        assert_int_equal(member.method, npz_vectors[i].method);
        assert_int_equal(member.size_bytes, 152);
        assert_true(ndp_bytes_is_equal(member.name, ndp_bytes_view("a.npy")));
        assert_int_equal(ndp_npz_read_array(npz, &scene.arena, 0, NULL, &array, &scene.error), NDP_OK);
        check_array(&array);
        ndp_npy_array_clear(&array);
        ndp_npz_free(npz);
    }
}

/* Every proper prefix of an archive is refused without reading past its end. */
static void test_truncations(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(npz_vectors); i++) {
        SCENE(scene);
        set_vector(&scene, npz_vectors[i].name);
        const struct ndp_bytes whole = scene.bytes;
        for (uint64_t size = 0; size < whole.size_bytes; size++) {
            struct ndp_npy_array array = {0};
            uint8_t *exact = malloc(size == 0 ? 1 : (size_t)size);
            assert_non_null(exact);
            memcpy(exact, whole.data, (size_t)size);
            scene.bytes = (struct ndp_bytes){exact, size};
            assert_int_not_equal(read_key(&scene, "a", NULL, &array), NDP_OK);
            assert_null(array.data);
            free(exact);
        }
    }
}

/* Any changed bit of the member, or of its CRC or size in the directory, is detected. Names and dates have no
 * checksum. */
static void test_changed_bytes(void **state) {
    static const char *const names[] = {"stored", "deflated", "bzip2", "lzma"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(names); i++) {
        SCENE(scene);
        uint8_t *bytes = set_vector(&scene, names[i]);
        const uint64_t start = UINT64_C(30) + ndp_load_u16le(bytes + 26) + ndp_load_u16le(bytes + 28);
        const uint64_t directory = ndp_load_u32le(bytes + scene.bytes.size_bytes - 6);
        for (uint64_t at = start; at < directory; at++) {
            NDP_NPY_ARRAY_SCOPED(array);
            bytes[at] ^= 0x10;
            /* Unused bits of compressed data may change without an effect. */
            if (read_key(&scene, "a", NULL, &array) == NDP_OK) {
                assert_true(i > 0);
                check_array(&array);
            }
            bytes[at] ^= 0x10;
        }
        for (uint64_t at = directory + 16; at < directory + 28; at++) {
            NDP_NPY_ARRAY_SCOPED(array);
            bytes[at] ^= 1;
            /* Changes the stored and the compressed size alike, so that only the member's own end reveals it. */
            if (i == 0 && at >= directory + 20) bytes[at < directory + 24 ? at + 4 : at - 4] ^= 1;
            const enum ndp_status status = read_key(&scene, "a", NULL, &array);
            /* A compressed size larger than the stream includes bytes of the directory, without an effect. */
            if (status == NDP_OK) assert_true(i > 0 && at >= directory + 20 && at < directory + 24);
            if (i == 0 && at >= directory + 20) bytes[at < directory + 24 ? at + 4 : at - 4] ^= 1;
            bytes[at] ^= 1;
        }
    }
}

static void test_limits(void **state) {
    const struct ndp_npz_limits member = {.member_bytes = 151};
    const struct ndp_npz_limits total = {.total_bytes = 151};
    const struct ndp_npz_limits enough = {.members = 1, .member_bytes = 152, .total_bytes = 152};
    const struct ndp_npz_limits ratio = {.ratio = 1, .free_bytes = 151};
    const struct ndp_npz_limits free_of_ratio = {.ratio = 1, .free_bytes = 152};
    struct ndp_npy_array array = {0};
    SCENE(scene);
    set_vector(&scene, "deflated");
    check_refused(&scene, &member, NDP_LIMIT);
    check_refused(&scene, &total, NDP_LIMIT);
    check_refused(&scene, &ratio, NDP_LIMIT);
    assert_int_equal(read_key(&scene, "a", &enough, &array), NDP_OK);
    ndp_npy_array_clear(&array);
    assert_int_equal(read_key(&scene, "a", &free_of_ratio, &array), NDP_OK);
    ndp_npy_array_clear(&array);
    /* A directory that claims 4 GiB. */
    uint8_t *bytes = set_vector(&scene, "deflated");
    const uint64_t directory = ndp_load_u32le(bytes + scene.bytes.size_bytes - 6);
    ndp_store_u32le(bytes + directory + 24, 0xfffffffe);
    check_refused(&scene, NULL, NDP_LIMIT);
}

static void test_refused(void **state) {
    SCENE(scene);
    struct ndp_npy_array array = {0};
    struct ndp_npz *npz = NULL;
    uint8_t *bytes = set_vector(&scene, "stored");
    const uint64_t directory = ndp_load_u32le(bytes + scene.bytes.size_bytes - 6);
    assert_int_equal(read_key(&scene, "b", NULL, &array), NDP_INVALID);
    ndp_store_u16le(bytes + directory + 8, 1); /* encrypted */
    check_refused(&scene, NULL, NDP_UNSUPPORTED);
    bytes = set_vector(&scene, "stored");
    ndp_store_u16le(bytes + directory + 10, 97); /* WavPack */
    check_refused(&scene, NULL, NDP_UNSUPPORTED);
    bytes = set_vector(&scene, "stored");
    bytes[0] = 'x';
    check_refused(&scene, NULL, NDP_INVALID);
    assert_int_equal(ndp_npz_open_file("/", NULL, &npz, NULL), NDP_INVALID);
    assert_int_equal(ndp_npz_open_file("/nonexistent/a", NULL, &npz, NULL), NDP_IO);
    assert_null(npz);
}

/* CPython 3.11: zipfile's RuntimeError and NotImplementedError, although there is nothing to read. The archive is
 * zipfile's for an empty member. */
static void test_locked_and_empty(void **state) {
    static const char hex[] =
        "504b03041400000000000000210000000000000000000000000005000000612e6e7079504b01021403140000000000000021"
        "00000000000000000000000000050000000000000000000000800100000000612e6e7079504b050600000000010001003300"
        "0000230000000000";
    static const struct {
        uint64_t at;
        uint8_t value;
        enum ndp_status status;
    } rows[] = {{8, 0, NDP_TRUNCATED}, {8, 1, NDP_UNSUPPORTED}, {10, 1, NDP_UNSUPPORTED}};
    SCENE(scene);
    assert_int_equal(ndp_hex_read(&scene.arena, hex, &scene.bytes, NULL), NDP_OK);
    uint8_t *bytes = ndp_arena_copy(&scene.arena, scene.bytes.data, scene.bytes.size_bytes);
    assert_non_null(bytes);
    scene.bytes.data = bytes;
    const uint64_t directory = ndp_load_u32le(bytes + scene.bytes.size_bytes - 6);
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        bytes[rows[i].at - 2] = bytes[directory + rows[i].at] = rows[i].value;
        check_refused(&scene, NULL, rows[i].status);
        bytes[rows[i].at - 2] = bytes[directory + rows[i].at] = 0;
    }
}

/* An open file at any position; a descriptor that is not a file; an invalid descriptor. */
static void test_descriptor(void **state) {
    SCENE(scene);
    NDP_NPY_ARRAY_SCOPED(array);
    struct ndp_npz *npz = NULL;
    int ends[2];
    set_vector(&scene, "stored");
    set_file(&scene, scene.bytes);
    const int fd = open(scene.path, O_RDONLY);
    assert_int_equal(lseek(fd, 7, SEEK_SET), 7);
    assert_int_equal(ndp_npz_open_fd(fd, NULL, &npz, NULL), NDP_OK);
    assert_int_equal(lseek(fd, 0, SEEK_CUR), 7);
    assert_int_equal(close(fd), 0);
    assert_int_equal(ndp_npz_map_array(npz, &scene.arena, 0, NDP_MAP_READ, NULL, &array, NULL), NDP_OK);
    check_array(&array);
    ndp_npz_free(npz);
    npz = NULL;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(ndp_npz_open_fd(ends[0], NULL, &npz, NULL), NDP_INVALID);
    assert_int_equal(close(ends[0]) | close(ends[1]), 0);
    assert_int_equal(ndp_npz_open_fd(-1, NULL, &npz, NULL), NDP_IO);
    assert_null(npz);
}

/* Three entries for the same member. */
static void test_overlap(void **state) {
    SCENE(scene);
    set_vector(&scene, "stored");
    const uint8_t *bytes = scene.bytes.data;
    const uint64_t end = scene.bytes.size_bytes - 22;
    const uint64_t directory = ndp_load_u32le(bytes + end + 16);
    NDP_BUFFER_SCOPED(made, 4096);
    assert_int_equal(ndp_buffer_add(&made, bytes, directory), NDP_OK);
    for (int i = 0; i < 3; i++) assert_int_equal(ndp_buffer_add(&made, bytes + directory, end - directory), NDP_OK);
    assert_int_equal(ndp_buffer_add(&made, bytes + end, 22), NDP_OK);
    uint8_t *record = made.data + made.size_bytes - 22;
    ndp_store_u16le(record + 8, 3);
    ndp_store_u16le(record + 10, 3);
    ndp_store_u32le(record + 12, (uint32_t)(3 * (end - directory)));
    scene.bytes = ndp_buffer_view(&made);
    check_refused(&scene, NULL, NDP_INVALID);
}

static void fill_item(struct ndp_npz_item *item, const char *key, const struct ndp_dtype *dtype,
                      struct ndp_layout *layout, const uint8_t *data) {
    const int64_t shape[] = {2, 3};
    assert_int_equal(ndp_layout_contiguous(layout, shape, 2, dtype->itemsize_bytes, NDP_MEMORY_C, 0), NDP_OK);
    *item = (struct ndp_npz_item){.key = ndp_bytes_view(key), .elements = {dtype, layout, data}};
}

static void test_write(void **state) {
    static const uint8_t data[DATA_BYTES] = {0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 5};
    static const char *const keys[] = {"a", "../x", "\xc3\xa9", ""};
    for (int is_deflated = 0; is_deflated < 2; is_deflated++) {
        SCENE(scene);
        struct ndp_npy_array array = {0};
        struct ndp_npz_item items[NDP_ARRAY_LEN(keys)];
        struct ndp_layout layout;
        struct ndp_npz_member member;
        struct ndp_npz *npz = NULL;
        const struct ndp_dtype *dtype = NULL;
        NDP_BUFFER_SCOPED(made, 1 << 16);
        set_vector(&scene, "stored");
        assert_int_equal(read_key(&scene, "a", NULL, &array), NDP_OK);
        dtype = array.header.dtype;
        for (size_t i = 0; i < NDP_ARRAY_LEN(keys); i++) fill_item(&items[i], keys[i], dtype, &layout, data);
        assert_int_equal(
            ndp_npz_encode(items, NDP_ARRAY_LEN(keys), is_deflated, ndp_write_to_buffer, &made, &scene.error), NDP_OK);
        ndp_npy_array_clear(&array);
        scene.bytes = ndp_buffer_view(&made);
        for (size_t i = 0; i < NDP_ARRAY_LEN(keys); i++) {
            assert_int_equal(read_key(&scene, keys[i], NULL, &array), NDP_OK);
            check_array(&array);
            ndp_npy_array_clear(&array);
        }
        assert_int_equal(ndp_npz_open_memory(scene.bytes, NULL, &npz, NULL), NDP_OK);
        ndp_npz_member(npz, 1, &member);
        assert_true(ndp_bytes_is_equal(member.name, ndp_bytes_view("../x.npy")));
        assert_int_equal(member.method, is_deflated ? 8 : 0);
        ndp_npz_free(npz);
        /* Date and permissions as in NumPy's files; bit 11 only if the name is not ASCII. */
        assert_int_equal(ndp_load_u32le(made.data + 10), 0x00210000);
        assert_int_equal(ndp_load_u16le(made.data + 6) & 0x800, 0);
    }
}

static void test_map(void **state) {
    SCENE(scene);
    struct ndp_npy_array array = {0};
    struct ndp_npz *npz = NULL;
    set_vector(&scene, "stored");
    set_file(&scene, scene.bytes);
    assert_int_equal(ndp_npz_open_file(scene.path, NULL, &npz, NULL), NDP_OK);
    assert_int_equal(ndp_npz_map_array(npz, &scene.arena, 0, NDP_MAP_READ, NULL, &array, &scene.error), NDP_OK);
    check_array(&array);
    /* 30 bytes of local header, 5 of name, 20 of extra field, 128 of NPY header: with a name of five characters the
     * data start at 183. */
    assert_int_equal(array.map.offset_bytes, 183);
    ndp_npy_array_clear(&array);
    assert_int_equal(ndp_npz_map_array(npz, &scene.arena, 0, NDP_MAP_COPY, NULL, &array, &scene.error), NDP_OK);
    array.data[0] = 9;
    ndp_npy_array_clear(&array);
    assert_int_equal(ndp_npz_read_array(npz, &scene.arena, 0, NULL, &array, NULL), NDP_OK);
    check_array(&array);
    ndp_npy_array_clear(&array);
    assert_int_equal(ndp_npz_map_array(npz, &scene.arena, 0, NDP_MAP_READ_WRITE, NULL, &array, NULL), NDP_INVALID);
    ndp_npz_free(npz);
    assert_int_equal(ndp_npz_open_memory(scene.bytes, NULL, &npz, NULL), NDP_OK);
    assert_int_equal(ndp_npz_map_array(npz, &scene.arena, 0, NDP_MAP_READ, NULL, &array, NULL), NDP_UNSUPPORTED);
    ndp_npz_free(npz);
    set_vector(&scene, "deflated");
    set_file(&scene, scene.bytes);
    assert_int_equal(ndp_npz_open_file(scene.path, NULL, &npz, NULL), NDP_OK);
    assert_int_equal(ndp_npz_map_array(npz, &scene.arena, 0, NDP_MAP_READ, NULL, &array, NULL), NDP_UNSUPPORTED);
    ndp_npz_free(npz);
}

static void test_raw_member(void **state) {
    SCENE(scene);
    struct ndp_npz *npz = NULL;
    set_vector(&scene, "deflated");
    NDP_BUFFER_SCOPED(content, 152);
    NDP_BUFFER_SCOPED(small, 151);
    assert_int_equal(ndp_npz_open_memory(scene.bytes, NULL, &npz, NULL), NDP_OK);
    assert_int_equal(ndp_npz_read(npz, 0, &content, NULL), NDP_OK);
    assert_int_equal(content.size_bytes, 152);
    assert_memory_equal(content.data, "\x93NUMPY\1\0", 8);
    assert_int_equal(ndp_npz_read(npz, 0, &small, &scene.error), NDP_LIMIT);
    ndp_npz_free(npz);
}

/* Source: CPython 3.11, zipfile, which reports "Bad CRC-32" for the changed one. */
static void test_empty_member(void **state) {
    enum { CRC_PLACE = 31 + 16 };
    static const char hex[] =
        "504b0304140000000000000021000000000000000000000000000100000064504b0102140314000000000000002100000000"
        "00000000000000000001000000000000000000000080010000000064504b050600000000010001002f0000001f0000000000";
    SCENE(scene);
    struct ndp_bytes made;
    assert_int_equal(ndp_hex_read(&scene.arena, hex, &made, NULL), NDP_OK);
    for (uint8_t crc = 0; crc < 2; crc++) {
        struct ndp_buffer content = {.max_bytes = 8};
        struct ndp_npz *npz = NULL;
        uint8_t *bytes = ndp_arena_copy(&scene.arena, made.data, made.size_bytes);
        assert_non_null(bytes);
        bytes[CRC_PLACE] ^= crc;
        assert_int_equal(ndp_npz_open_memory((struct ndp_bytes){bytes, made.size_bytes}, NULL, &npz, NULL), NDP_OK);
        assert_int_equal(ndp_npz_read(npz, 0, &content, NULL), crc == 0 ? NDP_OK : NDP_INVALID);
        assert_int_equal(content.size_bytes, 0);
        ndp_npz_free(npz);
        ndp_buffer_clear(&content);
    }
}

NDP_SUITE(npz_read_test, NDP_TEST(test_vectors), NDP_TEST(test_truncations), NDP_TEST(test_changed_bytes),
          NDP_TEST(test_limits), NDP_TEST(test_refused), NDP_TEST(test_locked_and_empty), NDP_TEST(test_descriptor),
          NDP_TEST(test_overlap), NDP_TEST(test_write), NDP_TEST(test_map), NDP_TEST(test_raw_member),
          NDP_TEST(test_empty_member));
