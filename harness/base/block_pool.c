#include "base/block_pool.h"

#include <stdalign.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/poison.h"

/* Only the ends of a large block are poisoned, because poisoning all of it takes longer than the library's work on
 * it. */
enum { MARKED_BYTES = 1 << 12, KEPT_BLOCKS = 64 };

static void poison_ends(uint8_t *data, uint64_t size_bytes) {
    const uint64_t marked_bytes = size_bytes < MARKED_BYTES ? size_bytes : MARKED_BYTES;
    NDP_POISON(data, (size_t)marked_bytes);
    NDP_POISON(data + (size_bytes - marked_bytes), (size_t)marked_bytes);
}

static void unpoison_ends(uint8_t *data, uint64_t size_bytes) {
    const uint64_t marked_bytes = size_bytes < MARKED_BYTES ? size_bytes : MARKED_BYTES;
    NDP_UNPOISON(data, (size_t)marked_bytes);
    NDP_UNPOISON(data + (size_bytes - marked_bytes), (size_t)marked_bytes);
}

/* Header before the bytes of each block, with or without a pool. */
struct ndp_block {
    struct ndp_block *next;
    uint64_t size_bytes;
    alignas(max_align_t) uint8_t data[];
};

static struct ndp_block *block_of(void *data) {
    return (struct ndp_block *)(void *)((uint8_t *)data - offsetof(struct ndp_block, data));
}

static void lock(struct ndp_block_pool *pool) {
    (void)pthread_mutex_lock(&pool->mutex);
}

static void unlock(struct ndp_block_pool *pool) {
    (void)pthread_mutex_unlock(&pool->mutex);
}

/* Takes a kept block of exactly `size_bytes`, or gives NULL. Callers repeat sizes, so no other size is considered. */
static struct ndp_block *pool_find(struct ndp_block_pool *pool, uint64_t size_bytes) {
    struct ndp_block **at = &pool->kept;
    while (*at && (*at)->size_bytes != size_bytes) at = &(*at)->next;
    struct ndp_block *found = *at;
    if (!found) return NULL;
    *at = found->next;
    pool->kept_bytes -= size_bytes;
    pool->kept_count--;
    unpoison_ends(found->data, size_bytes);
    return found;
}

void *ndp_block_pool_take(struct ndp_block_pool *pool, uint64_t size_bytes) {
    uint64_t all_bytes;
    if (!ndp_checked_add_u64(size_bytes, sizeof(struct ndp_block), &all_bytes) || all_bytes > SIZE_MAX) return NULL;
    struct ndp_block *block = NULL;
    if (pool) {
        lock(pool);
        block = pool_find(pool, size_bytes);
        unlock(pool);
    }
    if (!block) block = malloc((size_t)all_bytes);
    if (!block) return NULL;
    block->size_bytes = size_bytes;
    return block->data;
}

void *ndp_block_pool_take_zeroed(struct ndp_block_pool *pool, uint64_t count, uint64_t item_bytes) {
    uint64_t size_bytes;
    void *data = ndp_checked_mul_u64(count, item_bytes, &size_bytes) ? ndp_block_pool_take(pool, size_bytes) : NULL;
    if (data) memset(data, 0, (size_t)size_bytes);
    return data;
}

static void free_oldest(struct ndp_block_pool *pool) {
    struct ndp_block **at = &pool->kept;
    while ((*at)->next) at = &(*at)->next;
    pool->kept_bytes -= (*at)->size_bytes;
    pool->kept_count--;
    free(*at);
    *at = NULL;
}

void ndp_block_pool_give(struct ndp_block_pool *pool, void *data) {
    if (!data) return;
    struct ndp_block *block = block_of(data);
    if (!pool || block->size_bytes > pool->limit_bytes) {
        free(block);
        return;
    }
    lock(pool);
    /* Sizes that do not repeat make room for those that do. */
    while (pool->kept_count >= KEPT_BLOCKS || pool->kept_bytes > pool->limit_bytes - block->size_bytes)
        free_oldest(pool);
    poison_ends(block->data, block->size_bytes);
    block->next = pool->kept;
    pool->kept = block;
    pool->kept_bytes += block->size_bytes;
    pool->kept_count++;
    unlock(pool);
}

void ndp_block_pool_clear(struct ndp_block_pool *pool) {
    lock(pool);
    while (pool->kept) {
        struct ndp_block *next = pool->kept->next;
        free(pool->kept);
        pool->kept = next;
    }
    pool->kept_bytes = 0;
    pool->kept_count = 0;
    unlock(pool);
}
