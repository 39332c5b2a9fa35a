/* block_pool.h: blocks of memory that are used again: for libraries that take the same few large ones for every small
 * input, where to get and to clear fresh pages takes longer than the work itself.
 *
 * A pool belongs to one thread, and keeps 64 blocks at most. NULL in the place of a pool is malloc and free. Zeroed
 * storage is a pool that keeps nothing. In sanitizer builds what is kept may not be touched, of a large block its ends.
 */
#ifndef NDP_BLOCK_POOL_H
#define NDP_BLOCK_POOL_H

#include "base/status.h"

struct ndp_block;

struct ndp_block_pool {
    struct ndp_block *kept; /* latest first; owned */
    uint64_t kept_bytes;
    uint32_t kept_count;
    uint64_t limit_bytes; /* of all that is kept together; for more, what was given longest ago is freed */
};

/* Gives `size_bytes` undefined bytes, aligned for any type, to be given back; or NULL. */
void *ndp_block_take(struct ndp_block_pool *pool, uint64_t size_bytes) NDP_MUST_USE;

/* The same for the product of both, which is checked, and zeroed. */
void *ndp_block_take_zeroed(struct ndp_block_pool *pool, uint64_t count, uint64_t item_bytes) NDP_MUST_USE;

/* Takes what this pool gave; NULL is nothing. */
void ndp_block_give(struct ndp_block_pool *pool, void *data);

/* Frees what is kept. */
void ndp_block_pool_clear(struct ndp_block_pool *pool);

#endif
