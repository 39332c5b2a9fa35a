/* heap_meter.h: measures how much heap this process uses and has used at most.
 *
 * Linking this file puts counters in front of malloc and its relatives: by symbol interposition, or by hooks under
 * AddressSanitizer. Memory from mmap() is not counted.
 */
#ifndef NDP_HEAP_METER_H
#define NDP_HEAP_METER_H

#include <stdbool.h>
#include <stdint.h>

/* Whether the heap can be measured in this build. */
bool ndp_heap_meter_is_available(void);

/* Begins a measurement. Only one can be active. */
void ndp_heap_meter_begin(void);

/* The peak since ndp_heap_meter_begin, of all threads together, relative to the use at the beginning. */
uint64_t ndp_heap_meter_peak_bytes(void);

/* Ends the measurement and returns the peak. */
uint64_t ndp_heap_meter_end(void);

#endif
