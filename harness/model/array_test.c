#include "base/suite.h"
#include "model/array.h"
#include "model/dtype_samples.h"

enum { MEMORY_BYTES = 1 << 16 };

static const int64_t three[] = {3};

static struct ndp_array_value value_of(const struct ndp_dtype *dtype) {
    return (struct ndp_array_value){
        .base = {.dtype = dtype, .ndim = 1, .shape = three, .data = {.pattern = NDP_PATTERN_INDEX}}};
}

static void a_map_has_filler_before_its_elements(void **state) {
    struct ndp_array array;
    struct ndp_array_value value = value_of(&sample_u1);
    NDP_ARENA_SCOPED(arena, MEMORY_BYTES);
    value.base.has_map = true;
    value.base.map_offset_bytes = 2;
    assert_int_equal(ndp_array_build(&arena, &value, true, &array, NULL), NDP_OK);
    assert_int_equal(array.buffer_bytes, 5);
    assert_memory_equal(array.buffer, ((const uint8_t[]){0xee, 0xee, 0, 1, 2}), 5);
    assert_int_equal(array.layout.offset_bytes, 2);
}

static void native_is_the_order_of_the_building_machine(void **state) {
    struct ndp_array array;
    const struct ndp_array_value value = value_of(&sample_nativei8);
    NDP_ARENA_SCOPED(arena, MEMORY_BYTES);
    assert_int_equal(ndp_array_build(&arena, &value, false, &array, NULL), NDP_OK);
    assert_int_equal(array.dtype->order, NDP_ORDER_BIG);
    assert_int_equal(array.buffer[7 + 8], 1);
    assert_true(ndp_array_features(&array) & NDP_FEATURE_NATIVE_ORDER);
    assert_int_equal(ndp_array_build(&arena, &value, true, &array, NULL), NDP_OK);
    assert_int_equal(array.buffer[8], 1);
}

static void another_class_is_set_at_the_end(void **state) {
    struct ndp_array array;
    struct ndp_observation seen;
    struct ndp_array_value value = value_of(&sample_i8);
    NDP_ARENA_SCOPED(arena, MEMORY_BYTES);
    value.class_name = ndp_bytes_view("matrix");
    assert_int_equal(ndp_array_build(&arena, &value, true, &array, NULL), NDP_INVALID); /* one dimension */
    value.class_name = ndp_bytes_view("recarray");
    value.base.has_map = true;
    assert_int_equal(ndp_array_build(&arena, &value, true, &array, NULL), NDP_OK);
    assert_int_equal(ndp_array_observe(&arena, &array, &seen), NDP_OK);
    assert_true(ndp_bytes_is_equal(seen.class_name, ndp_bytes_view("recarray")));
    assert_false(seen.backing.is_map_class);
    assert_int_equal(seen.backing.claims, NDP_BACKING_NONE);
    assert_true(seen.backing.is_mapped);
}

struct impossible {
    const char *what;
    struct ndp_base base;
    enum ndp_status status;
    const char *path;
};

#define IN_BASE    "/value/array/base"
#define ONE_AXIS   .ndim = 1, .shape = three
#define HUGE_SHAPE I64(INT64_C(1) << 40, INT64_C(1) << 40)

static const struct ndp_dtype broken = LEAF(INT, LITTLE, 3);
static const struct ndp_dtype nested = STRUCT(3, AT("a", 0, &broken));

