/* arena.h: all memory of one case, bounded and freed at once.
 *
 * An arena never exceeds its limit. In sanitizer builds (NDP_ARENA_PER_OBJECT) each object is a separate allocation, so
 * that an access past its end is reported. Fuzzers (NDP_ARENA_REDZONES) place objects side by side with poisoned bytes
 * between them, which reports the same at a third of the cost. Tests make the n-th allocation fail with
 * ndp_arena_fail_at().
 */
#ifndef NDP_ARENA_H
#define NDP_ARENA_H

#include "base/status.h"

struct ndp_arena_block;

struct ndp_arena {
    struct ndp_arena_block *blocks; /* newest first; owned */
    struct ndp_arena_block *spare;  /* empty blocks that a reset kept; owned */
    uint64_t limit_bytes;           /* never exceeded */
    uint64_t used_bytes;            /* requested bytes, rounded up to the alignment */
    uint64_t allocations;           /* successful calls */
    uint64_t fail_at;               /* countdown to the failing call, which is included; 0 disables it */
};

/* Initialises the caller's storage. Allocates nothing yet. */
void ndp_arena_init(struct ndp_arena *arena, uint64_t limit_bytes);

/* Frees all memory of the arena. The arena can be used again with the same limit. */
void ndp_arena_clear(struct ndp_arena *arena);

/* Releases all memory of the arena but keeps a few blocks, so that a series of small cases requests memory only once.
 * Objects of the arena must not be accessed afterwards; sanitizers report it. */
void ndp_arena_reset(struct ndp_arena *arena);

/* Makes the `call`-th allocation from now fail (1 is the next); later ones succeed. 0 disables it. arena->fail_at is 0
 * after the failure. */
void ndp_arena_fail_at(struct ndp_arena *arena, uint64_t call);

/* Gives zeroed memory, aligned for any type, that lives until ndp_arena_clear or ndp_arena_reset. Gives NULL if the
 * limit or the memory of the machine is exhausted. For `size_bytes` 0 it gives a valid pointer that must not be
 * read. */
void *ndp_arena_alloc(struct ndp_arena *arena, uint64_t size_bytes) NDP_MUST_USE;

/* As above, for `count` items of `item_bytes`. Gives NULL if the product overflows. */
void *ndp_arena_alloc_items(struct ndp_arena *arena, uint64_t count, uint64_t item_bytes) NDP_MUST_USE;

/* Gives a copy of `size_bytes` bytes at `from` (borrowed), or NULL. */
void *ndp_arena_copy(struct ndp_arena *arena, const void *from, uint64_t size_bytes) NDP_MUST_USE;

/* Declares and initialises an arena that the end of its block clears. Tests use it; NDP_BUFFER_SCOPED is similar. */
#define NDP_ARENA_SCOPED(name, limit)                                                                                  \
    __attribute__((cleanup(ndp_arena_clear))) struct ndp_arena name = {.limit_bytes = (limit)}

#define NDP_ARENA_NEW(arena, type)          ((type *)ndp_arena_alloc((arena), sizeof(type)))
#define NDP_ARENA_ITEMS(arena, type, count) ((type *)ndp_arena_alloc_items((arena), (count), sizeof(type)))

#endif
