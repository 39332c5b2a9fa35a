/* layout.h: where the elements of an array lie in memory, and the view operations that move them.
 *
 * Strides are in bytes and of any sign. `offset_bytes` is the place of element 0 counted from the start of
 * the buffer. An element address is offset + sum(index[k] * strides[k]); every address of a checked layout
 * lies inside the buffer.
 */
#ifndef NDP_LAYOUT_H
#define NDP_LAYOUT_H

#include "model/dtype.h"

struct ndp_layout {
    uint32_t ndim;
    int64_t shape[NDP_MAX_NDIM];
    int64_t strides_bytes[NDP_MAX_NDIM];
    int64_t offset_bytes;
};

enum ndp_memory_order { NDP_MEMORY_C, NDP_MEMORY_F };

/* Fills *out with contiguous strides in `order`. A zero extent gives the strides NumPy gives (each extent
 * counts as at least 1 while multiplying). Errors: LIMIT when sizes overflow or ndim > NDP_MAX_NDIM. */
enum ndp_status ndp_layout_contiguous(struct ndp_layout *out, const int64_t *shape, uint32_t ndim,
                                      uint64_t itemsize_bytes, enum ndp_memory_order order,
                                      int64_t offset_bytes) NDP_MUST_USE;

/* The number of elements; the shape of a layout always fits. */
uint64_t ndp_layout_count(const struct ndp_layout *layout);

/* NumPy's relaxed rule: axes of extent 1 do not matter, a zero extent is both. */
bool ndp_layout_is_c_contiguous(const struct ndp_layout *layout, uint64_t itemsize_bytes);
bool ndp_layout_is_f_contiguous(const struct ndp_layout *layout, uint64_t itemsize_bytes);

/* Whether every element lies on a multiple of `alignment_bytes` when the buffer starts on one. Source:
 * NumPy common.c, raw_array_is_aligned: extents of 1 do not matter, a zero extent is aligned. */
bool ndp_layout_is_aligned(const struct ndp_layout *layout, uint64_t alignment_bytes);

/* Whether the layout can be given another shape of the same element count without moving an element, reading
 * and writing indices in `order`; then fills *out with the strides that NumPy gives. Source: what
 * _attempt_nocopy_reshape and PyArray_Newshape decide (multiarray/shape.c, NumPy 1.23 to 2.4). The caller has
 * checked that the counts agree. */
bool ndp_layout_reshape_fits(const struct ndp_layout *layout, const int64_t *shape, uint32_t ndim,
                             uint64_t itemsize_bytes, enum ndp_memory_order order, struct ndp_layout *out);

/* Fills the lowest byte and one past the highest byte that any element touches; equal when there is none.
 * Errors: LIMIT when an address does not fit in int64. */
enum ndp_status ndp_layout_extent(const struct ndp_layout *layout, uint64_t itemsize_bytes, int64_t *low_bytes,
                                  int64_t *high_bytes) NDP_MUST_USE;

/* Steps `index` (ndim entries) to the next element in C order; false after the last one. */
bool ndp_layout_next(const struct ndp_layout *layout, int64_t *index);

/* The byte offset of the element at `index` from the start of the buffer. */
int64_t ndp_layout_at(const struct ndp_layout *layout, const int64_t *index);

#endif
