/* corpus_entry_points.h: test helpers: the entry points of each decoder, and the values that they decode from corpus
 * files. */
#ifndef NDP_CORPUS_ENTRY_POINTS_H
#define NDP_CORPUS_ENTRY_POINTS_H

#include <fcntl.h>
#include <unistd.h>

#include "base/byteorder.h"
#include "codec/corpus_files.h"
#include "codec/graph/npz_graph.h"
#include "codec/joblib/joblib_graph.h"
#include "codec/joblib/joblib_read.h"
#include "codec/pickle/pickle_codec.h"
#include "codec/pickle/pickle_graph.h"
#include "codec/raw/raw.h"
#include "describe/descriptor.h"

/* Result of a decoder: one of these members is set. */
struct subject {
    const struct ndp_elements *elements;
    struct ndp_objects *objects;
    struct ndp_object *root;
    const struct ndp_graph *graph;
};

typedef void subject_use(void *context, const struct subject *subject);

/* One run of a decoder. */
struct run {
    struct ndp_arena arena;
    const char *path;        /* path of the file; NULL if the bytes are not from a file */
    struct ndp_bytes bytes;  /* content of the file */
    bool (*is_broken)(void); /* reports whether the stream fails now; NULL: never */
    subject_use *use;        /* called with each result while it lives; NULL: none */
    void *context;
    uint64_t consumed_bytes; /* out: number of bytes the decoder consumed; 0 for all */
    struct ndp_error error;
};

typedef enum ndp_status decode(struct run *run);

static const struct ndp_npy_options lenient_npy = {.is_lenient = true, .header_chars = 1 << 20};

/* A stream that delivers the bytes in small pieces. */
struct pieces {
    struct ndp_cursor cursor;
    bool (*is_broken)(void);
};

static struct pieces pieces_of(const struct run *run) {
    return (struct pieces){ndp_cursor_view(run->bytes), run->is_broken};
}

static enum ndp_status read_pieces(void *from, void *to, uint64_t room_bytes, uint64_t *got_bytes) {
    struct pieces *pieces = from;
    struct ndp_bytes taken;
    uint64_t size = ndp_cursor_left(&pieces->cursor);
    if (pieces->is_broken != NULL && pieces->is_broken()) return NDP_IO;
    if (size > room_bytes) size = room_bytes;
    if (size > 5) size = 5;
    NDP_TRY(ndp_cursor_take(&pieces->cursor, size, &taken));
    if (size > 0) memcpy(to, taken.data, (size_t)size);
    *got_bytes = size;
    return NDP_OK;
}

static void use_elements(struct run *run, const struct ndp_dtype *dtype, const struct ndp_layout *layout,
                         const uint8_t *data) {
    const struct ndp_elements elements = {dtype, layout, data};
    if (run->use != NULL) run->use(run->context, &(struct subject){.elements = &elements});
}

static enum ndp_status finish_npy(struct run *run, struct ndp_npy_array *array, enum ndp_status status) {
    assert_true(status == NDP_OK || array->data == NULL);
    if (status == NDP_OK) {
        run->consumed_bytes = array->consumed_bytes;
        use_elements(run, array->header.dtype, &array->layout, array->data);
    }
    ndp_npy_array_clear(array);
    return status;
}

/* A decoder of an array, whose last arguments are the array and the error. */
#define NPY_DECODER(name, call)                                                                                        \
    static enum ndp_status name(struct run *run) {                                                                     \
        struct pieces pieces = pieces_of(run);                                                                         \
        struct ndp_npy_array array = {0};                                                                              \
        (void)pieces;                                                                                                  \
        return finish_npy(run, &array, call);                                                                          \
    }
NPY_DECODER(npy_memory, ndp_npy_decode_memory(&run->arena, run->bytes, NULL, &array, &run->error))
NPY_DECODER(npy_lenient, ndp_npy_decode_memory(&run->arena, run->bytes, &lenient_npy, &array, &run->error))
NPY_DECODER(npy_stream, ndp_npy_decode_stream(&run->arena, read_pieces, &pieces, NULL, &array, &run->error))
NPY_DECODER(npy_file, ndp_npy_decode_file(&run->arena, run->path, NULL, &array, &run->error))
NPY_DECODER(npy_map, ndp_npy_decode_mapped(&run->arena, run->path, NDP_MAP_COPY, NULL, &array, &run->error))
/* Reads any file as np.memmap does. */
static enum ndp_status raw_with(struct run *run, bool is_mapped) {
    const struct ndp_dtype dtype = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1};
    const int64_t shape[] = {(int64_t)(run->bytes.size_bytes / 2)};
    const struct ndp_raw_form form = {&dtype, shape, 1, NDP_MEMORY_C, run->bytes.size_bytes / 4};
    struct ndp_npy_array array = {0};
    return finish_npy(run, &array,
                      is_mapped ? ndp_raw_decode_mapped(&form, run->path, NDP_MAP_COPY, &array, &run->error)
                                : ndp_raw_decode_file(&form, run->path, &array, &run->error));
}

