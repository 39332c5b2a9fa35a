#include "base/suite.h"
#include "codec/joblib/joblib_graph.h"
#include "codec/joblib/joblib_read.h"
#include "codec/joblib/joblib_sample.h"
#include "codec/source_fixture.h"

#include <sys/stat.h>

#define BYTES(text)                                                                                                    \
    { (const uint8_t *)(text), sizeof(text) - 1 }

static void check_array(const struct sample *sample, const struct ndp_npy_array *array) {
    assert_int_equal(ndp_dtype_compare(sample->elements.dtype, array->header.dtype, NULL), 0);
    assert_int_equal(array->layout.ndim, sample->layout.ndim);
    assert_memory_equal(array->layout.shape, sample->layout.shape, sample->layout.ndim * sizeof(int64_t));
    assert_int_equal(array->header.size_bytes, sample->size_bytes);
    if (sample->size_bytes > 0) assert_memory_equal(array->data, sample->elements.data, sample->size_bytes);
}

static void write_file(const char *path, struct ndp_bytes bytes) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.data, 1, (size_t)bytes.size_bytes, file), bytes.size_bytes);
    assert_int_equal(fclose(file), 0);
}

static void check_entry_points(struct sample *sample, struct ndp_bytes bytes, const char *path, bool is_packed) {
    struct source source = {ndp_cursor_view(bytes), 3, NDP_OK};
    struct ndp_npy_array array = {0};
    struct ndp_arena *arena = &sample->arena;
    assert_int_equal(ndp_joblib_read_array_memory(arena, bytes, NULL, &array, NULL), NDP_OK);
    check_array(sample, &array);
    ndp_npy_array_clear(&array);
    assert_int_equal(ndp_joblib_read_array_stream(arena, read_source, &source, NULL, &array, NULL), NDP_OK);
    check_array(sample, &array);
    ndp_npy_array_clear(&array);
    write_file(path, bytes);
    assert_int_equal(ndp_joblib_read_array_file(arena, path, NULL, &array, NULL), NDP_OK);
    check_array(sample, &array);
    ndp_npy_array_clear(&array);
    assert_int_equal(ndp_joblib_read_array_mapped(arena, path, NDP_MAP_READ, NULL, &array, NULL), NDP_OK);
    check_array(sample, &array);
    assert_int_equal(array.map.is_open, !is_packed);
    if (array.map.is_open) assert_int_equal(array.map.offset_bytes % NDP_JOBLIB_ALIGNMENT_BYTES, 0);
    ndp_npy_array_clear(&array);
}

static void every_entry_point_reads_the_array(void **state) {
    char path[] = "/tmp/ndproof-test-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(close(fd), 0);
    for (size_t i = 0; i < NDP_ARRAY_LEN(npy_vectors); i++) {
        SAMPLE(sample, &npy_vectors[i]);
        for (uint32_t k = 0; k < 5 + NDP_COMPRESS_COUNT; k++) {
            struct ndp_joblib_output output = output_of(k % 6);
            struct ndp_buffer bytes;
            if (k > 5) output.method = (enum ndp_compress_method)(k - 5);
            output.level = 1;
            if (k >= 5 && sample.size_bytes > 4096) continue;
            encode(&sample, &output, &bytes);
            check_entry_points(&sample, ndp_buffer_view(&bytes), path, output.method != NDP_COMPRESS_NONE);
            ndp_buffer_clear(&bytes);
        }
    }
    assert_int_equal(unlink(path), 0);
}

/* The memo still refers to the wrapper's state, but a change after the elements has no effect, because joblib has
 * already created the array. */
static void a_wrapper_is_read_once(void **state) {
    static const struct ndp_bytes late[] = {BYTES("h\2X\5\0\0\0shapeM\xff\x7f\x85s0."),
                                            BYTES("h\2X\5\0\0\0shapeK\1\x85s0."), BYTES("h\2X\5\0\0\0dtypeNs0.")};
    for (size_t i = 0; i < NDP_ARRAY_LEN(late); i++) {
        struct ndp_buffer bytes;
        NDP_NPY_ARRAY_SCOPED(array);
        struct ndp_graph graph;
        const struct ndp_joblib_output output = output_of(3);
        SAMPLE(sample, &npy_vectors[0]);
        encode(&sample, &output, &bytes);
        bytes.size_bytes--;
        assert_int_equal(ndp_buffer_add(&bytes, late[i].data, late[i].size_bytes), NDP_OK);
        assert_int_equal(ndp_joblib_read_array_memory(&sample.arena, ndp_buffer_view(&bytes), NULL, &array, NULL),
                         NDP_OK);
        check_array(&sample, &array);
        assert_int_equal(ndp_joblib_graph_decode(&sample.arena, ndp_buffer_view(&bytes), NULL, &graph, NULL), NDP_OK);
        assert_int_equal(graph.nodes[graph.root].model.buffer_bytes, sample.size_bytes);
        assert_int_equal(ndp_layout_count(&graph.nodes[graph.root].model.layout), ndp_layout_count(&sample.layout));
        ndp_buffer_clear(&bytes);
    }
}

