/* clock.h: the monotonic clock, in nanoseconds. */
#ifndef NDP_CLOCK_H
#define NDP_CLOCK_H

#include <stdint.h>

uint64_t ndp_clock_ns(void);

#endif