static enum ndp_status raw_file(struct run *run) {
    return raw_with(run, false);
}

static enum ndp_status raw_map(struct run *run) {
    return raw_with(run, true);
}

static const struct ndp_npz_limits npz_limits = {
    .members = 4096, .member_bytes = 1 << 24, .total_bytes = 1 << 26, .free_bytes = 1 << 20};

/* The first member that is not an array determines the result. */
static enum ndp_status npz_with(struct run *run, bool is_file, bool is_mapped) {
    struct ndp_npz *npz = NULL;
    enum ndp_status status = is_file ? ndp_npz_open_file(run->path, &npz_limits, &npz, &run->error)
                                     : ndp_npz_open_memory(run->bytes, &npz_limits, &npz, &run->error);
    if (status == NDP_OK && ndp_npz_count(npz) == 0) status = NDP_INVALID;
    for (uint64_t i = 0; status == NDP_OK && i < ndp_npz_count(npz); i++) {
        struct ndp_npy_array array = {0};
        status = is_mapped ? ndp_npz_map_array(npz, &run->arena, i, NDP_MAP_READ, NULL, &array, &run->error)
                           : ndp_npz_read_array(npz, &run->arena, i, NULL, &array, &run->error);
        status = finish_npy(run, &array, status);
        run->consumed_bytes = 0;
    }
    ndp_npz_free(npz);
    return status;
}

static enum ndp_status npz_memory(struct run *run) {
    return npz_with(run, false, false);
}

static enum ndp_status npz_file(struct run *run) {
    return npz_with(run, true, false);
}

static enum ndp_status npz_map(struct run *run) {
    return npz_with(run, true, true);
}

static enum ndp_status objects_of(struct run *run, struct ndp_source *source) {
    static const struct ndp_pickle_options options = {.opcodes_max = 1 << 22};
    struct ndp_objects objects;
    struct ndp_pickle pickle;
    ndp_objects_init(&objects, &run->arena);
    const enum ndp_status status = ndp_pickle_read(&objects, source, &options, &pickle, &run->error);
    if (status == NDP_OK) run->consumed_bytes = pickle.consumed_bytes;
    if (status == NDP_OK && run->use != NULL)
        run->use(run->context, &(struct subject){.objects = &objects, .root = pickle.root});
    ndp_objects_clear(&objects);
    ndp_source_clear(source);
    return status;
}

static enum ndp_status objects_memory(struct run *run) {
    struct ndp_source source = ndp_source_memory(run->bytes);
    return objects_of(run, &source);
}

static enum ndp_status objects_stream(struct run *run) {
    struct pieces pieces = pieces_of(run);
    struct ndp_source source = ndp_source_stream(read_pieces, &pieces, UINT64_MAX);
    return objects_of(run, &source);
}

static enum ndp_status finish_pickle(struct run *run, struct ndp_pickle_array *array, enum ndp_status status) {
    assert_true(status == NDP_OK || array->data == NULL);
    if (status == NDP_OK) {
        run->consumed_bytes = array->consumed_bytes;
        use_elements(run, array->dtype, &array->layout, array->data);
    }
    ndp_pickle_codec_array_clear(array);
    return status;
}

static enum ndp_status pickle_memory(struct run *run) {
    struct ndp_pickle_array array = {0};
    return finish_pickle(run, &array,
                         ndp_pickle_codec_decode_memory(&run->arena, run->bytes, NULL, &array, &run->error));
}

static enum ndp_status pickle_stream(struct run *run) {
    struct ndp_pickle_array array = {0};
    struct pieces pieces = pieces_of(run);
    return finish_pickle(run, &array,
                         ndp_pickle_codec_decode_stream(&run->arena, read_pieces, &pieces, NULL, &array, &run->error));
}

