/* generate_views_test.c: generated views apply, have the requested operation and respect the limits. */
#include "base/arena_fixture.h"
#include "base/suite.h"
#include "describe/json_fixture.h"
#include "describe/value_json.h"
#include "generate/generate_parts.h"

enum { ARENA_BYTES = 1 << 22, SEEDS = 400 };

#define OP(name)    (UINT32_C(1) << NDP_VIEW_##name)
#define EVERYWHERE  (OP(RESHAPE) | OP(SLICE) | OP(NEWAXIS) | OP(BROADCAST) | OP(AS_DTYPE) | OP(TRANSPOSE))
#define WITH_MEMORY (EVERYWHERE | OP(STRIDED))

/* Arrays, with the operations that apply to them. */
static const struct {
    const char *value;
    uint32_t ops;
} arrays[] = {
    {"{'base':{'dtype':'<f4','shape':[3,4]}}", WITH_MEMORY},
    {"{'base':{'dtype':'>i2','shape':[2,3,4],'order':'F'},'views':[{'slice':[[1,-1,2],[0,2,2],[3,-1,4]]}]}",
     WITH_MEMORY},
    /* nothing to slice */
    {"{'base':{'dtype':'|u1','shape':[]}}", WITH_MEMORY & ~OP(SLICE)},
    /* no elements, no bytes, or objects: no strided windows; objects have no other dtypes either */
    {"{'base':{'dtype':'<f8','shape':[0,3]}}", EVERYWHERE},
    {"{'base':{'dtype':'|S0','shape':[2]}}", EVERYWHERE},
    {"{'base':{'dtype':'|O','shape':[2,2]}}", EVERYWHERE & ~OP(AS_DTYPE)},
    {"{'base':{'dtype':'<c8','shape':[2,3]}}", WITH_MEMORY | OP(REAL) | OP(IMAG)},
    {"{'base':{'dtype':{'fields':[{'name':'a','offset':0,'dtype':'<i4'},{'name':'b','offset':6,'dtype':{'base':'>f4',"
     "'shape':[2]}}],'itemsize':16},'shape':[3]}}",
     WITH_MEMORY | OP(FIELD)},
    /* no elements, and an axis of the maximal length */
    {"{'base':{'dtype':'|u1','shape':[0,'9223372036854775807']}}", EVERYWHERE},
};

static void build(struct ndp_arena *arena, const char *text, struct ndp_array *out) {
    struct ndp_json_reader reader = {.arena = arena, .limits = &ndp_describe_default_limits};
    struct ndp_array_value value;
    cJSON *tree = NULL;
    assert_int_equal(ndp_json_parse(ndp_json_quoted(arena, text), &ndp_describe_default_limits, &tree, NULL), NDP_OK);
    assert_int_equal(ndp_value_array_read_json(&reader, tree, &value), NDP_OK);
    cJSON_Delete(tree);
    assert_int_equal(ndp_array_build(arena, &value, true, out, NULL), NDP_OK);
}

/* A generated view and its result. */
struct generated {
    struct ndp_view view;
    struct ndp_array after;
    bool has_view;
};

static void generate_view(struct ndp_arena *arena, const struct ndp_array *array,
                          const struct ndp_generate_limits *limits, enum ndp_view_op op, uint64_t seed,
                          struct generated *out) {
    struct ndp_choices choices;
    *out = (struct generated){.view = {.op = NDP_VIEW_COUNT}, .after = {.buffer_bytes = 77}, .has_view = true};
    ndp_choices_init_seed(&choices, seed);
    assert_int_equal(
        ndp_generate_view(arena, arena, &choices, array, limits, op, &out->view, &out->after, &out->has_view), NDP_OK);
}

static bool is_asked_for(enum ndp_view_op op, enum ndp_view_op got) {
    const bool is_part = got == NDP_VIEW_REAL || got == NDP_VIEW_IMAG;
    if (op == NDP_VIEW_REAL || op == NDP_VIEW_IMAG) return is_part;
    return op == NDP_VIEW_COUNT || op == got;
}

