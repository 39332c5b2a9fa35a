/* joblib_graph_map_test.c: graphs from dump files, with mapped arrays. */
#include "base/suite.h"
#include "codec/joblib/joblib_graph.h"
#include "codec/npy/npy_encode.h"
#include "codec/pickle/pickle_graph_vectors.h"
#include "codec/pickle/recipe_fixture.h"

enum { ARENA_BYTES = 1 << 22, DUMP_BYTES = 1 << 20 };

static char path[] = "/tmp/ndproof-joblib-map-XXXXXX";

static int make_path(void **state) {
    const int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int remove_path(void **state) {
    return unlink(path);
}

static void write_file(struct ndp_bytes bytes) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.data, 1, (size_t)bytes.size_bytes, file), bytes.size_bytes);
    assert_int_equal(fclose(file), 0);
}

/* Dumps a recipe to a file and decodes it without a map. */
static struct ndp_graph dump_recipe(struct ndp_arena *arena, const char *nodes, enum ndp_compress_method method,
                                    struct ndp_buffer *bytes) {
    const struct ndp_joblib_output output = {.form = {.protocol = 4, .alignment_bytes = NDP_JOBLIB_ALIGNMENT_BYTES},
                                             .release = NDP_NUMPY_2_3,
                                             .method = method,
                                             .level = 3};
    const struct ndp_graph graph = ndp_recipe_fixture_build(arena, nodes);
    struct ndp_graph read = {0};
    assert_int_equal(ndp_joblib_graph_encode(arena, &graph, &output, ndp_write_to_buffer, bytes, NULL), NDP_OK);
    write_file(ndp_buffer_view(bytes));
    assert_int_equal(ndp_joblib_graph_decode(arena, ndp_buffer_view(bytes), NULL, &read, NULL), NDP_OK);
    return read;
}

static void check_elements(const struct ndp_array *expected, const struct ndp_array *got) {
    uint8_t a[256], b[256];
    const uint64_t size = ndp_layout_count(&expected->layout) * expected->dtype->itemsize_bytes;
    assert_true(size <= sizeof a);
    assert_int_equal(ndp_layout_count(&got->layout), ndp_layout_count(&expected->layout));
    ndp_array_gather(expected, NDP_MEMORY_C, a);
    ndp_array_gather(got, NDP_MEMORY_C, b);
    assert_memory_equal(a, b, size);
}

/* Compares the graphs; returns the number of mapped arrays. */
static uint32_t check_same(const struct ndp_graph *expected, const struct ndp_graph *got, const struct ndp_map *map) {
    uint32_t mapped = 0;
    assert_int_equal(got->count, expected->count);
    for (uint32_t i = 0; i < got->count; i++) {
        const struct ndp_array *array = &got->nodes[i].model;
        assert_int_equal(got->nodes[i].kind, expected->nodes[i].kind);
        if (got->nodes[i].kind != NDP_NODE_ARRAY || ndp_dtype_has_object(array->dtype)) continue;
        check_elements(&expected->nodes[i].model, array);
        if (!array->map.is_backed) continue;
        mapped++;
        assert_ptr_equal(array->buffer, map->data);
        assert_int_equal(array->layout.offset_bytes, array->map.offset_bytes);
        assert_int_equal(array->is_writeable, map->mode != NDP_MAP_READ);
        assert_false(array->owns_data);
    }
    return mapped;
}

