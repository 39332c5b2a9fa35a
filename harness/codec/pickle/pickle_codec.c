#include "codec/pickle/pickle_codec.h"

#include <string.h>

#include "codec/data_memory.h"
#include "codec/pickle/pickle_plain.h"
#include "codec/regular_file.h"

/* Moves elements that were read from a stream, copies others. */
static enum ndp_status own_elements(struct ndp_objects *objects, const struct ndp_pickled_array *read,
                                    struct ndp_pickle_array *array, struct ndp_error *error) {
    array->size_bytes = read->bytes.size_bytes;
    array->data = ndp_objects_release(objects, read->bytes.data);
    if (array->data != NULL) return NDP_OK;
    array->data = ndp_data_new(array->size_bytes);
    if (array->data == NULL) return ndp_error_set(error, NDP_NOMEM, NDP_NO_OFFSET, "out of memory for the elements");
    if (array->size_bytes > 0) memcpy(array->data, read->bytes.data, (size_t)array->size_bytes);
    return NDP_OK;
}

/* Whether the class differs from ndarray in behaviour only, not in content. */
static bool is_own_class(const struct ndp_object *class) {
    static const char *const names[][2] = NDP_ROWS(
        {"numpy", "ndarray"}, {"numpy", "matrix"}, {"numpy", "memmap"}, {"numpy", "recarray"},
        {"numpy.rec", "recarray"}, {"numpy", "chararray"}, {"numpy.char", "chararray"},
        {"numpy.core.records", "recarray"}, {"numpy.matrixlib.defmatrix", "matrix"}, {"numpy.core.defmatrix", "matrix"},
        {"numpy.core.memmap", "memmap"}, {"numpy.core.defchararray", "chararray"});
    for (size_t i = 0; i < NDP_ARRAY_LEN(names); i++)
        if (ndp_object_is_global(class, names[i][0], names[i][1])) return true;
    return class == NULL;
}

static enum ndp_status read_array(struct ndp_objects *objects, const struct ndp_object *root,
                                  const struct ndp_pickle_input *input, struct ndp_pickle_array *array,
                                  struct ndp_error *error) {
    struct ndp_pickled_array read;
    struct ndp_array_reader reader = {.dtypes = {.arena = objects->arena, .objects = objects, .error = error}};
    if (input != NULL) {
        reader.buffers = input->buffers;
        reader.buffer_count = input->buffer_count;
    }
    NDP_TRY(ndp_pickle_array_read(&reader, root, &read));
    if (read.items != NULL || read.is_masked || read.is_scalar || read.extra != NULL || !is_own_class(read.class))
        return ndp_error_set(error, NDP_UNSUPPORTED, root->offset_bytes, "array: unexpected class, mask or objects");
    array->dtype = read.dtype;
    array->layout = read.layout;
    array->is_writeable = read.is_writeable;
    return own_elements(objects, &read, array, error);
}

static enum ndp_status decode_source(struct ndp_arena *arena, struct ndp_source *source,
                                     const struct ndp_pickle_input *input, struct ndp_pickle_array *out,
                                     struct ndp_error *error) {
    struct ndp_objects objects;
    struct ndp_pickle pickle;
    struct ndp_pickle_array array = {0};
    const struct ndp_pickle_options options = {.buffer_count = input == NULL ? 0 : input->buffer_count};
    ndp_objects_init(&objects, arena);
    enum ndp_status status = ndp_pickle_read(&objects, source, &options, &pickle, error);
    if (status == NDP_OK) status = read_array(&objects, pickle.root, input, &array, error);
    ndp_objects_clear(&objects);
    if (status != NDP_OK) return status;
    array.consumed_bytes = pickle.consumed_bytes;
    *out = array;
    return NDP_OK;
}

static enum ndp_status keep_plain(struct ndp_arena *arena, const struct ndp_plain_array *plain,
                                  struct ndp_pickle_array *out, struct ndp_error *error) {
    const uint64_t size = plain->elements.size_bytes;
    const struct ndp_dtype *dtype = ndp_arena_copy(arena, &plain->dtype, sizeof(plain->dtype));
    uint8_t *data = dtype == NULL ? NULL : ndp_data_new(size);
    if (data == NULL) return ndp_error_set(error, NDP_NOMEM, NDP_NO_OFFSET, "out of memory for the elements");
    if (size > 0) memcpy(data, plain->elements.data, (size_t)size);
    const enum ndp_status status =
        ndp_layout_contiguous(&out->layout, plain->shape, plain->ndim, dtype->itemsize_bytes, NDP_MEMORY_C, 0);
    if (status != NDP_OK) {
        ndp_data_free(data);
        return ndp_error_set(error, status, NDP_NO_OFFSET, "strides exceed int64");
    }
    out->dtype = dtype;
    out->data = data;
    out->size_bytes = size;
    out->is_writeable = true;
    out->consumed_bytes = plain->consumed_bytes;
    return NDP_OK;
}

