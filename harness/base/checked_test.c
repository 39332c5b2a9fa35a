#include "base/checked.h"
#include "base/status.h"
#include "base/suite.h"

#define P(bits) (INT64_C(1) << (bits))

struct extents_case {
    const char *what;
    uint32_t ndim;
    int64_t shape[4];
    uint64_t itemsize_bytes;
    bool fits;
    uint64_t count_elems;
    uint64_t size_bytes;
};

/* Expected values: numpy.empty(shape, "V<itemsize>") of NumPy 2.4.6 on x86-64; a shape does not fit if NumPy raises
 * "array is too big" (a MemoryError counts as fitting). Two rows differ: NumPy creates an array of itemsize 0 whose
 * number of elements has wrapped, and ndp_checked_extents_fit refuses it. */
static const struct extents_case cases[] = {
    {"0-d", 0, {0}, 8, true, 1, 8},
    {"0-d of itemsize 0", 0, {0}, 0, true, 1, 0},
    {"one axis", 1, {5}, 8, true, 5, 40},
    {"negative extent", 2, {3, -1}, 8, false, 0, 0},
    {"negative extent beside zero", 2, {0, -1}, 8, false, 0, 0},
    {"the largest", 1, {INT64_MAX}, 1, true, INT64_MAX, INT64_MAX},
    {"one factor too many", 2, {P(62), 2}, 1, false, 0, 0},
    {"wraps to 0 in 64 bits", 2, {P(32), P(32)}, 1, false, 0, 0},
    {"wraps through the itemsize", 1, {P(61)}, 8, false, 0, 0},
    {"zero first, rest too large", 3, {0, P(62), 2}, 1, false, 0, 0},
    {"zero in the middle, rest too large", 3, {P(62), 0, 2}, 1, false, 0, 0},
    {"zero last, rest too large", 3, {P(62), 2, 0}, 1, false, 0, 0},
    {"zero and the largest", 2, {0, P(62)}, 1, true, 0, 0},
    {"zero, too large through the itemsize", 2, {P(60), 0}, 8, false, 0, 0},
    {"zero, just fits through the itemsize", 2, {P(60) - 1, 0}, 8, true, 0, 0},
    {"itemsize 0", 2, {3, 4}, 0, true, 12, 0},
    {"itemsize 0, zero extent, rest large", 3, {0, P(62), P(62)}, 0, true, 0, 0},
    {"itemsize 0, count too large by one bit", 2, {P(62), 2}, 0, false, 0, 0},
    {"itemsize 0, count wraps to 0", 2, {P(62), P(62)}, 0, false, 0, 0},
    {"itemsize past int64", 0, {0}, (uint64_t)INT64_MAX + 1, false, 0, 0},
};

/* Expected values: numpy.dtype((base, shape)) of NumPy 2.4.6 and 2.5.5, with a base of S, i8, and for itemsize 0 a
 * structure without fields. */
static const struct extents_case subarrays[] = {
    {"no axis", 0, {0}, 8, true, 1, 8},
    {"negative extent", 2, {0, -1}, 8, false, 0, 0},
    {"of the largest item", 1, {1}, INT32_MAX, true, 1, INT32_MAX},
    {"a byte too many", 2, {65536, 32768}, 1, false, 0, 0},
    {"as many as fit", 2, {65535, 32768}, 1, true, 2147450880, 2147450880},
    {"too many through the itemsize", 1, {P(28)}, 8, false, 0, 0},
    {"zero between the largest", 3, {INT32_MAX, 0, INT32_MAX}, 8, true, 0, 0},
    {"zero first", 4, {0, INT32_MAX, INT32_MAX, INT32_MAX}, 8, true, 0, 0},
    {"zero after a product of 63 bits", 4, {INT32_MAX, INT32_MAX, 2, 0}, 8, true, 0, 0},
    {"zero after a product of more than 63 bits", 4, {INT32_MAX, INT32_MAX, INT32_MAX, 0}, 1, false, 0, 0},
    {"zero of large items", 3, {INT32_MAX, INT32_MAX, 0}, INT32_MAX, true, 0, 0},
    {"itemsize 0", 1, {INT32_MAX}, 0, true, INT32_MAX, 0},
    {"itemsize 0, too many", 2, {65536, 32768}, 0, false, 0, 0},
    {"itemsize 0, wraps to 0", 4, {65536, 65536, 65536, 65536}, 0, false, 0, 0},
};

static void check_cases(const struct extents_case *rows, size_t row_count,
                        bool (*extents_fit)(const int64_t *, uint32_t, uint64_t, uint64_t *, uint64_t *)) {
    for (size_t i = 0; i < row_count; i++) {
        const struct extents_case *c = &rows[i];
        uint64_t count = 77, size = 78;
        const bool fits = extents_fit(c->shape, c->ndim, c->itemsize_bytes, &count, &size);
        if (fits != c->fits || count != (c->fits ? c->count_elems : 77) || size != (c->fits ? c->size_bytes : 78)) {
            fail_msg("%s: fits %d, count %llu, size %llu", c->what, fits, (unsigned long long)count,
                     (unsigned long long)size);
        }
    }
}

static void extents_and_subarrays_fit_as_in_numpy(void **state) {
    check_cases(cases, NDP_ARRAY_LEN(cases), ndp_checked_extents_fit);
    check_cases(subarrays, NDP_ARRAY_LEN(subarrays), ndp_checked_subarray_fits);
}

static void no_shape_is_needed_without_axes(void **state) {
    uint64_t count, size;
    assert_true(ndp_checked_extents_fit(NULL, 0, 4, &count, &size));
    assert_int_equal(count, 1);
    assert_int_equal(size, 4);
}

static void sums_and_products_stop_at_the_edge(void **state) {
    uint64_t u = 5;
    int64_t i = 6;
    assert_true(ndp_checked_add_u64(UINT64_MAX - 1, 1, &u) && u == UINT64_MAX);
    assert_false(ndp_checked_add_u64(UINT64_MAX, 1, &u));
    assert_false(ndp_checked_mul_u64(UINT64_MAX / 2 + 1, 2, &u));
    assert_true(u == UINT64_MAX);
    assert_true(ndp_checked_mul_u64(UINT64_MAX / 2, 2, &u) && u == UINT64_MAX - 1);
    assert_true(ndp_checked_add_i64(INT64_MIN + 1, -1, &i) && i == INT64_MIN);
    assert_false(ndp_checked_add_i64(INT64_MIN, -1, &i));
    assert_false(ndp_checked_mul_i64(INT64_MIN, -1, &i));
    assert_true(i == INT64_MIN);
    assert_true(ndp_checked_mul_i64(P(31), -P(32), &i) && i == INT64_MIN);
}

NDP_SUITE(checked_test, NDP_TEST(extents_and_subarrays_fit_as_in_numpy), NDP_TEST(no_shape_is_needed_without_axes),
          NDP_TEST(sums_and_products_stop_at_the_edge));
