/* raw.h: the elements alone, behind filler bytes: what ndarray.tofile, tobytes and np.memmap hold.
 *
 * Nothing in the bytes says what they are: dtype, shape and order come from outside. Filler bytes are 0xEE
 * (harness/testees/README.md). The elements stand in F order when the array is F- and not C-contiguous, else in
 * C order, each as it lies in memory. Source: harness/testees/README.md, format `raw`.
 */
#ifndef NDP_RAW_H
#define NDP_RAW_H

#include "codec/map_file.h"
#include "codec/npy/npy_decode.h"
#include "codec/strided.h"

enum { NDP_RAW_FILLER = 0xEE };

/* Writes `offset_bytes` filler bytes and the elements. Errors: UNSUPPORTED (objects), LIMIT, what `write` gives. */
enum ndp_status ndp_raw_encode(const struct ndp_elements *elements, uint64_t offset_bytes, ndp_write_bytes *write,
                               void *sink, struct ndp_error *error) NDP_MUST_USE;

/* Creates the file at `path` in its full size and copies filler and elements into a map of it. */
enum ndp_status ndp_raw_encode_mapped(const struct ndp_elements *elements, uint64_t offset_bytes, const char *path,
                                      struct ndp_error *error) NDP_MUST_USE;

/* What the bytes are said to be. All borrowed. */
struct ndp_raw_form {
    const struct ndp_dtype *dtype; /* resolved */
    const int64_t *shape;
    uint32_t ndim;
    enum ndp_memory_order order;
    uint64_t offset_bytes; /* of element 0 from the start of the bytes */
};

/* Fills an array as npy_decode.h does; `header.major` is 0, `header.data_offset_bytes` the offset. Bytes behind
 * the elements stay unread. Errors: TRUNCATED, INVALID (sizes over 2^63 - 1, negative extents), UNSUPPORTED
 * (objects: bytes of a file are no references), LIMIT (ndim), NOMEM, IO. */
enum ndp_status ndp_raw_decode_memory(const struct ndp_raw_form *form, struct ndp_bytes bytes,
                                      struct ndp_npy_array *out, struct ndp_error *error) NDP_MUST_USE;
enum ndp_status ndp_raw_decode_file(const struct ndp_raw_form *form, const char *path, struct ndp_npy_array *out,
                                    struct ndp_error *error) NDP_MUST_USE;
enum ndp_status ndp_raw_decode_mapped(const struct ndp_raw_form *form, const char *path, enum ndp_map_mode mode,
                                      struct ndp_npy_array *out, struct ndp_error *error) NDP_MUST_USE;

/* The same of a file that is open (borrowed), for writing where the mode writes. Its position is neither asked for nor
 * moved. */
enum ndp_status ndp_raw_decode_fd(const struct ndp_raw_form *form, int fd, struct ndp_npy_array *out,
                                  struct ndp_error *error) NDP_MUST_USE;
enum ndp_status ndp_raw_decode_mapped_fd(const struct ndp_raw_form *form, int fd, enum ndp_map_mode mode,
                                         struct ndp_npy_array *out, struct ndp_error *error) NDP_MUST_USE;

#endif
