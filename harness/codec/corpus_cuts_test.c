/* corpus_cuts_test.c: every file of the corpus through every decoder of its format: whole, cut short at every byte, and
 * with each allocation failing in turn. What comes out whole goes through the encoders, and back. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "codec/data_memory.h"
#include "codec/joblib_graph.h"
#include "codec/joblib_read.h"
#include "codec/joblib_write.h"
#include "codec/npy_encode.h"
#include "codec/npz_read.h"
#include "codec/npz_write.h"
#include "codec/pickle_codec.h"
#include "codec/pickle_graph.h"

enum {
    FILE_BYTES_MAX = 1 << 20,
    CUTS_MAX = 300,        /* of a file: all of a small one, and the two ends and samples between of others */
    ALLOCATIONS_MAX = 150, /* the first ones fail one after the other, of larger files every so many-th */
};

/* One run of a decoder. */
struct run {
    struct ndp_arena arena;
    struct ndp_bytes bytes;
    bool is_whole;           /* then what comes out is encoded */
    uint64_t consumed_bytes; /* out: what the decoder asked for; 0 is all */
    struct ndp_error error;
};

typedef enum ndp_status decode(struct run *run);

static enum ndp_status read_pieces(void *from, void *to, uint64_t room_bytes, uint64_t *got_bytes) {
    struct ndp_cursor *cursor = from;
    struct ndp_bytes taken;
    uint64_t size = ndp_cursor_left(cursor);
    if (size > room_bytes) size = room_bytes;
    if (size > 5) size = 5;
    NDP_TRY(ndp_cursor_take(cursor, size, &taken));
    if (size > 0) memcpy(to, taken.data, (size_t)size);
    *got_bytes = size;
    return NDP_OK;
}

static struct ndp_elements elements_of(const struct ndp_npy_array *array) {
    return (struct ndp_elements){array->header.dtype, &array->layout, array->data};
}

/* Two arrays are the same in everything that their encoded forms keep. */
static void check_same(const struct ndp_npy_array *a, const struct ndp_npy_array *b) {
    assert_int_equal(ndp_dtype_compare(a->header.dtype, b->header.dtype, NULL), 0);
    assert_int_equal(a->header.ndim, b->header.ndim);
    assert_memory_equal(a->header.shape, b->header.shape, a->header.ndim * sizeof(int64_t));
    assert_int_equal(a->header.size_bytes, b->header.size_bytes);
    if (a->header.size_bytes > 0) assert_memory_equal(a->data, b->data, a->header.size_bytes);
}

static void npy_again(struct run *run, const struct ndp_npy_array *array) {
    const struct ndp_npy_options lenient = {.is_lenient = true, .header_chars = 1 << 20};
    const struct ndp_elements elements = elements_of(array);
    for (uint8_t major = 0; major <= 3; major++) {
        struct ndp_buffer bytes = {.max_bytes = UINT64_MAX};
        struct ndp_npy_array again = {0};
        const enum ndp_status status = ndp_npy_encode_buffer(&elements, major, &bytes, NULL);
        assert_true(status == NDP_OK || (status == NDP_LIMIT && major > 0) || status == NDP_UNSUPPORTED);
        if (status == NDP_OK) {
            assert_int_equal(ndp_npy_decode_memory(&run->arena, ndp_buffer_view(&bytes), &lenient, &again, &run->error),
                             NDP_OK);
            check_same(array, &again);
        }
        ndp_npy_array_clear(&again);
        ndp_buffer_clear(&bytes);
    }
}

static enum ndp_status npy_with(struct run *run, const struct ndp_npy_options *options) {
    struct ndp_npy_array array = {0};
    const enum ndp_status status = ndp_npy_decode_memory(&run->arena, run->bytes, options, &array, &run->error);
    if (status == NDP_OK) run->consumed_bytes = array.consumed_bytes;
    if (status == NDP_OK && run->is_whole) npy_again(run, &array);
    assert_true(status == NDP_OK || array.data == NULL);
    ndp_npy_array_clear(&array);
    return status;
}

static enum ndp_status npy_memory(struct run *run) {
    return npy_with(run, NULL);
}

static enum ndp_status npy_lenient(struct run *run) {
    const struct ndp_npy_options lenient = {.is_lenient = true, .header_chars = 1 << 20};
    return npy_with(run, &lenient);
}

