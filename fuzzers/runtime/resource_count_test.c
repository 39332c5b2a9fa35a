#include "base/suite.h"
#include "runtime/resource_count.h"

static void test_open_files_are_counted(void **state) {
    const uint32_t before = fuzz_files_open();
    const int first = dup(STDIN_FILENO), second = dup(STDIN_FILENO);
    assert_true(first >= 0 && second > first && before > 0);
    assert_int_equal(fuzz_files_open(), before + 2);
    assert_int_equal(close(first), 0);
    assert_int_equal(fuzz_files_open(), before + 1);
    assert_int_equal(close(second), 0);
    assert_int_equal(fuzz_files_open(), before);
}

NDP_SUITE(resource_count_test, NDP_TEST(test_open_files_are_counted));
