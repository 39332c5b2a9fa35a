/* npy_encode.h: NPY bytes from arrays, byte for byte like NumPy >= 1.24. Source: numpy/lib/_format_impl.py (before
 * NumPy 2.3 format.py).
 *
 * Data are in F order if the array is F- and not C-contiguous, else in C order. Items are copied unchanged, with their
 * padding and the tail of a long double. NumPy does the same for contiguous arrays; for others it writes uninitialised
 * heap bytes there.
 *
 * Refused (UNSUPPORTED): objects, fields that overlap or are out of offset order, a top-level sub-array. Omitted,
 * because NPY cannot represent them: dtype metadata, the aligned-struct flag, class, strides, writeability.
 */
#ifndef NDP_NPY_ENCODE_H
#define NDP_NPY_ENCODE_H

#include "codec/map_file.h"
#include "codec/strided.h"

/* Reports whether the data are in F order, as in the header. */
bool ndp_npy_is_fortran_order(const struct ndp_elements *elements);

/* Writes header and data through `write`: one call for the header, and one for contiguous data. `major` is 0 (the
 * lowest version that fits the header) or 1 to 3. Writes nothing before the header is complete. Errors: as
 * ndp_npy_header_add, LIMIT (sizes), those of `write`. */
enum ndp_status ndp_npy_encode(const struct ndp_elements *elements, uint8_t major, ndp_write_bytes *write, void *sink,
                               struct ndp_error *error) NDP_MUST_USE;

/* Appends the bytes to `buffer`. On an error the buffer may contain a part of them. */
enum ndp_status ndp_npy_encode_buffer(const struct ndp_elements *elements, uint8_t major, struct ndp_buffer *buffer,
                                      struct ndp_error *error) NDP_MUST_USE;

/* Writes to a file descriptor at its position. Errors: IO. */
enum ndp_status ndp_npy_encode_fd(const struct ndp_elements *elements, uint8_t major, int fd,
                                  struct ndp_error *error) NDP_MUST_USE;

/* Creates or replaces the file at `path`. On an error the file may contain a part. */
enum ndp_status ndp_npy_encode_file(const struct ndp_elements *elements, uint8_t major, const char *path,
                                    struct ndp_error *error) NDP_MUST_USE;

/* Creates the file at `path` with its full size and copies the elements through a map. Readers see the result
 * immediately; it is not synchronised to disk. */
enum ndp_status ndp_npy_encode_mapped(const struct ndp_elements *elements, uint8_t major, const char *path,
                                      struct ndp_error *error) NDP_MUST_USE;

/* The first is an ndp_write_bytes whose `sink` is a struct ndp_buffer, the second one for an `int` file descriptor. */
enum ndp_status ndp_write_to_buffer(void *sink, const void *bytes, uint64_t size_bytes) NDP_MUST_USE;
enum ndp_status ndp_write_to_fd(void *sink, const void *bytes, uint64_t size_bytes) NDP_MUST_USE;

#endif