static enum ndp_status npy_stream(struct run *run) {
    struct ndp_cursor cursor = ndp_cursor_view(run->bytes);
    struct ndp_npy_array array = {0};
    const enum ndp_status status = ndp_npy_decode_stream(&run->arena, read_pieces, &cursor, NULL, &array, &run->error);
    if (status == NDP_OK) run->consumed_bytes = array.consumed_bytes;
    assert_true(status == NDP_OK || array.data == NULL);
    ndp_npy_array_clear(&array);
    return status;
}

static void npz_again(struct run *run, const struct ndp_npy_array *array) {
    const struct ndp_npy_options lenient = {.is_lenient = true, .header_chars = 1 << 20};
    for (int is_deflated = 0; is_deflated < 2; is_deflated++) {
        const struct ndp_npz_item items[] = {{ndp_bytes_view("a"), elements_of(array)},
                                             {ndp_bytes_view("\xce\xb1"), elements_of(array)}};
        struct ndp_buffer bytes = {.max_bytes = UINT64_MAX};
        struct ndp_npy_array again = {0};
        struct ndp_npz *npz = NULL;
        uint64_t index;
        assert_int_equal(
            ndp_npz_encode(items, NDP_ARRAY_LEN(items), is_deflated, ndp_write_to_buffer, &bytes, &run->error), NDP_OK);
        assert_int_equal(ndp_npz_open_memory(ndp_buffer_view(&bytes), NULL, &npz, &run->error), NDP_OK);
        assert_int_equal(ndp_npz_find(npz, items[1].key, &index, &run->error), NDP_OK);
        assert_int_equal(ndp_npz_read_array(npz, &run->arena, index, &lenient, &again, &run->error), NDP_OK);
        check_same(array, &again);
        ndp_npy_array_clear(&again);
        ndp_npz_free(npz);
        ndp_buffer_clear(&bytes);
    }
}

/* The first member that is no array decides. */
static enum ndp_status npz_memory(struct run *run) {
    static const struct ndp_npz_limits limits = {
        .members = 4096, .member_bytes = 1 << 24, .total_bytes = 1 << 26, .free_bytes = 1 << 20};
    struct ndp_npz *npz = NULL;
    enum ndp_status status = ndp_npz_open_memory(run->bytes, &limits, &npz, &run->error);
    if (status == NDP_OK && ndp_npz_count(npz) == 0) status = NDP_INVALID;
    for (uint64_t i = 0; status == NDP_OK && i < ndp_npz_count(npz); i++) {
        struct ndp_npy_array array = {0};
        status = ndp_npz_read_array(npz, &run->arena, i, NULL, &array, &run->error);
        assert_true(status == NDP_OK || array.data == NULL);
        if (status == NDP_OK && run->is_whole) npz_again(run, &array);
        ndp_npy_array_clear(&array);
    }
    ndp_npz_free(npz);
    return status;
}

/* Objects, written in every protocol that can say them. */
static void objects_again(struct run *run, struct ndp_objects *objects, const struct ndp_object *root) {
    for (uint32_t k = 0; k < 12; k++) {
        const struct ndp_pickle_form form = {.protocol = k / 2, .is_python = k % 2 == 1};
        struct ndp_buffer bytes = {.max_bytes = UINT64_MAX};
        const enum ndp_status status = ndp_pickle_write(objects, root, &form, ndp_write_to_buffer, &bytes, &run->error);
        assert_true(status == NDP_OK || status == NDP_UNSUPPORTED || status == NDP_LIMIT);
        if (status == NDP_OK) {
            struct ndp_source source = ndp_source_memory(ndp_buffer_view(&bytes));
            struct ndp_objects others;
            struct ndp_pickle pickle;
            ndp_objects_init(&others, &run->arena);
            assert_int_equal(ndp_pickle_read(&others, &source, NULL, &pickle, &run->error), NDP_OK);
            ndp_objects_clear(&others);
        }
        ndp_buffer_clear(&bytes);
    }
}

