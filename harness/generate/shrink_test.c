/* shrink_test.c: neighbours are valid and smaller, and shrinking ends at the examples that a person would write. */
#include "base/arena_fixture.h"
#include "base/suite.h"
#include "generate/shrink_parts.h"

/* Smallest examples, written by hand. */
#define BASE(text)         "{\"ndproof\":1,\"value\":{\"array\":{\"base\":{" text "}}}}"
#define VIEWED(text, view) "{\"ndproof\":1,\"value\":{\"array\":{\"base\":{" text "},\"views\":[{" view "}]}}}"

enum { ARENA_BYTES = 1 << 28, MOST_STEPS = 4000 };

typedef bool predicate(const struct ndp_descriptor *descriptor, const struct ndp_array *array);

static bool meets(predicate *is_wanted, const struct ndp_descriptor *descriptor) {
    struct ndp_array array;
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    assert_int_equal(ndp_array_build(&arena, &descriptor->value.array, true, &array, NULL), NDP_OK);
    return is_wanted(descriptor, &array);
}

/* Takes the first neighbour that meets the predicate until there is none. Returns the number of tried neighbours. */
static uint32_t shrink_to_end(struct ndp_arena *arena, predicate *is_wanted, struct ndp_descriptor *descriptor) {
    uint32_t tried = 0;
    uint32_t step = 0;
    while (tried < MOST_STEPS) {
        struct ndp_descriptor next;
        bool is_done = false;
        assert_int_equal(ndp_shrink_step(arena, descriptor, step, &next, &is_done), NDP_OK);
        if (is_done) return tried;
        tried++;
        step++;
        if (!meets(is_wanted, &next)) continue;
        *descriptor = next;
        step = 0;
    }
    fail_msg("shrinking did not end after %u neighbours", tried);
    return tried;
}

static void generate_case(struct ndp_arena *arena, uint64_t seed, struct ndp_descriptor *out) {
    struct ndp_choices choices;
    const struct ndp_generate_limits limits = {0};
    *out = (struct ndp_descriptor){0};
    ndp_choices_init_seed(&choices, ndp_rng_mix(11, seed));
    assert_int_equal(ndp_generate_value(arena, &choices, &limits, &out->value), NDP_OK);
}

/* Shrinks the first `wanted` generated values with the property, and compares each result with `texts`. */
static void shrinks_to(predicate *is_wanted, uint32_t wanted, uint32_t most_tried, const char *const *texts) {
    uint32_t found = 0;
    for (uint64_t seed = 0; found < wanted && seed < 20000; seed++) {
        struct ndp_descriptor descriptor;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        generate_case(&arena, seed, &descriptor);
        if (meets(is_wanted, &descriptor)) {
            uint32_t tried = shrink_to_end(&arena, is_wanted, &descriptor);
            bool is_expected = false;
            NDP_BUFFER_SCOPED(text, 1 << 20);
            assert_int_equal(ndp_descriptor_print(&text, &descriptor), NDP_OK);
            for (const char *const *at = texts; *at != NULL; at++)
                if (ndp_bytes_is_equal(ndp_buffer_view(&text), ndp_bytes_view(*at))) is_expected = true;
            if (!is_expected || tried > most_tried) {
                print_error("seed %lu: %u tried: %.*s\n", (unsigned long)seed, tried, (int)text.size_bytes,
                            (const char *)text.data);
            }
            assert_true(is_expected);
            assert_true(tried <= most_tried);
            found++;
        }
    }
    assert_int_equal(found, wanted);
}

static bool is_anything(const struct ndp_descriptor *descriptor, const struct ndp_array *array) {
    (void)descriptor;
    (void)array;
    return true;
}

static bool is_big_with_axis(const struct ndp_descriptor *descriptor, const struct ndp_array *array) {
    (void)descriptor;
    return ndp_dtype_has_order(array->dtype, NDP_ORDER_BIG) && array->layout.ndim >= 1;
}

static bool is_map_reshaped(const struct ndp_descriptor *descriptor, const struct ndp_array *array) {
    return descriptor->value.array.base.ndim == 1 && array->map.is_backed && array->layout.ndim == 2 &&
           array->layout.shape[0] > 1 && array->layout.shape[1] > 1 &&
           ndp_layout_is_c_contiguous(&array->layout, array->dtype->itemsize_bytes);
}

static bool is_past_1000_bytes(const struct ndp_descriptor *descriptor, const struct ndp_array *array) {
    (void)descriptor;
    return ndp_layout_count(&array->layout) * array->dtype->itemsize_bytes > 1000;
}

