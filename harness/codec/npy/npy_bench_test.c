#include "base/suite.h"
#include "codec/bench_lab.h"
#include "codec/npy/npy_decode.h"

enum { ROWS = 4096, COLUMNS = (1 << 20) / 8 / ROWS };

static void rates_are_checked_against_the_library(void **state) {
    lab_check_bounds(10);
}

/* Encodes and decodes four large arrays as often as it requests the same of the library, and two small ones. The last
 * file has every second column. */
static void the_library_does_the_same_work(void **state) {
    static const uint8_t second[8] = {112, 119, 126, 133, 140, 147, 154, 161}; /* bytes 16 to 23, times 7 */
    static struct bench_lab lab;
    NDP_NPY_ARRAY_SCOPED(array);
    lab_run(&lab, SLOW_LIBRARY, "1");
    assert_int_equal(lab_count(lab.asked, "take /"), 3);
    assert_int_equal(lab_count(lab.asked, "take-strided /"), 1);
    assert_int_equal(lab_count(lab.asked, "save /"), 4 * BENCH_REPEATS);
    assert_int_equal(lab_count(lab.asked, "load /"), 4 * BENCH_REPEATS);
    assert_int_equal(lab_count(lab.asked, "trip 1\n"), BENCH_REPEATS);
    assert_int_equal(lab_count(lab.asked, "trip 128\n"), BENCH_REPEATS);
    NDP_ARENA_SCOPED(arena, 1 << 20);
    assert_int_equal(ndp_npy_decode_file(&arena, lab.kept, NULL, &array, NULL), NDP_OK);
    assert_int_equal(array.layout.ndim, 2);
    assert_int_equal(array.layout.shape[0], ROWS);
    assert_int_equal(array.layout.shape[1], COLUMNS / 2);
    assert_memory_equal(array.data + 8, second, sizeof second);
    lab_end(&lab);
}

static void failures_of_the_bench_are_reported(void **state) {
    lab_check_failures();
}

NDP_SUITE(npy_bench_test, cmocka_unit_test(rates_are_checked_against_the_library),
          cmocka_unit_test(the_library_does_the_same_work), cmocka_unit_test(failures_of_the_bench_are_reported));
