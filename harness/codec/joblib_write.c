#include "codec/joblib_write.h"

#include <string.h>

#include "base/checked.h"
#include "codec/npy_encode.h"
#include "codec/pickle_write.h"

enum { PADDING_BYTE = 0xff, ALIGNMENT_MAX = 255 };

struct raw_part {
    const struct ndp_elements *elements;
    uint32_t alignment_bytes;
    uint64_t size_bytes;
};

/* The byte that says how many bytes of padding follow, and those: never none, so that the elements start on a
 * multiple of the alignment. */
static enum ndp_status write_padding(uint32_t alignment_bytes, uint64_t *offset_bytes, ndp_write_bytes *write,
                                     void *sink) {
    uint8_t padding[1 + ALIGNMENT_MAX];
    const uint64_t count = alignment_bytes - (*offset_bytes + 1) % alignment_bytes;
    memset(padding, PADDING_BYTE, sizeof(padding));
    padding[0] = (uint8_t)count;
    *offset_bytes += 1 + count;
    return write(sink, padding, 1 + count);
}

/* A ndp_pickle_raw. */
static enum ndp_status write_raw(void *context, const struct ndp_raw *raw, uint64_t *offset_bytes,
                                 ndp_write_bytes *write, void *sink) {
    const struct raw_part *part = context;
    struct ndp_walk walk;
    (void)raw;
    if (part->alignment_bytes > 0) NDP_TRY(write_padding(part->alignment_bytes, offset_bytes, write, sink));
    ndp_walk_init(&walk, part->elements, ndp_npy_is_fortran_order(part->elements) ? NDP_MEMORY_F : NDP_MEMORY_C);
    *offset_bytes += part->size_bytes;
    return ndp_walk_write(&walk, write, sink);
}

static enum ndp_status write_pickle(struct ndp_arena *arena, const struct ndp_elements *elements,
                                    const struct ndp_joblib_output *output, ndp_write_bytes *write, void *sink,
                                    struct ndp_error *error) {
    struct ndp_objects objects;
    struct ndp_object *root = NULL;
    struct raw_part part = {.elements = elements, .alignment_bytes = output->form.alignment_bytes};
    const struct ndp_pickle_form form = {
        .protocol = output->form.protocol, .is_python = true, .raw = write_raw, .context = &part};
    const struct ndp_layout *layout = elements->layout;
    uint64_t count = 0;
    if (!ndp_extents_fit(layout->shape, layout->ndim, elements->dtype->itemsize_bytes, &count, &part.size_bytes) ||
        part.alignment_bytes > ALIGNMENT_MAX)
        return ndp_error_set(error, NDP_LIMIT, NDP_NO_OFFSET, "array or alignment is too large");
    if (ndp_dtype_has_object(elements->dtype))
        return ndp_error_set(error, NDP_UNSUPPORTED, NDP_NO_OFFSET, "objects are a pickle of their own");
    ndp_objects_init(&objects, arena);
    struct ndp_pickle_maker maker = {.objects = &objects, .release = output->release, .error = error};
    enum ndp_status status = ndp_joblib_wrapper_make(&maker, elements, &output->form, &root);
    if (status == NDP_OK) status = ndp_pickle_write(&objects, root, &form, write, sink, error);
    ndp_objects_clear(&objects);
    return status;
}

enum ndp_status ndp_joblib_encode(struct ndp_arena *arena, const struct ndp_elements *elements,
                                  const struct ndp_joblib_output *output, ndp_write_bytes *write, void *sink,
                                  struct ndp_error *error) {
    struct ndp_compressor *stream = NULL;
    if (output->method == NDP_COMPRESS_NONE) return write_pickle(arena, elements, output, write, sink, error);
    NDP_TRY(ndp_compress_new(output->method, output->level, write, sink, &stream, error));
    enum ndp_status status = write_pickle(arena, elements, output, ndp_compress_write, stream, error);
    if (status == NDP_OK && (status = ndp_compress_finish(stream)) != NDP_OK)
        (void)ndp_error_set(error, status, NDP_NO_OFFSET, "ending the stream: %s", ndp_status_text(status));
    ndp_compress_free(stream);
    return status;
}