static bool has_negative_stride(const struct ndp_descriptor *descriptor, const struct ndp_array *array) {
    (void)descriptor;
    for (uint32_t i = 0; i < array->layout.ndim; i++)
        if (array->layout.shape[i] > 1 && array->layout.strides_bytes[i] < 0) return true;
    return false;
}

static bool has_title(const struct ndp_descriptor *descriptor, const struct ndp_array *array) {
    (void)descriptor;
    return ndp_dtype_has_titles(array->dtype);
}

static bool is_flat_big_struct(const struct ndp_descriptor *descriptor, const struct ndp_array *array) {
    (void)descriptor;
    return (ndp_array_features(array) & NDP_FEATURE_ALL_FIELDS_BIG) != 0 && array->dtype->field_count >= 2 &&
           ndp_layout_count(&array->layout) >= 3;
}

static void anything_shrinks_to_one_zero_byte(void **state) {
    static const char *const texts[] = {BASE("\"dtype\":\"|u1\",\"shape\":[]"), NULL};
    shrinks_to(is_anything, 100, 10, texts);
}

static void a_big_endian_axis_shrinks_to_the_obvious(void **state) {
    static const char *const texts[] = {BASE("\"dtype\":\">i4\",\"shape\":[0]"), NULL};
    shrinks_to(is_big_with_axis, 20, 400, texts);
}

static void a_reshaped_map_shrinks_to_two_by_two(void **state) {
    static const char *const texts[] = {
        VIEWED("\"dtype\":\"|u1\",\"shape\":[4],\"memmap\":{\"mode\":\"r\"}", "\"reshape\":[2,2]"), NULL};
    shrinks_to(is_map_reshaped, 12, 700, texts);
}

/* The dtype may stay: a smaller one needs more elements, which no single small step produces. */
static void a_thousand_bytes_shrink_to_one_more_item(void **state) {
    uint32_t found = 0;
    for (uint64_t seed = 0; found < 10 && seed < 20000; seed++) {
        struct ndp_descriptor descriptor;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        generate_case(&arena, seed, &descriptor);
        if (meets(is_past_1000_bytes, &descriptor)) {
            assert_true(shrink_to_end(&arena, is_past_1000_bytes, &descriptor) <= 1500);
            const struct ndp_base *base = &descriptor.value.array.base;
            assert_int_equal(descriptor.value.array.view_count, 0);
            assert_int_equal(base->ndim, 1);
            assert_false(base->has_map || base->is_readonly || base->misalign_bytes > 0);
            assert_true((uint64_t)(base->shape[0] - 1) * base->dtype->itemsize_bytes <= 1000);
            found++;
        }
    }
    assert_int_equal(found, 10);
}

static void every_neighbour_is_valid_and_smaller(void **state) {
    uint64_t seen = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct ndp_descriptor from;
        bool is_done = false;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        generate_case(&arena, seed, &from);
        const struct ndp_measure bound = ndp_shrink_measure(&from);
        for (uint32_t step = 0; step < 200; step++) {
            struct ndp_descriptor to;
            assert_int_equal(ndp_shrink_step(&arena, &from, step, &to, &is_done), NDP_OK);
            if (is_done) break;
            const struct ndp_measure measure = ndp_shrink_measure(&to);
            assert_true(ndp_shrink_measure_is_less(&measure, &bound));
            assert_int_equal(ndp_descriptor_check(&arena, &to, NULL), NDP_OK);
            seen++;
        }
    }
    assert_true(seen > 40 * 10);
}

static void the_smallest_has_no_neighbour(void **state) {
    struct ndp_arena *arena = *state;
    static const struct ndp_dtype byte = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1};
    struct ndp_descriptor from = {0};
    struct ndp_descriptor to;
    bool is_done = false;
    from.value.array.base.dtype = &byte;
    assert_int_equal(ndp_shrink_step(arena, &from, 0, &to, &is_done), NDP_OK);
    assert_true(is_done);
}

static void a_fault_stays_while_its_value_shrinks(void **state) {
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct ndp_choices choices;
        struct ndp_descriptor descriptor;
        const struct ndp_generate_limits limits = {0};
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        ndp_choices_init_seed(&choices, seed);
        assert_int_equal(ndp_generate_fault(&arena, &choices, "npy", &limits, &descriptor), NDP_OK);
        const struct ndp_fault fault = descriptor.fault;
        enum ndp_expect expect = descriptor.expect;
        (void)shrink_to_end(&arena, is_anything, &descriptor);
        assert_string_equal(descriptor.fault.name, fault.name);
        assert_int_equal(descriptor.expect, expect);
        assert_int_equal(ndp_descriptor_check(&arena, &descriptor, NULL), NDP_OK);
        assert_true(descriptor.fault.argument <= fault.argument);
    }
}

