#include "base/suite.h"
#include "generate/generate_parts.h"

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

static enum ndp_status repair_value(struct ndp_array_value *value, struct ndp_arena *arena, uint64_t value_bytes) {
    const struct ndp_generate_limits limits = {.value_bytes = value_bytes};
    NDP_ARENA_SCOPED(scratch, ARENA_BYTES);
    return ndp_generate_repaired_value(arena, &scratch, &limits, value);
}

/* Each view is tried on the result of its predecessors. A view that no longer applies or exceeds the limit is dropped.
 */
static void views_that_still_apply_stay(void **state) {
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
        {{broadcast}, 1, {NDP_VIEW_RESHAPE}, 0}, /* 24 of at most 20 bytes */
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_array_value value = {
            .base = {.dtype = &u1, .ndim = 1, .shape = six}, .views = rows[i].views, .view_count = rows[i].count};
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        assert_int_equal(repair_value(&value, &arena, 20), NDP_OK);
        if (value.view_count != rows[i].kept_count) fail_msg("row %zu: %u views", i, value.view_count);
        for (uint32_t k = 0; k < value.view_count; k++) assert_int_equal(value.views[k].op, rows[i].kept[k]);
        if (value.view_count == 0) assert_null(value.views);
    }
}

/* Incompatible parts of a base: generate/generate_parts.h, ndp_generate_repaired_base. */
static const struct ndp_dtype sub = {
    .kind = NDP_KIND_SUBARRAY, .itemsize_bytes = 6, .base = &u1, .shape = six, .ndim = 1};

static void bases_are_repaired_or_refused(void **state) {
    static const struct ndp_dtype bad = {.kind = NDP_KIND_UINT, .itemsize_bytes = 3};
    static const struct ndp_dtype object = {.kind = NDP_KIND_OBJECT, .itemsize_bytes = 8};
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    struct ndp_array_value value = {
        .base = {.dtype = &u1, .ndim = 1, .shape = six, .has_map = true, .misalign_bytes = 3}};
    value.base.data = (struct ndp_data){.pattern = NDP_PATTERN_HEX, .bytes = {(const uint8_t *)"abcde", 5}};
    assert_int_equal(repair_value(&value, &arena, 6), NDP_OK);
    assert_int_equal(value.base.misalign_bytes, 0);
    assert_int_equal(value.base.data.pattern, NDP_PATTERN_INDEX);
    value = (struct ndp_array_value){.base = {.dtype = &object, .has_map = true, .is_readonly = true}};
    assert_int_equal(repair_value(&value, &arena, 8), NDP_OK);
    assert_false(value.base.has_map || value.base.is_readonly);
    const struct ndp_base refused[] = {{.dtype = &u1, .ndim = 1, .shape = six}, {.dtype = &bad}, {.dtype = &sub}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(refused); i++) {
        value = (struct ndp_array_value){.base = refused[i]};
        if (repair_value(&value, &arena, i == 0 ? 5 : 100) != NDP_INVALID) fail_msg("row %zu", i);
    }
    value = (struct ndp_array_value){.base = refused[0], .views = &reshape, .view_count = 1};
    ndp_arena_fail_at(&arena, 1);
    assert_int_equal(repair_value(&value, &arena, 100), NDP_NOMEM);
}

static const int64_t long_row[] = {1, 19, 100};
static const int64_t as_rows[] = {19, 100};
static const int64_t huge[] = {40, 6};
static const struct ndp_dtype zero = {.kind = NDP_KIND_BYTES, .itemsize_bytes = 0};
static const struct ndp_dtype wide = {.kind = NDP_KIND_BYTES, .itemsize_bytes = 300};
static const uint32_t around[] = {2, 1, 0};
static const struct ndp_view rows_of = {.op = NDP_VIEW_RESHAPE, .ndim = 2, .shape = as_rows};
static const struct ndp_view grown = {.op = NDP_VIEW_BROADCAST, .ndim = 2, .shape = huge};
static const struct ndp_view turn = {.op = NDP_VIEW_TRANSPOSE, .ndim = 3, .axes = around};

