#include "base/checked.h"

bool ndp_checked_extents_fit(const int64_t *shape, uint32_t ndim, uint64_t itemsize_bytes, uint64_t *count_elems,
                             uint64_t *size_bytes) {
    /* The products skip zero extents, so that the result does not depend on their position. The count needs its own
     * product, because with an itemsize of 0 the product of bytes does not bound it. */
    uint64_t count = 1;
    uint64_t size = itemsize_bytes;
    bool has_zero = false;
    bool count_fits = true;
    if (size > INT64_MAX) return false;
    for (uint32_t i = 0; i < ndim; i++) {
        if (shape[i] < 0) return false;
        const uint64_t extent = (uint64_t)shape[i];
        if (extent == 0) {
            has_zero = true;
            continue;
        }
        if (!ndp_checked_mul_u64(size, extent, &size) || size > INT64_MAX) return false;
        if (!ndp_checked_mul_u64(count, extent, &count) || count > INT64_MAX) count_fits = false;
    }
    if (!has_zero && !count_fits) return false;
    *count_elems = has_zero ? 0 : count;
    *size_bytes = has_zero ? 0 : size;
    return true;
}

bool ndp_checked_subarray_fits(const int64_t *shape, uint32_t ndim, uint64_t itemsize_bytes, uint64_t *count_elems,
                               uint64_t *size_bytes) {
    uint64_t count = 1;
    uint64_t size = 0;
    for (uint32_t i = 0; i < ndim; i++) {
        if (shape[i] < 0) return false;
        /* A product that wraps before a zero is refused, although the array has no element. */
        if (!ndp_checked_mul_u64(count, (uint64_t)shape[i], &count) || count > INT64_MAX) return false;
    }
    if (count > INT32_MAX || !ndp_checked_mul_u64(count, itemsize_bytes, &size) || size > INT32_MAX) return false;
    *count_elems = count;
    *size_bytes = size;
    return true;
}
