#include "base/suite.h"
#include "codec/bench_lab.h"
#include "codec/joblib/joblib_read.h"

static void rates_are_compared_with_the_library(void **state) {
    lab_check_bounds(6);
}

/* Each library runs the same task as its codec, as often. The last file is joblib's, with the whole array. */
static void the_libraries_do_the_same_work(void **state) {
    static const char *const libraries[] = {"numpy", "joblib"};
    static const uint8_t second[8] = {56, 63, 70, 77, 84, 91, 98, 105}; /* bytes 8 to 15, times 7 */
    static struct bench_lab lab;
    struct ndp_npy_array array;
    lab_run(&lab, SLOW_LIBRARY, "1");
    assert_int_equal(lab_count(lab.asked, "numpy make 131072\n"), 1);
    for (size_t i = 0; i < NDP_ARRAY_LEN(libraries); i++) {
        static const char *const tasks[] = {"dump /", "load /", "trip 128\n"};
        for (size_t k = 0; k < NDP_ARRAY_LEN(tasks); k++) {
            char task[32];
            (void)snprintf(task, sizeof task, "%s %s", libraries[i], tasks[k]);
            assert_int_equal(lab_count(lab.asked, task), BENCH_REPEATS);
        }
    }
    NDP_ARENA_SCOPED(arena, 1 << 20);
    assert_int_equal(ndp_joblib_decode_file(&arena, lab.kept, NULL, &array, NULL), NDP_OK);
    assert_int_equal(array.layout.ndim, 1);
    assert_int_equal(array.layout.shape[0], 131072);
    assert_memory_equal(array.data + 8, second, sizeof second);
    ndp_npy_array_clear(&array);
    lab_end(&lab);
}

static void missing_measurements_are_reported(void **state) {
    lab_check_failures();
}

NDP_SUITE(pickle_bench_test, cmocka_unit_test(rates_are_compared_with_the_library),
          cmocka_unit_test(the_libraries_do_the_same_work), cmocka_unit_test(missing_measurements_are_reported));
