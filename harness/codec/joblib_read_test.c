#include "codec/joblib_read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/rng.h"
#include "codec/joblib_vectors.h"
#include "codec/joblib_write.h"
#include "codec/npy_encode.h"
#include "codec/npy_vectors.h"
#include "describe/dtype_json.h"

/* An array of a vector, in an arena of its own. */
struct sample {
    struct ndp_arena arena;
    struct ndp_layout layout;
    struct ndp_elements elements;
    uint64_t size_bytes;
};

static const struct ndp_dtype *dtype_of(struct ndp_arena *arena, const char *text) {
    const struct ndp_dtype *dtype = NULL;
    cJSON *tree = NULL;
    assert_int_equal(ndp_json_parse(ndp_bytes_view(text), &ndp_describe_default_limits, &tree, NULL), NDP_OK);
    assert_int_equal(ndp_dtype_from_json(arena, tree, &ndp_describe_default_limits, &dtype, NULL), NDP_OK);
    cJSON_Delete(tree);
    return dtype;
}

static void make(struct sample *sample, const struct npy_vector *vector) {
    struct ndp_bytes hex = {NULL, 0};
    ndp_arena_init(&sample->arena, 1 << 26);
    const struct ndp_dtype *dtype = dtype_of(&sample->arena, vector->dtype);
    assert_int_equal(ndp_layout_contiguous(&sample->layout, vector->shape, vector->ndim, dtype->itemsize_bytes,
                                           vector->is_fortran ? NDP_MEMORY_F : NDP_MEMORY_C, 0),
                     NDP_OK);
    sample->size_bytes = ndp_layout_count(&sample->layout) * dtype->itemsize_bytes;
    uint8_t *data = ndp_arena_alloc(&sample->arena, sample->size_bytes);
    assert_non_null(data);
    for (uint64_t i = 0; i < sample->size_bytes; i++) data[i] = (uint8_t)(7 * i + 3);
    if (vector->hex != NULL) {
        assert_int_equal(ndp_hex_read(&sample->arena, vector->hex, &hex, NULL), NDP_OK);
        assert_int_equal(hex.size_bytes, sample->size_bytes);
        memcpy(data, hex.data, sample->size_bytes);
    }
    sample->elements = (struct ndp_elements){dtype, &sample->layout, data};
}

static struct ndp_joblib_output output_of(uint32_t protocol) {
    return (struct ndp_joblib_output){.form = {.protocol = protocol, .alignment_bytes = NDP_JOBLIB_ALIGNMENT_BYTES},
                                      .release = NDP_NUMPY_2_3};
}

static void encode(struct sample *sample, const struct ndp_joblib_output *output, struct ndp_buffer *out) {
    ndp_buffer_init(out, 1 << 24);
    assert_int_equal(ndp_joblib_encode(&sample->arena, &sample->elements, output, ndp_write_to_buffer, out, NULL),
                     NDP_OK);
}

static void the_bytes_are_those_of_joblib(void **state) {
    (void)state;
    assert_int_equal(NDP_ARRAY_LEN(npy_vectors), NDP_ARRAY_LEN(joblib_vectors));
    for (size_t i = 0; i < NDP_ARRAY_LEN(npy_vectors); i++) {
        struct sample sample;
        make(&sample, &npy_vectors[i]);
        for (uint32_t protocol = 0; protocol < 6 && joblib_vectors[i][0].size_bytes > 0; protocol++) {
            const struct joblib_vector *want = &joblib_vectors[i][protocol];
            const struct ndp_joblib_output output = output_of(protocol);
            struct ndp_buffer bytes;
            encode(&sample, &output, &bytes);
            const uint64_t hash = ndp_hash_bytes(bytes.data, bytes.size_bytes, NDP_HASH_START);
            if (bytes.size_bytes != want->size_bytes || hash != want->hash)
                fail_msg("%s, %u axes, protocol %u: not what joblib writes", npy_vectors[i].dtype, npy_vectors[i].ndim,
                         protocol);
            ndp_buffer_clear(&bytes);
        }
        ndp_arena_clear(&sample.arena);
    }
}

/* A stream of bytes in memory that gives at most `piece_bytes` at once. */
struct source {
    struct ndp_cursor cursor;
    uint64_t piece_bytes;
};

static enum ndp_status read_source(void *from, void *to, uint64_t room_bytes, uint64_t *got_bytes) {
    struct source *source = from;
    struct ndp_bytes taken;
    uint64_t size = ndp_cursor_left(&source->cursor);
    if (size > room_bytes) size = room_bytes;
    if (size > source->piece_bytes) size = source->piece_bytes;
    NDP_TRY(ndp_cursor_take(&source->cursor, size, &taken));
    if (size > 0) memcpy(to, taken.data, size);
    *got_bytes = size;
    return NDP_OK;
}

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

static void check_ways(struct sample *sample, struct ndp_bytes bytes, const char *path, bool is_packed) {
    struct source source = {ndp_cursor_view(bytes), 3};
    struct ndp_npy_array array = {0};
    struct ndp_arena *arena = &sample->arena;
    assert_int_equal(ndp_joblib_decode_memory(arena, bytes, NULL, &array, NULL), NDP_OK);
    check_array(sample, &array);
    ndp_npy_array_clear(&array);
    assert_int_equal(ndp_joblib_decode_stream(arena, read_source, &source, NULL, &array, NULL), NDP_OK);
    check_array(sample, &array);
    ndp_npy_array_clear(&array);
    write_file(path, bytes);
    assert_int_equal(ndp_joblib_decode_file(arena, path, &array, NULL), NDP_OK);
    check_array(sample, &array);
    ndp_npy_array_clear(&array);
    assert_int_equal(ndp_joblib_decode_mapped(arena, path, NDP_MAP_READ, &array, NULL), NDP_OK);
    check_array(sample, &array);
    assert_int_equal(array.map.is_open, !is_packed);
    if (array.map.is_open) assert_int_equal(array.map.offset_bytes % NDP_JOBLIB_ALIGNMENT_BYTES, 0);
    ndp_npy_array_clear(&array);
}

static void every_way_in_gives_the_array(void **state) {
    (void)state;
    char path[] = "/tmp/ndproof-test-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(close(fd), 0);
    for (size_t i = 0; i < NDP_ARRAY_LEN(npy_vectors); i++) {
        struct sample sample;
        make(&sample, &npy_vectors[i]);
        for (uint32_t k = 0; k < 5 + NDP_COMPRESS_COUNT; k++) {
            struct ndp_joblib_output output = output_of(k % 6);
            struct ndp_buffer bytes;
            if (k > 5) output.method = (enum ndp_compress_method)(k - 5);
            output.level = 1;
            if (k >= 5 && sample.size_bytes > 4096) continue;
            encode(&sample, &output, &bytes);
            check_ways(&sample, ndp_buffer_view(&bytes), path, output.method != NDP_COMPRESS_NONE);
            ndp_buffer_clear(&bytes);
        }
        ndp_arena_clear(&sample.arena);
    }
    assert_int_equal(unlink(path), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bytes_are_those_of_joblib),
        cmocka_unit_test(every_way_in_gives_the_array),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
