/* pickle_codec.h: decodes a pickle of one array from memory, a stream or a file, and encodes it.
 *
 * A decoder returns the whole array or an error. It reads an array of a stream directly into its final memory: a file
 * of one array needs that memory and a window of 64 KiB.
 */
#ifndef NDP_PICKLE_CODEC_H
#define NDP_PICKLE_CODEC_H

#include "codec/pickle/pickle_array.h"
#include "codec/pickle/pickle_read.h"
#include "codec/pickle/pickle_write.h"

/* Owned; clear it with ndp_pickle_codec_array_clear. The dtype lives in the arena. */
struct ndp_pickle_array {
    const struct ndp_dtype *dtype;
    struct ndp_layout layout;
    uint8_t *data; /* never NULL; `size_bytes` bytes */
    uint64_t size_bytes;
    bool is_writeable;
    uint64_t consumed_bytes;
};

struct ndp_pickle_input {
    const struct ndp_pickle_buffer *buffers; /* out of band, borrowed */
    uint64_t buffer_count;
};

/* Decodes a pickle of one array without objects, of the class ndarray or of one of NumPy's own classes. `input` may be
 * NULL. Errors: as ndp_pickle_read and ndp_pickle_array_read; UNSUPPORTED for objects, masked arrays, other classes and
 * anything else. */
enum ndp_status ndp_pickle_codec_decode_memory(struct ndp_arena *arena, struct ndp_bytes bytes,
                                               const struct ndp_pickle_input *input, struct ndp_pickle_array *out,
                                               struct ndp_error *error) NDP_MUST_USE;
enum ndp_status ndp_pickle_codec_decode_stream(struct ndp_arena *arena, ndp_read_bytes *read, void *from,
                                               const struct ndp_pickle_input *input, struct ndp_pickle_array *out,
                                               struct ndp_error *error) NDP_MUST_USE;

/* Decodes a descriptor (borrowed) from its position to the end. The size of a regular file allows large elements to be
 * allocated at once. Errors: also IO. */
enum ndp_status ndp_pickle_codec_decode_fd(struct ndp_arena *arena, int fd, const struct ndp_pickle_input *input,
                                           struct ndp_pickle_array *out, struct ndp_error *error) NDP_MUST_USE;

void ndp_pickle_codec_array_clear(struct ndp_pickle_array *array);

/* Encodes an array like NumPy of that release. `*buffer` receives the elements out of band: borrowed from the array, or
 * in memory that the caller frees; else it is empty. Errors: as ndp_pickle_array_make, ndp_pickle_write. */
enum ndp_status ndp_pickle_codec_encode(struct ndp_arena *arena, const struct ndp_elements *elements,
                                        const struct ndp_array_form *form, enum ndp_numpy_release release,
                                        ndp_write_bytes *write, void *sink, struct ndp_blob *buffer,
                                        struct ndp_error *error) NDP_MUST_USE;

#endif