/* Shrinks the bytes of a corpus file while they contain the byte 0x7f. The result is no longer that file. */
static void bytes_shrink_to_the_one_that_matters(void **state) {
    struct ndp_arena *arena = *state;
    uint8_t bytes[500];
    struct ndp_descriptor descriptor = {
        .kind = NDP_CASE_DECODE, .bytes = {bytes, sizeof bytes}, .file = "npy/accept/f8_c.npy"};
    memset(bytes, 0x11, sizeof bytes);
    bytes[321] = 0x7f;
    uint32_t tried = 0;
    bool is_done = false;
    for (uint32_t step = 0; !is_done && tried < MOST_STEPS; step++, tried++) {
        struct ndp_descriptor next;
        assert_int_equal(ndp_shrink_step(arena, &descriptor, step, &next, &is_done), NDP_OK);
        if (is_done || memchr(next.bytes.data, 0x7f, next.bytes.size_bytes) == NULL) continue;
        descriptor = next;
        step = UINT32_MAX; /* restarts at 0 */
    }
    assert_true(is_done);
    assert_int_equal(descriptor.bytes.size_bytes, 1);
    assert_int_equal(descriptor.bytes.data[0], 0x7f);
    assert_string_equal(descriptor.file, "");
}

static void every_failing_allocation_is_reported(void **state) {
    struct ndp_descriptor from;
    NDP_ARENA_SCOPED(own, ARENA_BYTES);
    generate_case(&own, 4, &from);
    for (uint64_t call = 1;; call++) {
        struct ndp_descriptor to = {.kind = NDP_CASE_DECODE};
        bool is_done = true;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        ndp_arena_fail_at(&arena, call);
        enum ndp_status status = ndp_shrink_step(&arena, &from, 3, &to, &is_done);
        if (status == NDP_OK) break;
        assert_int_equal(status, NDP_NOMEM);
        assert_int_equal(to.kind, NDP_CASE_DECODE);
        assert_true(is_done);
    }
}

static void a_negative_stride_shrinks_to_one_slice(void **state) {
    static const char *const texts[] = {VIEWED("\"dtype\":\"|u1\",\"shape\":[2]", "\"slice\":[[1,-1,2]]"), NULL};
    shrinks_to(has_negative_stride, 15, 700, texts);
}

static void a_title_shrinks_to_one_field(void **state) {
    static const char *const texts[] = {BASE("\"dtype\":{\"fields\":[{\"name\":\"a\",\"title\":\"b\",\"offset\":0,"
                                             "\"dtype\":\"|u1\"}],\"itemsize\":1},\"shape\":[]"),
                                        NULL};
    shrinks_to(has_title, 15, 700, texts);
}

static void a_flat_structure_keeps_what_matters(void **state) {
    static const char *const texts[] = {
        BASE("\"dtype\":{\"fields\":[{\"name\":\"a\",\"offset\":0,\"dtype\":\">i4\"},{\"name\":\"b\",\"offset\":4,"
             "\"dtype\":\">i4\"}],\"itemsize\":8},\"shape\":[3]"),
        NULL};
    shrinks_to(is_flat_big_struct, 12, 700, texts);
}

NDP_SUITE_FIXTURE(shrink_test, make_arena, clear_arena, NDP_TEST(anything_shrinks_to_one_zero_byte),
                  NDP_TEST(a_big_endian_axis_shrinks_to_the_obvious), NDP_TEST(a_reshaped_map_shrinks_to_two_by_two),
                  NDP_TEST(a_thousand_bytes_shrink_to_one_more_item), NDP_TEST(a_negative_stride_shrinks_to_one_slice),
                  NDP_TEST(a_title_shrinks_to_one_field), NDP_TEST(a_flat_structure_keeps_what_matters),
                  NDP_TEST(every_neighbour_is_valid_and_smaller), NDP_TEST(the_smallest_has_no_neighbour),
                  NDP_TEST(a_fault_stays_while_its_value_shrinks), NDP_TEST(bytes_shrink_to_the_one_that_matters),
                  NDP_TEST(every_failing_allocation_is_reported));