/* Dumps of numpy.arange(6, dtype="<i4").reshape(2, 3) by joblib 0.9.4 under Python 3.8, plain and compressed. */
static void dumps_from_before_0_10_are_unsupported(void **state) {
    static const struct {
        const char *hex, *text;
    } rows[] = {
        {"80049580000000000000008c136a6f626c69622e6e756d70795f7069636b6c65948c0e4e4441727261795772617070657294939429819"
         "47d9"
         "4288c0866696c656e616d65948c13706c61696e2e6a6f626c69625f30312e6e7079948c08737562636c617373948c056e756d7079948c"
         "076e"
         "6461727261799493948c0a616c6c6f775f6d6d6170948875622e",
         "array in a separate file (joblib before 0.10)"},
        {"5a4630786430202020202020202020202020202020785e", "z-file (joblib before 0.10)"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_bytes bytes;
        struct ndp_npy_array array = {0};
        struct ndp_error error = {0}, again = {0};
        NDP_ARENA_SCOPED(arena, 1 << 20);
        assert_int_equal(ndp_hex_read(&arena, rows[i].hex, &bytes, NULL), NDP_OK);
        struct source source = {ndp_cursor_view(bytes), 5, NDP_OK};
        assert_int_equal(ndp_joblib_read_array_memory(&arena, bytes, NULL, &array, &error), NDP_UNSUPPORTED);
        assert_string_equal(error.text, rows[i].text);
        assert_int_equal(error.offset_bytes, i == 0 ? 53 : 0);
        assert_int_equal(ndp_joblib_read_array_stream(&arena, read_source, &source, NULL, &array, &again),
                         NDP_UNSUPPORTED);
        assert_string_equal(again.text, rows[i].text);
        assert_null(array.data);
    }
}

/* Memory and stream readers refuse every truncation of every format; of a plain dump at the same offset. */
static void every_truncation_is_refused(void **state) {
    for (uint32_t k = 0; k < 5 + NDP_COMPRESS_COUNT; k++) {
        struct ndp_joblib_output output = output_of(k % 6);
        struct ndp_buffer bytes;
        SAMPLE(sample, &npy_vectors[0]);
        if (k > 5) output.method = (enum ndp_compress_method)(k - 5);
        output.level = 1;
        encode(&sample, &output, &bytes);
        for (uint64_t size = 0; size < bytes.size_bytes; size++) {
            struct ndp_npy_array array = {0};
            uint8_t *exact = malloc(size == 0 ? 1 : (size_t)size);
            assert_non_null(exact);
            memcpy(exact, bytes.data, (size_t)size);
            const struct ndp_bytes cut = {exact, size};
            struct source source = {ndp_cursor_view(cut), 5, NDP_OK};
            struct ndp_error error = {0}, again = {0};
            const enum ndp_status status = ndp_joblib_read_array_memory(&sample.arena, cut, NULL, &array, &error);
            /* A stream shorter than its magic is read as a pickle. */
            assert_true(status == NDP_TRUNCATED || (size < 5 && status == NDP_INVALID));
            assert_int_equal(ndp_joblib_read_array_stream(&sample.arena, read_source, &source, NULL, &array, &again),
                             status);
            if (k <= 5) assert_int_equal(again.offset_bytes, error.offset_bytes);
            assert_null(array.data);
            free(exact);
        }
        ndp_buffer_clear(&bytes);
    }
}

/* The n-th allocation fails, for every n, in both directions. */
static void every_failing_allocation_is_reported(void **state) {
    const struct ndp_joblib_output output = output_of(2);
    struct ndp_buffer bytes;
    SAMPLE(sample, &npy_vectors[6]);
    encode(&sample, &output, &bytes);
    enum ndp_status status = NDP_NOMEM;
    for (uint64_t n = 1; status != NDP_OK; n++) {
        NDP_NPY_ARRAY_SCOPED(array);
        NDP_ARENA_SCOPED(arena, 1 << 20);
        ndp_arena_fail_at(&arena, n);
        status = ndp_joblib_read_array_memory(&arena, ndp_buffer_view(&bytes), NULL, &array, NULL);
        if (status != NDP_OK && status != NDP_NOMEM) fail_msg("allocation %d: %s", (int)n, ndp_status_name(status));
        assert_true(status == NDP_OK || array.data == NULL);
    }
    status = NDP_NOMEM;
    for (uint64_t n = 1; status != NDP_OK; n++) {
        NDP_ARENA_SCOPED(arena, 1 << 20);
        ndp_arena_fail_at(&arena, n);
        NDP_BUFFER_SCOPED(again, 1 << 20);
        status = ndp_joblib_write_array(&arena, &sample.elements, &output, ndp_write_to_buffer, &again, NULL);
        assert_true(status == NDP_OK || status == NDP_NOMEM);
    }
    ndp_buffer_clear(&bytes);
}

NDP_SUITE(joblib_read_test, NDP_TEST(every_entry_point_reads_the_array), NDP_TEST(a_wrapper_is_read_once),
          NDP_TEST(dumps_from_before_0_10_are_unsupported), NDP_TEST(every_truncation_is_refused),
          NDP_TEST(every_failing_allocation_is_reported));
