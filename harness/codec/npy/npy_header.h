/* npy_header.h: the header of an NPY file, both ways: magic, version, length, text. Source: NEP 1;
 * numpy/lib/_format_impl.py (before NumPy 2.3 format.py).
 *
 * The decoder has two modes. Strict: Python's grammar of literals (py_literal.h) with the types that writers emit.
 * numpy-lenient: also what NumPy reads beyond that. A header that only the lenient mode takes is UNSUPPORTED in
 * the strict one, so that "not ours to judge" and "wrong" (INVALID) are told apart.
 */
#ifndef NDP_NPY_HEADER_H
#define NDP_NPY_HEADER_H

#include "model/layout.h"

struct ndp_npy_options {
    bool is_lenient;       /* the mode "numpy-lenient" */
    uint32_t header_chars; /* limit of the header text, padding included; 0 is NumPy's 10000 */
    uint32_t max_nesting;  /* limit of brackets inside brackets; 0 is 100 */
    uint32_t max_ndim;     /* 0 is NDP_MAX_NDIM */
    uint64_t data_bytes;   /* limit of the data; 0 is none but what the input holds */
};

struct ndp_npy_header {
    uint8_t major; /* 1, 2 or 3; minor always is 0 */
    bool is_fortran_order;
    const struct ndp_dtype *dtype; /* in the arena; may hold objects, which decoders then refuse */
    uint32_t ndim;
    int64_t shape[NDP_MAX_NDIM];
    uint64_t data_offset_bytes; /* from the start of the magic */
    uint64_t count_elems;
    uint64_t size_bytes; /* of the data; offset + size fits in int64 */
};

/* How many bytes must be there before the length is known, and what they say. `prefix` holds 12 bytes, or 10 for
 * version 1. Fills the place of the text and its length. Errors: TRUNCATED; INVALID (magic; the offset is that
 * of the wrong byte, version); LIMIT (a length that no text within header_chars has). */
enum { NDP_NPY_PREFIX_BYTES = 10, NDP_NPY_LONG_PREFIX_BYTES = 12 };
enum ndp_status ndp_npy_prefix_read(struct ndp_bytes prefix, const struct ndp_npy_options *options,
                                    uint64_t *text_offset_bytes, uint64_t *text_bytes,
                                    struct ndp_error *error) NDP_MUST_USE;

/* Reads the header at the start of `bytes` (borrowed). `options` may be NULL. Checks everything that can be
 * checked without the data: ndim, extents, sizes. Errors: TRUNCATED, INVALID, LIMIT, UNSUPPORTED, NOMEM; offsets
 * count from the start of `bytes`. */
enum ndp_status ndp_npy_header_read(struct ndp_arena *arena, struct ndp_bytes bytes,
                                    const struct ndp_npy_options *options, struct ndp_npy_header *out,
                                    struct ndp_error *error) NDP_MUST_USE;

/* Appends the header that NumPy >= 1.24 writes for this array, magic to newline. `major` 0 chooses the lowest
 * version that can hold it; 1 to 3 insist. Errors: UNSUPPORTED (what NPY cannot say), LIMIT (too large for the
 * version asked), INVALID (a negative extent, an unresolved byte order), NOMEM. */
enum ndp_status ndp_npy_header_add(struct ndp_buffer *buffer, const struct ndp_dtype *dtype, bool is_fortran_order,
                                   const int64_t *shape, uint32_t ndim, uint8_t major,
                                   struct ndp_error *error) NDP_MUST_USE;

#endif
