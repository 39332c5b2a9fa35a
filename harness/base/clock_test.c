#include "base/clock.h"
#include "base/suite.h"

#include <time.h>

static uint64_t read_clock(clockid_t id) {
    struct timespec now = {0};
    assert_int_equal(clock_gettime(id, &now), 0);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/* A reading lies between two readings of CLOCK_MONOTONIC. */
static void readings_are_nanoseconds_of_the_monotonic_clock(void **state) {
    for (int i = 0; i < 100; i++) {
        const uint64_t before = read_clock(CLOCK_MONOTONIC), now = ndp_clock_ns(), after = read_clock(CLOCK_MONOTONIC);
        assert_true(before <= now);
        assert_true(now <= after);
    }
}

static void readings_increase(void **state) {
    const uint64_t first = ndp_clock_ns();
    uint64_t last = first;
    while (last == first) {
        const uint64_t now = ndp_clock_ns();
        assert_true(now >= last);
        last = now;
    }
}

NDP_SUITE(clock_test, NDP_TEST(readings_are_nanoseconds_of_the_monotonic_clock), NDP_TEST(readings_increase));
