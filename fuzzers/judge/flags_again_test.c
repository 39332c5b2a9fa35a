#include "judge/flags_again.h"

#include "base/suite.h"
#include "generate/generate.h"
#include "model/array.h"
#include "runtime/hits_fixture.h"

enum { ARRAYS = 4096, PICKS = 4 };

/* Of arrays that are right nothing is found. */
static void flags_and_seeds_hold(void **state) {
    (void)state;
    const struct ndp_generate_limits limits = {.value_bytes = 256};
    uint32_t judged = 0, seeds = 0;
    for (uint64_t seed = 0; seed < ARRAYS; seed++) {
        struct ndp_arena arena = {.limit_bytes = 1 << 26};
        struct ndp_choices choices;
        struct ndp_value value;

        ndp_choices_init_seed(&choices, seed);
        assert_int_equal(ndp_generate_value(&arena, &choices, &limits, &value), NDP_OK);
        const uint64_t before = fuzz_hits();
        for (uint64_t pick = 0; pick < PICKS && value.kind == NDP_VALUE_ARRAY; pick++)
            seeds += fuzz_check_seed(&arena, &value.array, 64 / PICKS * pick + seed % (64 / PICKS));
        if (value.kind == NDP_VALUE_ARRAY) judged += fuzz_check_flags(&arena, &value.array);
        if (fuzz_hits() != before) fail_msg("array %u", (unsigned)seed);
        ndp_arena_clear(&arena);
    }
    assert_true(judged > ARRAYS / 4);
    assert_true(seeds > ARRAYS / 16);
}

/* A flag that is another than the view gives is seen; so is an order that items without a byte were not made in. */
static void another_flag_is_seen(void **state) {
    (void)state;
    enum { RIGHT, WRITEABLE, OWNED, DETACHED, HANDED_ON, MADE, FILLED, SPOILS };
    static const int64_t shape[] = {2, 3}, other[] = {3, 2};
    static const struct ndp_dtype types[] = {{.kind = NDP_KIND_UINT, .itemsize_bytes = 2, .order = NDP_ORDER_LITTLE},
                                             {.kind = NDP_KIND_BYTES}};
    static const struct ndp_view view = {.op = NDP_VIEW_RESHAPE, .ndim = 2, .shape = other};
    for (uint32_t i = 0; i < 2 * SPOILS; i++) {
        struct ndp_arena arena = {.limit_bytes = 1 << 20};
        struct ndp_array_value value = {.base = {.dtype = &types[i / SPOILS], .ndim = 2, .shape = shape}};
        struct ndp_array from, to;
        const uint64_t before = fuzz_hits();
        enum fuzz_made made = FUZZ_MADE_C;
        assert_int_equal(ndp_array_build(&arena, &value, true, &from, NULL), NDP_OK);
        assert_int_equal(ndp_array_view(&arena, &from, &view, &to, NULL), NDP_OK);
        switch (i % SPOILS) {
        case WRITEABLE:
            to.is_writeable = !to.is_writeable;
            break;
        case OWNED:
            to.owns_data = !to.owns_data;
            break;
        case DETACHED:
            to.copy_count++;
            break;
        case HANDED_ON:
            from.is_writeable = false;
            break;
        case MADE:
            made = FUZZ_MADE_F;
            break;
        case FILLED:
            to.is_filled = false;
            break;
        default:
            break;
        }
        const int loud = be_quiet();
        fuzz_check_view_flags(&from, &to, view.op, made);
        be_loud(loud);
        /* What has bytes says by them how it lies. */
        const bool is_right = i % SPOILS == RIGHT || (i < SPOILS && i % SPOILS >= MADE);
        if ((fuzz_hits() == before) != is_right) fail_msg("row %u", (unsigned)i);
        ndp_arena_clear(&arena);
    }
}

/* numpy.memmap of no axes, whose one field is a sub-array of items without a byte: NumPy 2.4.6 gives a view of the
 * field, which lies in both orders; of an array in memory the field is made in C order. */
