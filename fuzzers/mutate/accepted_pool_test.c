/* The pool stores each input once, gives any of them, and never exceeds its capacity. */

#include "base/suite.h"
#include "mutate/accepted_pool.h"

enum { PICKS = 2000, MANY = 5000 };

static void keep_number(unsigned number) {
    char text[16];
    snprintf(text, sizeof text, "input %u", number);
    fuzz_pool_keep(ndp_bytes_view(text));
}

static unsigned pick_number(struct ndp_choices *choices) {
    struct ndp_bytes input;
    unsigned number = 0;
    char text[16] = "";
    assert_true(fuzz_pool_pick(choices, &input));
    assert_in_range(input.size_bytes, 1, sizeof text - 1);
    memcpy(text, input.data, (size_t)input.size_bytes);
    assert_int_equal(sscanf(text, "input %u", &number), 1);
    return number;
}

static void test_stored_inputs_are_selected(void **state) {
    static uint8_t large[1 << 13];
    struct ndp_choices choices;
    struct ndp_bytes input;
    ndp_choices_init_seed(&choices, 1);
    assert_false(fuzz_pool_pick(&choices, &input));
    fuzz_pool_keep((struct ndp_bytes){large, sizeof large});
    fuzz_pool_keep((struct ndp_bytes){large, 0});
    assert_false(fuzz_pool_pick(&choices, &input));
    for (int i = 0; i < 100; i++) keep_number(1);
    keep_number(2);
    unsigned first = 0;
    for (int i = 0; i < PICKS; i++) first += pick_number(&choices) == 1;
    assert_in_range(first, PICKS * 2 / 5, PICKS * 3 / 5);
}

static void test_a_full_pool_replaces_an_input(void **state) {
    struct ndp_choices choices;
    ndp_choices_init_seed(&choices, 1);
    for (unsigned i = 0; i < MANY; i++) keep_number(i);
    unsigned old = 0;
    for (int i = 0; i < PICKS; i++) {
        const unsigned number = pick_number(&choices);
        assert_in_range(number, 0, MANY - 1);
        old += number < MANY / 2;
    }
    assert_in_range(old, 0, PICKS / 10);
}

NDP_SUITE(accepted_pool_test, NDP_TEST(test_stored_inputs_are_selected), NDP_TEST(test_a_full_pool_replaces_an_input));
