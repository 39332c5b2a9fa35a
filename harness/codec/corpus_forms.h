/* corpus_forms.h: test helpers: each encoded form of a decoded corpus file, and its decoder. */
#ifndef NDP_CORPUS_FORMS_H
#define NDP_CORPUS_FORMS_H

#include "codec/corpus_entry_points.h"
#include "codec/data_memory.h"
#include "codec/fault_apply.h"
#include "codec/graph/graph_stream.h"
#include "codec/joblib/joblib_write.h"
#include "codec/npy/npy_encode.h"
#include "codec/npz/npz_write.h"

/* Output of an encoder. */
struct made {
    struct ndp_buffer bytes;
    struct ndp_blob blob;              /* out of band */
    char path[64];                     /* name of the output file, which is removed; or "" */
    struct ndp_array_form array;       /* form of the array */
    const struct ndp_fault_row *fault; /* fault of the encoding */
};

/* Arrays that were decoded again. */
struct decoded_arrays {
    struct ndp_npy_array npy;
    struct ndp_pickle_array pickle;
};

static void made_init(struct made *made) {
    *made = (struct made){.bytes = {.max_bytes = UINT64_MAX}};
}

static void made_clear(struct made *made) {
    ndp_buffer_clear(&made->bytes);
    ndp_data_free(made->blob.owned);
    if (made->path[0] != '\0') (void)unlink(made->path);
}

static enum ndp_status write_made(void *sink, const void *bytes, uint64_t size_bytes) {
    struct made *made = sink;
    return ndp_buffer_add(&made->bytes, bytes, size_bytes);
}

static void name_file(struct made *made) {
    const char *folder = getenv("TMPDIR");
    (void)snprintf(made->path, sizeof made->path, "%s/ndproof-forms-%ld", folder ? folder : "/tmp", (long)getpid());
}

/* Checks that the array agrees in everything that the form preserves; `lost` is a mask of dtype parts that it does
 * not. */
static void check_same(const struct ndp_elements *a, const struct ndp_dtype *dtype, const struct ndp_layout *layout,
                       uint32_t lost) {
    assert_int_equal(ndp_dtype_compare(a->dtype, dtype, NULL) & ~lost, 0);
    assert_int_equal(a->layout->ndim, layout->ndim);
    assert_memory_equal(a->layout->shape, layout->shape, layout->ndim * sizeof(int64_t));
}

/* An NPY header cannot represent these parts. */
static void check_npy(const struct subject *subject, const struct ndp_npy_array *got) {
    check_same(subject->elements, got->header.dtype, &got->layout, NDP_DTYPE_ALIGNED | NDP_DTYPE_METADATA);
}

#define MAKER(name)                                                                                                    \
    static enum ndp_status name(struct ndp_arena *arena, const struct subject *subject, uint32_t k, struct made *made, \
                                struct ndp_error *error)
#define BACK(name)                                                                                                     \
    static enum ndp_status name(struct ndp_arena *arena, const struct subject *subject, const struct made *made,       \
                                struct ndp_error *error)

MAKER(make_npy) {
    (void)arena;
    return ndp_npy_encode(subject->elements, (uint8_t)k, write_made, made, error);
}

MAKER(make_npy_file) {
    (void)arena;
    name_file(made);
    return k == 0 ? ndp_npy_encode_file(subject->elements, 0, made->path, error)
                  : ndp_npy_encode_mapped(subject->elements, 0, made->path, error);
}

BACK(npy_back) {
    struct ndp_npy_array got = {0};
    const enum ndp_status status =
        made->path[0] != '\0' ? ndp_npy_decode_file(arena, made->path, &lenient_npy, &got, error)
                              : ndp_npy_decode_memory(arena, ndp_buffer_view(&made->bytes), &lenient_npy, &got, error);
    if (status == NDP_OK) check_npy(subject, &got);
    ndp_npy_array_clear(&got);
    return status;
}

enum { FAULTS_MAX = 256 };

/* NPY and raw bytes with each named fault. */
MAKER(make_corrupted) {
    (void)arena;
    uint32_t count;
    const struct ndp_fault_row *row = ndp_fault_rows(&count) + k;
    const struct ndp_array array = {.dtype = subject->elements->dtype, .layout = *subject->elements->layout};
    assert_true(count <= FAULTS_MAX);
    if (k >= count || !ndp_fault_fits(row, &array)) return NDP_UNSUPPORTED;
    struct ndp_buffer right = {.max_bytes = UINT64_MAX};
    struct ndp_fault fault = {.argument = row->argument_min};
    (void)snprintf(fault.name, sizeof fault.name, "%s", row->name);
    const uint64_t item = array.dtype->itemsize_bytes, data = item * ndp_layout_count(&array.layout);
    enum ndp_status status = strcmp(row->format, "npy") == 0
                                 ? ndp_npy_encode_buffer(subject->elements, 0, &right, error)
                                 : ndp_raw_encode(subject->elements, 0, ndp_write_to_buffer, &right, error);
    if (status == NDP_OK)
        status = ndp_fault_apply(&fault, row->format, ndp_buffer_view(&right), item, data, &made->bytes, error);
    ndp_buffer_clear(&right);
    made->fault = row;
    return status;
}

