/* npy_decode.h: NPY bytes into an array: from memory, from a stream, from a file, as a memory map.
 *
 * Either the whole array comes out or an error: every truncation is refused, and nothing is filled with zeros.
 * Bytes behind the array stay unread; `consumed_bytes` says where they start. Memory is bounded by the input: from
 * memory and from regular files the size is known before the data are allocated, from streams memory grows as
 * bytes arrive. Objects are UNSUPPORTED: they are a pickle. Source: NEP 1; numpy/lib/_format_impl.py (before NumPy 2.3
 * format.py).
 */
#ifndef NDP_NPY_DECODE_H
#define NDP_NPY_DECODE_H

#include "codec/map_file.h"
#include "codec/npy/npy_header.h"
#include "codec/source.h"

/* Owned: to be cleared with ndp_npy_array_clear; the dtype lives in the arena. */
struct ndp_npy_array {
    struct ndp_npy_header header;
    struct ndp_layout layout; /* contiguous in the header's order, offset 0 */
    uint8_t *data;            /* exactly header.size_bytes of heap, on a 64-byte boundary (from
                                 streams 16); or inside `map`; never NULL */
    bool owns_data;           /* heap */
    struct ndp_map map;       /* open when mapped */
    uint64_t consumed_bytes;  /* header and data */
};

/* `options` may be NULL everywhere. Errors of all: TRUNCATED, INVALID, LIMIT, UNSUPPORTED, NOMEM, IO, with the
 * offset from the start of the NPY bytes. */
enum ndp_status ndp_npy_decode_memory(struct ndp_arena *arena, struct ndp_bytes bytes,
                                      const struct ndp_npy_options *options, struct ndp_npy_array *out,
                                      struct ndp_error *error) NDP_MUST_USE;

/* Reads exactly the header and the data. */
enum ndp_status ndp_npy_decode_stream(struct ndp_arena *arena, ndp_read_bytes *read, void *source,
                                      const struct ndp_npy_options *options, struct ndp_npy_array *out,
                                      struct ndp_error *error) NDP_MUST_USE;

/* Reads from the position of `fd` (borrowed) and leaves it right behind the array. Regular files are asked for
 * their size first; everything else is a stream. */
enum ndp_status ndp_npy_decode_fd(struct ndp_arena *arena, int fd, const struct ndp_npy_options *options,
                                  struct ndp_npy_array *out, struct ndp_error *error) NDP_MUST_USE;

/* The regular file at `path`. Never waits: a FIFO, a device, a directory is INVALID. */
enum ndp_status ndp_npy_decode_file(struct ndp_arena *arena, const char *path, const struct ndp_npy_options *options,
                                    struct ndp_npy_array *out, struct ndp_error *error) NDP_MUST_USE;

/* Maps the data of the file at `path`; `mode` is not WRITE. Memory and time do not depend on the size of the data. */
enum ndp_status ndp_npy_decode_mapped(struct ndp_arena *arena, const char *path, enum ndp_map_mode mode,
                                      const struct ndp_npy_options *options, struct ndp_npy_array *out,
                                      struct ndp_error *error) NDP_MUST_USE;

/* The same of a file that is open (borrowed), for writing where the mode writes. Its position is neither asked for nor
 * moved: the array is at its start. */
enum ndp_status ndp_npy_decode_mapped_fd(struct ndp_arena *arena, int fd, enum ndp_map_mode mode,
                                         const struct ndp_npy_options *options, struct ndp_npy_array *out,
                                         struct ndp_error *error) NDP_MUST_USE;

/* Fills layout and `consumed_bytes` of an array whose header is filled, for those who bring the data themselves.
 * Errors: UNSUPPORTED (objects), LIMIT. */
enum ndp_status ndp_npy_array_start(struct ndp_npy_array *array, struct ndp_error *error) NDP_MUST_USE;

/* Frees data and closes the map; zeroed storage is nothing to do. */
void ndp_npy_array_clear(struct ndp_npy_array *array);

#endif
