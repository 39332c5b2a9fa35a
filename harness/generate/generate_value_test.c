/* generate_value_test.c: generated values are valid, and their features meet. */
#include "base/suite.h"
#include "generate/generate_parts.h"

enum { CASES = 20000, SEED = 1, ARENA_BYTES = 1 << 26 };

/* One case of the sequence that all tests here examine. */
struct generated {
    struct ndp_arena arena;
    struct ndp_descriptor descriptor;
    struct ndp_array array;
};

static void generate_case(struct generated *generated, uint64_t index) {
    struct ndp_choices choices;
    const struct ndp_generate_limits limits = {0};
    *generated = (struct generated){0};
    ndp_arena_init(&generated->arena, ARENA_BYTES);
    ndp_choices_init_seed(&choices, ndp_rng_mix(SEED, index));
    assert_int_equal(ndp_generate_value(&generated->arena, &choices, &limits, &generated->descriptor.value), NDP_OK);
    assert_int_equal(
        ndp_array_build(&generated->arena, &generated->descriptor.value.array, true, &generated->array, NULL), NDP_OK);
}

static int compare_sizes(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static uint64_t element_bytes(const struct ndp_array *array) {
    return ndp_layout_count(&array->layout) * array->dtype->itemsize_bytes;
}

/* Pairs of features that exclude each other or meet only in their rarest forms. */
static bool pair_is_rare(enum ndp_feature_bit a, enum ndp_feature_bit b) {
    static const uint8_t rare[][2] = {
        {NDP_FEATURE_BIT_NATIVE_ORDER, NDP_FEATURE_BIT_BIG},
        {NDP_FEATURE_BIT_NATIVE_ORDER, NDP_FEATURE_BIT_ALL_FIELDS_BIG},
        {NDP_FEATURE_BIT_OBJECT, NDP_FEATURE_BIT_MAP},
        {NDP_FEATURE_BIT_OBJECT, NDP_FEATURE_BIT_SUBCLASS},  /* memmap is the only generated class */
        {NDP_FEATURE_BIT_DETACHED, NDP_FEATURE_BIT_MAP},     /* a copy is not a map, */
        {NDP_FEATURE_BIT_DETACHED, NDP_FEATURE_BIT_BASE_1D}, /* and has its own memory */
        {NDP_FEATURE_BIT_PERMUTED, NDP_FEATURE_BIT_C_CONTIGUOUS},
        {NDP_FEATURE_BIT_PERMUTED, NDP_FEATURE_BIT_F_CONTIGUOUS},
        {NDP_FEATURE_BIT_ZERO_SIZE, NDP_FEATURE_BIT_UNALIGNED},
        {NDP_FEATURE_BIT_ZERO_DIM, NDP_FEATURE_BIT_BASE_1D},
        {NDP_FEATURE_BIT_OVERLAP, NDP_FEATURE_BIT_UNALIGNED},
        {NDP_FEATURE_BIT_LONG_HEADER, NDP_FEATURE_BIT_UNALIGNED}, /* structures align to one byte */
    };
    /* Rare on their own: limits of the header, the dimensions or the item; copies made by views; shapes without room
     * for more. */
    const uint32_t few = NDP_FEATURE_PADDING_NAME | NDP_FEATURE_LONG_HEADER | NDP_FEATURE_OVER_32_DIMS |
                         NDP_FEATURE_ITEMSIZE_ZERO | NDP_FEATURE_DETACHED | NDP_FEATURE_ZERO_DIM |
                         NDP_FEATURE_ZERO_SIZE | NDP_FEATURE_PERMUTED | NDP_FEATURE_ALL_FIELDS_BIG;
    if ((few >> a & 1) && (few >> b & 1)) return true;
    /* Excluded if every field is a big-endian leaf. */
    const uint32_t not_flat = NDP_FEATURE_SUBARRAY | NDP_FEATURE_OBJECT | NDP_FEATURE_VOID;
    if (a == NDP_FEATURE_BIT_ALL_FIELDS_BIG && (not_flat >> b & 1)) return true;
    if (b == NDP_FEATURE_BIT_ALL_FIELDS_BIG && (not_flat >> a & 1)) return true;
    for (size_t i = 0; i < NDP_ARRAY_LEN(rare); i++)
        if ((rare[i][0] == a && rare[i][1] == b) || (rare[i][0] == b && rare[i][1] == a)) return true;
    return false;
}

static const char *const feature_words[] = {
#define FEATURE_WORD(name, word) word,
    NDP_FEATURE_LIST(FEATURE_WORD)};

/* Traits beyond the features that must occur, counted over all cases. */
enum trait {
    TRAIT_MAP_1D_RESHAPED, /* a 1-D map reshaped to 2-D, whose order can be taken from the wrong array */
    TRAIT_1000,            /* elements of 985 to 1000 bytes, and of 1001 to 1016 bytes */
    TRAIT_1001,
    TRAIT_NDIM_32,
    TRAIT_NDIM_33,
    TRAIT_NDIM_64,
    TRAIT_HUGE_AND_ZERO, /* an extent above 65534 next to a 0 */
    TRAIT_ZERO_FIRST,
    TRAIT_ZERO_LAST,
    TRAIT_S0,
    TRAIT_U0,
    TRAIT_V0,
    TRAIT_EMPTY_STRUCT,
    TRAIT_NEGATIVE_STRIDE,
    TRAIT_ZERO_STRIDE,
    TRAIT_OVERLAPPING_WINDOW, /* a stride smaller than the item */
    TRAIT_ODD_STRIDE_OF_ONE,  /* an axis of length 1 with an unrelated stride */
    TRAIT_FIELD_VIEW,
    TRAIT_CAST_VIEW,
    TRAIT_REAL_VIEW,
    TRAIT_IMAG_VIEW,
    TRAIT_READONLY_MEMORY,
    TRAIT_MISALIGNED,
    TRAIT_MAP_R,
    TRAIT_MAP_RP,
    TRAIT_MAP_WP,
    TRAIT_MAP_C,
    TRAIT_MAP_PAGE, /* at a page boundary, and one byte next to it */
    TRAIT_MAP_OFF_PAGE,
    TRAIT_BOOL,
    TRAIT_UNIT_MULTIPLE,
    TRAIT_FIELDS_255_UP,
    TRAIT_NAME_65000,
    TRAIT_EMPTY_NAME,
    TRAIT_MIXED_ORDERS,
    TRAIT_HEX,
    TRAIT_COUNT
};

static bool has_negative(const struct ndp_layout *layout) {
    for (uint32_t i = 0; i < layout->ndim; i++)
        if (layout->shape[i] > 1 && layout->strides_bytes[i] < 0) return true;
    return false;
}

static uint64_t strides_traits(const struct ndp_array *array) {
    uint64_t seen = has_negative(&array->layout) ? UINT64_C(1) << TRAIT_NEGATIVE_STRIDE : 0;
    int64_t itemsize = (int64_t)array->dtype->itemsize_bytes;
    for (uint32_t i = 0; i < array->layout.ndim; i++) {
        int64_t extent = array->layout.shape[i];
        int64_t stride = array->layout.strides_bytes[i];
        if (extent > 1 && stride == 0 && itemsize > 0) seen |= UINT64_C(1) << TRAIT_ZERO_STRIDE;
        if (extent > 1 && stride > 0 && stride < itemsize) seen |= UINT64_C(1) << TRAIT_OVERLAPPING_WINDOW;
        if (extent == 1 && (stride == 12345 || stride == INT64_C(1) << 62))
            seen |= UINT64_C(1) << TRAIT_ODD_STRIDE_OF_ONE;
        if (extent == 0 && i == 0) seen |= UINT64_C(1) << TRAIT_ZERO_FIRST;
        if (extent == 0 && i + 1 == array->layout.ndim) seen |= UINT64_C(1) << TRAIT_ZERO_LAST;
        if (extent > 65534) seen |= UINT64_C(1) << TRAIT_HUGE_AND_ZERO;
    }
    return seen;
}

static uint64_t view_traits(const struct ndp_array_value *value) {
    static const struct {
        enum ndp_view_op op;
        enum trait trait;
    } rows[] = {{NDP_VIEW_FIELD, TRAIT_FIELD_VIEW},
                {NDP_VIEW_AS_DTYPE, TRAIT_CAST_VIEW},
                {NDP_VIEW_REAL, TRAIT_REAL_VIEW},
                {NDP_VIEW_IMAG, TRAIT_IMAG_VIEW}};
    uint64_t seen = 0;
    for (uint32_t i = 0; i < value->view_count; i++)
        for (size_t k = 0; k < NDP_ARRAY_LEN(rows); k++)
            if (value->views[i].op == rows[k].op) seen |= UINT64_C(1) << rows[k].trait;
    const bool is_reshaped =
        value->view_count > 0 && value->views[0].op == NDP_VIEW_RESHAPE && value->views[0].ndim == 2;
    if (is_reshaped && value->base.has_map && value->base.ndim == 1) seen |= UINT64_C(1) << TRAIT_MAP_1D_RESHAPED;
    return seen;
}

static uint64_t dtype_traits(const struct ndp_dtype *dtype) {
    uint64_t seen = 0;
    uint64_t size = dtype->itemsize_bytes;
    if (dtype->kind == NDP_KIND_BYTES && size == 0) seen |= UINT64_C(1) << TRAIT_S0;
    if (dtype->kind == NDP_KIND_TEXT && size == 0) seen |= UINT64_C(1) << TRAIT_U0;
    if (dtype->kind == NDP_KIND_VOID && size == 0) seen |= UINT64_C(1) << TRAIT_V0;
    if (dtype->kind == NDP_KIND_STRUCT && dtype->field_count == 0) seen |= UINT64_C(1) << TRAIT_EMPTY_STRUCT;
    if (dtype->kind == NDP_KIND_BOOL) seen |= UINT64_C(1) << TRAIT_BOOL;
    if (dtype->unit_multiple > 1) seen |= UINT64_C(1) << TRAIT_UNIT_MULTIPLE;
    if (dtype->field_count >= 255) seen |= UINT64_C(1) << TRAIT_FIELDS_255_UP;
    bool has_both = ndp_dtype_has_order(dtype, NDP_ORDER_BIG) && ndp_dtype_has_order(dtype, NDP_ORDER_LITTLE);
    if (has_both) seen |= UINT64_C(1) << TRAIT_MIXED_ORDERS;
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        if (dtype->fields[i].name.size_bytes > 65000) seen |= UINT64_C(1) << TRAIT_NAME_65000;
        if (dtype->fields[i].name.size_bytes == 0) seen |= UINT64_C(1) << TRAIT_EMPTY_NAME;
    }
    return seen;
}

