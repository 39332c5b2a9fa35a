/* joblib_read.c: reader of dumps.
 *
 * Problem: a dump interrupts a pickle with padding and raw bytes of arrays, which only the wrapper before them
 * describes, and may be compressed. Method: detect the compressor by the first bytes and run the pickle reader with a
 * hook after BUILD: if the new object is a wrapper, read its padding and bytes, or a nested pickle, from the same
 * source and replace the wrapper by a RAW object. Cost: linear in the dump; the bytes of arrays are borrowed from
 * memory, and read once from a stream. Limits: those of pickle_read.h and of the decompressors. References: joblib,
 * numpy_pickle.py.
 */
#include "codec/joblib/joblib_read.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codec/data_memory.h"
#include "codec/regular_file.h"

enum { START_BYTES = 5 };

/* Context of the hook after BUILD. */
struct reading {
    struct ndp_pickle_dtype_reader dtypes;
};

/* Skips the padding before the elements; its first byte is its length. */
static enum ndp_status skip_padding(struct ndp_source *source) {
    struct ndp_bytes bytes;
    NDP_TRY(ndp_source_take(source, 1, &bytes));
    return ndp_source_take(source, bytes.data[0], &bytes);
}

static enum ndp_status read_raw(const struct ndp_joblib_wrapper *wrapper, struct ndp_objects *objects,
                                struct ndp_source *source, struct ndp_raw *raw, struct ndp_error *error) {
    struct ndp_blob blob = {0};
    enum ndp_status status = wrapper->has_padding ? skip_padding(source) : NDP_OK;
    raw->offset_bytes = ndp_source_offset(source);
    if (status == NDP_OK) status = ndp_source_blob(source, wrapper->size_bytes, &blob);
    if (status == NDP_OK) status = ndp_objects_keep(objects, &blob);
    raw->bytes = blob.bytes;
    if (status == NDP_OK) return NDP_OK;
    /* The offset of the elements; a stream has consumed those that exist. */
    return ndp_error_set(error, status, raw->offset_bytes, "raw bytes of an array: %s", ndp_status_text(status));
}

/* Reads a nested pickle, which ends with its own STOP and contains no wrappers. */
static enum ndp_status read_nested(struct ndp_objects *objects, struct ndp_source *source, struct ndp_raw *raw,
                                   struct ndp_error *error) {
    struct ndp_pickle nested;
    raw->offset_bytes = ndp_source_offset(source);
    NDP_TRY(ndp_pickle_read(objects, source, NULL, &nested, error));
    raw->nested = nested.root;
    return NDP_OK;
}

/* Replaces a wrapper by a RAW object that refers to it. */
static enum ndp_status after_build(void *context, struct ndp_objects *objects, struct ndp_source *source,
                                   struct ndp_object **top, struct ndp_error *error) {
    struct ndp_pickle_dtype_reader *reader = context;
    struct ndp_joblib_wrapper *parsed = NULL;
    const enum ndp_joblib_wrapper_kind kind = ndp_joblib_wrapper_kind(*top);
    if (kind == NDP_JOBLIB_OTHER) return NDP_OK;
    if (kind == NDP_JOBLIB_OLD)
        return ndp_error_set(error, NDP_UNSUPPORTED, (*top)->offset_bytes,
                             "array in a separate file (joblib before 0.10)");
    struct ndp_object *object = ndp_object_new(objects, NDP_OBJECT_RAW);
    struct ndp_raw *raw = NDP_ARENA_NEW(objects->arena, struct ndp_raw);
    parsed = NDP_ARENA_NEW(objects->arena, struct ndp_joblib_wrapper);
    if (object == NULL || raw == NULL || parsed == NULL)
        return ndp_error_set(error, NDP_NOMEM, (*top)->offset_bytes, "out of memory");
    *raw = (struct ndp_raw){.wrapper = *top};
    object->raw = raw;
    object->offset_bytes = (*top)->offset_bytes;
    reader->error = error;
    NDP_TRY(ndp_joblib_wrapper_read(reader, *top, parsed));
    NDP_TRY(parsed->has_objects ? read_nested(objects, source, raw, error)
                                : read_raw(parsed, objects, source, raw, error));
    raw->parsed = parsed;
    *top = object;
    return NDP_OK;
}

static enum ndp_status read_pickle(struct ndp_objects *objects, struct ndp_source *source, struct ndp_joblib *out,
                                   struct ndp_error *error) {
    struct ndp_pickle_dtype_reader reader = {.arena = objects->arena, .objects = objects};
    const struct ndp_pickle_options pickle = {.after_build = after_build, .context = &reader};
    NDP_TRY(ndp_pickle_read(objects, source, &pickle, &out->pickle, error));
    out->root = out->pickle.root;
    return NDP_OK;
}

