/* checked.h: overflow-checked arithmetic for untrusted numbers.
 *
 * Each helper reports whether the result fits, and writes the out-parameter only if it does. No other code multiplies
 * or adds untrusted sizes.
 */
#ifndef NDP_CHECKED_H
#define NDP_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool ndp_checked_add_u64(uint64_t a, uint64_t b, uint64_t *sum) {
    uint64_t out;
    if (__builtin_add_overflow(a, b, &out)) return false;
    *sum = out;
    return true;
}

static inline bool ndp_checked_mul_u64(uint64_t a, uint64_t b, uint64_t *product) {
    uint64_t out;
    if (__builtin_mul_overflow(a, b, &out)) return false;
    *product = out;
    return true;
}

static inline bool ndp_checked_add_i64(int64_t a, int64_t b, int64_t *sum) {
    int64_t out;
    if (__builtin_add_overflow(a, b, &out)) return false;
    *sum = out;
    return true;
}

static inline bool ndp_checked_mul_i64(int64_t a, int64_t b, int64_t *product) {
    int64_t out;
    if (__builtin_mul_overflow(a, b, &out)) return false;
    *product = out;
    return true;
}

/* Computes the number of elements of a shape and its size in bytes. This is the only function that multiplies extents.
 * A negative extent does not fit. The result does not depend on the order of the extents: with a zero extent the count
 * is 0, but the product of the other extents and `itemsize_bytes` must still fit in int64, as NumPy requires
 * (multiarray/ctors.c, PyArray_NewFromDescr_int, 1.24 to 2.4). */
bool ndp_checked_extents_fit(const int64_t *shape, uint32_t ndim, uint64_t itemsize_bytes, uint64_t *count_elems,
                             uint64_t *size_bytes);

/* As ndp_checked_extents_fit, for a sub-array, whose extents are part of a dtype. NumPy multiplies them up to the first
 * zero, and neither the count nor the size may exceed INT32_MAX (multiarray/descriptor.c, _convert_from_tuple, 2.4 and
 * 2.5). */
bool ndp_checked_subarray_fits(const int64_t *shape, uint32_t ndim, uint64_t itemsize_bytes, uint64_t *count_elems,
                               uint64_t *size_bytes);

#endif
