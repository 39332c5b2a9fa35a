/* Copies the elements of a strided array in logical order.
 *
 * Problem: arrays of any strides must be copied at memory speed, because every observation needs it.
 *
 * Method: drop axes of extent 1, merge axes that are contiguous with each other, and copy runs along the last axis;
 * runs of 1 to 16 bytes have loops of their own.
 *
 * Cost: linear in the elements, one memcpy per run.
 */
#include "model/array.h"

#include <string.h>

/* The merged axes, slowest first, and the contiguous bytes at each of their elements. */
struct plan {
    uint32_t count;
    int64_t extents[NDP_MAX_NDIM];
    int64_t strides_bytes[NDP_MAX_NDIM];
    size_t run_bytes;
};

static void plan_fill(struct plan *plan, const struct ndp_layout *layout, uint64_t itemsize_bytes,
                      enum ndp_memory_order order) {
    plan->count = 0;
    plan->run_bytes = (size_t)itemsize_bytes;
    for (uint32_t i = 0; i < layout->ndim; i++) {
        const uint32_t axis = order == NDP_MEMORY_F ? layout->ndim - 1 - i : i;
        const int64_t extent = layout->shape[axis];
        const int64_t stride_bytes = layout->strides_bytes[axis];
        if (extent == 1) continue;
        if (plan->count > 0 && plan->strides_bytes[plan->count - 1] == extent * stride_bytes) {
            plan->extents[plan->count - 1] *= extent;
            plan->strides_bytes[plan->count - 1] = stride_bytes;
            continue;
        }
        plan->extents[plan->count] = extent;
        plan->strides_bytes[plan->count++] = stride_bytes;
    }
    if (plan->count > 0 && plan->strides_bytes[plan->count - 1] == (int64_t)itemsize_bytes) {
        plan->count--;
        plan->run_bytes *= (size_t)plan->extents[plan->count];
    }
}

/* A constant size makes the compiler emit a single load and store. */
#define COPY_RUNS(bytes)                                                                                               \
    for (int64_t i = 0; i < count; i++) memcpy(to + (size_t)i * (bytes), from + i * stride_bytes, (bytes))

static void copy_axis(uint8_t *to, const uint8_t *from, int64_t count, int64_t stride_bytes, size_t run_bytes) {
    switch (run_bytes) {
    case 1:
        COPY_RUNS(1);
        break;
    case 2:
        COPY_RUNS(2);
        break;
    case 4:
        COPY_RUNS(4);
        break;
    case 8:
        COPY_RUNS(8);
        break;
    case 16:
        COPY_RUNS(16);
        break;
    default:
        COPY_RUNS(run_bytes);
        break;
    }
}

void ndp_array_gather(const struct ndp_array *array, enum ndp_memory_order order, uint8_t *to) {
    const uint64_t itemsize_bytes = array->dtype->itemsize_bytes;
    if (ndp_layout_count(&array->layout) == 0 || itemsize_bytes == 0) return;
    struct plan plan;
    plan_fill(&plan, &array->layout, itemsize_bytes, order);
    const uint8_t *from = array->buffer + array->layout.offset_bytes;
    if (plan.count == 0) {
        memcpy(to, from, plan.run_bytes);
        return;
    }
    const uint32_t last = plan.count - 1;
    const size_t axis_bytes = (size_t)plan.extents[last] * plan.run_bytes;
    int64_t index[NDP_MAX_NDIM] = {0};
    int64_t at_bytes = 0;
    for (bool has_more = true; has_more; to += axis_bytes) {
        copy_axis(to, from + at_bytes, plan.extents[last], plan.strides_bytes[last], plan.run_bytes);
        has_more = false;
        for (uint32_t axis = last; axis-- > 0 && !has_more;) {
            at_bytes += plan.strides_bytes[axis];
            has_more = ++index[axis] < plan.extents[axis];
            if (has_more) continue;
            at_bytes -= plan.extents[axis] * plan.strides_bytes[axis];
            index[axis] = 0;
        }
    }
}
