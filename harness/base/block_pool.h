/* block_pool.h: reusable memory blocks, for libraries that allocate the same few large blocks for every small input,
 * where fresh pages cost more than the work.
 *
 * Threads may share a pool. It keeps at most 64 blocks. A NULL pool means malloc and free. A zero-initialised pool
 * keeps nothing. Sanitizer builds poison kept blocks, of a large block only the ends.
 */
#ifndef NDP_BLOCK_POOL_H
#define NDP_BLOCK_POOL_H

#include <pthread.h>

#include "base/status.h"

struct ndp_block;

struct ndp_block_pool {
    pthread_mutex_t mutex;  /* all bytes zero is PTHREAD_MUTEX_INITIALIZER on Linux */
    struct ndp_block *kept; /* most recent first; owned */
    uint64_t kept_bytes;
    uint32_t kept_count;
    uint64_t limit_bytes; /* limit for all kept blocks; above it the oldest ones are freed */
};

/* Gives `size_bytes` uninitialised bytes, aligned for any type, or NULL. The caller returns them with
 * ndp_block_pool_give. */
void *ndp_block_pool_take(struct ndp_block_pool *pool, uint64_t size_bytes) NDP_MUST_USE;

/* Gives `count` * `item_bytes` zeroed bytes, or NULL, also if the product overflows. */
void *ndp_block_pool_take_zeroed(struct ndp_block_pool *pool, uint64_t count, uint64_t item_bytes) NDP_MUST_USE;

/* Takes a block that this pool gave. NULL does nothing. */
void ndp_block_pool_give(struct ndp_block_pool *pool, void *data);

/* Frees all kept blocks. */
void ndp_block_pool_clear(struct ndp_block_pool *pool);

#endif
