/* data_memory.h: memory for the data of a decoded array: aligned, not zeroed, exact in size. */
#ifndef NDP_DATA_MEMORY_H
#define NDP_DATA_MEMORY_H

#include "base/status.h"

/* Gives `size_bytes` bytes (at least one) on a 64-byte boundary, undefined, or NULL. */
uint8_t *ndp_data_new(uint64_t size_bytes) NDP_MUST_USE;

/* Gives larger memory that starts with the bytes of `data`, which is taken; or NULL, and then `data` stays. On a
 * 16-byte boundary only: the system moves large memory by its pages, so that old and new never stand side by side. */
uint8_t *ndp_data_grow(uint8_t *data, uint64_t size_bytes) NDP_MUST_USE;

/* NULL is nothing. */
void ndp_data_free(uint8_t *data);

#endif