static enum ndp_status objects_of(struct run *run, struct ndp_source *source) {
    static const struct ndp_pickle_options options = {.opcodes_max = 1 << 22};
    struct ndp_objects objects;
    struct ndp_pickle pickle;
    ndp_objects_init(&objects, &run->arena);
    const enum ndp_status status = ndp_pickle_read(&objects, source, &options, &pickle, &run->error);
    if (status == NDP_OK) run->consumed_bytes = pickle.consumed_bytes;
    if (status == NDP_OK && run->is_whole) objects_again(run, &objects, pickle.root);
    ndp_objects_clear(&objects);
    ndp_source_clear(source);
    return status;
}

static enum ndp_status objects_memory(struct run *run) {
    struct ndp_source source = ndp_source_memory(run->bytes);
    return objects_of(run, &source);
}

static enum ndp_status objects_stream(struct run *run) {
    struct ndp_cursor cursor = ndp_cursor_view(run->bytes);
    struct ndp_source source = ndp_source_stream(read_pieces, &cursor, UINT64_MAX);
    return objects_of(run, &source);
}

/* As each release of NumPy writes it, in band and out of band. */
static void pickle_again(struct run *run, const struct ndp_pickle_array *array) {
    const struct ndp_elements elements = {array->dtype, &array->layout, array->data};
    for (uint32_t k = 0; k < 24; k++) {
        const struct ndp_array_form form = {
            .protocol = k % 8 < 6 ? k % 8 : 5, .is_out_of_band = k % 8 > 5, .is_readonly = k % 2 == 1};
        struct ndp_buffer bytes = {.max_bytes = UINT64_MAX};
        struct ndp_blob blob = {{NULL, 0}, NULL};
        struct ndp_pickle_array again = {0};
        assert_int_equal(ndp_pickle_encode(&run->arena, &elements, &form, (enum ndp_numpy_release)(k / 8),
                                           ndp_write_to_buffer, &bytes, &blob, &run->error),
                         NDP_OK);
        const struct ndp_pickle_buffer buffer = {blob.bytes, form.is_readonly};
        const struct ndp_pickle_input input = {&buffer, blob.bytes.data != NULL ? 1 : 0};
        assert_int_equal(ndp_pickle_decode_memory(&run->arena, ndp_buffer_view(&bytes), &input, &again, &run->error),
                         NDP_OK);
        assert_int_equal(ndp_dtype_compare(array->dtype, again.dtype, NULL), 0);
        assert_int_equal(array->size_bytes, again.size_bytes);
        ndp_pickle_array_clear(&again);
        ndp_data_free(blob.owned);
        ndp_buffer_clear(&bytes);
    }
}

static enum ndp_status pickle_memory(struct run *run) {
    struct ndp_pickle_array array = {0};
    const enum ndp_status status = ndp_pickle_decode_memory(&run->arena, run->bytes, NULL, &array, &run->error);
    if (status == NDP_OK) run->consumed_bytes = array.consumed_bytes;
    if (status == NDP_OK && run->is_whole) pickle_again(run, &array);
    assert_true(status == NDP_OK || array.data == NULL);
    ndp_pickle_array_clear(&array);
    return status;
}

static enum ndp_status pickle_stream(struct run *run) {
    struct ndp_cursor cursor = ndp_cursor_view(run->bytes);
    struct ndp_pickle_array array = {0};
    const enum ndp_status status =
        ndp_pickle_decode_stream(&run->arena, read_pieces, &cursor, NULL, &array, &run->error);
    if (status == NDP_OK) run->consumed_bytes = array.consumed_bytes;
    assert_true(status == NDP_OK || array.data == NULL);
    ndp_pickle_array_clear(&array);
    return status;
}

static const struct ndp_joblib_options joblib_options = {
    .compress = {.output_bytes = 1 << 22, .memory_bytes = 1 << 24}};

static void joblib_again(struct run *run, const struct ndp_npy_array *array) {
    const struct ndp_elements elements = elements_of(array);
    for (uint32_t k = 0; k < 6 + NDP_COMPRESS_COUNT; k++) {
        const struct ndp_joblib_output output = {
            .form = {.protocol = k % 6, .alignment_bytes = k % 3 == 2 ? 0 : NDP_JOBLIB_ALIGNMENT_BYTES},
            .release = (enum ndp_numpy_release)(k % 3),
            .method = k < 6 ? NDP_COMPRESS_NONE : (enum ndp_compress_method)(k - 6),
            .level = 1};
        struct ndp_buffer bytes = {.max_bytes = UINT64_MAX};
        struct ndp_npy_array again = {0};
        assert_int_equal(ndp_joblib_encode(&run->arena, &elements, &output, ndp_write_to_buffer, &bytes, &run->error),
                         NDP_OK);
        assert_int_equal(ndp_joblib_decode_memory(&run->arena, ndp_buffer_view(&bytes), NULL, &again, &run->error),
                         NDP_OK);
        check_same(array, &again);
        ndp_npy_array_clear(&again);
        ndp_buffer_clear(&bytes);
    }
}