/* The longest extent is halved first. A small value, or a single item, is unchanged. */
static void a_large_value_is_reduced_to_the_limit(void **state) {
    const struct {
        const struct ndp_dtype *dtype;
        uint32_t ndim;
        const int64_t *shape;
        uint32_t view_count;
        struct ndp_view views[2];
        uint64_t max_bytes;
        bool is_changed;
        int64_t smaller[3];
        uint32_t views_left;
    } reduced[] = {
        {&u1, 3, long_row, 1, {turn}, 1900, false, {1, 19, 100}, 1},
        {&u1, 3, long_row, 1, {turn}, 1899, true, {1, 19, 50}, 1},
        {&u1, 3, long_row, 2, {rows_of, transpose}, 1899, true, {1, 19, 50}, 0},
        {&u1, 3, long_row, 0, {rows_of}, 200, true, {1, 9, 12}, 0},
        {&zero, 3, long_row, 0, {rows_of}, 1000, true, {1, 19, 50}, 0},
        {&u1, 1, six, 1, {grown}, 200, true, {6}, 0},
        {&u1, 1, six, 1, {broadcast}, 24, false, {6}, 1},
        {&wide, 0, NULL, 0, {rows_of}, 200, false, {0}, 0},
        {&wide, 1, six, 0, {rows_of}, 200, false, {6}, 0},
        {&wide, 1, six, 0, {rows_of}, 700, true, {1}, 0},
        {&sub, 1, six, 0, {rows_of}, 35, true, {3}, 0},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(reduced); i++) {
        struct ndp_array after;
        bool is_changed = !reduced[i].is_changed;
        struct ndp_array_value value = {
            .base = {.dtype = reduced[i].dtype, .ndim = reduced[i].ndim, .shape = reduced[i].shape},
            .views = reduced[i].views,
            .view_count = reduced[i].view_count};
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        assert_int_equal(ndp_generate_reduced_value(&arena, reduced[i].max_bytes, &value, &is_changed), NDP_OK);
        if (is_changed != reduced[i].is_changed) fail_msg("row %zu", i);
        for (uint32_t k = 0; k < reduced[i].ndim; k++)
            if (value.base.shape[k] != reduced[i].smaller[k]) fail_msg("row %zu, axis %u", i, k);
        if (value.view_count != reduced[i].views_left) fail_msg("row %zu: %u views", i, value.view_count);
        assert_int_equal(ndp_array_build(&arena, &value, true, &after, NULL), NDP_OK);
    }
}

/* A matrix without two axes becomes an ndarray; if its views still have two axes, it stays a matrix. */
static void a_matrix_has_two_axes(void **state) {
    static const struct {
        struct ndp_view view;
        uint32_t view_count;
        bool is_matrix;
    } rows[] = {{{0}, 0, false},
                {{NDP_VIEW_RESHAPE, .ndim = 2, .shape = two_three}, 1, true},
                {{NDP_VIEW_RESHAPE, .ndim = 1, .shape = five}, 1, false}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_array after;
        struct ndp_array_value value = {.base = {.dtype = &u1, .ndim = 1, .shape = six},
                                        .views = &rows[i].view,
                                        .view_count = rows[i].view_count,
                                        .class_name = ndp_bytes_view("matrix")};
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        assert_int_equal(repair_value(&value, &arena, 20), NDP_OK);
        if (!ndp_bytes_is_word(value.class_name, rows[i].is_matrix ? "matrix" : "ndarray")) fail_msg("row %zu", i);
        assert_int_equal(ndp_array_build(&arena, &value, true, &after, NULL), NDP_OK);
    }
}

static void without_memory_a_large_value_stays(void **state) {
    enum ndp_status status = NDP_NOMEM;
    uint64_t fail_at = 0;
    for (; status != NDP_OK; fail_at++) {
        bool is_changed = true;
        struct ndp_array_value value = {
            .base = {.dtype = &u1, .ndim = 3, .shape = long_row}, .views = &turn, .view_count = 1};
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        ndp_arena_fail_at(&arena, fail_at + 1);
        status = ndp_generate_reduced_value(&arena, 100, &value, &is_changed);
        if (status != NDP_OK) {
            assert_int_equal(status, NDP_NOMEM);
            assert_ptr_equal(value.base.shape, long_row);
            assert_false(is_changed);
        }
    }
    assert_true(fail_at > 1);
}

NDP_SUITE(value_repair_test, NDP_TEST(a_large_value_is_reduced_to_the_limit), NDP_TEST(a_matrix_has_two_axes),
          NDP_TEST(without_memory_a_large_value_stays), NDP_TEST(views_that_still_apply_stay),
          NDP_TEST(bases_are_repaired_or_refused));
