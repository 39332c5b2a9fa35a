#include "describe/generate_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { ARENA_BYTES = 1 << 20 };

static const struct ndp_dtype u1 = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1};
static const int64_t six[] = {6};
static const int64_t two_three[] = {2, 3};
static const int64_t five[] = {5};
static const int64_t four_six[] = {4, 6};
static const uint32_t turned[] = {1, 0};
static const struct ndp_view reshape = {.op = NDP_VIEW_RESHAPE, .ndim = 2, .shape = two_three};
static const struct ndp_view wrong = {.op = NDP_VIEW_RESHAPE, .ndim = 1, .shape = five};
static const struct ndp_view transpose = {.op = NDP_VIEW_TRANSPOSE, .ndim = 2, .axes = turned};
static const struct ndp_view broadcast = {.op = NDP_VIEW_BROADCAST, .ndim = 2, .shape = four_six};

static enum ndp_status repair(struct ndp_array_value *value, struct ndp_arena *arena, uint64_t value_bytes) {
    const struct ndp_generate_limits limits = {.value_bytes = value_bytes};
    struct ndp_arena scratch;
    ndp_arena_init(&scratch, ARENA_BYTES);
    const enum ndp_status status = ndp_value_repair(arena, &scratch, &limits, value);
    ndp_arena_clear(&scratch);
    return status;
}

/* Each view is tried on what those before it gave: one that no longer applies, or that grows past the limit, goes. */
static void views_that_still_apply_stay(void **state) {
    (void)state;
    const struct {
        struct ndp_view views[3];
        uint32_t count;
        enum ndp_view_op kept[3];
        uint32_t kept_count;
    } rows[] = {
        {{reshape, transpose}, 2, {NDP_VIEW_RESHAPE, NDP_VIEW_TRANSPOSE}, 2},
        {{wrong, reshape, transpose}, 3, {NDP_VIEW_RESHAPE, NDP_VIEW_TRANSPOSE}, 2},
        {{transpose, reshape}, 2, {NDP_VIEW_RESHAPE}, 1},
        {{wrong, transpose}, 2, {NDP_VIEW_RESHAPE}, 0},
        {{broadcast}, 1, {NDP_VIEW_RESHAPE}, 0}, /* 24 bytes of 20 */
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_arena arena;
        struct ndp_array_value value = {
            .base = {.dtype = &u1, .ndim = 1, .shape = six}, .views = rows[i].views, .view_count = rows[i].count};
        ndp_arena_init(&arena, ARENA_BYTES);
        assert_int_equal(repair(&value, &arena, 20), NDP_OK);
        if (value.view_count != rows[i].kept_count) fail_msg("row %zu: %u views", i, value.view_count);
        for (uint32_t k = 0; k < value.view_count; k++) assert_int_equal(value.views[k].op, rows[i].kept[k]);
        if (value.view_count == 0) assert_null(value.views);
        ndp_arena_clear(&arena);
    }
}

/* What the parts of a base do not allow together: describe/generate_parts.h, ndp_base_repair. */
static void bases_are_made_whole_or_refused(void **state) {
    (void)state;
    static const struct ndp_dtype bad = {.kind = NDP_KIND_UINT, .itemsize_bytes = 3};
    static const struct ndp_dtype sub = {
        .kind = NDP_KIND_SUBARRAY, .itemsize_bytes = 6, .base = &u1, .shape = six, .ndim = 1};
    static const struct ndp_dtype object = {.kind = NDP_KIND_OBJECT, .itemsize_bytes = 8};
    struct ndp_arena arena;
    ndp_arena_init(&arena, ARENA_BYTES);
    struct ndp_array_value value = {
        .base = {.dtype = &u1, .ndim = 1, .shape = six, .has_map = true, .misalign_bytes = 3}};
    value.base.data = (struct ndp_data){.pattern = NDP_PATTERN_HEX, .bytes = {(const uint8_t *)"abcde", 5}};
    assert_int_equal(repair(&value, &arena, 6), NDP_OK);
    assert_int_equal(value.base.misalign_bytes, 0);
    assert_int_equal(value.base.data.pattern, NDP_PATTERN_INDEX);
    value = (struct ndp_array_value){.base = {.dtype = &object, .has_map = true, .is_readonly = true}};
    assert_int_equal(repair(&value, &arena, 8), NDP_OK);
    assert_false(value.base.has_map || value.base.is_readonly);
    const struct ndp_base refused[] = {{.dtype = &u1, .ndim = 1, .shape = six}, {.dtype = &bad}, {.dtype = &sub}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(refused); i++) {
        value = (struct ndp_array_value){.base = refused[i]};
        if (repair(&value, &arena, i == 0 ? 5 : 100) != NDP_INVALID) fail_msg("row %zu", i);
    }
    value = (struct ndp_array_value){.base = refused[0], .views = &reshape, .view_count = 1};
    ndp_arena_fail_at(&arena, 1);
    assert_int_equal(repair(&value, &arena, 100), NDP_NOMEM);
    ndp_arena_clear(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_that_still_apply_stay),
        cmocka_unit_test(bases_are_made_whole_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
