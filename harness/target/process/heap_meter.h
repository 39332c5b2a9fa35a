/* heap_meter.h: how much of the heap this process holds, and held at most: what a decoder in C takes, told by no word
 * of its own.
 *
 * Linking this file in puts counters before malloc and its kin: by the names that the C library leaves to programs, or
 * under AddressSanitizer by its hooks. Memory that is mapped by hand is not seen.
 */
#ifndef NDP_HEAP_METER_H
#define NDP_HEAP_METER_H

#include <stdbool.h>
#include <stdint.h>

/* Whether this system lets the heap be counted. */
bool ndp_heap_is_metered(void);

/* Begins a measurement: nothing is counted outside of one. */
void ndp_heap_begin(void);

/* The most that all threads held at once since then, above what they held then. */
uint64_t ndp_heap_peak_bytes(void);

/* Ends the measurement, and gives the same. */
uint64_t ndp_heap_end(void);

#endif
