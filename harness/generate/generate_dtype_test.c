#include "base/suite.h"
#include "generate/generate_parts.h"

enum { DRAWS = 2000 };

/* Every seed gives a dtype that NumPy has, without excluded parts. */
static void dtypes_are_as_wished(void **state) {
    uint32_t structures = 0;
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        const struct ndp_dtype_wish wish = {
            .max_itemsize_bytes = 8 + seed % 100, .without_objects = seed % 2 == 0, .depth_left = (uint32_t)(seed % 4)};
        const struct ndp_dtype *dtype = NULL, *repeated = NULL;
        struct ndp_error error = {.status = NDP_OK};
        struct ndp_choices choices;
        NDP_ARENA_SCOPED(arena, 1 << 22);
        ndp_choices_init_seed(&choices, seed);
        assert_int_equal(ndp_generate_dtype(&arena, &choices, wish, &dtype), NDP_OK);
        if (ndp_dtype_check(dtype, &error) != NDP_OK) fail_msg("seed %llu: %s", (unsigned long long)seed, error.text);
        assert_int_not_equal(dtype->kind, NDP_KIND_SUBARRAY);
        assert_false(wish.without_objects && ndp_dtype_has_object(dtype));
        structures += dtype->kind == NDP_KIND_STRUCT;
        ndp_choices_init_seed(&choices, seed);
        assert_int_equal(ndp_generate_dtype(&arena, &choices, wish, &repeated), NDP_OK);
        assert_int_equal(ndp_dtype_compare(dtype, repeated, NULL), 0);
    }
    assert_true(structures > DRAWS / 20);
}

/* A view of the same bytes never gets objects, which would be created from raw bytes. */
static void dtypes_for_the_same_bytes_have_no_objects(void **state) {
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        const struct ndp_dtype *dtype = NULL;
        struct ndp_choices choices;
        NDP_ARENA_SCOPED(arena, 1 << 22);
        ndp_choices_init_seed(&choices, seed);
        assert_int_equal(ndp_generate_dtype_of_size(&arena, &choices, 1 + seed % 32, &dtype), NDP_OK);
        assert_int_equal(ndp_dtype_check(dtype, NULL), NDP_OK);
        assert_false(ndp_dtype_has_object(dtype));
    }
}

static void every_failing_allocation_is_reported(void **state) {
    const struct ndp_dtype_wish wish = {.max_itemsize_bytes = 64, .depth_left = 3};
    uint32_t failures = 0;
    for (uint64_t call = 1; call < 200; call++) {
        const struct ndp_dtype *dtype = NULL;
        struct ndp_choices choices;
        NDP_ARENA_SCOPED(arena, 1 << 22);
        ndp_arena_fail_at(&arena, 1 + call % 5);
        ndp_choices_init_seed(&choices, call);
        const enum ndp_status status = ndp_generate_dtype(&arena, &choices, wish, &dtype);
        assert_true(status == NDP_OK || status == NDP_NOMEM);
        failures += status == NDP_NOMEM;
    }
    assert_true(failures > 20);
}

NDP_SUITE(generate_dtype_test, NDP_TEST(dtypes_are_as_wished), NDP_TEST(dtypes_for_the_same_bytes_have_no_objects),
          NDP_TEST(every_failing_allocation_is_reported));