static enum ndp_status joblib_memory(struct run *run) {
    struct ndp_npy_array array = {0};
    const enum ndp_status status =
        ndp_joblib_decode_memory(&run->arena, run->bytes, &joblib_options, &array, &run->error);
    if (status == NDP_OK) run->consumed_bytes = array.consumed_bytes;
    if (status == NDP_OK && run->is_whole && array.header.size_bytes < FILE_BYTES_MAX) joblib_again(run, &array);
    assert_true(status == NDP_OK || array.data == NULL);
    ndp_npy_array_clear(&array);
    return status;
}

static enum ndp_status joblib_stream(struct run *run) {
    struct ndp_cursor cursor = ndp_cursor_view(run->bytes);
    struct ndp_npy_array array = {0};
    const enum ndp_status status =
        ndp_joblib_decode_stream(&run->arena, read_pieces, &cursor, &joblib_options, &array, &run->error);
    if (status == NDP_OK) run->consumed_bytes = array.consumed_bytes;
    assert_true(status == NDP_OK || array.data == NULL);
    ndp_npy_array_clear(&array);
    return status;
}

/* A graph by every pickler and in every protocol, and as joblib dumps it. */
static void graph_again(struct run *run, const struct ndp_graph *graph) {
    static const enum ndp_function_form libraries[] = {NDP_FUNCTION_OTHER, NDP_FUNCTION_CLOUDPICKLE, NDP_FUNCTION_DILL};
    for (uint32_t k = 0; k < 18; k++) {
        const struct ndp_graph_form form = {.protocol = k % 6, .release = k % 3, .library = libraries[k / 6]};
        struct ndp_buffer bytes = {.max_bytes = UINT64_MAX};
        struct ndp_graph again;
        enum ndp_status status =
            ndp_pickle_graph_encode(&run->arena, graph, &form, ndp_write_to_buffer, &bytes, &run->error);
        assert_true(status == NDP_OK || status == NDP_UNSUPPORTED || status == NDP_LIMIT);
        if (status == NDP_OK)
            assert_int_equal(ndp_pickle_graph_decode(&run->arena, ndp_buffer_view(&bytes), &again, &run->error),
                             NDP_OK);
        ndp_buffer_clear(&bytes);
        const struct ndp_joblib_output output = {.form = {.protocol = k % 6, .alignment_bytes = 16},
                                                 .release = k % 3,
                                                 .method = k < 6 ? NDP_COMPRESS_NONE : NDP_COMPRESS_ZLIB,
                                                 .level = 1};
        status = ndp_joblib_graph_encode(&run->arena, graph, &output, ndp_write_to_buffer, &bytes, &run->error);
        assert_true(status == NDP_OK || status == NDP_UNSUPPORTED || status == NDP_LIMIT);
        if (status == NDP_OK)
            assert_int_equal(ndp_joblib_graph_decode(&run->arena, ndp_buffer_view(&bytes), &again, &run->error),
                             NDP_OK);
        ndp_buffer_clear(&bytes);
    }
}

static enum ndp_status pickle_graph(struct run *run) {
    struct ndp_graph graph;
    const enum ndp_status status = ndp_pickle_graph_decode(&run->arena, run->bytes, &graph, &run->error);
    if (status == NDP_OK && run->is_whole) graph_again(run, &graph);
    return status;
}

static enum ndp_status joblib_graph(struct run *run) {
    struct ndp_graph graph;
    const enum ndp_status status = ndp_joblib_graph_decode(&run->arena, run->bytes, &graph, &run->error);
    if (status == NDP_OK && run->is_whole) graph_again(run, &graph);
    return status;
}

