/* arena.c: bump allocation in blocks.
 *
 * Problem: a case makes thousands of small objects that are freed together, and a sanitizer must still detect an access
 * next to one.
 *
 * Method: objects are taken from the end of a block. Blocks double from FIRST_BLOCK_BYTES to LARGEST_BLOCK_BYTES; an
 * object larger than half of the next block gets its own. ndp_arena_reset() keeps blocks up to KEPT_BYTES for the next
 * case. Sanitizer builds make every object a block; fuzzing builds poison the bytes between objects, and pass the first
 * block of a cleared arena to the next arena of the thread, because a block of the sanitizer costs more than its use.
 *
 * Cost: constant per object, except for the search for a kept block. Limits: objects are never freed on their own.
 */
#include "base/arena.h"

#include "base/checked.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

/* Fuzzers cannot afford one allocation per object. They poison the bytes between objects instead. */
#ifdef NDP_ARENA_REDZONES
#include <sanitizer/asan_interface.h>
enum { REDZONE_BYTES = 16 };
#define POISON(data, size_bytes)   __asan_poison_memory_region(data, size_bytes)
#define UNPOISON(data, size_bytes) __asan_unpoison_memory_region(data, size_bytes)
#else
enum { REDZONE_BYTES = 0 };
#define POISON(data, size_bytes)   ((void)(data))
#define UNPOISON(data, size_bytes) ((void)(data))
#endif

enum {
    ALIGN_BYTES = alignof(max_align_t),
    FIRST_BLOCK_BYTES = 4096,      /* enough for most cases */
    LARGEST_BLOCK_BYTES = 1 << 18, /* blocks double up to this size; a larger object gets its own block */
    KEPT_BYTES = 8 << 20,          /* reusing zeroed pages is faster than requesting new ones */
#ifdef NDP_ARENA_PER_OBJECT
    PER_OBJECT = 1
#else
    PER_OBJECT = 0
#endif
};

struct ndp_arena_block {
    struct ndp_arena_block *next;
    uint64_t capacity_bytes;
    uint64_t used_bytes;
    alignas(max_align_t) uint8_t data[];
};

void ndp_arena_init(struct ndp_arena *arena, uint64_t limit_bytes) {
    *arena = (struct ndp_arena){.limit_bytes = limit_bytes};
}

/* Zeroes the used part of `block` and poisons it, as block_new() does. */
static void block_empty(struct ndp_arena_block *block) {
    UNPOISON(block->data, (size_t)block->used_bytes);
    memset(block->data, 0, (size_t)block->used_bytes);
    POISON(block->data, (size_t)block->used_bytes);
    block->used_bytes = 0;
}

#ifdef NDP_ARENA_REDZONES
static _Thread_local struct ndp_arena_block *passed_on; /* an empty first block, or NULL */

/* Keeps the block for the next arena, if there is none yet. */
static bool block_pass_on(struct ndp_arena_block *block) {
    if (passed_on || block->capacity_bytes != FIRST_BLOCK_BYTES) return false;
    block_empty(block);
    passed_on = block;
    return true;
}

static struct ndp_arena_block *block_passed_on(uint64_t capacity_bytes) {
    struct ndp_arena_block *block = capacity_bytes == FIRST_BLOCK_BYTES ? passed_on : NULL;
    if (block) passed_on = NULL;
    return block;
}
#else
static bool block_pass_on(struct ndp_arena_block *block) {
    (void)block;
    return false;
}

static struct ndp_arena_block *block_passed_on(uint64_t capacity_bytes) {
    (void)capacity_bytes;
    return NULL;
}
#endif

static void free_all(struct ndp_arena_block **list) {
    while (*list) {
        struct ndp_arena_block *next = (*list)->next;
        if (!block_pass_on(*list)) free(*list);
        *list = next;
    }
}

void ndp_arena_clear(struct ndp_arena *arena) {
    free_all(&arena->blocks);
    free_all(&arena->spare);
    arena->used_bytes = 0;
    arena->allocations = 0;
}

/* Reports whether a reset keeps `block`: the first block, which holds the small objects, and large ones within
 * KEPT_BYTES. */
static bool is_kept(const struct ndp_arena_block *block, bool is_first, uint64_t kept_bytes) {
    if (PER_OBJECT || block->capacity_bytes > KEPT_BYTES - kept_bytes) return false;
    return block->capacity_bytes > LARGEST_BLOCK_BYTES / 2 || (is_first && block->capacity_bytes >= FIRST_BLOCK_BYTES);
}

