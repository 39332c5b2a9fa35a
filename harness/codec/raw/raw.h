/* raw.h: bare elements after filler bytes: the content of ndarray.tofile, tobytes and np.memmap.
 *
 * dtype, shape and order are not part of the bytes; the caller passes them. Filler bytes are 0xEE. Elements are in F
 * order if the array is F- and not C-contiguous, else in C order, each unchanged. Source: harness/testees/README.md,
 * format `raw`.
 */
#ifndef NDP_RAW_H
#define NDP_RAW_H

#include "codec/map_file.h"
#include "codec/npy/npy_decode.h"
#include "codec/strided.h"

enum { NDP_RAW_FILLER = 0xEE };

/* Writes `offset_bytes` filler bytes and the elements. Errors: UNSUPPORTED (objects), LIMIT, those of `write`. */
enum ndp_status ndp_raw_encode(const struct ndp_elements *elements, uint64_t offset_bytes, ndp_write_bytes *write,
                               void *sink, struct ndp_error *error) NDP_MUST_USE;

/* Creates the file at `path` with its full size, and copies filler and elements through a map. */
enum ndp_status ndp_raw_encode_mapped(const struct ndp_elements *elements, uint64_t offset_bytes, const char *path,
                                      struct ndp_error *error) NDP_MUST_USE;

/* Interpretation of the bytes. Borrows everything. */
struct ndp_raw_form {
    const struct ndp_dtype *dtype; /* with resolved byte order */
    const int64_t *shape;
    uint32_t ndim;
    enum ndp_memory_order order;
    uint64_t offset_bytes; /* from the start of the bytes to element 0 */
};

/* Fills an array as npy_decode.h does; `header.major` is 0, `header.data_offset_bytes` the offset. Does not read bytes
 * after the elements. Errors: TRUNCATED, INVALID (sizes above 2^63 - 1, negative extents), UNSUPPORTED (objects), LIMIT
 * (ndim), NOMEM, IO. */
enum ndp_status ndp_raw_decode_memory(const struct ndp_raw_form *form, struct ndp_bytes bytes,
                                      struct ndp_npy_array *out, struct ndp_error *error) NDP_MUST_USE;
enum ndp_status ndp_raw_decode_file(const struct ndp_raw_form *form, const char *path, struct ndp_npy_array *out,
                                    struct ndp_error *error) NDP_MUST_USE;
enum ndp_status ndp_raw_decode_mapped(const struct ndp_raw_form *form, const char *path, enum ndp_map_mode mode,
                                      struct ndp_npy_array *out, struct ndp_error *error) NDP_MUST_USE;

/* As above, for an open file (borrowed), which must be writable if the mode writes. Does not use or change its
 * position. */
enum ndp_status ndp_raw_decode_fd(const struct ndp_raw_form *form, int fd, struct ndp_npy_array *out,
                                  struct ndp_error *error) NDP_MUST_USE;
enum ndp_status ndp_raw_decode_mapped_fd(const struct ndp_raw_form *form, int fd, enum ndp_map_mode mode,
                                         struct ndp_npy_array *out, struct ndp_error *error) NDP_MUST_USE;

#endif
