/* cross_test.c: a crossover is valid, has parts of both descriptors, and is deterministic. */
#include "base/suite.h"
#include "generate/generate_parts.h"

enum { ARENA_BYTES = 1 << 26, PAIRS = 600 };

static void generate_case(struct ndp_arena *arena, uint64_t seed, struct ndp_descriptor *out) {
    struct ndp_choices choices;
    ndp_choices_init_seed(&choices, seed);
    *out = (struct ndp_descriptor){.kind = NDP_CASE_ROUND_TRIP};
    assert_int_equal(ndp_generate_value(arena, &choices, &(struct ndp_generate_limits){0}, &out->value), NDP_OK);
}

static void check_cross(struct ndp_arena *arena, uint64_t seed, struct ndp_buffer *text, bool *has_both) {
    struct ndp_descriptor parents[2], child;
    struct ndp_choices choices;
    struct ndp_error error = {0};
    for (uint64_t i = 0; i < 2; i++) generate_case(arena, 2 * seed + i, &parents[i]);
    ndp_choices_init_seed(&choices, seed);
    assert_int_equal(ndp_generate_cross(arena, &choices, &parents[0], &parents[1], &child), NDP_OK);
    if (ndp_descriptor_check(arena, &child, &error) != NDP_OK) fail_msg("%s %s", error.path, error.text);
    assert_int_equal(ndp_descriptor_print(text, &child), NDP_OK);
    const struct ndp_base *first = &parents[0].value.array.base, *second = &parents[1].value.array.base;
    const struct ndp_base *made = &child.value.array.base;
    *has_both = (made->dtype == first->dtype && made->shape == second->shape) ||
                (made->dtype == second->dtype && made->shape == first->shape);
}

static void children_are_valid_and_have_parts_of_both(void **state) {
    uint32_t both = 0;
    for (uint64_t seed = 0; seed < PAIRS; seed++) {
        struct ndp_buffer texts[2];
        for (int i = 0; i < 2; i++) {
            bool has_both = false;
            NDP_ARENA_SCOPED(arena, ARENA_BYTES);
            ndp_buffer_init(&texts[i], 1 << 24);
            check_cross(&arena, seed, &texts[i], &has_both);
            both += has_both;
        }
        assert_true(ndp_bytes_is_equal(ndp_buffer_view(&texts[0]), ndp_buffer_view(&texts[1])));
        for (int i = 0; i < 2; i++) ndp_buffer_clear(&texts[i]);
    }
    assert_true(both > PAIRS / 4);
}

/* A case of bytes has no parts to exchange: it is mutated and stays a case of bytes. */
static void bytes_are_mutated(void **state) {
    struct ndp_choices choices;
    struct ndp_descriptor value, child;
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    const struct ndp_descriptor bytes = {.kind = NDP_CASE_DECODE, .bytes = ndp_bytes_view("abc")};
    generate_case(&arena, 1, &value);
    ndp_choices_init_seed(&choices, 1);
    assert_int_equal(ndp_generate_cross(&arena, &choices, &bytes, &value, &child), NDP_OK);
    assert_int_equal(child.kind, NDP_CASE_DECODE);
    assert_true(child.bytes.size_bytes > 0);
}

NDP_SUITE(cross_test, NDP_TEST(children_are_valid_and_have_parts_of_both), NDP_TEST(bytes_are_mutated));
