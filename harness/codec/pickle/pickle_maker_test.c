/* Expected: CPython, where a repeated module or class name is one object, so that its pickle refers back. */

#include "base/suite.h"
#include "codec/pickle/pickle_dtype.h"

static void pythons_singletons_are_one_object(void **state) {
    struct ndp_objects objects;
    NDP_ARENA_SCOPED(arena, 1 << 20);
    ndp_objects_init(&objects, &arena);
    struct ndp_pickle_maker maker = {.objects = &objects};
    struct ndp_object *word = ndp_pickle_maker_name(&maker, ndp_bytes_view("extra"));
    assert_non_null(word);
    assert_true(ndp_object_is_text(word, "extra"));
    assert_ptr_equal(ndp_pickle_maker_name(&maker, ndp_bytes_view("extra")), word);
    assert_ptr_not_equal(ndp_pickle_maker_name(&maker, ndp_bytes_view("extr")), word);
    struct ndp_object *class = ndp_pickle_maker_global(&maker, "numpy", "ndarray");
    assert_true(ndp_object_is_global(class, "numpy", "ndarray"));
    assert_ptr_equal(ndp_pickle_maker_numpy_global(&maker, "ndarray"), class);
    struct ndp_object *other = ndp_pickle_maker_numpy_global(&maker, "dtype");
    assert_ptr_not_equal(other, class);
    assert_ptr_equal(other->global.module, class->global.module);
}

/* Names beyond the memoized ones are correct, but separate objects. */
static void names_beyond_the_memoized_ones_are_correct(void **state) {
    enum { NAMES = 300 };
    struct ndp_objects objects;
    char names[NAMES][8];
    NDP_ARENA_SCOPED(arena, 1 << 20);
    ndp_objects_init(&objects, &arena);
    struct ndp_pickle_maker maker = {.objects = &objects};
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < NAMES; i++) {
            snprintf(names[i], sizeof names[i], "n%d", i);
            assert_true(ndp_object_is_text(ndp_pickle_maker_name(&maker, ndp_bytes_view(names[i])), names[i]));
        }
    }
}

static void failing_allocations_return_null(void **state) {
    struct ndp_object *made = NULL;
    uint64_t call = 0;
    while (made == NULL) {
        struct ndp_objects objects;
        NDP_ARENA_SCOPED(arena, 1 << 20);
        ndp_objects_init(&objects, &arena);
        struct ndp_pickle_maker maker = {.objects = &objects};
        ndp_arena_fail_at(&arena, ++call);
        made = ndp_pickle_maker_numpy_global(&maker, "ndarray");
        assert_true(call < 20);
    }
    assert_true(call > 3);
}

NDP_SUITE(pickle_maker_test, NDP_TEST(pythons_singletons_are_one_object),
          NDP_TEST(names_beyond_the_memoized_ones_are_correct), NDP_TEST(failing_allocations_return_null));
