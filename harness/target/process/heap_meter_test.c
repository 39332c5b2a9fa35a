/* heap_meter_test.c: the requested sizes are known; the heap may round each up by less than a page. */
#include "base/suite.h"
#include "target/process/heap_meter.h"

#include <pthread.h>

enum { BLOCK_BYTES = 1 << 20, ROUNDING_BYTES = 8192 };

static void assert_peak(uint64_t expected) {
    assert_in_range(ndp_heap_meter_peak_bytes(), expected, expected + ROUNDING_BYTES);
}

/* Allocates a block that the compiler cannot optimise away. */
static void *allocate(size_t size_bytes) {
    char *volatile block = malloc(size_bytes);
    assert_non_null(block);
    return block;
}

static void the_peak_is_reported(void **state) {
    if (!ndp_heap_meter_is_available()) skip();
    void *before = allocate(BLOCK_BYTES);
    ndp_heap_meter_begin();
    assert_peak(0);
    for (int i = 0; i < 3; i++) free(allocate(BLOCK_BYTES));
    assert_peak(BLOCK_BYTES);
    void *a = allocate(BLOCK_BYTES), *b = allocate(2 * BLOCK_BYTES);
    free(a);
    free(b);
    assert_peak(3 * BLOCK_BYTES);
    free(before);
    ndp_heap_meter_begin();
    assert_peak(0);
    assert_int_equal(ndp_heap_meter_end(), 0);
}

/* Allocations outside of a measurement are not counted. */
static void nothing_counts_after_the_end(void **state) {
    if (!ndp_heap_meter_is_available()) skip();
    ndp_heap_meter_begin();
    void *kept = allocate(BLOCK_BYTES);
    assert_in_range(ndp_heap_meter_end(), BLOCK_BYTES, BLOCK_BYTES + ROUNDING_BYTES);
    free(allocate(4 * BLOCK_BYTES));
    assert_peak(BLOCK_BYTES);
    free(kept);
    ndp_heap_meter_begin();
    assert_int_equal(ndp_heap_meter_end(), 0);
}

static void every_allocation_function_counts(void **state) {
    void *block = NULL;
    if (!ndp_heap_meter_is_available()) skip();
    ndp_heap_meter_begin();
    void *volatile zeroed = calloc(4, BLOCK_BYTES / 4);
    assert_peak(BLOCK_BYTES);
    assert_int_equal(posix_memalign(&block, 4096, BLOCK_BYTES), 0);
    assert_peak(2 * BLOCK_BYTES);
    void *volatile aligned = aligned_alloc(64, BLOCK_BYTES);
    assert_peak(3 * BLOCK_BYTES);
    free(block);
    free(aligned);
    ndp_heap_meter_begin();
    void *volatile grown = realloc(zeroed, 3 * BLOCK_BYTES);
    assert_non_null(grown);
    assert_in_range(ndp_heap_meter_peak_bytes(), 2 * BLOCK_BYTES - ROUNDING_BYTES, 3 * BLOCK_BYTES + ROUNDING_BYTES);
    free(grown);
}

static void *allocate_in_thread(void *context) {
    (void)context;
    free(allocate(BLOCK_BYTES));
    return NULL;
}

static void other_threads_count(void **state) {
    pthread_t thread;
    if (!ndp_heap_meter_is_available()) skip();
    ndp_heap_meter_begin();
    assert_int_equal(pthread_create(&thread, NULL, allocate_in_thread, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_in_range(ndp_heap_meter_peak_bytes(), BLOCK_BYTES, 2 * BLOCK_BYTES);
}

NDP_SUITE(heap_meter_test, NDP_TEST(the_peak_is_reported), NDP_TEST(nothing_counts_after_the_end),
          NDP_TEST(every_allocation_function_counts), NDP_TEST(other_threads_count));
