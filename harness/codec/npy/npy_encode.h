/* npy_encode.h: arrays into NPY bytes, byte for byte what NumPy >= 1.24 writes. Source: numpy/lib/_format_impl.py
 * (before NumPy 2.3 format.py).
 *
 * The data stand in F order when the array is F- and not C-contiguous, else in C order. Every item is written as
 * it lies in memory, its padding and the tail of a long double included: for contiguous arrays NumPy does the
 * same, for others NumPy writes whatever its heap held there, which nobody can promise.
 *
 * Refused: objects, overlapping fields or fields out of offset order, a top-level sub-array (UNSUPPORTED). Left
 * out, as NPY has no place for them: dtype metadata, the aligned-struct flag, class, strides, writeability.
 */
#ifndef NDP_NPY_ENCODE_H
#define NDP_NPY_ENCODE_H

#include "codec/map_file.h"
#include "codec/strided.h"

/* Whether the data go out in F order, and the header says so. */
bool ndp_npy_is_fortran_order(const struct ndp_elements *elements);

/* Writes header and data through `write`: one call for the header, and one for the data when they lie behind one
 * another. `major` is 0 (the lowest version that can hold the header) or 1 to 3. Errors: as
 * ndp_npy_header_add, LIMIT (sizes), what `write` gives. Nothing is written before the header is made. */
enum ndp_status ndp_npy_encode(const struct ndp_elements *elements, uint8_t major, ndp_write_bytes *write, void *sink,
                               struct ndp_error *error) NDP_MUST_USE;

/* Appends the bytes to `buffer`. On an error the buffer may hold a part of them. */
enum ndp_status ndp_npy_encode_buffer(const struct ndp_elements *elements, uint8_t major, struct ndp_buffer *buffer,
                                      struct ndp_error *error) NDP_MUST_USE;

/* Writes to a file descriptor at its position. Errors: IO. */
enum ndp_status ndp_npy_encode_fd(const struct ndp_elements *elements, uint8_t major, int fd,
                                  struct ndp_error *error) NDP_MUST_USE;

/* Creates or replaces the file at `path`. On an error the file may hold a part. */
enum ndp_status ndp_npy_encode_file(const struct ndp_elements *elements, uint8_t major, const char *path,
                                    struct ndp_error *error) NDP_MUST_USE;

/* Creates the file at `path` in its full size, maps it, and copies the elements into the map. Every reader sees them
 * then; nothing waits for the disk. */
enum ndp_status ndp_npy_encode_mapped(const struct ndp_elements *elements, uint8_t major, const char *path,
                                      struct ndp_error *error) NDP_MUST_USE;

/* A ndp_write_bytes for `sink` a struct ndp_buffer, and one for an `int` file descriptor. */
enum ndp_status ndp_write_to_buffer(void *sink, const void *bytes, uint64_t size_bytes) NDP_MUST_USE;
enum ndp_status ndp_write_to_fd(void *sink, const void *bytes, uint64_t size_bytes) NDP_MUST_USE;

#endif
