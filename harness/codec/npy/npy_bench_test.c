#include "base/suite.h"
#include "codec/bench_lab.h"
#include "codec/npy/npy_decode.h"

enum { ROWS = 4096, COLUMNS = (1 << 20) / 8 / ROWS };

static void rates_are_held_to_the_library(void **state) {
    (void)state;
    lab_check_bounds(10);
}

/* Four arrays, each encoded and decoded as often as the library is asked for the same; two sizes of small ones. The
 * last file is that of every other column. */
static void the_library_does_the_same_work(void **state) {
    static const uint8_t second[8] = {112, 119, 126, 133, 140, 147, 154, 161}; /* bytes 16 to 23, times 7 */
    static struct bench_lab lab;
    struct ndp_arena arena;
    struct ndp_npy_array array;
    (void)state;
    lab_run(&lab, SLOW_LIBRARY, "1");
    assert_int_equal(lab_count(lab.asked, "take /"), 3);
    assert_int_equal(lab_count(lab.asked, "take-strided /"), 1);
    assert_int_equal(lab_count(lab.asked, "save /"), 4 * BENCH_REPEATS);
    assert_int_equal(lab_count(lab.asked, "load /"), 4 * BENCH_REPEATS);
    assert_int_equal(lab_count(lab.asked, "trip 1\n"), BENCH_REPEATS);
    assert_int_equal(lab_count(lab.asked, "trip 128\n"), BENCH_REPEATS);
    ndp_arena_init(&arena, 1 << 20);
    assert_int_equal(ndp_npy_decode_file(&arena, lab.kept, NULL, &array, NULL), NDP_OK);
    assert_int_equal(array.layout.ndim, 2);
    assert_int_equal(array.layout.shape[0], ROWS);
    assert_int_equal(array.layout.shape[1], COLUMNS / 2);
    assert_memory_equal(array.data + 8, second, sizeof second);
    ndp_npy_array_clear(&array);
    ndp_arena_clear(&arena);
    lab_end(&lab);
}

static void what_cannot_be_measured_is_told(void **state) {
    (void)state;
    lab_check_failures();
}

NDP_SUITE(npy_bench_test, cmocka_unit_test(rates_are_held_to_the_library),
          cmocka_unit_test(the_library_does_the_same_work), cmocka_unit_test(what_cannot_be_measured_is_told));
