#include "base/suite.h"
#include "model/array.h"
#include "model/dtype_samples.h"

enum { MEMORY_BYTES = 1 << 16 };

/* Two rows of three numbers in six bytes, at these strides. */
static struct ndp_observation seen(const int64_t *shape, const int64_t *strides_bytes, uint32_t flags) {
    static const uint8_t elements[] = {1, 2, 3, 4, 5, 6};
    return (struct ndp_observation){
        .class_name = ndp_bytes_view("ndarray"),
        .dtype = &sample_u1,
        .ndim = 2,
        .shape = shape,
        .strides_bytes = strides_bytes,
        .flags = flags,
        .elements = {elements, sizeof elements},
    };
}

static const int64_t two_by_three[] = {2, 3};

/* The positions of elements 1 to 6 in numpy.ndarray(shape, "u1", buffer, offset, strides). */
static const struct {
    int64_t strides_bytes[2];
    uint8_t memory[16];
    uint64_t memory_bytes;
} layouts[] = {
    {{3, 1}, {1, 2, 3, 4, 5, 6}, 6},
    {{1, 2}, {1, 4, 2, 5, 3, 6}, 6},
    {{-3, -1}, {6, 5, 4, 3, 2, 1}, 6},
    {{8, 1}, {1, 2, 3, 0, 0, 0, 0, 0, 4, 5, 6}, 11},
};

static void elements_are_placed_by_strides(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(layouts); i++) {
        struct ndp_array array;
        struct ndp_observation again;
        const struct ndp_observation observed = seen(two_by_three, layouts[i].strides_bytes, NDP_FLAG_ALIGNED);
        NDP_ARENA_SCOPED(arena, MEMORY_BYTES);
        assert_int_equal(ndp_array_from_observation(&arena, &observed, true, 0, &array), NDP_OK);
        assert_int_equal(array.buffer_bytes, layouts[i].memory_bytes);
        for (uint64_t at = 0; at < array.buffer_bytes; at++)
            if (layouts[i].memory[at] != 0) assert_int_equal(array.buffer[at], layouts[i].memory[at]);
        assert_int_equal(ndp_array_observe(&arena, &array, &again), NDP_OK);
        assert_memory_equal(again.elements.data, observed.elements.data, observed.elements.size_bytes);
        assert_memory_equal(again.strides_bytes, layouts[i].strides_bytes, sizeof layouts[i].strides_bytes);
        assert_false(again.flags & NDP_FLAG_WRITEABLE);
    }
}

static void conflicting_elements_are_refused(void **state) {
    static const int64_t over_each_other[] = {1, 1};
    static const int64_t far_apart[] = {INT64_C(1) << 40, 1};
    static const int64_t too_far[] = {INT64_MAX, INT64_MAX};
    struct ndp_array array;
    NDP_ARENA_SCOPED(arena, MEMORY_BYTES);
    struct ndp_observation observed = seen(two_by_three, over_each_other, 0);
    assert_int_equal(ndp_array_from_observation(&arena, &observed, true, 0, &array), NDP_UNSUPPORTED);
    observed = seen(two_by_three, far_apart, 0);
    assert_int_equal(ndp_array_from_observation(&arena, &observed, true, 0, &array), NDP_UNSUPPORTED);
    observed = seen(two_by_three, too_far, 0);
    assert_int_equal(ndp_array_from_observation(&arena, &observed, true, 0, &array), NDP_LIMIT);
    observed = seen(two_by_three, layouts[0].strides_bytes, 0);
    observed.elements.size_bytes = 5;
    assert_int_equal(ndp_array_from_observation(&arena, &observed, true, 0, &array), NDP_LIMIT);
}

static void flags_and_map_are_kept(void **state) {
    const uint32_t flags = NDP_FLAG_C_CONTIGUOUS | NDP_FLAG_WRITEABLE;
    struct ndp_array array;
    struct ndp_observation again;
    NDP_ARENA_SCOPED(arena, MEMORY_BYTES);
    struct ndp_observation observed = seen(two_by_three, layouts[0].strides_bytes, flags);
    static const int64_t strides_bytes[] = {24, 8};
    static const uint8_t elements[48] = {0};
    observed.dtype = &sample_i8;
    observed.strides_bytes = strides_bytes;
    observed.elements = (struct ndp_bytes){elements, sizeof elements};
    observed.class_name = ndp_bytes_view("memmap");
    observed.backing = (struct ndp_backing){.is_map_class = true,
                                            .claims = NDP_BACKING_CASE,
                                            .is_mapped = true,
                                            .has_mode = true,
                                            .mode = NDP_MAP_READ_WRITE,
                                            .has_offset = true,
                                            .offset_bytes = 1};
    assert_int_equal(ndp_array_from_observation(&arena, &observed, true, 0, &array), NDP_OK);
    const uint32_t features = ndp_array_features(&array);
    assert_true(features & NDP_FEATURE_MAP);
    assert_true(features & NDP_FEATURE_UNALIGNED);
    assert_true(features & NDP_FEATURE_SUBCLASS);
    assert_int_equal(ndp_array_observe(&arena, &array, &again), NDP_OK);
    assert_int_equal(again.flags, flags);
    assert_int_equal(again.backing.mode, NDP_MAP_READ_WRITE);
    struct ndp_array_value value;
    assert_int_equal(ndp_array_value_from_observation(&arena, &observed, &value), NDP_OK);
    assert_true(value.base.has_map);
    assert_int_equal(value.base.map_mode, NDP_MAP_READ_WRITE);
}

