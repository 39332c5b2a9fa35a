/* choices_test.c: choices from a seed and from bytes. */
#include "base/suite.h"
#include "generate/generate_parts.h"

static void zero_bytes_are_the_simplest_choice(void **state) {
    static const uint8_t zeros[64] = {0};
    const uint64_t bounds[] = {1, 2, 255, 256, 257, 65536, 65537, UINT64_C(1) << 32, UINT64_MAX};
    struct ndp_choices choices;
    ndp_choices_init_bytes(&choices, (struct ndp_bytes){zeros, sizeof zeros});
    for (size_t i = 0; i < NDP_ARRAY_LEN(bounds); i++) assert_int_equal(ndp_choose(&choices, bounds[i]), 0);
    assert_false(ndp_choose_rarely(&choices, 2));
    assert_int_equal(ndp_choose_weighted(&choices, (const uint8_t[]){1, 200}, 2), 0);
}

static void exhausted_input_reads_as_zeros(void **state) {
    const uint8_t one[1] = {0x2a};
    struct ndp_choices choices;
    ndp_choices_init_bytes(&choices, (struct ndp_bytes){one, 1});
    assert_int_equal(ndp_choose(&choices, 65536), 0x2a); /* the missing high byte reads as 0 */
    assert_int_equal(ndp_choose(&choices, 256), 0);
    assert_int_equal(ndp_choose(&choices, UINT64_MAX), 0);
    ndp_choices_init_bytes(&choices, (struct ndp_bytes){NULL, 0});
    for (int i = 0; i < 10; i++) assert_int_equal(ndp_choose(&choices, 1000), 0);
}

static void a_choice_takes_as_few_bytes_as_its_bound(void **state) {
    const uint8_t bytes[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    struct ndp_choices choices;
    ndp_choices_init_bytes(&choices, (struct ndp_bytes){bytes, sizeof bytes});
    assert_int_equal(ndp_choose(&choices, 1), 0);
    assert_int_equal(choices.input.at_bytes, 0);
    assert_int_equal(ndp_choose(&choices, 256), 1);
    assert_int_equal(ndp_choose(&choices, 65536), 0x0302);
    assert_int_equal(ndp_choose(&choices, UINT64_C(1) << 32), 0x07060504);
    assert_int_equal(ndp_choose(&choices, UINT64_MAX), UINT64_C(0x0f0e0d0c0b0a0908));
}

static void a_rare_choice_has_the_requested_rate(void **state) {
    struct ndp_choices choices;
    ndp_choices_init_seed(&choices, 1);
    uint32_t hits = 0;
    for (int i = 0; i < 10000; i++) hits += ndp_choose_rarely(&choices, 10);
    assert_in_range(hits, 850, 1150);
}

static void weights_are_respected(void **state) {
    struct ndp_choices choices;
    ndp_choices_init_seed(&choices, 2);
    const uint8_t weights[] = {10, 0, 30, 60};
    uint32_t seen[4] = {0};
    for (int i = 0; i < 10000; i++) seen[ndp_choose_weighted(&choices, weights, 4)]++;
    assert_in_range(seen[0], 850, 1150);
    assert_int_equal(seen[1], 0);
    assert_in_range(seen[2], 2750, 3250);
    assert_in_range(seen[3], 5700, 6300);
}

static void every_bound_is_kept(void **state) {
    struct ndp_choices choices;
    ndp_choices_init_seed(&choices, 3);
    for (uint64_t bound = 1; bound < 2000; bound++) assert_true(ndp_choose(&choices, bound) < bound);
    for (int i = 0; i < 100; i++) assert_in_range(ndp_choose_between(&choices, 5, 7), 5, 7);
    (void)ndp_choose_between(&choices, 0, UINT64_MAX);
}

NDP_SUITE(choices_test, NDP_TEST(zero_bytes_are_the_simplest_choice), NDP_TEST(exhausted_input_reads_as_zeros),
          NDP_TEST(a_choice_takes_as_few_bytes_as_its_bound), NDP_TEST(a_rare_choice_has_the_requested_rate),
          NDP_TEST(weights_are_respected), NDP_TEST(every_bound_is_kept));
