/* Of an input that is to be left out an engine sees nothing, and of the next one all. */
#include "base/suite.h"
#include "fuzz.h"

enum { WAYS = 4 };

const char fuzz_name[] = "test";
const unsigned fuzz_hashes_per_byte = 0;

static int runs, counted;

/* The second of its ways leaves out what begins with "!". */
int fuzz_one_input(const uint8_t *data, size_t size) {
    (void)fuzz_way(data, size, WAYS);
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
    assert_int_equal(runs, WAYS);
    return counted;
}

static void what_is_left_out_counts_nothing_whatever_way_it_goes(void **state) {
    (void)state;
    assert_int_equal(counted_of("!a"), 0);
    assert_int_equal(counted_of("?a"), WAYS);
}

NDP_SUITE(runtime_left_test, cmocka_unit_test(what_is_left_out_counts_nothing_whatever_way_it_goes));