static uint64_t base_traits(const struct ndp_base *base) {
    uint64_t seen = 0;
    if (base->is_readonly) seen |= UINT64_C(1) << TRAIT_READONLY_MEMORY;
    if (base->misalign_bytes > 0) seen |= UINT64_C(1) << TRAIT_MISALIGNED;
    if (base->data.pattern == NDP_PATTERN_HEX) seen |= UINT64_C(1) << TRAIT_HEX;
    if (!base->has_map) return seen;
    seen |= UINT64_C(1) << (TRAIT_MAP_R + (int)base->map_mode);
    if (base->map_offset_bytes == 4096) seen |= UINT64_C(1) << TRAIT_MAP_PAGE;
    if (base->map_offset_bytes == 4095 || base->map_offset_bytes == 4097) seen |= UINT64_C(1) << TRAIT_MAP_OFF_PAGE;
    return seen;
}

static uint64_t traits_of(const struct generated *generated) {
    const struct ndp_array_value *value = &generated->descriptor.value.array;
    uint64_t size = element_bytes(&generated->array);
    uint32_t ndim = generated->array.layout.ndim;
    uint64_t seen = strides_traits(&generated->array) | view_traits(value) | dtype_traits(value->base.dtype) |
                    base_traits(&value->base);
    if (size > 984 && size <= 1000) seen |= UINT64_C(1) << TRAIT_1000;
    if (size > 1000 && size <= 1016) seen |= UINT64_C(1) << TRAIT_1001;
    if (ndim == 32) seen |= UINT64_C(1) << TRAIT_NDIM_32;
    if (ndim == 33) seen |= UINT64_C(1) << TRAIT_NDIM_33;
    if (ndim == 64) seen |= UINT64_C(1) << TRAIT_NDIM_64;
    return seen;
}

