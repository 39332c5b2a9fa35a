#include "codec/joblib/joblib_write.h"

#include <string.h>

#include "base/checked.h"
#include "codec/npy/npy_encode.h"
#include "codec/pickle/pickle_write.h"

enum { PADDING_BYTE = 0xff, ALIGNMENT_MAX = 255 };

/* Context of write_raw. */
struct raw_form {
    struct ndp_objects *objects;
    uint32_t alignment_bytes;
};

/* Counts the bytes that it passes on. */
struct counter {
    uint64_t *count_bytes;
    ndp_write_bytes *write;
    void *sink;
};

static enum ndp_status write_counted(void *sink, const void *bytes, uint64_t size_bytes) {
    const struct counter *counter = sink;
    *counter->count_bytes += size_bytes;
    return counter->write(counter->sink, bytes, size_bytes);
}

/* Writes a length byte and that many bytes of padding, at least one, so that the elements start on a multiple of the
 * alignment. */
static enum ndp_status write_padding(uint32_t alignment_bytes, uint64_t *offset_bytes, ndp_write_bytes *write,
                                     void *sink) {
    uint8_t padding[1 + ALIGNMENT_MAX];
    const uint64_t count = alignment_bytes - (*offset_bytes + 1) % alignment_bytes;
    memset(padding, PADDING_BYTE, sizeof(padding));
    padding[0] = (uint8_t)count;
    *offset_bytes += 1 + count;
    return write(sink, padding, 1 + count);
}

/* A ndp_pickle_write_raw: writes padding and elements, or a nested pickle by the C pickler. */
static enum ndp_status write_raw(void *context, const struct ndp_raw *raw, uint64_t *offset_bytes,
                                 ndp_write_bytes *write, void *sink) {
    const struct raw_form *form = context;
    struct counter counter = {offset_bytes, write, sink};
    struct ndp_walk walk;
    if (raw->nested != NULL) {
        const struct ndp_pickle_form nested = {.protocol = NDP_JOBLIB_NESTED_PROTOCOL};
        return ndp_pickle_write(form->objects, raw->nested, &nested, write_counted, &counter, NULL);
    }
    if (raw->elements == NULL) return NDP_INVALID;
    if (form->alignment_bytes > 0) NDP_TRY(write_padding(form->alignment_bytes, offset_bytes, write, sink));
    ndp_strided_walk_init(&walk, raw->elements, ndp_npy_is_fortran_order(raw->elements) ? NDP_MEMORY_F : NDP_MEMORY_C);
    return ndp_strided_walk_write(&walk, write_counted, &counter);
}

static enum ndp_status write_pickle(struct ndp_objects *objects, const struct ndp_object *root,
                                    const struct ndp_joblib_output *output, ndp_write_bytes *write, void *sink,
                                    struct ndp_error *error) {
    struct raw_form raw = {.objects = objects, .alignment_bytes = output->form.alignment_bytes};
    const struct ndp_pickle_form form = {
        .protocol = output->form.protocol, .is_python = true, .raw = write_raw, .context = &raw};
    if (raw.alignment_bytes > ALIGNMENT_MAX)
        return ndp_error_set(error, NDP_LIMIT, NDP_NO_OFFSET, "alignment is too large");
    return ndp_pickle_write(objects, root, &form, write, sink, error);
}

enum ndp_status ndp_joblib_write(struct ndp_objects *objects, const struct ndp_object *root,
                                 const struct ndp_joblib_output *output, ndp_write_bytes *write, void *sink,
                                 struct ndp_error *error) {
    struct ndp_compressor *stream = NULL;
    if (output->method == NDP_COMPRESS_NONE) return write_pickle(objects, root, output, write, sink, error);
    NDP_TRY(ndp_compress_new(output->method, output->level, output->pool, write, sink, &stream, error));
    enum ndp_status status = write_pickle(objects, root, output, ndp_compress_write, stream, error);
    if (status == NDP_OK && (status = ndp_compress_finish(stream)) != NDP_OK)
        (void)ndp_error_set(error, status, NDP_NO_OFFSET, "ending the stream: %s", ndp_status_text(status));
    ndp_compress_free(stream);
    return status;
}

enum ndp_status ndp_joblib_write_array(struct ndp_arena *arena, const struct ndp_elements *elements,
                                       const struct ndp_joblib_output *output, ndp_write_bytes *write, void *sink,
                                       struct ndp_error *error) {
    const struct ndp_layout *layout = elements->layout;
    struct ndp_objects objects;
    struct ndp_object *root = NULL;
    uint64_t count = 0, size_bytes = 0;
    if (!ndp_checked_extents_fit(layout->shape, layout->ndim, elements->dtype->itemsize_bytes, &count, &size_bytes))
        return ndp_error_set(error, NDP_LIMIT, NDP_NO_OFFSET, "array is too large");
    if (ndp_dtype_has_object(elements->dtype))
        return ndp_error_set(error, NDP_UNSUPPORTED, NDP_NO_OFFSET, "elements are objects");
    ndp_objects_init(&objects, arena);
    struct ndp_pickle_maker maker = {.objects = &objects, .release = output->release, .error = error};
    enum ndp_status status = ndp_joblib_wrapper_make(&maker, elements, &output->form, &root);
    if (status == NDP_OK) status = ndp_joblib_write(&objects, root, output, write, sink, error);
    ndp_objects_clear(&objects);
    return status;
}