/* The checksum of a stream follows the bytes that the pickle needs. */
static enum ndp_status finish_stream(enum ndp_status status, struct ndp_decompressor *stream, struct ndp_error *error) {
    if (status == NDP_OK) status = ndp_decompress_drain(stream);
    const struct ndp_error *detail = ndp_decompress_error(stream);
    if (detail == NULL) return status;
    if (error != NULL) *error = *detail;
    return detail->status;
}

/* Reports a compressor that joblib lacks, and z-files of joblib before 0.10. No pickle starts with their first bytes:
 * 0xb5 and Z are not opcodes. */
static enum ndp_status refuse_foreign(struct ndp_bytes start, struct ndp_error *error) {
    static const uint8_t zstandard[] = {0x28, 0xb5, 0x2f, 0xfd};
    if (start.size_bytes >= 2 && memcmp(start.data, "ZF", 2) == 0)
        return ndp_error_set(error, NDP_UNSUPPORTED, 0, "z-file (joblib before 0.10)");
    if (start.size_bytes < sizeof zstandard || memcmp(start.data, zstandard, sizeof zstandard) != 0) return NDP_OK;
    return ndp_error_set(error, NDP_INVALID, 0, "Zstandard (starts with 28 b5 2f fd) is not supported by joblib");
}

static enum ndp_status read_packed(struct ndp_objects *objects, ndp_read_bytes *read, void *from,
                                   const struct ndp_joblib_options *options, struct ndp_joblib *out,
                                   struct ndp_error *error) {
    const struct ndp_compress_limits *limits = options == NULL ? NULL : &options->compress;
    struct ndp_decompressor *stream = NULL;
    NDP_TRY(ndp_decompress_new(out->method, read, from, limits, &stream, error));
    struct ndp_source source = ndp_source_stream(ndp_decompress_read, stream, UINT64_MAX);
    const enum ndp_status status = finish_stream(read_pickle(objects, &source, out, error), stream, error);
    ndp_source_clear(&source);
    ndp_decompress_free(stream);
    return status;
}

/* The bytes already read, followed by the rest of a stream. */
struct resumed {
    uint8_t start[START_BYTES];
    uint64_t start_bytes;
    uint64_t at_bytes;
    ndp_read_bytes *read;
    void *from;
};

static enum ndp_status read_resumed(void *from, void *to, uint64_t room_bytes, uint64_t *got_bytes) {
    struct resumed *resumed = from;
    uint64_t have = resumed->start_bytes - resumed->at_bytes;
    if (have == 0) return resumed->read(resumed->from, to, room_bytes, got_bytes);
    if (have > room_bytes) have = room_bytes;
    memcpy(to, resumed->start + resumed->at_bytes, (size_t)have);
    resumed->at_bytes += have;
    *got_bytes = have;
    return NDP_OK;
}

enum ndp_status ndp_joblib_read_memory(struct ndp_objects *objects, struct ndp_bytes bytes,
                                       const struct ndp_joblib_options *options, struct ndp_joblib *out,
                                       struct ndp_error *error) {
    struct ndp_joblib made = {.method = ndp_compress_detect(bytes)};
    struct ndp_source source = ndp_source_memory(bytes);
    struct ndp_cursor cursor = ndp_cursor_view(bytes);
    NDP_TRY(refuse_foreign(bytes, error));
    if (made.method != NDP_COMPRESS_NONE) {
        NDP_TRY(read_packed(objects, ndp_cursor_read, &cursor, options, &made, error));
    } else {
        NDP_TRY(read_pickle(objects, &source, &made, error));
    }
    *out = made;
    return NDP_OK;
}

enum ndp_status ndp_joblib_read_stream(struct ndp_objects *objects, ndp_read_bytes *read, void *from,
                                       const struct ndp_joblib_options *options, struct ndp_joblib *out,
                                       struct ndp_error *error) {
    struct resumed resumed = {.read = read, .from = from};
    uint64_t got = 1;
    while (resumed.start_bytes < START_BYTES && got > 0) {
        const enum ndp_status status =
            read(from, resumed.start + resumed.start_bytes, START_BYTES - resumed.start_bytes, &got);
        if (status != NDP_OK)
            return ndp_error_set(error, status, resumed.start_bytes, "reading the dump: %s", ndp_status_text(status));
        resumed.start_bytes += got;
    }
    const struct ndp_bytes start = {resumed.start, resumed.start_bytes};
    struct ndp_joblib made = {.method = ndp_compress_detect(start)};
    enum ndp_status status = NDP_OK;
    NDP_TRY(refuse_foreign(start, error));
    if (made.method != NDP_COMPRESS_NONE) {
        status = read_packed(objects, read_resumed, &resumed, options, &made, error);
    } else {
        struct ndp_source source = ndp_source_stream(read_resumed, &resumed, UINT64_MAX);
        if (options != NULL) source.known_bytes = options->known_bytes;
        status = read_pickle(objects, &source, &made, error);
        ndp_source_clear(&source);
    }
    if (status == NDP_OK) *out = made;
    return status;
}