enum ndp_status ndp_pickle_codec_decode_memory(struct ndp_arena *arena, struct ndp_bytes bytes,
                                               const struct ndp_pickle_input *input, struct ndp_pickle_array *out,
                                               struct ndp_error *error) {
    struct ndp_plain_array plain;
    if (input == NULL && ndp_pickle_plain_read(bytes, &plain)) return keep_plain(arena, &plain, out, error);
    struct ndp_source source = ndp_source_memory(bytes);
    return decode_source(arena, &source, input, out, error);
}

enum ndp_status ndp_pickle_codec_decode_stream(struct ndp_arena *arena, ndp_read_bytes *read, void *from,
                                               const struct ndp_pickle_input *input, struct ndp_pickle_array *out,
                                               struct ndp_error *error) {
    struct ndp_source source = ndp_source_stream(read, from, UINT64_MAX);
    const enum ndp_status status = decode_source(arena, &source, input, out, error);
    ndp_source_clear(&source);
    return status;
}

enum ndp_status ndp_pickle_codec_decode_fd(struct ndp_arena *arena, int fd, const struct ndp_pickle_input *input,
                                           struct ndp_pickle_array *out, struct ndp_error *error) {
    struct ndp_source source = ndp_source_stream(ndp_fd_read, &fd, UINT64_MAX);
    (void)ndp_regular_knows_rest(fd, &source.known_bytes);
    const enum ndp_status status = decode_source(arena, &source, input, out, error);
    ndp_source_clear(&source);
    return status;
}

void ndp_pickle_codec_array_clear(struct ndp_pickle_array *array) {
    ndp_data_free(array->data);
    *array = (struct ndp_pickle_array){0};
}

/* Writes a small pickle in one piece. */
static enum ndp_status write_plain(const struct ndp_plain_pickle *plain, ndp_write_bytes *write, void *sink) {
    uint8_t whole[2 * NDP_PLAIN_ROOM_BYTES + 2048];
    const struct ndp_bytes elements = plain->elements;
    if (plain->head_bytes + elements.size_bytes + plain->tail_bytes > sizeof(whole)) {
        NDP_TRY(write(sink, plain->head, plain->head_bytes));
        NDP_TRY(write(sink, elements.data, elements.size_bytes));
        return write(sink, plain->tail, plain->tail_bytes);
    }
    memcpy(whole, plain->head, plain->head_bytes);
    if (elements.size_bytes > 0) memcpy(whole + plain->head_bytes, elements.data, (size_t)elements.size_bytes);
    memcpy(whole + plain->head_bytes + elements.size_bytes, plain->tail, plain->tail_bytes);
    return write(sink, whole, plain->head_bytes + elements.size_bytes + plain->tail_bytes);
}

enum ndp_status ndp_pickle_codec_encode(struct ndp_arena *arena, const struct ndp_elements *elements,
                                        const struct ndp_array_form *form, enum ndp_numpy_release release,
                                        ndp_write_bytes *write, void *sink, struct ndp_blob *buffer,
                                        struct ndp_error *error) {
    struct ndp_objects objects;
    struct ndp_object *root = NULL;
    struct ndp_blob data = {0};
    struct ndp_plain_pickle plain;
    if (ndp_pickle_plain_make(elements, form, release, &plain)) {
        const enum ndp_status status = write_plain(&plain, write, sink);
        if (status == NDP_OK && buffer != NULL) *buffer = (struct ndp_blob){0};
        return status == NDP_OK ? NDP_OK : ndp_error_set(error, status, NDP_NO_OFFSET, "%s", ndp_status_text(status));
    }
    ndp_objects_init(&objects, arena);
    struct ndp_pickle_maker maker = {.objects = &objects, .release = release, .error = error};
    const struct ndp_pickle_form pickle = {.protocol = form->protocol};
    NDP_TRY(ndp_pickle_array_make(&maker, elements, form, &root, &data));
    const enum ndp_status status = ndp_pickle_write(&objects, root, &pickle, write, sink, error);
    const bool is_taken = status == NDP_OK && buffer != NULL && form->is_out_of_band &&
                          root->call->args->list.items[0]->kind == NDP_OBJECT_BUFFER;
    if (is_taken) {
        *buffer = data;
    } else {
        ndp_data_free(data.owned);
        if (status == NDP_OK && buffer != NULL) *buffer = (struct ndp_blob){0};
    }
    return status;
}