/* Source: joblib 1.6, NumpyArrayWrapper.read_mmap: every array after a wrapper becomes a map, for files only. */
static void arrays_stay_in_their_file(void **state) {
    static const enum ndp_map_mode modes[] = {NDP_MAP_READ, NDP_MAP_READ_WRITE, NDP_MAP_COPY};
    uint32_t mapped = 0;
    for (size_t i = 0; i < 2 * NDP_ARRAY_LEN(graph_vectors) * NDP_ARRAY_LEN(modes); i++) {
        const enum ndp_map_mode mode = modes[i % NDP_ARRAY_LEN(modes)];
        const char *nodes = graph_vectors[i / NDP_ARRAY_LEN(modes) / 2].nodes;
        const bool is_packed = i / NDP_ARRAY_LEN(modes) % 2 == 1;
        NDP_BUFFER_SCOPED(bytes, DUMP_BYTES);
        struct ndp_graph got;
        struct ndp_map map = {0};
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        const struct ndp_graph graph =
            dump_recipe(&arena, nodes, is_packed ? ndp_compress_find("zlib") : NDP_COMPRESS_NONE, &bytes);
        assert_int_equal(ndp_joblib_graph_decode_mapped(&arena, path, mode, NULL, &map, &got, NULL), NDP_OK);
        assert_int_equal(map.is_open, !is_packed);
        const uint32_t here = check_same(&graph, &got, &map);
        assert_true(here == 0 || !is_packed);
        mapped += here;
        ndp_map_close(&map);
        assert_int_equal(ndp_joblib_graph_decode_file(&arena, path, NULL, &got, NULL), NDP_OK);
        assert_int_equal(check_same(&graph, &got, &map), 0);
    }
    assert_true(mapped > 3 * NDP_ARRAY_LEN(modes));
}

/* Writes to an array of a list through the map: only a shared map changes the file. */
static void writes_reach_the_file_in_shared_mode_only(void **state) {
    static const char nodes[] = "{\"list\":[1]},{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[3],"
                                "\"data\":{\"hex\":\"010203\"}}}}";
    static const enum ndp_map_mode modes[] = {NDP_MAP_READ_WRITE, NDP_MAP_COPY};
    for (size_t i = 0; i < NDP_ARRAY_LEN(modes); i++) {
        NDP_BUFFER_SCOPED(bytes, DUMP_BYTES);
        struct ndp_graph got;
        struct ndp_map map = {0};
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        (void)dump_recipe(&arena, nodes, NDP_COMPRESS_NONE, &bytes);
        assert_int_equal(ndp_joblib_graph_decode_mapped(&arena, path, modes[i], NULL, &map, &got, NULL), NDP_OK);
        const struct ndp_array *array = &got.nodes[1].model;
        assert_true(ndp_bytes_is_equal(array->class_name, ndp_bytes_view("memmap")));
        array->buffer[array->layout.offset_bytes] = 9;
        ndp_map_close(&map);
        assert_int_equal(ndp_joblib_graph_decode_file(&arena, path, NULL, &got, NULL), NDP_OK);
        assert_int_equal(got.nodes[1].model.buffer[0], modes[i] == NDP_MAP_READ_WRITE ? 9 : 1);
        assert_true(ndp_bytes_is_equal(got.nodes[1].model.class_name, ndp_bytes_view("ndarray")));
    }
}

static void errors_are_reported(void **state) {
    struct ndp_graph got = {.count = 77};
    struct ndp_map map = {0};
    struct ndp_error error;
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    assert_int_equal(ndp_joblib_graph_decode_mapped(&arena, path, NDP_MAP_WRITE, NULL, &map, &got, &error),
                     NDP_INVALID);
    assert_int_equal(ndp_joblib_graph_decode_mapped(&arena, "/absent/x", NDP_MAP_READ, NULL, &map, &got, NULL), NDP_IO);
    assert_int_equal(ndp_joblib_graph_decode_file(&arena, "/absent/x", NULL, &got, NULL), NDP_IO);
    write_file((struct ndp_bytes){(const uint8_t *)"\x80\x04]", 3});
    assert_int_equal(ndp_joblib_graph_decode_mapped(&arena, path, NDP_MAP_READ, NULL, &map, &got, NULL), NDP_TRUNCATED);
    write_file((struct ndp_bytes){(const uint8_t *)"\x28\xb5\x2f\xfd\x04", 5});
    assert_int_equal(ndp_joblib_graph_decode_file(&arena, path, NULL, &got, &error), NDP_INVALID);
    assert_non_null(strstr(error.text, "Zstandard"));
    assert_int_equal(ndp_joblib_graph_decode_mapped(&arena, path, NDP_MAP_READ, NULL, &map, &got, &error), NDP_INVALID);
    assert_non_null(strstr(error.text, "Zstandard"));
    assert_false(map.is_open);
    assert_int_equal(got.count, 77);
}

NDP_SUITE_FIXTURE(joblib_graph_map_test, make_path, remove_path, NDP_TEST(arrays_stay_in_their_file),
                  NDP_TEST(writes_reach_the_file_in_shared_mode_only), NDP_TEST(errors_are_reported));