/* Counts over all cases, computed once for all tests below. */
static struct survey {
    uint64_t sizes[CASES];
    uint32_t met[NDP_FEATURE_COUNT][NDP_FEATURE_COUNT];
    uint32_t traits[TRAIT_COUNT];
    uint32_t invalid;
} survey;

static void survey_case(uint32_t index) {
    struct generated generated;
    struct ndp_error error = {0};
    generate_case(&generated, index);
    if (ndp_descriptor_check(&generated.arena, &generated.descriptor, &error) != NDP_OK) {
        print_error("case %u: %s %s\n", index, error.path, error.text);
        survey.invalid++;
    }
    uint32_t features = ndp_array_features(&generated.array);
    uint64_t traits = traits_of(&generated);
    survey.sizes[index] = element_bytes(&generated.array);
    for (uint32_t a = 0; a < NDP_FEATURE_COUNT; a++)
        for (uint32_t b = 0; b < NDP_FEATURE_COUNT; b++) survey.met[a][b] += features >> a & features >> b & 1;
    for (int trait = 0; trait < TRAIT_COUNT; trait++) survey.traits[trait] += (uint32_t)(traits >> trait & 1);
    ndp_arena_clear(&generated.arena);
}

static int take_survey(void **state) {
    for (uint32_t i = 0; i < CASES; i++) survey_case(i);
    return 0;
}