/* Every way into a decoder, and what is read that way. */
static const struct {
    const char *format, *suffix, *name;
    decode *decode;
} ways[] = {
    {"npy", ".npy", "NPY", npy_memory},
    {"npy", ".npy", "NPY, lenient", npy_lenient},
    {"npy", ".npy", "NPY, stream", npy_stream},
    {"npz", ".npz", "NPZ", npz_memory},
    {"pickle", ".pkl", "pickle", objects_memory},
    {"pickle", ".pkl", "pickle, stream", objects_stream},
    {"pickle", ".pkl", "array of a pickle", pickle_memory},
    {"pickle", ".pkl", "array of a pickle, stream", pickle_stream},
    {"pickle", ".pkl", "graph of a pickle", pickle_graph},
    {"joblib", ".joblib", "graph of a dump", joblib_graph},
    {"joblib", ".joblib", "joblib", joblib_memory},
    {"joblib", ".joblib", "joblib, stream", joblib_stream},
};

/* Runs a way on the first `size_bytes` bytes, in a block of exactly that size. */
static enum ndp_status run_way(size_t way, struct ndp_bytes bytes, uint64_t size_bytes, bool is_whole, uint64_t fail_at,
                               uint64_t *consumed_bytes) {
    struct run run = {.is_whole = is_whole};
    uint8_t *exact = malloc(size_bytes == 0 ? 1 : (size_t)size_bytes);
    assert_non_null(exact);
    if (size_bytes > 0) memcpy(exact, bytes.data, (size_t)size_bytes);
    run.bytes = (struct ndp_bytes){exact, size_bytes};
    ndp_arena_init(&run.arena, UINT64_C(1) << 28);
    ndp_arena_fail_at(&run.arena, fail_at);
    const enum ndp_status status = ways[way].decode(&run);
    *consumed_bytes = run.consumed_bytes;
    /* What is not enough memory once may be enough for the encoders, which are not asked then. */
    assert_true(fail_at == 0 || status != NDP_OK || run.arena.fail_at != 0);
    ndp_arena_clear(&run.arena);
    free(exact);
    return status;
}

typedef void check_file(const char *path, size_t way, struct ndp_bytes bytes);

