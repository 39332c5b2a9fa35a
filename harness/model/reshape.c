/* Whether a reshape can share memory.
 *
 * Problem: old and new axes (of equal element count) are walked in `order`. Do strides for the new axes exist such that
 * element n of the new array is element n of the old one?
 *
 * Method: cut both lists of axes into the smallest groups with equal products. Inside a group the old axes must be
 * contiguous with each other; the new axes then get contiguous strides, scaled by the stride of the group's fastest old
 * axis. Old axes of extent 1 are ignored.
 *
 * Cost: linear in the number of axes. Source of the behaviour: NumPy, multiarray/shape.c.
 */
#include "model/layout.h"

#include "base/checked.h"

#include <string.h>

/* Axes in walking order, reversed for C, so that the fastest axis comes first. */
struct axes {
    uint32_t count;
    int64_t extents[NDP_MAX_NDIM];
    int64_t strides_bytes[NDP_MAX_NDIM];
};

static uint32_t axis_at(uint32_t i, uint32_t ndim, enum ndp_memory_order order) {
    return order == NDP_MEMORY_F ? i : ndim - 1 - i;
}

static void axes_fill(struct axes *axes, const struct ndp_layout *layout, enum ndp_memory_order order) {
    axes->count = 0;
    for (uint32_t i = 0; i < layout->ndim; i++) {
        const uint32_t axis = axis_at(i, layout->ndim, order);
        if (layout->shape[axis] == 1) continue;
        axes->extents[axes->count] = layout->shape[axis];
        axes->strides_bytes[axes->count++] = layout->strides_bytes[axis];
    }
}

/* Whether the old axes from..to-1 are contiguous with each other. */
static bool is_joined(const struct axes *old, uint32_t from, uint32_t to) {
    for (uint32_t i = from; i + 1 < to; i++) {
        int64_t end = 0;
        if (!ndp_checked_mul_i64(old->extents[i], old->strides_bytes[i], &end)) return false;
        if (old->strides_bytes[i + 1] != end) return false;
    }
    return true;
}

/* The general case: not contiguous, and no extent is zero. */
static bool reshape_groups(const struct axes *old, const int64_t *shape, uint32_t ndim, enum ndp_memory_order order,
                           int64_t *strides_bytes) {
    uint32_t new_at = 0;
    int64_t next_stride = old->count > 0 ? old->strides_bytes[0] : 0;
    for (uint32_t old_at = 0; old_at < old->count;) {
        const uint32_t first = old_at;
        int64_t old_product = old->extents[old_at++];
        int64_t new_product = 1;
        next_stride = old->strides_bytes[first];
        while (new_product != old_product) {
            if (new_product > old_product) {
                old_product *= old->extents[old_at++];
                continue;
            }
            const uint32_t axis = axis_at(new_at++, ndim, order);
            strides_bytes[axis] = next_stride;
            /* The stride after the last axis is unused, and strides of a failed group are discarded, so overflow is
             * harmless here. */
            if (!ndp_checked_mul_i64(next_stride, shape[axis], &next_stride)) next_stride = 0;
            new_product *= shape[axis];
        }
        if (!is_joined(old, first, old_at)) return false;
    }
    for (; new_at < ndim; new_at++) strides_bytes[axis_at(new_at, ndim, order)] = next_stride;
    return true;
}

bool ndp_layout_reshape_fits(const struct ndp_layout *layout, const int64_t *shape, uint32_t ndim,
                             uint64_t itemsize_bytes, enum ndp_memory_order order, struct ndp_layout *out) {
    if (ndim == layout->ndim && memcmp(shape, layout->shape, ndim * sizeof *shape) == 0) {
        *out = *layout;
        return true;
    }
    struct ndp_layout next;
    if (ndp_layout_contiguous(&next, shape, ndim, itemsize_bytes, order, layout->offset_bytes) != NDP_OK) return false;
    const bool is_contiguous = order == NDP_MEMORY_F ? ndp_layout_is_f_contiguous(layout, itemsize_bytes)
                                                     : ndp_layout_is_c_contiguous(layout, itemsize_bytes);
    if (!is_contiguous) {
        struct axes old;
        axes_fill(&old, layout, order);
        if (!reshape_groups(&old, shape, ndim, order, next.strides_bytes)) return false;
    }
    *out = next;
    return true;
}
