#include "base/suite.h"
#include "model/layout.h"

struct contiguous_case {
    uint32_t ndim;
    int64_t shape[4];
    uint64_t itemsize_bytes;
    enum ndp_memory_order order;
    int64_t strides_bytes[4];
};

/* numpy.ndarray(shape, "V<itemsize>", order=order).strides, NumPy 1.26.4 and 2.4.6. */
static const struct contiguous_case contiguous[] = {
    {0, {0}, 8, NDP_MEMORY_C, {0}},
    {1, {5}, 8, NDP_MEMORY_C, {8}},
    {3, {2, 3, 4}, 4, NDP_MEMORY_C, {48, 16, 4}},
    {3, {2, 3, 4}, 4, NDP_MEMORY_F, {4, 8, 24}},
    {3, {2, 0, 3}, 8, NDP_MEMORY_C, {24, 24, 8}},
    {3, {2, 0, 3}, 8, NDP_MEMORY_F, {8, 16, 16}},
    {2, {2, 3}, 0, NDP_MEMORY_C, {0, 0}},
};

static void strides_are_those_of_new_arrays(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(contiguous); i++) {
        const struct contiguous_case *row = &contiguous[i];
        struct ndp_layout layout;
        assert_int_equal(ndp_layout_contiguous(&layout, row->shape, row->ndim, row->itemsize_bytes, row->order, 7),
                         NDP_OK);
        assert_int_equal(layout.ndim, row->ndim);
        assert_int_equal(layout.offset_bytes, 7);
        assert_memory_equal(layout.strides_bytes, row->strides_bytes, sizeof row->strides_bytes);
        assert_memory_equal(layout.shape, row->shape, row->ndim * sizeof row->shape[0]);
    }
}

static void sizes_that_overflow_are_refused(void **state) {
    struct ndp_layout layout = {.ndim = 9};
    const int64_t shape[65] = {INT64_MAX, 2};
    assert_int_equal(ndp_layout_contiguous(&layout, shape, 2, 1, NDP_MEMORY_C, 0), NDP_LIMIT);
    assert_int_equal(ndp_layout_contiguous(&layout, shape, 65, 1, NDP_MEMORY_C, 0), NDP_LIMIT);
    assert_int_equal(layout.ndim, 9);
}

struct flags_case {
    const char *what;
    struct ndp_layout layout;
    uint64_t itemsize_bytes;
    bool is_c;
    bool is_f;
    bool is_aligned_8;
};

/* numpy.ndarray(shape, "<f8", buffer, offset, strides).flags over a buffer on a 64-byte boundary, NumPy 2.4.6. */
static const struct flags_case flags[] = {
    {"0-d", {0, {0}, {0}, 0}, 8, true, true, true},
    {"0-d off by one", {0, {0}, {0}, 1}, 8, true, true, false},
    {"C", {2, {2, 3}, {24, 8}, 0}, 8, true, false, true},
    {"F", {2, {2, 3}, {8, 16}, 0}, 8, false, true, true},
    {"gap", {1, {2}, {16}, 0}, 8, false, false, true},
    {"odd gap", {1, {2}, {9}, 0}, 8, false, false, false},
    {"reversed", {1, {2}, {-8}, 8}, 8, false, false, true},
    {"broadcast", {1, {2}, {0}, 0}, 8, false, false, true},
    {"extent 1, wild stride", {3, {2, 1, 3}, {24, 77, 8}, 0}, 8, true, false, true},
    {"one element, wild strides", {2, {1, 1}, {3, INT64_MAX}, 0}, 8, true, true, true},
    {"zero extent, wild strides, off by one", {2, {0, 3}, {5, -3}, 1}, 8, true, true, true},
    {"zero extent behind a wild one", {2, {3, 0}, {5, -3}, 1}, 8, true, true, true},
    {"row of a matrix", {2, {1, 3}, {800, 8}, 0}, 8, true, true, true},
};

static void flags_follow_the_relaxed_rules(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(flags); i++) {
        const struct flags_case *row = &flags[i];
        if (ndp_layout_is_c_contiguous(&row->layout, row->itemsize_bytes) != row->is_c) fail_msg("%s: C", row->what);
        if (ndp_layout_is_f_contiguous(&row->layout, row->itemsize_bytes) != row->is_f) fail_msg("%s: F", row->what);
        if (ndp_layout_is_aligned(&row->layout, 8) != row->is_aligned_8) fail_msg("%s: aligned", row->what);
        assert_true(ndp_layout_is_aligned(&row->layout, 1));
    }
}

struct extent_case {
    struct ndp_layout layout;
    enum ndp_status status;
    int64_t low_bytes;
    int64_t high_bytes;
};

/* numpy.lib.array_utils.byte_bounds(a), relative to the buffer. The two that overflow are no valid arrays. */
static const struct extent_case extents[] = {
    {{0, {0}, {0}, 16}, NDP_OK, 16, 24},
    {{2, {2, 3}, {24, 8}, 0}, NDP_OK, 0, 48},
    {{2, {2, 3}, {-24, 8}, 24}, NDP_OK, 0, 48},
    {{2, {2, 3}, {-24, -8}, 40}, NDP_OK, 0, 48},
    {{2, {2, 3}, {0, 0}, 8}, NDP_OK, 8, 16},
    {{2, {1, 1}, {INT64_MAX, INT64_MIN}, 8}, NDP_OK, 8, 16},
    {{2, {4, 0}, {INT64_MAX, 8}, 8}, NDP_OK, 8, 8},
    {{1, {3}, {INT64_MAX}, 0}, NDP_LIMIT, 0, 0},
    {{1, {2}, {INT64_MAX}, 8}, NDP_LIMIT, 0, 0},
};

static void extents_bound_every_element(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(extents); i++) {
        int64_t low_bytes = -77, high_bytes = -77;
        const enum ndp_status status = ndp_layout_extent(&extents[i].layout, 8, &low_bytes, &high_bytes);
        if (status != extents[i].status) fail_msg("row %zu: %s", i, ndp_status_name(status));
        if (status == NDP_OK && (low_bytes != extents[i].low_bytes || high_bytes != extents[i].high_bytes))
            fail_msg("row %zu: %ld to %ld", i, (long)low_bytes, (long)high_bytes);
        if (status != NDP_OK && (low_bytes != -77 || high_bytes != -77)) fail_msg("row %zu: written", i);
    }
}

static void indices_go_through_c_order(void **state) {
    const struct ndp_layout layout = {2, {2, 3}, {8, -16}, 32};
    const int64_t expected[] = {32, 16, 0, 40, 24, 8};
    int64_t index[2] = {0};
    size_t count = 0;
    do {
        assert_int_equal(ndp_layout_at(&layout, index), expected[count]);
        count++;
    } while (ndp_layout_next(&layout, index));
    assert_int_equal(count, ndp_layout_count(&layout));
    const struct ndp_layout scalar = {.ndim = 0};
    assert_false(ndp_layout_next(&scalar, index));
    assert_int_equal(ndp_layout_count(&scalar), 1);
}

NDP_SUITE(layout_test, NDP_TEST(strides_are_those_of_new_arrays), NDP_TEST(sizes_that_overflow_are_refused),
          NDP_TEST(flags_follow_the_relaxed_rules), NDP_TEST(extents_bound_every_element),
          NDP_TEST(indices_go_through_c_order));