/* Calls `check` for every file of every way; counts them. */
static uint32_t each_file(const char *expected, check_file *check) {
    uint32_t files = 0;
    for (size_t way = 0; way < NDP_ARRAY_LEN(ways); way++) {
        char folder[64], path[400];
        static uint8_t content[FILE_BYTES_MAX];
        (void)snprintf(folder, sizeof folder, "corpus/%s/%s", ways[way].format, expected);
        DIR *list = opendir(folder);
        for (const struct dirent *entry = list ? readdir(list) : NULL; entry != NULL; entry = readdir(list)) {
            const char *dot = strrchr(entry->d_name, '.');
            if (dot == NULL || strcmp(dot, ways[way].suffix) != 0) continue;
            (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            FILE *file = fopen(path, "rb");
            assert_non_null(file);
            const size_t size = fread(content, 1, sizeof content, file);
            assert_int_equal(fclose(file), 0);
            assert_true(size < sizeof content);
            check(path, way, (struct ndp_bytes){content, size});
            files++;
        }
        if (list != NULL) assert_int_equal(closedir(list), 0);
    }
    return files;
}

/* The next place after `at` of a file of `size_bytes` where it is cut. */
static uint64_t next_cut(uint64_t at, uint64_t size_bytes) {
    const uint64_t end = CUTS_MAX / 3;
    if (size_bytes <= CUTS_MAX || at < end || at + end >= size_bytes) return at + 1;
    const uint64_t step = (size_bytes - 2 * end) / (CUTS_MAX - 2 * end) + 1;
    return at + step + end < size_bytes ? at + step : size_bytes - end;
}

static void cut(const char *path, size_t way, struct ndp_bytes bytes) {
    uint64_t consumed, ignored;
    const enum ndp_status whole = run_way(way, bytes, bytes.size_bytes, true, 0, &consumed);
    const uint64_t needed = whole != NDP_OK ? 0 : consumed > 0 ? consumed : bytes.size_bytes;
    for (uint64_t size = 0; size < bytes.size_bytes; size = next_cut(size, bytes.size_bytes)) {
        const enum ndp_status status = run_way(way, bytes, size, false, 0, &ignored);
        if (status == NDP_OK && size < needed)
            fail_msg("%s, %s: taken with %llu bytes", path, ways[way].name, (unsigned long long)size);
        if (status == NDP_NOMEM || status == NDP_FAULT || status == NDP_IO)
            fail_msg("%s, %s: %s with %llu bytes", path, ways[way].name, ndp_status_name(status),
                     (unsigned long long)size);
    }
}

static void every_cut_is_refused(void **state) {
    (void)state;
    const uint32_t accepted = each_file("accept", cut);
    if (accepted == 0) skip();
    assert_true(accepted > 200);
    assert_true(each_file("refuse", cut) > 200);
    assert_true(each_file("open", cut) > 50);
}

/* By its name: read and mapped in every mode, which must agree with what its bytes give. */
static void open_by_name(const char *path, size_t way, struct ndp_bytes bytes) {
    static const enum ndp_map_mode modes[] = {NDP_MAP_READ, NDP_MAP_COPY};
    struct ndp_npy_array array = {0};
    struct ndp_arena arena;
    uint64_t ignored;
    decode *const how = ways[way].decode;
    if (how != npy_memory && how != joblib_memory && how != npz_memory) return;
    const enum ndp_status whole = run_way(way, bytes, bytes.size_bytes, false, 0, &ignored);
    ndp_arena_init(&arena, UINT64_C(1) << 28);
    for (uint32_t i = 0; i <= NDP_ARRAY_LEN(modes); i++) {
        struct ndp_npz *npz = NULL;
        enum ndp_status status = NDP_OK;
        if (how == npz_memory) {
            status = ndp_npz_open_file(path, NULL, &npz, NULL);
            if (status == NDP_OK)
                status = i < NDP_ARRAY_LEN(modes) ? ndp_npz_map_array(npz, &arena, 0, modes[i], NULL, &array, NULL)
                                                  : ndp_npz_read_array(npz, &arena, 0, NULL, &array, NULL);
        } else if (how == npy_memory) {
            status = i < NDP_ARRAY_LEN(modes) ? ndp_npy_decode_mapped(&arena, path, modes[i], NULL, &array, NULL)
                                              : ndp_npy_decode_file(&arena, path, NULL, &array, NULL);
        } else {
            status = i < NDP_ARRAY_LEN(modes) ? ndp_joblib_decode_mapped(&arena, path, modes[i], &array, NULL)
                                              : ndp_joblib_decode_file(&arena, path, &array, NULL);
        }
        if (how == npy_memory && status != whole)
            fail_msg("%s: %s by its name, %s by its bytes", path, ndp_status_name(status), ndp_status_name(whole));
        ndp_npy_array_clear(&array);
        ndp_npz_free(npz);
    }
    ndp_arena_clear(&arena);
}

static void files_are_read_and_mapped(void **state) {
    (void)state;
    const uint32_t accepted = each_file("accept", open_by_name);
    if (accepted == 0) skip();
    assert_true(accepted > 200);
    (void)each_file("refuse", open_by_name);
    (void)each_file("open", open_by_name);
}

static void run_out(const char *path, size_t way, struct ndp_bytes bytes) {
    uint64_t ignored;
    const enum ndp_status whole = run_way(way, bytes, bytes.size_bytes, false, 0, &ignored);
    for (uint64_t n = 1; n < 1000000; n += 1 + n / ALLOCATIONS_MAX * 97) {
        const enum ndp_status status = run_way(way, bytes, bytes.size_bytes, false, n, &ignored);
        if (status == whole) return;
        if (status != NDP_NOMEM)
            fail_msg("%s, %s: %s without allocation %d", path, ways[way].name, ndp_status_name(status), (int)n);
    }
}

/* The first allocation that fails is told, whichever it is, until there are no more. */
static void memory_that_runs_out_is_told(void **state) {
    (void)state;
    const uint32_t accepted = each_file("accept", run_out);
    if (accepted == 0) skip();
    assert_true(accepted > 200);
    assert_true(each_file("refuse", run_out) > 200);
    assert_true(each_file("open", run_out) > 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cut_is_refused),
        cmocka_unit_test(files_are_read_and_mapped),
        cmocka_unit_test(memory_that_runs_out_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
