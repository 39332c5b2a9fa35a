/* npy_header.h: reader and writer of NPY headers: magic, version, length, text. Source: NEP 1;
 * numpy/lib/_format_impl.py (before NumPy 2.3 format.py).
 *
 * The reader has two modes. Strict mode accepts Python's grammar of literals (py_literal.h) with the types that writers
 * emit. Lenient mode ("numpy-lenient") also accepts other forms that NumPy reads. Strict mode returns UNSUPPORTED for a
 * header that only lenient mode accepts, and INVALID for a header that both refuse.
 */
#ifndef NDP_NPY_HEADER_H
#define NDP_NPY_HEADER_H

#include "model/layout.h"

struct ndp_npy_options {
    bool is_lenient;       /* the mode "numpy-lenient" */
    uint32_t header_chars; /* limit of the header text including padding; 0 means NumPy's 10000 */
    uint32_t max_nesting;  /* limit of nested brackets; 0 means 100 */
    uint32_t max_ndim;     /* 0 means NDP_MAX_NDIM */
    uint64_t data_bytes;   /* limit of the data; 0 means the size of the input */
};

struct ndp_npy_header {
    uint8_t major; /* 1, 2 or 3; minor is always 0 */
    bool is_fortran_order;
    const struct ndp_dtype *dtype; /* in the arena; may contain objects, which decoders refuse */
    uint32_t ndim;
    int64_t shape[NDP_MAX_NDIM];
    uint64_t data_offset_bytes; /* from the start of the magic */
    uint64_t count_elems;
    uint64_t size_bytes; /* size of the data; offset + size fits in int64 */
};

/* Size of the prefix up to the header length, and its reader. `prefix` has 12 bytes, or 10 for version 1. Fills offset
 * and length of the text. Errors: TRUNCATED; INVALID (magic, with the offset of the wrong byte; version); LIMIT (a
 * length above header_chars in any encoding). */
enum { NDP_NPY_PREFIX_BYTES = 10, NDP_NPY_LONG_PREFIX_BYTES = 12 };
enum ndp_status ndp_npy_prefix_read(struct ndp_bytes prefix, const struct ndp_npy_options *options,
                                    uint64_t *text_offset_bytes, uint64_t *text_bytes,
                                    struct ndp_error *error) NDP_MUST_USE;

/* Reads the header at the start of `bytes` (borrowed). `options` may be NULL. Performs every check that does not need
 * the data: ndim, extents, sizes. Errors: TRUNCATED, INVALID, LIMIT, UNSUPPORTED, NOMEM; offsets count from the start
 * of `bytes`. */
enum ndp_status ndp_npy_header_read(struct ndp_arena *arena, struct ndp_bytes bytes,
                                    const struct ndp_npy_options *options, struct ndp_npy_header *out,
                                    struct ndp_error *error) NDP_MUST_USE;

/* Appends the header of this array like NumPy >= 1.24, from magic to newline. `major` 0 selects the lowest version that
 * fits; 1 to 3 require that version. Errors: UNSUPPORTED (a dtype that NPY cannot represent), LIMIT (too large for the
 * version), INVALID (a negative extent, an unresolved byte order), NOMEM. */
enum ndp_status ndp_npy_header_add(struct ndp_buffer *buffer, const struct ndp_dtype *dtype, bool is_fortran_order,
                                   const int64_t *shape, uint32_t ndim, uint8_t major,
                                   struct ndp_error *error) NDP_MUST_USE;

#endif