static enum ndp_status pickle_fd(struct run *run) {
    struct ndp_pickle_array array = {0};
    const int fd = open(run->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return NDP_IO;
    const enum ndp_status status = ndp_pickle_codec_decode_fd(&run->arena, fd, NULL, &array, &run->error);
    assert_int_equal(close(fd), 0);
    return finish_pickle(run, &array, status);
}

static const struct ndp_joblib_options joblib_options = {
    .compress = {.output_bytes = 1 << 22, .memory_bytes = 1 << 24}};

NPY_DECODER(joblib_memory, ndp_joblib_read_array_memory(&run->arena, run->bytes, &joblib_options, &array, &run->error))
NPY_DECODER(joblib_stream,
            ndp_joblib_read_array_stream(&run->arena, read_pieces, &pieces, &joblib_options, &array, &run->error))
NPY_DECODER(joblib_file, ndp_joblib_read_array_file(&run->arena, run->path, NULL, &array, &run->error))
NPY_DECODER(joblib_map, ndp_joblib_read_array_mapped(&run->arena, run->path, NDP_MAP_COPY, NULL, &array, &run->error))
/* The objects of a dump, without decoding its arrays. */
static enum ndp_status dump_memory(struct run *run) {
    struct ndp_objects objects;
    struct ndp_joblib dump;
    ndp_objects_init(&objects, &run->arena);
    const enum ndp_status status = ndp_joblib_read_memory(&objects, run->bytes, &joblib_options, &dump, &run->error);
    if (status == NDP_OK && dump.method == NDP_COMPRESS_NONE) run->consumed_bytes = dump.pickle.consumed_bytes;
    ndp_objects_clear(&objects);
    return status;
}

static enum ndp_status finish_graph(struct run *run, const struct ndp_graph *graph, enum ndp_status status) {
    if (status == NDP_OK && run->use != NULL) run->use(run->context, &(struct subject){.graph = graph});
    return status;
}

#define GRAPH_DECODER(name, call)                                                                                      \
    static enum ndp_status name(struct run *run) {                                                                     \
        struct ndp_graph graph;                                                                                        \
        return finish_graph(run, &graph, call);                                                                        \
    }
GRAPH_DECODER(pickle_graph, ndp_pickle_graph_decode(&run->arena, run->bytes, &graph, &run->error))
GRAPH_DECODER(npy_graph, ndp_npy_graph_decode(&run->arena, run->bytes, NULL, &graph, &run->error))
/* The last member. An archive of arrays only is refused. */
static enum ndp_status npz_graph(struct run *run) {
    struct ndp_npz *npz = NULL;
    struct ndp_graph graph;
    NDP_TRY(ndp_npz_open_memory(run->bytes, &npz_limits, &npz, &run->error));
    const uint64_t count = ndp_npz_count(npz);
    enum ndp_status status = count > 0 ? NDP_OK : NDP_INVALID;
    if (status == NDP_OK) status = ndp_npz_graph_read(npz, &run->arena, count - 1, NULL, &graph, &run->error);
    ndp_npz_free(npz);
    return finish_graph(run, &graph, status);
}

GRAPH_DECODER(joblib_graph, ndp_joblib_graph_decode(&run->arena, run->bytes, NULL, &graph, &run->error))
static enum ndp_status joblib_graph_map(struct run *run) {
    struct ndp_map map = {0};
    struct ndp_graph graph;
    const enum ndp_status status = finish_graph(
        run, &graph,
        ndp_joblib_graph_decode_mapped(&run->arena, run->path, NDP_MAP_COPY, NULL, &map, &graph, &run->error));
    ndp_map_close(&map);
    return status;
}

/* Builds the live graph of a recipe: arrays have their model, and views become arrays. */
static enum ndp_status build_graph(struct run *run, const struct ndp_graph *recipe) {
    struct ndp_graph graph;
    NDP_TRY(ndp_graph_expect(&run->arena, recipe, ndp_byteorder_host_is_little(), &graph, &run->error));
    struct ndp_node *live = ndp_arena_copy(&run->arena, graph.nodes, graph.count * sizeof *live);
    if (live == NULL) return NDP_NOMEM;
    for (uint32_t i = 0; i < graph.count; i++)
        if (live[i].kind == NDP_NODE_VIEW) live[i].kind = NDP_NODE_ARRAY;
    graph.nodes = live;
    return finish_graph(run, &graph, NDP_OK);
}

/* Builds the array or graph of a descriptor, as a target would. */
static enum ndp_status value_built(struct run *run) {
    struct ndp_descriptor descriptor;
    struct ndp_array array;
    NDP_TRY(ndp_descriptor_read(&run->arena, run->bytes, &ndp_describe_default_limits, &descriptor, &run->error));
    if (descriptor.value.kind == NDP_VALUE_GRAPH) return build_graph(run, descriptor.value.graph);
    if (descriptor.value.kind != NDP_VALUE_ARRAY) return NDP_UNSUPPORTED;
    NDP_TRY(ndp_array_build(&run->arena, &descriptor.value.array, ndp_byteorder_host_is_little(), &array, &run->error));
    use_elements(run, array.dtype, &array.layout, array.buffer);
    return NDP_OK;
}

/* Entry points by file name cannot decode a prefix. */
struct entry_point {
    const char *folder, *suffix, *name;
    decode *decode;
    bool is_by_name;
    decode *same;         /* entry point that must give the same result, or NULL */
    bool has_expectation; /* the folder of the file states the result; otherwise formats have several entry points */
};

static const struct entry_point entry_points[] = {
    {"npy", ".npy", "NPY", npy_memory, false, NULL, false},
    {"npy", ".npy", "NPY, lenient", npy_lenient, false, NULL, false},
    {"npy", ".npy", "NPY, stream", npy_stream, false, npy_memory, false},
    {"npy", ".npy", "NPY, file", npy_file, true, npy_memory, false},
    {"npy", ".npy", "NPY, map", npy_map, true, npy_memory, false},
    {"npy", ".npy", "raw, file", raw_file, true, NULL, false},
    {"npy", ".npy", "raw, map", raw_map, true, NULL, false},
    {"npy", ".npy", "NPY of objects", npy_graph, false, NULL, false},
    {"npz", ".npz", "NPZ", npz_memory, false, NULL, false},
    {"npz", ".npz", "NPZ of objects", npz_graph, false, NULL, false},
    {"npz", ".npz", "NPZ, file", npz_file, true, npz_memory, false},
    {"npz", ".npz", "NPZ, map", npz_map, true, NULL, false},
    {"pickle", ".pkl", "pickle", objects_memory, false, NULL, false},
    {"pickle", ".pkl", "pickle, stream", objects_stream, false, objects_memory, false},
    {"pickle", ".pkl", "array of a pickle", pickle_memory, false, NULL, false},
    {"pickle", ".pkl", "array of a pickle, stream", pickle_stream, false, pickle_memory, false},
    {"pickle", ".pkl", "array of a pickle, descriptor", pickle_fd, true, pickle_memory, false},
    {"pickle", ".pkl", "graph of a pickle", pickle_graph, false, NULL, false},
    {"joblib", ".joblib", "dump", dump_memory, false, NULL, false},
    {"joblib", ".joblib", "graph of a dump", joblib_graph, false, NULL, false},
    {"joblib", ".joblib", "joblib", joblib_memory, false, NULL, false},
    {"joblib", ".joblib", "joblib, stream", joblib_stream, false, joblib_memory, false},
    {"joblib", ".joblib", "joblib, file", joblib_file, true, NULL, false},
    {"joblib", ".joblib", "joblib, map", joblib_map, true, NULL, false},
    {"joblib", ".joblib", "graph of a dump, map", joblib_graph_map, true, NULL, false},
    {"value", ".json", "value", value_built, true, NULL, false},
};

typedef void check_file(const struct entry_point *entry, const char *path, struct ndp_bytes bytes);

struct visit {
    const struct entry_point *entry;
    check_file *check;
};

static void visit_file(void *context, const char *path, struct ndp_bytes content) {
    const struct visit *visit = context;
    visit->check(visit->entry, path, content);
}

/* Calls `check` for each file and entry point. Returns the number of calls. All value files are accepted. */
static uint32_t each_file(const char *expected, check_file *check) {
    uint32_t files = 0;
    for (size_t i = 0; i < NDP_ARRAY_LEN(entry_points); i++) {
        char folder[64];
        const bool is_value = strcmp(entry_points[i].folder, "value") == 0;
        if (is_value && strcmp(expected, "accept") != 0) continue;
        (void)snprintf(folder, sizeof folder, is_value ? "%s" : "%s/%s", entry_points[i].folder, expected);
        files += ndp_corpus_each(folder, entry_points[i].suffix, visit_file, &(struct visit){&entry_points[i], check});
    }
    return files;
}

#endif