BACK(corrupted_back) {
    struct ndp_npy_array got = {0};
    if (strcmp(made->fault->format, "npy") != 0) return NDP_OK;
    const enum ndp_status status = ndp_npy_decode_memory(arena, ndp_buffer_view(&made->bytes), NULL, &got, error);
    if (status == NDP_OK) {
        assert_int_not_equal(made->fault->expect, NDP_EXPECT_REFUSE);
        if (made->fault->expect == NDP_EXPECT_ACCEPT) check_npy(subject, &got);
    }
    ndp_npy_array_clear(&got);
    return status == NDP_OK || made->fault->expect != NDP_EXPECT_ACCEPT ? NDP_OK : status;
}

enum { RAW_OFFSET_BYTES = 100 };

MAKER(make_raw) {
    (void)arena;
    if (k == 0) return ndp_raw_encode(subject->elements, RAW_OFFSET_BYTES, write_made, made, error);
    name_file(made);
    return ndp_raw_encode_mapped(subject->elements, RAW_OFFSET_BYTES, made->path, error);
}

BACK(raw_back) {
    const struct ndp_layout *layout = subject->elements->layout;
    const struct ndp_raw_form form = {subject->elements->dtype, layout->shape, layout->ndim, NDP_MEMORY_C,
                                      RAW_OFFSET_BYTES};
    struct ndp_npy_array got = {0};
    (void)arena;
    const enum ndp_status status = made->path[0] != '\0'
                                       ? ndp_raw_decode_mapped(&form, made->path, NDP_MAP_READ, &got, error)
                                       : ndp_raw_decode_memory(&form, ndp_buffer_view(&made->bytes), &got, error);
    if (status == NDP_OK) check_npy(subject, &got);
    ndp_npy_array_clear(&got);
    return status;
}

MAKER(make_npz) {
    (void)arena;
    const struct ndp_npz_item items[] = {
        {.key = ndp_bytes_view("a"), .elements = *subject->elements},
        {.key = ndp_bytes_view("\xce\xb1"), .elements = *subject->elements},
    };
    return ndp_npz_encode(items, NDP_ARRAY_LEN(items), k == 1, write_made, made, error);
}

BACK(npz_back) {
    struct ndp_npy_array got = {0};
    struct ndp_npz *npz = NULL;
    uint64_t index = 0;
    enum ndp_status status = ndp_npz_open_memory(ndp_buffer_view(&made->bytes), NULL, &npz, error);
    if (status == NDP_OK) status = ndp_npz_find(npz, ndp_bytes_view("\xce\xb1"), &index, error);
    if (status == NDP_OK) status = ndp_npz_read_array(npz, arena, index, &lenient_npy, &got, error);
    if (status == NDP_OK) check_npy(subject, &got);
    ndp_npy_array_clear(&got);
    ndp_npz_free(npz);
    return status;
}

/* As each release of NumPy writes it, in band and out of band. */
MAKER(make_pickle) {
    made->array = (struct ndp_array_form){
        .protocol = k % 8 < 6 ? k % 8 : 5, .is_out_of_band = k % 8 > 5, .is_readonly = k % 2 == 1};
    return ndp_pickle_codec_encode(arena, subject->elements, &made->array, (enum ndp_numpy_release)(k / 8), write_made,
                                   made, &made->blob, error);
}

BACK(pickle_back) {
    const struct ndp_pickle_buffer buffer = {made->blob.bytes, made->array.is_readonly};
    const struct ndp_pickle_input input = {&buffer, made->blob.bytes.data != NULL ? 1 : 0};
    struct ndp_pickle_array got = {0};
    NDP_TRY(ndp_pickle_codec_decode_memory(arena, ndp_buffer_view(&made->bytes), &input, &got, error));
    check_same(subject->elements, got.dtype, &got.layout, 0);
    ndp_pickle_codec_array_clear(&got);
    return NDP_OK;
}

static struct ndp_joblib_output joblib_form(uint32_t k) {
    return (struct ndp_joblib_output){
        .form = {.protocol = k % 6, .alignment_bytes = k % 3 == 2 ? 0 : NDP_JOBLIB_ALIGNMENT_BYTES},
        .release = (enum ndp_numpy_release)(k % 3),
        .method = k < 6 ? NDP_COMPRESS_NONE : (enum ndp_compress_method)(k - 6),
        .level = 1};
}

MAKER(make_joblib) {
    const struct ndp_joblib_output output = joblib_form(k);
    return ndp_joblib_write_array(arena, subject->elements, &output, write_made, made, error);
}

BACK(joblib_back) {
    struct ndp_npy_array got = {0};
    NDP_TRY(ndp_joblib_read_array_memory(arena, ndp_buffer_view(&made->bytes), NULL, &got, error));
    check_same(subject->elements, got.header.dtype, &got.layout, 0);
    ndp_npy_array_clear(&got);
    return NDP_OK;
}

