#include "base/checked.h"
#include "base/suite.h"
#include "generate/generate_parts.h"

/* Returns the product of the extents, which must not overflow. */
static uint64_t product(const int64_t *shape, uint32_t ndim) {
    uint64_t count = 1;
    for (uint32_t i = 0; i < ndim; i++) {
        assert_true(shape[i] >= 0);
        assert_true(ndp_checked_mul_u64(count, (uint64_t)shape[i], &count));
    }
    return count;
}

/* Shapes meet the wish, NumPy can build them (model/layout.h: extents next to a 0 count, too), and every kind
 * occurs. */
static void shapes_meet_the_wish(void **state) {
    static const struct ndp_shape_wish wishes[] = {
        {.max_count = 1, .itemsize_bytes = 8, .max_ndim = 64},
        {.max_count = 7, .itemsize_bytes = 1, .max_ndim = 64},
        {.max_count = 4096, .itemsize_bytes = 16, .max_ndim = 64},
        {.max_count = 60, .itemsize_bytes = 300, .max_ndim = 3},
        {.max_count = 0, .itemsize_bytes = 0, .max_ndim = 2},
    };
    uint32_t ndims[NDP_MAX_NDIM + 1] = {0};
    uint32_t empty = 0, huge = 0;
    for (size_t i = 0; i < NDP_ARRAY_LEN(wishes); i++) {
        for (uint64_t seed = 0; seed < 3000; seed++) {
            struct ndp_choices choices;
            struct ndp_layout layout;
            int64_t shape[NDP_MAX_NDIM];
            uint32_t ndim = UINT32_MAX;
            ndp_choices_init_seed(&choices, seed);
            ndp_generate_shape(&choices, wishes[i], &ndim, shape);
            assert_true(ndim <= wishes[i].max_ndim);
            assert_int_equal(ndp_layout_contiguous(&layout, shape, ndim, wishes[i].itemsize_bytes, NDP_MEMORY_C, 0),
                             NDP_OK);
            const uint64_t count = ndp_layout_count(&layout);
            assert_true(count <= (wishes[i].max_count == 0 ? 1 : wishes[i].max_count));
            ndims[ndim]++;
            empty += count == 0;
            for (uint32_t k = 0; k < ndim; k++) huge += shape[k] >= 65535;
        }
    }
    static const uint32_t wanted[] = {0, 1, 2, 3, 4, 5, 31, 32, 33, 63, 64};
    for (size_t i = 0; i < NDP_ARRAY_LEN(wanted); i++)
        if (ndims[wanted[i]] == 0) fail_msg("no shape has %u axes", wanted[i]);
    assert_true(empty > 100 && huge > 10);
}

static void splits_have_the_given_product(void **state) {
    static const uint64_t counts[] = {1, 2, 12, 97, 4096, 30030, UINT64_C(1) << 40};
    for (size_t i = 0; i < NDP_ARRAY_LEN(counts); i++) {
        for (uint64_t seed = 0; seed < 500; seed++) {
            struct ndp_choices choices;
            int64_t shape[NDP_MAX_NDIM];
            uint32_t ndim = 1 + (uint32_t)(seed % 64);
            ndp_choices_init_seed(&choices, seed);
            ndp_generate_split(&choices, counts[i], ndim, shape);
            assert_int_equal(product(shape, ndim), counts[i]);
            const struct ndp_shape_wish wish = {.exact_count = counts[i], .itemsize_bytes = 1, .max_ndim = 64};
            ndp_generate_shape(&choices, wish, &ndim, shape);
            assert_true(ndim >= 1);
            assert_int_equal(product(shape, ndim), counts[i]);
        }
    }
}

/* generate/generate.h: exhausted input reads as zeros, and a zero is the simplest choice. */
static void empty_input_gives_the_smallest(void **state) {
    const struct ndp_shape_wish wish = {.max_count = 1000, .itemsize_bytes = 8, .max_ndim = 64};
    struct ndp_choices choices;
    int64_t shape[NDP_MAX_NDIM];
    uint32_t ndim = UINT32_MAX;
    ndp_choices_init_bytes(&choices, (struct ndp_bytes){NULL, 0});
    ndp_generate_shape(&choices, wish, &ndim, shape);
    assert_int_equal(ndim, 0);
}

NDP_SUITE(generate_shape_test, NDP_TEST(shapes_meet_the_wish), NDP_TEST(splits_have_the_given_product),
          NDP_TEST(empty_input_gives_the_smallest));
