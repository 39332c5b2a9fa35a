#include "model/layout.h"

#include "base/checked.h"

#include <string.h>

enum ndp_status ndp_layout_contiguous(struct ndp_layout *out, const int64_t *shape, uint32_t ndim,
                                      uint64_t itemsize_bytes, enum ndp_memory_order order, int64_t offset_bytes) {
    uint64_t count_elems, size_bytes;
    if (ndim > NDP_MAX_NDIM) return NDP_LIMIT;
    if (!ndp_checked_extents_fit(shape, ndim, itemsize_bytes, &count_elems, &size_bytes)) return NDP_LIMIT;
    memset(out, 0, sizeof *out);
    out->ndim = ndim;
    out->offset_bytes = offset_bytes;
    int64_t stride_bytes = (int64_t)itemsize_bytes;
    for (uint32_t i = 0; i < ndim; i++) {
        const uint32_t axis = order == NDP_MEMORY_F ? i : ndim - 1 - i;
        out->shape[axis] = shape[axis];
        out->strides_bytes[axis] = stride_bytes;
        /* The product of all nonzero extents fits, so every partial product does. */
        if (shape[axis] != 0) stride_bytes *= shape[axis];
    }
    return NDP_OK;
}

uint64_t ndp_layout_count(const struct ndp_layout *layout) {
    uint64_t count = 1;
    for (uint32_t i = 0; i < layout->ndim; i++)
        if (layout->shape[i] == 0) return 0;
    for (uint32_t i = 0; i < layout->ndim; i++) count *= (uint64_t)layout->shape[i];
    return count;
}

/* Whether the strides are contiguous, fastest axis first. */
static bool is_contiguous(const struct ndp_layout *layout, uint64_t itemsize_bytes, enum ndp_memory_order order) {
    int64_t stride_bytes = (int64_t)itemsize_bytes;
    for (uint32_t i = 0; i < layout->ndim; i++)
        if (layout->shape[i] == 0) return true;
    for (uint32_t i = 0; i < layout->ndim; i++) {
        const uint32_t axis = order == NDP_MEMORY_F ? i : layout->ndim - 1 - i;
        if (layout->shape[axis] == 1) continue;
        if (layout->strides_bytes[axis] != stride_bytes) return false;
        stride_bytes *= layout->shape[axis];
    }
    return true;
}

bool ndp_layout_is_c_contiguous(const struct ndp_layout *layout, uint64_t itemsize_bytes) {
    return is_contiguous(layout, itemsize_bytes, NDP_MEMORY_C);
}

bool ndp_layout_is_f_contiguous(const struct ndp_layout *layout, uint64_t itemsize_bytes) {
    return is_contiguous(layout, itemsize_bytes, NDP_MEMORY_F);
}

bool ndp_layout_is_aligned(const struct ndp_layout *layout, uint64_t alignment_bytes) {
    if (alignment_bytes <= 1) return true;
    /* Alignments are powers of two, so the low bits of all numbers can be tested together. */
    uint64_t bits = (uint64_t)layout->offset_bytes;
    for (uint32_t i = 0; i < layout->ndim; i++) {
        if (layout->shape[i] == 0) return true;
        if (layout->shape[i] > 1) bits |= (uint64_t)layout->strides_bytes[i];
    }
    return (bits & (alignment_bytes - 1)) == 0;
}

enum ndp_status ndp_layout_extent(const struct ndp_layout *layout, uint64_t itemsize_bytes, int64_t *low_bytes,
                                  int64_t *high_bytes) {
    int64_t low = layout->offset_bytes;
    int64_t high = layout->offset_bytes;
    const bool is_empty = ndp_layout_count(layout) == 0;
    if (is_empty) itemsize_bytes = 0;
    for (uint32_t i = 0; i < layout->ndim && !is_empty; i++) {
        int64_t reach;
        if (!ndp_checked_mul_i64(layout->shape[i] - 1, layout->strides_bytes[i], &reach)) return NDP_LIMIT;
        if (!ndp_checked_add_i64(reach < 0 ? low : high, reach, reach < 0 ? &low : &high)) return NDP_LIMIT;
    }
    if (itemsize_bytes > INT64_MAX || !ndp_checked_add_i64(high, (int64_t)itemsize_bytes, &high)) return NDP_LIMIT;
    *low_bytes = low;
    *high_bytes = high;
    return NDP_OK;
}

bool ndp_layout_next(const struct ndp_layout *layout, int64_t *index) {
    for (uint32_t axis = layout->ndim; axis-- > 0;) {
        if (++index[axis] < layout->shape[axis]) return true;
        index[axis] = 0;
    }
    return false;
}

int64_t ndp_layout_at(const struct ndp_layout *layout, const int64_t *index) {
    int64_t at_bytes = layout->offset_bytes;
    for (uint32_t i = 0; i < layout->ndim; i++) at_bytes += index[i] * layout->strides_bytes[i];
    return at_bytes;
}
