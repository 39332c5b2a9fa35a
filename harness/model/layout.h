/* layout.h: the positions of the elements of an array in memory.
 *
 * Strides are in bytes and of any sign. `offset_bytes` is the position of element 0 from the start of the buffer. An
 * element is at offset + sum(index[k] * strides[k]); every address of a checked layout is inside the buffer.
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

/* Fills *out with contiguous strides in `order`. With a zero extent they are NumPy's (each extent counts as at least
 * 1). Errors: LIMIT when sizes overflow or ndim > NDP_MAX_NDIM. */
enum ndp_status ndp_layout_contiguous(struct ndp_layout *out, const int64_t *shape, uint32_t ndim,
                                      uint64_t itemsize_bytes, enum ndp_memory_order order,
                                      int64_t offset_bytes) NDP_MUST_USE;

/* The number of elements, which always fits. */
uint64_t ndp_layout_count(const struct ndp_layout *layout);

/* NumPy's relaxed rule: axes of extent 1 are ignored, an empty array is contiguous in both orders. */
bool ndp_layout_is_c_contiguous(const struct ndp_layout *layout, uint64_t itemsize_bytes);
bool ndp_layout_is_f_contiguous(const struct ndp_layout *layout, uint64_t itemsize_bytes);

/* Whether every element is aligned when the buffer is. Source: NumPy common.c, raw_array_is_aligned: extents of 1 are
 * ignored, an empty array is aligned. */
bool ndp_layout_is_aligned(const struct ndp_layout *layout, uint64_t alignment_bytes);

/* Whether a reshape can share memory, with indices read and written in `order`; then fills *out with NumPy's strides.
 * The caller has checked that the element counts agree. Source: the behaviour of _attempt_nocopy_reshape and
 * PyArray_Newshape (multiarray/shape.c, NumPy 1.23 to 2.4). */
bool ndp_layout_reshape_fits(const struct ndp_layout *layout, const int64_t *shape, uint32_t ndim,
                             uint64_t itemsize_bytes, enum ndp_memory_order order, struct ndp_layout *out);

/* Fills the lowest byte and one past the highest byte of all elements; equal for an empty array. Errors: LIMIT when an
 * address does not fit in int64. */
enum ndp_status ndp_layout_extent(const struct ndp_layout *layout, uint64_t itemsize_bytes, int64_t *low_bytes,
                                  int64_t *high_bytes) NDP_MUST_USE;

/* Advances `index` (ndim entries) to the next element in C order; false after the last one. */
bool ndp_layout_next(const struct ndp_layout *layout, int64_t *index);

/* The byte offset of the element at `index` from the start of the buffer. */
int64_t ndp_layout_at(const struct ndp_layout *layout, const int64_t *index);

#endif