enum ndp_status ndp_joblib_read_file(struct ndp_objects *objects, const char *path,
                                     const struct ndp_joblib_options *options, struct ndp_joblib *out,
                                     struct ndp_error *error) {
    struct ndp_joblib_options own = {0};
    int fd = -1;
    if (options != NULL) own = *options;
    NDP_TRY(ndp_regular_open(AT_FDCWD, path, O_RDONLY, &fd, &own.known_bytes, error));
    const enum ndp_status status = ndp_joblib_read_stream(objects, ndp_fd_read, &fd, &own, out, error);
    (void)close(fd);
    return status;
}

/* Whether conversion to ndarray loses nothing: matrix and memmap have the same content. */
static bool is_plain_class(const struct ndp_object *class) {
    return class == NULL || ndp_object_is_global(class, "numpy", "ndarray") ||
           ndp_object_is_global(class, "numpy", "matrix") || ndp_object_is_global(class, "numpy", "memmap") ||
           ndp_object_is_global(class, "numpy.matrixlib.defmatrix", "matrix");
}

/* Arrays without a wrapper are pickled. */
static enum ndp_status read_any_array(struct ndp_array_reader *reader, const struct ndp_object *root,
                                      struct ndp_pickled_array *out) {
    struct ndp_error *error = reader->dtypes.error;
    if (!ndp_pickle_array_is_array(root)) {
        NDP_TRY(ndp_joblib_wrapper_read_array(reader, root, out));
    } else {
        NDP_TRY(ndp_pickle_array_read(reader, root, out));
        if (out->items != NULL || out->is_masked || out->extra != NULL)
            return ndp_error_set(error, NDP_UNSUPPORTED, root->offset_bytes,
                                 "array: unexpected class, mask or objects");
    }
    if (is_plain_class(out->class)) return NDP_OK;
    return ndp_error_set(error, NDP_UNSUPPORTED, root->offset_bytes,
                         "array: class differs from ndarray, matrix and memmap");
}

/* Reads the array of `root`, whose bytes stay in place. */
static enum ndp_status read_root_array(struct ndp_objects *objects, const struct ndp_object *root,
                                       struct ndp_npy_array *array, struct ndp_bytes *bytes, struct ndp_error *error) {
    struct ndp_pickled_array read;
    struct ndp_array_reader reader = {.dtypes = {.arena = objects->arena, .objects = objects, .error = error}};
    NDP_TRY(read_any_array(&reader, root, &read));
    const uint64_t itemsize = read.dtype->itemsize_bytes;
    array->layout = read.layout;
    array->header.dtype = read.dtype;
    array->header.ndim = read.layout.ndim;
    memcpy(array->header.shape, read.layout.shape, sizeof(array->header.shape));
    array->header.count_elems = read.count_elems;
    array->header.size_bytes = read.bytes.size_bytes;
    if (root->kind == NDP_OBJECT_RAW) array->header.data_offset_bytes = root->raw->offset_bytes;
    array->header.is_fortran_order =
        ndp_layout_is_f_contiguous(&read.layout, itemsize) && !ndp_layout_is_c_contiguous(&read.layout, itemsize);
    *bytes = read.bytes;
    return NDP_OK;
}

/* Takes memory that a stream was read into; copies borrowed memory. */
static enum ndp_status take_or_copy_data(struct ndp_objects *objects, struct ndp_bytes bytes,
                                         struct ndp_npy_array *array, struct ndp_error *error) {
    array->owns_data = true;
    array->data = ndp_objects_release(objects, bytes.data);
    if (array->data != NULL) return NDP_OK;
    array->data = ndp_data_new(bytes.size_bytes);
    if (array->data == NULL) return ndp_error_set(error, NDP_NOMEM, NDP_NO_OFFSET, "out of memory for the elements");
    if (bytes.size_bytes > 0) memcpy(array->data, bytes.data, (size_t)bytes.size_bytes);
    return NDP_OK;
}