/* Only flags show the order of items of zero bytes. */
static void the_order_of_items_without_a_byte_is_that_of_the_flags(void **state) {
    static const struct ndp_dtype nothing = {.kind = NDP_KIND_VOID};
    static const int64_t no_steps[] = {0, 0};
    struct ndp_array array;
    NDP_ARENA_SCOPED(arena, MEMORY_BYTES);
    struct ndp_observation observed = seen(two_by_three, no_steps, NDP_FLAG_F_CONTIGUOUS);
    observed.dtype = &nothing;
    observed.elements.size_bytes = 0;
    assert_int_equal(ndp_array_from_observation(&arena, &observed, true, 0, &array), NDP_OK);
    assert_true(ndp_array_is_contiguous(&array, NDP_MEMORY_F));
    assert_false(ndp_array_is_contiguous(&array, NDP_MEMORY_C));
}

/* Building the recipe reproduces the observation, strides and flags included. */
static void a_recipe_reproduces_the_observation(void **state) {
    static const int64_t shape[] = {2, 3, 1};
    static const int64_t strides_bytes[][3] = {{3, 1, 1}, {1, 2, 6}, {1, 2, 2}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(strides_bytes); i++) {
        struct ndp_array_value value;
        struct ndp_array array;
        struct ndp_observation again;
        NDP_ARENA_SCOPED(arena, MEMORY_BYTES);
        struct ndp_observation observed = seen(shape, strides_bytes[i], 0);
        observed.ndim = 3;
        assert_int_equal(ndp_array_value_from_observation(&arena, &observed, &value), NDP_OK);
        assert_int_equal(ndp_array_build(&arena, &value, true, &array, NULL), NDP_OK);
        assert_int_equal(ndp_array_observe(&arena, &array, &again), NDP_OK);
        assert_memory_equal(again.shape, shape, sizeof shape);
        assert_memory_equal(again.strides_bytes, strides_bytes[i], 2 * sizeof(int64_t));
        assert_memory_equal(again.elements.data, observed.elements.data, observed.elements.size_bytes);
        assert_false(again.flags & NDP_FLAG_WRITEABLE);
    }
}

static void gaps_have_no_recipe(void **state) {
    struct ndp_array_value value;
    NDP_ARENA_SCOPED(arena, MEMORY_BYTES);
    const struct ndp_observation gaps = seen(two_by_three, layouts[3].strides_bytes, 0);
    const struct ndp_observation reversed = seen(two_by_three, layouts[2].strides_bytes, 0);
    assert_int_equal(ndp_array_value_from_observation(&arena, &gaps, &value), NDP_UNSUPPORTED);
    assert_int_equal(ndp_array_value_from_observation(&arena, &reversed, &value), NDP_UNSUPPORTED);
}

static void every_failed_allocation_is_an_error(void **state) {
    for (uint64_t limit_bytes = 0; limit_bytes < 64; limit_bytes += 8) {
        struct ndp_array array = {.buffer_bytes = 77};
        struct ndp_array_value value = {.view_count = 77};
        const struct ndp_observation observed = seen(two_by_three, layouts[1].strides_bytes, 0);
        NDP_ARENA_SCOPED(arena, limit_bytes);
        const enum ndp_status held = ndp_array_from_observation(&arena, &observed, true, 0, &array);
        if (held != NDP_OK) assert_int_equal(array.buffer_bytes, 77);
        const enum ndp_status retold = ndp_array_value_from_observation(&arena, &observed, &value);
        if (retold != NDP_OK) assert_int_equal(value.view_count, 77);
        assert_true((held == NDP_OK || held == NDP_NOMEM) && (retold == NDP_OK || retold == NDP_NOMEM));
        if (limit_bytes == 0) assert_int_equal(held, NDP_NOMEM);
    }
}

NDP_SUITE(array_from_observation_test, NDP_TEST(elements_are_placed_by_strides),
          NDP_TEST(conflicting_elements_are_refused), NDP_TEST(flags_and_map_are_kept),
          NDP_TEST(the_order_of_items_without_a_byte_is_that_of_the_flags),
          NDP_TEST(a_recipe_reproduces_the_observation), NDP_TEST(gaps_have_no_recipe),
          NDP_TEST(every_failed_allocation_is_an_error));
