/* The engine sees nothing of an input that is left out, and everything of the next one. */
#include "base/suite.h"
#include "fuzz.h"

const char fuzz_name[] = "test";
const unsigned fuzz_hashes_per_byte = 0;

static int runs, counted;

/* The second turn leaves out an input that begins with "!". */
int fuzz_one_input(const uint8_t *data, size_t size) {
    (void)fuzz_is_due(0, FUZZ_TURNS);
    (void)size;
    counted++;
    if (++runs == 2 && data[0] == '!') fuzz_leave_out();
    return 0;
}

void fuzz_forget_input(void) {
    counted = 0;
}

static int counted_of(const char *input) {
    runs = counted = 0;
    assert_int_equal(LLVMFuzzerTestOneInput((const uint8_t *)input, 2), 0);
    assert_int_equal(runs, FUZZ_TURNS);
    return counted;
}

static void test_an_input_that_is_left_out_has_no_coverage(void **state) {
    assert_int_equal(counted_of("!a"), 0);
    assert_int_equal(counted_of("?a"), FUZZ_TURNS);
}

NDP_SUITE(runtime_leave_out_test, NDP_TEST(test_an_input_that_is_left_out_has_no_coverage));