MAKER(make_objects) {
    const struct ndp_pickle_form form = {.protocol = k / 2, .is_python = k % 2 == 1};
    (void)arena;
    return ndp_pickle_write(subject->objects, subject->root, &form, write_made, made, error);
}

BACK(objects_back) {
    struct ndp_source source = ndp_source_memory(ndp_buffer_view(&made->bytes));
    struct ndp_objects others;
    struct ndp_pickle pickle;
    (void)subject;
    ndp_objects_init(&others, arena);
    const enum ndp_status status = ndp_pickle_read(&others, &source, NULL, &pickle, error);
    ndp_objects_clear(&others);
    return status;
}

MAKER(make_graph) {
    const struct ndp_graph_form form = {.protocol = k % 6, .release = k % 3};
    return ndp_pickle_graph_encode(arena, subject->graph, &form, write_made, made, error);
}

BACK(graph_back) {
    struct ndp_graph got;
    (void)subject;
    return ndp_pickle_graph_decode(arena, ndp_buffer_view(&made->bytes), &got, error);
}

MAKER(make_npy_graph) {
    const struct ndp_graph_form form = {.protocol = 3 + k};
    return ndp_npy_graph_encode(arena, subject->graph, &form, write_made, made, error);
}

BACK(npy_graph_back) {
    struct ndp_graph got;
    (void)subject;
    return ndp_npy_graph_decode(arena, ndp_buffer_view(&made->bytes), NULL, &got, error);
}

MAKER(make_npz_graph) {
    const struct ndp_graph_form form = {.protocol = 4};
    return ndp_npz_graph_encode(arena, subject->graph, ndp_bytes_view("a"), k == 1, &form, write_made, made, error);
}

BACK(npz_graph_back) {
    struct ndp_npz *npz = NULL;
    struct ndp_graph got;
    (void)subject;
    NDP_TRY(ndp_npz_open_memory(ndp_buffer_view(&made->bytes), NULL, &npz, error));
    const enum ndp_status status = ndp_npz_graph_read(npz, arena, 0, NULL, &got, error);
    ndp_npz_free(npz);
    return status;
}

MAKER(make_dump) {
    const struct ndp_joblib_output output = joblib_form(k);
    return ndp_joblib_graph_encode(arena, subject->graph, &output, write_made, made, error);
}

BACK(dump_back) {
    struct ndp_graph got;
    (void)subject;
    return ndp_joblib_graph_decode(arena, ndp_buffer_view(&made->bytes), NULL, &got, error);
}

MAKER(make_stream) {
    (void)arena, (void)k, (void)error;
    return ndp_graph_stream_add(&made->bytes, subject->graph);
}

BACK(stream_back) {
    struct ndp_graph got;
    NDP_TRY(ndp_graph_stream_read(arena, ndp_buffer_view(&made->bytes), &got, error));
    assert_int_equal(got.count, subject->graph->count);
    return NDP_OK;
}

enum subject_kind { OF_ARRAYS, OF_OBJECTS, OF_GRAPHS };

struct form {
    const char *name;
    enum subject_kind of;
    uint32_t count;
    enum ndp_status (*make)(struct ndp_arena *arena, const struct subject *subject, uint32_t k, struct made *made,
                            struct ndp_error *error);
    enum ndp_status (*again)(struct ndp_arena *arena, const struct subject *subject, const struct made *made,
                             struct ndp_error *error);
};

static const struct form forms[] = {
    {"NPY", OF_ARRAYS, 4, make_npy, npy_back},
    {"NPY file", OF_ARRAYS, 2, make_npy_file, npy_back},
    {"corrupted", OF_ARRAYS, FAULTS_MAX, make_corrupted, corrupted_back},
    {"raw", OF_ARRAYS, 2, make_raw, raw_back},
    {"NPZ", OF_ARRAYS, 2, make_npz, npz_back},
    {"pickle", OF_ARRAYS, 24, make_pickle, pickle_back},
    {"joblib", OF_ARRAYS, 6 + NDP_COMPRESS_COUNT, make_joblib, joblib_back},
    {"objects", OF_OBJECTS, 12, make_objects, objects_back},
    {"graph", OF_GRAPHS, 6, make_graph, graph_back},
    {"dump", OF_GRAPHS, 6 + NDP_COMPRESS_COUNT, make_dump, dump_back},
    {"NPY of objects", OF_GRAPHS, 2, make_npy_graph, npy_graph_back},
    {"NPZ of objects", OF_GRAPHS, 2, make_npz_graph, npz_graph_back},
    {"stream", OF_GRAPHS, 1, make_stream, stream_back},
};

static bool form_takes(const struct form *form, const struct subject *subject) {
    return form->of == (subject->elements != NULL ? OF_ARRAYS : subject->objects != NULL ? OF_OBJECTS : OF_GRAPHS);
}

/* Values that a form cannot represent are refused. */
static inline bool is_refused(enum ndp_status status) {
    return status == NDP_UNSUPPORTED || status == NDP_LIMIT;
}

#endif