static const struct impossible impossible[] = {
    {"negative extent", {.dtype = &sample_i8, .ndim = 1, .shape = I64(-1)}, NDP_LIMIT, IN_BASE "/shape"},
    {"size that overflows", {.dtype = &sample_i8, .ndim = 2, .shape = HUGE_SHAPE}, NDP_LIMIT, IN_BASE "/shape"},
    {"larger than the arena", {.dtype = &sample_i8, .ndim = 1, .shape = I64(MEMORY_BYTES)}, NDP_LIMIT, IN_BASE},
    {"map beyond the arena",
     {.dtype = &sample_i8, ONE_AXIS, .has_map = true, .map_offset_bytes = UINT64_MAX},
     NDP_LIMIT,
     IN_BASE},
    {"65 axes", {.dtype = &sample_i8, .ndim = 65, .shape = three}, NDP_INVALID, IN_BASE},
    {"misaligned map", {.dtype = &sample_i8, ONE_AXIS, .has_map = true, .misalign_bytes = 1}, NDP_INVALID, IN_BASE},
    {"misaligned by 16", {.dtype = &sample_i8, ONE_AXIS, .misalign_bytes = 16}, NDP_INVALID, IN_BASE},
    {"objects in a file", {.dtype = &sample_O, ONE_AXIS, .has_map = true}, NDP_INVALID, IN_BASE},
    {"objects in bytes", {.dtype = &sample_O, ONE_AXIS, .is_readonly = true}, NDP_INVALID, IN_BASE},
    {"broken type", {.dtype = &nested, ONE_AXIS}, NDP_INVALID, IN_BASE "/dtype/fields/0/dtype"},
    {"hex of another size",
     {.dtype = &sample_u1, ONE_AXIS, .data = {.pattern = NDP_PATTERN_HEX, .bytes = TEXT("ab")}},
     NDP_INVALID,
     IN_BASE "/data"},
};

static void impossible_bases_are_refused(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(impossible); i++) {
        struct ndp_array array = {.buffer_bytes = 77};
        struct ndp_error error = {.status = NDP_OK};
        NDP_ARENA_SCOPED(arena, MEMORY_BYTES);
        const struct ndp_array_value value = {.base = impossible[i].base};
        const enum ndp_status status = ndp_array_build(&arena, &value, true, &array, &error);
        if (status != impossible[i].status || error.status != status)
            fail_msg("%s: %s", impossible[i].what, ndp_status_name(status));
        if (strcmp(error.path, impossible[i].path) != 0) fail_msg("%s: path %s", impossible[i].what, error.path);
        assert_int_equal(array.buffer_bytes, 77);
        assert_int_equal(ndp_array_build(&arena, &value, true, &array, NULL), status);
    }
}

static void too_many_views_are_refused(void **state) {
    static const struct ndp_view views[NDP_MAX_VIEWS + 1] = {{.op = NDP_VIEW_NEWAXIS}};
    struct ndp_array array;
    struct ndp_array_value value = value_of(&sample_i8);
    NDP_ARENA_SCOPED(arena, MEMORY_BYTES);
    value.views = views;
    value.view_count = NDP_MAX_VIEWS + 1;
    assert_int_equal(ndp_array_build(&arena, &value, true, &array, NULL), NDP_LIMIT);
}

/* A small base can be broadcast to more elements than there is memory for. */
static void an_observation_stays_within_the_arena(void **state) {
    static const int64_t shape[] = {1 << 20, 1 << 20, 3};
    static const struct ndp_view wide[] = {{.op = NDP_VIEW_BROADCAST, .ndim = 3, .shape = shape}};
    struct ndp_array array;
    struct ndp_observation seen = {.ndim = 99};
    struct ndp_array_value value = value_of(&sample_i8);
    NDP_ARENA_SCOPED(arena, MEMORY_BYTES);
    value.views = wide;
    value.view_count = 1;
    assert_int_equal(ndp_array_build(&arena, &value, true, &array, NULL), NDP_OK);
    assert_int_equal(ndp_array_observe(&arena, &array, &seen), NDP_LIMIT);
    assert_int_equal(seen.ndim, 99);
}