/* The view produces the stated array within the limits. */
static void check_view(struct ndp_arena *arena, const struct ndp_array *array, const struct ndp_generate_limits *limits,
                       const struct generated *generated) {
    const struct ndp_layout *layout = &generated->after.layout;
    struct ndp_array applied;
    assert_int_equal(ndp_array_view(arena, array, &generated->view, &applied, NULL), NDP_OK);
    assert_int_equal(applied.layout.ndim, layout->ndim);
    assert_memory_equal(applied.layout.shape, layout->shape, layout->ndim * sizeof *layout->shape);
    assert_memory_equal(applied.layout.strides_bytes, layout->strides_bytes, layout->ndim * sizeof *layout->shape);
    assert_int_equal(applied.layout.offset_bytes, layout->offset_bytes);
    assert_int_equal(ndp_dtype_compare(applied.dtype, generated->after.dtype, NULL), 0);
    assert_true(layout->ndim <= limits->max_ndim);
    assert_true(ndp_layout_count(layout) * generated->after.dtype->itemsize_bytes <= limits->value_bytes);
    assert_true(ndp_layout_count(layout) <= limits->value_bytes);
}

/* Generates a view for each seed. Returns the operations that occurred. */
static uint32_t draw_all(const char *text, const struct ndp_generate_limits *limits, enum ndp_view_op op) {
    uint32_t came = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct ndp_array array;
        struct generated first, second;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        build(&arena, text, &array);
        generate_view(&arena, &array, limits, op, seed, &first);
        generate_view(&arena, &array, limits, op, seed, &second);
        assert_int_equal(first.has_view, second.has_view);
        if (first.has_view) {
            cJSON *trees[] = {ndp_value_view_to_json(&first.view), ndp_value_view_to_json(&second.view)};
            assert_true(cJSON_Compare(trees[0], trees[1], true));
            cJSON_Delete(trees[0]);
            cJSON_Delete(trees[1]);
            if (!is_asked_for(op, first.view.op)) fail_msg("%s: %d for %d", text, (int)first.view.op, (int)op);
            check_view(&arena, &array, limits, &first);
            came |= UINT32_C(1) << first.view.op;
        } else {
            assert_int_equal(first.view.op, NDP_VIEW_COUNT);
            assert_int_equal(first.after.buffer_bytes, 77);
        }
    }
    return came;
}

static void views_apply_and_have_the_requested_operation(void **state) {
    static const struct ndp_generate_limits limits = {.value_bytes = 4096, .max_ndim = 64};
    for (size_t i = 0; i < NDP_ARRAY_LEN(arrays); i++) {
        uint32_t came = draw_all(arrays[i].value, &limits, NDP_VIEW_COUNT);
        if (came != arrays[i].ops) fail_msg("%s: %03x came of %03x", arrays[i].value, came, arrays[i].ops);
        for (uint32_t op = 0; op < NDP_VIEW_COUNT; op++) {
            const bool is_part = op == NDP_VIEW_REAL || op == NDP_VIEW_IMAG;
            const uint32_t wanted = arrays[i].ops & (is_part ? OP(REAL) | OP(IMAG) : UINT32_C(1) << op);
            came = draw_all(arrays[i].value, &limits, (enum ndp_view_op)op);
            if (came != wanted) fail_msg("%s: requested operation %u, got operations %03x", arrays[i].value, op, came);
        }
    }
}

static void limits_are_kept(void **state) {
    static const struct ndp_generate_limits tight = {.value_bytes = 48, .max_ndim = 2},
                                            flat = {.value_bytes = 4096, .max_ndim = 1};
    assert_true((draw_all(arrays[0].value, &tight, NDP_VIEW_COUNT) & OP(NEWAXIS)) == 0);
    assert_true((draw_all(arrays[0].value, &tight, NDP_VIEW_COUNT) & OP(RESHAPE)) != 0);
    assert_true((draw_all("{'base':{'dtype':'<f4','shape':[12]}}", &flat, NDP_VIEW_COUNT) & OP(SLICE)) != 0);
    /* A field may have a shape. */
    assert_int_equal(draw_all(arrays[7].value, &flat, NDP_VIEW_FIELD), OP(FIELD));
}

