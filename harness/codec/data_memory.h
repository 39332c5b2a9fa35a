/* data_memory.h: memory for the data of a decoded array: aligned, uninitialised, of exact size. */
#ifndef NDP_DATA_MEMORY_H
#define NDP_DATA_MEMORY_H

#include "base/status.h"

/* Gives `size_bytes` uninitialised bytes (at least one) on a 64-byte boundary, or NULL. */
uint8_t *ndp_data_new(uint64_t size_bytes) NDP_MUST_USE;

/* Gives a larger block that starts with the bytes of `data`, which is taken. Gives NULL on failure, and `data` remains
 * valid. The alignment is only 16 bytes, because the system can then move large blocks by their pages without a second
 * copy. */
uint8_t *ndp_data_grow(uint8_t *data, uint64_t size_bytes) NDP_MUST_USE;

/* Frees the block. NULL does nothing. */
void ndp_data_free(uint8_t *data);

#endif