void ndp_arena_reset(struct ndp_arena *arena) {
    struct ndp_arena_block *left = arena->blocks, *first = NULL, *kept = arena->spare;
    uint64_t kept_bytes = 0;
    for (const struct ndp_arena_block *block = kept; block; block = block->next) kept_bytes += block->capacity_bytes;
    /* The first block stays first, so small objects return to it. In a spare block they would use the space that a
     * large object needs, and each case would allocate another block. */
    for (bool is_first = true; left; is_first = false) {
        struct ndp_arena_block *const next = left->next;
        if (!is_kept(left, is_first, kept_bytes)) {
            free(left);
        } else {
            struct ndp_arena_block **const list = is_first ? &first : &kept;
            block_empty(left);
            left->next = *list;
            *list = left;
            kept_bytes += left->capacity_bytes;
        }
        left = next;
    }
    *arena = (struct ndp_arena){
        .blocks = first, .spare = kept, .limit_bytes = arena->limit_bytes, .fail_at = arena->fail_at};
}

void ndp_arena_fail_at(struct ndp_arena *arena, uint64_t call) {
    arena->fail_at = call;
}

/* Gives a zeroed block of exactly `capacity_bytes`, or NULL. */
static struct ndp_arena_block *block_new(uint64_t capacity_bytes) {
    uint64_t total;
    if (!ndp_checked_add_u64(sizeof(struct ndp_arena_block), capacity_bytes, &total) || total > SIZE_MAX) return NULL;
    struct ndp_arena_block *block = block_passed_on(capacity_bytes);
    if (block) return block;
    block = calloc(1, (size_t)total);
    if (!block) return NULL;
    block->capacity_bytes = capacity_bytes;
    POISON(block->data, (size_t)capacity_bytes);
    return block;
}

/* Takes the smallest sufficient block that a reset kept, or gives NULL. */
static struct ndp_arena_block *block_spare(struct ndp_arena *arena, uint64_t size_bytes) {
    struct ndp_arena_block **found = NULL;
    for (struct ndp_arena_block **place = &arena->spare; *place; place = &(*place)->next)
        if ((*place)->capacity_bytes >= size_bytes && (!found || (*place)->capacity_bytes < (*found)->capacity_bytes))
            found = place;
    if (!found) return NULL;
    struct ndp_arena_block *block = *found;
    *found = block->next;
    return block;
}

/* Gives a block with `size_bytes` free at its end, linked into the arena, or NULL. Small objects fill the first block
 * of the list; a block for a single object is linked behind it. */
static struct ndp_arena_block *block_find(struct ndp_arena *arena, uint64_t size_bytes) {
    struct ndp_arena_block *first = arena->blocks;
    if (!PER_OBJECT && first && first->capacity_bytes - first->used_bytes >= size_bytes) return first;
    uint64_t capacity_bytes = FIRST_BLOCK_BYTES;
    if (first && first->capacity_bytes >= FIRST_BLOCK_BYTES) capacity_bytes = first->capacity_bytes * 2;
    if (capacity_bytes > LARGEST_BLOCK_BYTES) capacity_bytes = LARGEST_BLOCK_BYTES;
    const bool is_alone = PER_OBJECT || size_bytes > capacity_bytes / 2;
    struct ndp_arena_block *block = block_spare(arena, size_bytes);
    if (!block) block = block_new(is_alone ? size_bytes : capacity_bytes);
    if (!block) return NULL;
    if (is_alone && first) {
        block->next = first->next;
        first->next = block;
    } else {
        block->next = first;
        arena->blocks = block;
    }
    return block;
}

void *ndp_arena_alloc(struct ndp_arena *arena, uint64_t size_bytes) {
    if (arena->fail_at != 0 && --arena->fail_at == 0) return NULL;
    uint64_t rounded_bytes, used_bytes, taken_bytes;
    if (!ndp_checked_add_u64(size_bytes, ALIGN_BYTES - 1, &rounded_bytes)) return NULL;
    rounded_bytes -= rounded_bytes % ALIGN_BYTES;
    if (!ndp_checked_add_u64(arena->used_bytes, rounded_bytes, &used_bytes) || used_bytes > arena->limit_bytes)
        return NULL;
    /* With one allocation per object the size is exact, so that a sanitizer reports an access to the next byte. */
    if (!ndp_checked_add_u64(rounded_bytes, REDZONE_BYTES, &taken_bytes)) return NULL;
    if (PER_OBJECT) taken_bytes = size_bytes;
    struct ndp_arena_block *block = block_find(arena, taken_bytes);
    if (!block) return NULL;
    void *object = block->data + block->used_bytes;
    UNPOISON(object, (size_t)size_bytes);
    block->used_bytes += taken_bytes;
    arena->used_bytes = used_bytes;
    arena->allocations++;
    return object;
}

void *ndp_arena_alloc_items(struct ndp_arena *arena, uint64_t count, uint64_t item_bytes) {
    uint64_t size_bytes;
    if (!ndp_checked_mul_u64(count, item_bytes, &size_bytes)) return NULL;
    return ndp_arena_alloc(arena, size_bytes);
}

void *ndp_arena_copy(struct ndp_arena *arena, const void *from, uint64_t size_bytes) {
    void *to = ndp_arena_alloc(arena, size_bytes);
    if (to && size_bytes > 0) memcpy(to, from, (size_t)size_bytes);
    return to;
}