/* Windows lie within the memory of the array, wherever its first element is. They are generated valid, not dropped. */
static void windows_are_in_memory(void **state) {
    struct ndp_arena *arena = *state;
    static const struct ndp_generate_limits limits = {.value_bytes = 4096, .max_ndim = 64};
    struct ndp_array array;
    struct generated generated;
    uint32_t came = 0;
    build(arena, arrays[1].value, &array);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        generate_view(arena, &array, &limits, NDP_VIEW_STRIDED, seed, &generated);
        came += generated.has_view;
    }
    assert_int_equal(came, SEEDS);
}

/* generate/generate.h: exhausted input is the simplest choice, here the whole array, axis by axis. */
static void empty_input_gives_the_whole_array(void **state) {
    struct ndp_arena *arena = *state;
    static const struct ndp_generate_limits limits = {.value_bytes = 4096, .max_ndim = 64};
    struct ndp_array array, after;
    struct ndp_choices choices;
    struct ndp_view view;
    bool has_view = false;
    build(arena, arrays[0].value, &array);
    ndp_choices_init_bytes(&choices, (struct ndp_bytes){NULL, 0});
    assert_int_equal(
        ndp_generate_view(arena, arena, &choices, &array, &limits, NDP_VIEW_COUNT, &view, &after, &has_view), NDP_OK);
    assert_true(has_view);
    ndp_json_check_text(ndp_value_view_to_json(&view), "{'slice':[[0,1,3],[0,1,4]]}");
}

/* Makes each allocation of a generation fail, in the arena or in scratch. Returns their number. */
static uint64_t starve(const struct ndp_array *array, enum ndp_view_op op, uint64_t seed, bool is_scratch) {
    static const struct ndp_generate_limits limits = {.value_bytes = 4096, .max_ndim = 64};
    for (uint64_t call = 1;; call++) {
        struct ndp_arena arenas[2];
        struct generated generated = {.view = {.op = NDP_VIEW_COUNT}};
        struct ndp_choices choices;
        ndp_choices_init_seed(&choices, seed);
        ndp_arena_init(&arenas[0], ARENA_BYTES);
        ndp_arena_init(&arenas[1], ARENA_BYTES);
        ndp_arena_fail_at(&arenas[is_scratch], call);
        const enum ndp_status status = ndp_generate_view(&arenas[0], &arenas[1], &choices, array, &limits, op,
                                                         &generated.view, &generated.after, &generated.has_view);
        const bool has_failed = arenas[is_scratch].fail_at == 0;
        ndp_arena_clear(&arenas[0]);
        ndp_arena_clear(&arenas[1]);
        if (!has_failed) return call - 1;
        assert_int_equal(status, NDP_NOMEM);
        assert_int_equal(generated.view.op, NDP_VIEW_COUNT);
    }
}

static void every_failing_allocation_is_reported(void **state) {
    uint64_t kept = 0, scratch = 0;
    for (size_t i = 0; i < NDP_ARRAY_LEN(arrays); i++) {
        struct ndp_array array;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        build(&arena, arrays[i].value, &array);
        for (uint32_t op = 0; op < NDP_VIEW_COUNT; op++) {
            for (uint64_t seed = 0; seed < 5; seed++) {
                kept += starve(&array, (enum ndp_view_op)op, seed, false);
                scratch += starve(&array, (enum ndp_view_op)op, seed, true);
            }
        }
    }
    assert_true(kept > 200);
    assert_true(scratch > 5);
}

NDP_SUITE_FIXTURE(generate_views_test, make_arena, clear_arena, NDP_TEST(views_apply_and_have_the_requested_operation),
                  NDP_TEST(limits_are_kept), NDP_TEST(windows_are_in_memory),
                  NDP_TEST(empty_input_gives_the_whole_array), NDP_TEST(every_failing_allocation_is_reported));