/* numpy.ndarray((2**62,), "V0") is also fast. */
static void items_of_zero_bytes_are_fast(void **state) {
    static const int64_t endless[] = {INT64_C(1) << 62};
    static const struct ndp_dtype empty = {.kind = NDP_KIND_STRUCT};
    static const int64_t inner[] = {INT32_MAX}; /* the maximum number of items of a dtype */
    static const struct ndp_dtype many = {.kind = NDP_KIND_SUBARRAY, .base = &empty, .shape = inner, .ndim = 1};
    static const struct ndp_field fields[] = {AT("a", 0, &many), AT("b", 0, &sample_u1)};
    static const struct ndp_dtype mixed = {
        .kind = NDP_KIND_STRUCT, .itemsize_bytes = 1, .fields = fields, .field_count = 2};
    struct ndp_array array;
    struct ndp_observation seen;
    struct ndp_array_value value = value_of(&sample_V0);
    NDP_ARENA_SCOPED(arena, MEMORY_BYTES);
    value.base.shape = endless;
    assert_int_equal(ndp_array_build(&arena, &value, true, &array, NULL), NDP_OK);
    assert_int_equal(ndp_array_observe(&arena, &array, &seen), NDP_OK);
    assert_int_equal(seen.elements.size_bytes, 0);
    value = value_of(&mixed);
    assert_int_equal(ndp_array_build(&arena, &value, true, &array, NULL), NDP_OK);
    assert_memory_equal(array.buffer, ((const uint8_t[]){0, 1, 2}), 3);
}

/* The layout is that of the array with its elements. */
static void a_layout_needs_no_elements(void **state) {
    static const int64_t many[] = {1 << 10, 1 << 10};
    const struct ndp_view transposed = {.op = NDP_VIEW_TRANSPOSE, .ndim = 2, .axes = (const uint32_t[]){1, 0}};
    struct ndp_array_value value = value_of(&sample_i8);
    value.base.ndim = 2;
    value.base.shape = many;
    value.views = &transposed;
    value.view_count = 1;
    NDP_ARENA_SCOPED(arena, UINT64_C(1) << 25);
    for (enum ndp_pattern pattern = NDP_PATTERN_ZEROS; pattern < NDP_PATTERN_HEX; pattern++) {
        struct ndp_array whole, bare;
        value.base.data.pattern = pattern;
        assert_int_equal(ndp_array_build(&arena, &value, true, &whole, NULL), NDP_OK);
        assert_int_equal(ndp_array_build_layout(&arena, &value, true, &bare, NULL), NDP_OK);
        assert_memory_equal(&whole.layout, &bare.layout, sizeof bare.layout);
        assert_int_equal(whole.buffer_bytes, bare.buffer_bytes);
        for (uint64_t i = 0; i < bare.buffer_bytes; i += 997) assert_int_equal(bare.buffer[i], 0);
        ndp_arena_reset(&arena);
    }
}

/* Given bytes exist already and may be too many. Elements may be too large for the memory of a case. */
static void a_layout_reports_impossible_values(void **state) {
    struct ndp_array_value value = value_of(&sample_u1);
    struct ndp_array array;
    NDP_ARENA_SCOPED(arena, MEMORY_BYTES);
    value.base.data = (struct ndp_data){.pattern = NDP_PATTERN_HEX, .bytes = {(const uint8_t *)"abc", 3}};
    assert_int_equal(ndp_array_build_layout(&arena, &value, true, &array, NULL), NDP_OK);
    assert_memory_equal(array.buffer, "abc", 3);
    value.base.data.bytes.size_bytes = 2;
    assert_int_equal(ndp_array_build_layout(&arena, &value, true, &array, NULL), NDP_INVALID);
    value.base.data.pattern = NDP_PATTERN_COUNT;
    assert_int_equal(ndp_array_build_layout(&arena, &value, true, &array, NULL), NDP_INVALID);
    value.base.data.pattern = NDP_PATTERN_INDEX;
    value.base.shape = (const int64_t[]){2 * MEMORY_BYTES};
    assert_int_equal(ndp_array_build_layout(&arena, &value, true, &array, NULL), NDP_LIMIT);
}

NDP_SUITE(array_test, NDP_TEST(a_map_has_filler_before_its_elements),
          NDP_TEST(native_is_the_order_of_the_building_machine), NDP_TEST(another_class_is_set_at_the_end),
          NDP_TEST(impossible_bases_are_refused), NDP_TEST(too_many_views_are_refused),
          NDP_TEST(items_of_zero_bytes_are_fast), NDP_TEST(a_layout_needs_no_elements),
          NDP_TEST(a_layout_reports_impossible_values), NDP_TEST(an_observation_stays_within_the_arena));