static void a_field_of_a_map_is_a_view(void **state) {
    (void)state;
    static const int64_t shape[] = {2, 3};
    static const struct ndp_dtype nothing = {.kind = NDP_KIND_STRUCT},
                                  items = {.kind = NDP_KIND_SUBARRAY, .base = &nothing, .ndim = 2, .shape = shape};
    static const struct ndp_field field = {.name = {(const uint8_t *)"a", 1}, .dtype = &items};
    static const struct ndp_dtype type = {.kind = NDP_KIND_STRUCT, .fields = &field, .field_count = 1};
    static const struct ndp_view view = {.op = NDP_VIEW_FIELD, .name = {(const uint8_t *)"a", 1}};
    for (int has_map = 0; has_map < 2; has_map++) {
        struct ndp_arena arena = {.limit_bytes = 1 << 20};
        const struct ndp_array_value value = {
            .base = {.dtype = &type, .has_map = has_map, .map_mode = NDP_MAP_COPY, .map_offset_bytes = 8},
            .views = &view,
            .view_count = 1};
        struct ndp_array array;
        assert_int_equal(ndp_array_build(&arena, &value, true, &array, NULL), NDP_OK);
        assert_int_equal(ndp_array_is_contiguous(&array, NDP_MEMORY_F), has_map);
        const uint64_t before = fuzz_hits();
        assert_true(fuzz_check_flags(&arena, &value));
        assert_true(fuzz_hits() == before);
        ndp_arena_clear(&arena);
    }
}

/* Three axes that none of two orders has, of a map; told as they are, and in two other ways. */
static void what_is_told_otherwise_is_seen(void **state) {
    (void)state;
    enum { RIGHT, TURNED, READONLY, MOVED, SPOILS };
    static const int64_t shape[] = {2, 3, 4};
    static const uint32_t axes[] = {1, 2, 0}, others[] = {2, 0, 1};
    static const struct ndp_dtype type = {.kind = NDP_KIND_UINT, .itemsize_bytes = 2, .order = NDP_ORDER_LITTLE};
    static const struct ndp_view view = {.op = NDP_VIEW_TRANSPOSE, .ndim = 3, .axes = axes};
    for (uint32_t i = 0; i < SPOILS; i++) {
        struct ndp_arena arena = {.limit_bytes = 1 << 20};
        const struct ndp_array_value value = {.base = {.dtype = &type,
                                                       .ndim = 3,
                                                       .shape = shape,
                                                       .data.pattern = NDP_PATTERN_INDEX,
                                                       .has_map = true,
                                                       .map_mode = NDP_MAP_COPY,
                                                       .map_offset_bytes = 8},
                                              .views = &view,
                                              .view_count = 1};
        struct ndp_array array;
        struct ndp_observation seen;
        struct ndp_array_value told;
        struct ndp_view turned;
        assert_int_equal(ndp_array_build(&arena, &value, true, &array, NULL), NDP_OK);
        assert_int_equal(ndp_array_observe(&arena, &array, &seen), NDP_OK);
        assert_int_equal(ndp_array_retell(&arena, &seen, &told), NDP_OK);
        assert_int_equal(told.view_count, 1);
        turned = told.views[0];
        if (i == TURNED) turned.axes = others, told.views = &turned;
        if (i == READONLY) told.is_readonly = true;
        if (i == MOVED) seen.backing.position_bytes += 2;
        const uint64_t before = fuzz_hits();
        const int loud = be_quiet();
        fuzz_check_position(&array, &seen);
        fuzz_check_retold(&arena, &seen, &told);
        be_loud(loud);
        if ((fuzz_hits() == before) != (i == RIGHT)) fail_msg("row %u", (unsigned)i);
        ndp_arena_clear(&arena);
    }
}

NDP_SUITE(flags_again_test, cmocka_unit_test(flags_and_seeds_hold), cmocka_unit_test(another_flag_is_seen),
          cmocka_unit_test(a_field_of_a_map_is_a_view), cmocka_unit_test(what_is_told_otherwise_is_seen));