static void every_value_is_valid(void **state) {
    assert_int_equal(survey.invalid, 0);
}

static void most_values_are_small_and_none_too_large(void **state) {
    qsort(survey.sizes, CASES, sizeof *survey.sizes, compare_sizes);
    assert_in_range(survey.sizes[CASES / 2], 16, 200);
    assert_in_range(survey.sizes[CASES * 9 / 10], 200, 1200);
    assert_in_range(survey.sizes[CASES - 1], 3000, 4096);
}

static void any_two_features_meet(void **state) {
    const uint32_t scarce = NDP_FEATURE_PADDING_NAME | NDP_FEATURE_LONG_HEADER | NDP_FEATURE_OVER_32_DIMS |
                            NDP_FEATURE_ITEMSIZE_ZERO | NDP_FEATURE_DETACHED;
    for (uint32_t a = 0; a < NDP_FEATURE_COUNT; a++) {
        if (survey.met[a][a] < 50) fail_msg("%s occurs %u times", feature_words[a], survey.met[a][a]);
        for (uint32_t b = 0; b < a; b++) {
            if (pair_is_rare((enum ndp_feature_bit)a, (enum ndp_feature_bit)b)) continue;
            bool is_scarce = (scarce >> a & 1) || (scarce >> b & 1);
            if (survey.met[a][b] >= (is_scarce ? 1U : 4U)) continue;
            fail_msg("%s and %s met %u times", feature_words[a], feature_words[b], survey.met[a][b]);
        }
    }
}

static void every_adversarial_feature_occurs(void **state) {
    for (int trait = 0; trait < TRAIT_COUNT; trait++) {
        uint32_t floor = trait == TRAIT_MAP_1D_RESHAPED ? 100 : trait == TRAIT_NAME_65000 ? 5 : 15;
        if (survey.traits[trait] >= floor) continue;
        fail_msg("trait %d occurs %u times, expected at least %u", trait, survey.traits[trait], floor);
    }
}