static enum ndp_status take_array(struct ndp_objects *objects, const struct ndp_joblib *joblib,
                                  struct ndp_npy_array *out, struct ndp_error *error) {
    struct ndp_npy_array array = {0};
    struct ndp_bytes bytes;
    NDP_TRY(read_root_array(objects, joblib->root, &array, &bytes, error));
    NDP_TRY(take_or_copy_data(objects, bytes, &array, error));
    array.consumed_bytes = joblib->pickle.consumed_bytes;
    *out = array;
    return NDP_OK;
}

enum ndp_status ndp_joblib_read_array_memory(struct ndp_arena *arena, struct ndp_bytes bytes,
                                             const struct ndp_joblib_options *options, struct ndp_npy_array *out,
                                             struct ndp_error *error) {
    struct ndp_objects objects;
    struct ndp_joblib joblib;
    ndp_objects_init(&objects, arena);
    enum ndp_status status = ndp_joblib_read_memory(&objects, bytes, options, &joblib, error);
    if (status == NDP_OK) status = take_array(&objects, &joblib, out, error);
    ndp_objects_clear(&objects);
    return status;
}

enum ndp_status ndp_joblib_read_array_stream(struct ndp_arena *arena, ndp_read_bytes *read, void *from,
                                             const struct ndp_joblib_options *options, struct ndp_npy_array *out,
                                             struct ndp_error *error) {
    struct ndp_objects objects;
    struct ndp_joblib joblib;
    ndp_objects_init(&objects, arena);
    enum ndp_status status = ndp_joblib_read_stream(&objects, read, from, options, &joblib, error);
    if (status == NDP_OK) status = take_array(&objects, &joblib, out, error);
    ndp_objects_clear(&objects);
    return status;
}

enum ndp_status ndp_joblib_read_array_file(struct ndp_arena *arena, const char *path,
                                           const struct ndp_joblib_options *options, struct ndp_npy_array *out,
                                           struct ndp_error *error) {
    struct ndp_objects objects;
    struct ndp_joblib joblib;
    ndp_objects_init(&objects, arena);
    enum ndp_status status = ndp_joblib_read_file(&objects, path, options, &joblib, error);
    if (status == NDP_OK) status = take_array(&objects, &joblib, out, error);
    ndp_objects_clear(&objects);
    return status;
}

static bool is_mappable(const struct ndp_object *root) {
    return root->kind == NDP_OBJECT_RAW && root->raw->parsed != NULL && root->raw->parsed->allow_mmap;
}

/* Maps the whole file and reads it as memory: the array's bytes lie in the map and are not touched. A compressed file
 * cannot be mapped and is left to the reader. */
static enum ndp_status map_array(struct ndp_arena *arena, struct ndp_map *map, struct ndp_npy_array *out,
                                 bool *is_mapped, struct ndp_error *error) {
    struct ndp_objects objects;
    struct ndp_joblib joblib;
    struct ndp_npy_array array = {0};
    struct ndp_bytes bytes = {0};
    const struct ndp_bytes file = {map->data, map->size_bytes};
    *is_mapped = false;
    if (ndp_compress_detect(file) != NDP_COMPRESS_NONE) return NDP_OK;
    ndp_objects_init(&objects, arena);
    enum ndp_status status = ndp_joblib_read_memory(&objects, file, NULL, &joblib, error);
    if (status == NDP_OK) status = read_root_array(&objects, joblib.root, &array, &bytes, error);
    /* The elements borrow from the map, and joblib itself would map this wrapper. */
    *is_mapped = status == NDP_OK && is_mappable(joblib.root);
    if (*is_mapped) {
        array.consumed_bytes = joblib.pickle.consumed_bytes;
        *out = array;
    }
    ndp_objects_clear(&objects);
    return status;
}

enum ndp_status ndp_joblib_read_array_mapped(struct ndp_arena *arena, const char *path, enum ndp_map_mode mode,
                                             const struct ndp_joblib_options *options, struct ndp_npy_array *out,
                                             struct ndp_error *error) {
    struct ndp_map map = {0};
    struct ndp_npy_array array = {0};
    bool is_mapped = false;
    if (mode == NDP_MAP_WRITE)
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "mode w+ would truncate the file to be read");
    NDP_TRY(ndp_map_open(path, mode, 0, NDP_MAP_REST, &map, error));
    enum ndp_status status = map_array(arena, &map, &array, &is_mapped, error);
    if (is_mapped)
        status =
            ndp_map_open_fd(map.fd, mode, array.header.data_offset_bytes, array.header.size_bytes, &array.map, error);
    ndp_map_close(&map);
    if (is_mapped && status == NDP_OK) {
        array.data = array.map.data;
        *out = array;
        return NDP_OK;
    }
    if (is_mapped || (status != NDP_OK && status != NDP_UNSUPPORTED)) return status;
    return ndp_joblib_read_array_file(arena, path, options, out, error);
}
