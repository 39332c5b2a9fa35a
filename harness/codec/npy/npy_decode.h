/* npy_decode.h: arrays from NPY bytes: from memory, a stream, a file, or as a memory map.
 *
 * The result is the whole array or an error: truncated input is refused and never padded. Bytes after the array are not
 * read; `consumed_bytes` is their offset. Memory is bounded by the input: for memory and regular files the size is
 * known before the data are allocated, for streams memory grows as bytes arrive. Objects are UNSUPPORTED, because they
 * are a pickle. Source: NEP 1; numpy/lib/_format_impl.py (before NumPy 2.3 format.py).
 */
#ifndef NDP_NPY_DECODE_H
#define NDP_NPY_DECODE_H

#include "codec/map_file.h"
#include "codec/npy/npy_header.h"
#include "codec/source.h"

/* Owned; clear with ndp_npy_array_clear. The dtype is in the arena. */
struct ndp_npy_array {
    struct ndp_npy_header header;
    struct ndp_layout layout; /* contiguous in the header's order, offset 0 */
    uint8_t *data; /* exactly header.size_bytes of heap memory on a 64-byte boundary (from streams 16), or inside `map`;
                      never NULL */
    bool owns_data;          /* `data` is heap memory */
    struct ndp_map map;      /* open if the data are mapped */
    uint64_t consumed_bytes; /* size of header and data */
};

/* `options` may be NULL in all functions. Errors: TRUNCATED, INVALID, LIMIT, UNSUPPORTED, NOMEM, IO, with the offset
 * from the start of the NPY bytes. */
enum ndp_status ndp_npy_decode_memory(struct ndp_arena *arena, struct ndp_bytes bytes,
                                      const struct ndp_npy_options *options, struct ndp_npy_array *out,
                                      struct ndp_error *error) NDP_MUST_USE;

/* Reads exactly header and data. */
enum ndp_status ndp_npy_decode_stream(struct ndp_arena *arena, ndp_read_bytes *read, void *source,
                                      const struct ndp_npy_options *options, struct ndp_npy_array *out,
                                      struct ndp_error *error) NDP_MUST_USE;

/* Reads from the position of `fd` (borrowed) and leaves it after the array. Queries the size of a regular file first;
 * anything else is read as a stream. */
enum ndp_status ndp_npy_decode_fd(struct ndp_arena *arena, int fd, const struct ndp_npy_options *options,
                                  struct ndp_npy_array *out, struct ndp_error *error) NDP_MUST_USE;

/* Reads the regular file at `path`. Never blocks: a FIFO, device or directory is INVALID. */
enum ndp_status ndp_npy_decode_file(struct ndp_arena *arena, const char *path, const struct ndp_npy_options *options,
                                    struct ndp_npy_array *out, struct ndp_error *error) NDP_MUST_USE;

/* Maps the data of the file at `path`; `mode` must not be WRITE. Memory and time do not depend on the size of the
 * data. */
enum ndp_status ndp_npy_decode_mapped(struct ndp_arena *arena, const char *path, enum ndp_map_mode mode,
                                      const struct ndp_npy_options *options, struct ndp_npy_array *out,
                                      struct ndp_error *error) NDP_MUST_USE;

/* As above, for an open file (borrowed), which must be writable if the mode writes. The array is at the start of the
 * file; its position is not used or changed. */
enum ndp_status ndp_npy_decode_mapped_fd(struct ndp_arena *arena, int fd, enum ndp_map_mode mode,
                                         const struct ndp_npy_options *options, struct ndp_npy_array *out,
                                         struct ndp_error *error) NDP_MUST_USE;

/* Fills layout and `consumed_bytes` of an array with a filled header, for callers that provide the data. Errors:
 * UNSUPPORTED (objects), LIMIT. */
enum ndp_status ndp_npy_array_start(struct ndp_npy_array *array, struct ndp_error *error) NDP_MUST_USE;

/* Frees the data and closes the map. Does nothing for zeroed storage. */
void ndp_npy_array_clear(struct ndp_npy_array *array);

/* Declares zeroed storage that the end of its block clears. Tests use it. */
#define NDP_NPY_ARRAY_SCOPED(name)                                                                                     \
    __attribute__((cleanup(ndp_npy_array_clear))) struct ndp_npy_array name = {.data = NULL}

#endif