static void limits_are_kept(void **state) {
    const struct ndp_generate_limits limits = {
        .value_bytes = 100, .max_ndim = 3, .without_objects = true, .without_maps = true};
    for (uint32_t i = 0; i < 1000; i++) {
        struct ndp_choices choices;
        struct ndp_value value;
        struct ndp_array array;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        ndp_choices_init_seed(&choices, i);
        assert_int_equal(ndp_generate_value(&arena, &choices, &limits, &value), NDP_OK);
        assert_int_equal(ndp_array_build(&arena, &value.array, true, &array, NULL), NDP_OK);
        assert_true(array.buffer_bytes <= 100);
        assert_true(element_bytes(&array) <= 100);
        assert_true(array.layout.ndim <= 3);
        assert_false(value.array.base.has_map);
        assert_false(ndp_dtype_has_object(value.array.base.dtype));
    }
}

static void empty_input_gives_the_smallest_value(void **state) {
    struct ndp_choices choices;
    struct ndp_value value;
    const struct ndp_generate_limits limits = {0};
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    ndp_choices_init_bytes(&choices, (struct ndp_bytes){NULL, 0});
    assert_int_equal(ndp_generate_value(&arena, &choices, &limits, &value), NDP_OK);
    const struct ndp_base *base = &value.array.base;
    assert_int_equal(base->ndim, 0);
    assert_int_equal(base->dtype->kind, NDP_KIND_UINT);
    assert_int_equal(base->dtype->itemsize_bytes, 1);
    assert_int_equal(base->data.pattern, NDP_PATTERN_ZEROS);
    assert_int_equal(value.array.view_count, 0);
    assert_false(base->has_map || base->is_readonly || value.array.is_readonly);
}

static void any_bytes_give_a_valid_value(void **state) {
    struct ndp_rng rng;
    ndp_rng_init(&rng, 7);
    for (uint32_t i = 0; i < 2000; i++) {
        struct ndp_choices choices;
        struct ndp_descriptor descriptor = {0};
        const struct ndp_generate_limits limits = {0};
        size_t size = ndp_rng_next(&rng) % 200;
        uint8_t *input = malloc(size + 1);
        assert_non_null(input);
        for (size_t k = 0; k < size; k++) input[k] = (uint8_t)ndp_rng_next(&rng);
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        ndp_choices_init_bytes(&choices, (struct ndp_bytes){input, size});
        assert_int_equal(ndp_generate_value(&arena, &choices, &limits, &descriptor.value), NDP_OK);
        assert_int_equal(ndp_descriptor_check(&arena, &descriptor, NULL), NDP_OK);
        free(input);
    }
}

static void every_failing_allocation_is_reported(void **state) {
    for (uint32_t seed = 0; seed < 20; seed++) {
        for (uint64_t call = 1;; call++) {
            struct ndp_choices choices;
            struct ndp_value value = {.kind = NDP_VALUE_KIND_COUNT};
            const struct ndp_generate_limits limits = {0};
            NDP_ARENA_SCOPED(arena, ARENA_BYTES);
            ndp_arena_fail_at(&arena, call);
            ndp_choices_init_seed(&choices, seed);
            enum ndp_status status = ndp_generate_value(&arena, &choices, &limits, &value);
            bool is_reached = arena.allocations + 1 >= call && status != NDP_OK;
            if (status == NDP_OK) break;
            assert_int_equal(status, NDP_NOMEM);
            assert_true(is_reached);
            assert_int_equal(value.kind, NDP_VALUE_KIND_COUNT);
        }
    }
}

NDP_SUITE_FIXTURE(generate_value_test, take_survey, NULL, NDP_TEST(every_value_is_valid),
                  NDP_TEST(most_values_are_small_and_none_too_large), NDP_TEST(any_two_features_meet),
                  NDP_TEST(every_adversarial_feature_occurs), NDP_TEST(limits_are_kept),
                  NDP_TEST(empty_input_gives_the_smallest_value), NDP_TEST(any_bytes_give_a_valid_value),
                  NDP_TEST(every_failing_allocation_is_reported));
