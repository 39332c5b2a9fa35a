/* What is asked for is known; the heap may round it up by less than a page. */
#include "target/process/heap_meter.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/suite.h"

enum { BLOCK_BYTES = 1 << 20, ROUNDING_BYTES = 8192 };

static void assert_peak(uint64_t expected) {
    assert_in_range(ndp_heap_peak_bytes(), expected, expected + ROUNDING_BYTES);
}

/* Gives a block that no compiler takes out of the program. */
static void *take(size_t size_bytes) {
    char *volatile block = malloc(size_bytes);
    assert_non_null(block);
    return block;
}

static void the_most_at_once_is_told(void **state) {
    (void)state;
    if (!ndp_heap_is_metered()) skip();
    void *before = take(BLOCK_BYTES);
    ndp_heap_begin();
    assert_peak(0);
    for (int i = 0; i < 3; i++) free(take(BLOCK_BYTES));
    assert_peak(BLOCK_BYTES);
    void *a = take(BLOCK_BYTES), *b = take(2 * BLOCK_BYTES);
    free(a);
    free(b);
    assert_peak(3 * BLOCK_BYTES);
    free(before);
    ndp_heap_begin();
    assert_peak(0);
    assert_int_equal(ndp_heap_end(), 0);
}

/* What lies outside of a measurement is none of its business. */
static void nothing_counts_behind_the_end(void **state) {
    (void)state;
    if (!ndp_heap_is_metered()) skip();
    ndp_heap_begin();
    void *kept = take(BLOCK_BYTES);
    assert_in_range(ndp_heap_end(), BLOCK_BYTES, BLOCK_BYTES + ROUNDING_BYTES);
    free(take(4 * BLOCK_BYTES));
    assert_peak(BLOCK_BYTES);
    free(kept);
    ndp_heap_begin();
    assert_int_equal(ndp_heap_end(), 0);
}

static void every_way_to_take_memory_counts(void **state) {
    (void)state;
    void *block = NULL;
    if (!ndp_heap_is_metered()) skip();
    ndp_heap_begin();
    void *volatile zeroed = calloc(4, BLOCK_BYTES / 4);
    assert_peak(BLOCK_BYTES);
    assert_int_equal(posix_memalign(&block, 4096, BLOCK_BYTES), 0);
    assert_peak(2 * BLOCK_BYTES);
    void *volatile aligned = aligned_alloc(64, BLOCK_BYTES);
    assert_peak(3 * BLOCK_BYTES);
    free(block);
    free(aligned);
    ndp_heap_begin();
    void *volatile grown = realloc(zeroed, 3 * BLOCK_BYTES);
    assert_non_null(grown);
    assert_in_range(ndp_heap_peak_bytes(), 2 * BLOCK_BYTES - ROUNDING_BYTES, 3 * BLOCK_BYTES + ROUNDING_BYTES);
    free(grown);
}

static void *work(void *context) {
    (void)context;
    free(take(BLOCK_BYTES));
    return NULL;
}

static void other_threads_count(void **state) {
    (void)state;
    pthread_t thread;
    if (!ndp_heap_is_metered()) skip();
    ndp_heap_begin();
    assert_int_equal(pthread_create(&thread, NULL, work, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_in_range(ndp_heap_peak_bytes(), BLOCK_BYTES, 2 * BLOCK_BYTES);
}

NDP_SUITE(heap_meter_test, cmocka_unit_test(the_most_at_once_is_told), cmocka_unit_test(nothing_counts_behind_the_end),
          cmocka_unit_test(every_way_to_take_memory_counts), cmocka_unit_test(other_threads_count));
