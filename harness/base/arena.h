/* arena.h: all memory of one case, bounded and freed at once.
 *
 * An arena has a limit that it never passes. In sanitizer builds (NDP_ARENA_PER_OBJECT) every object is
 * an allocation of its own, so that reading past one is seen; fuzzers (NDP_ARENA_REDZONES) have objects side by side
 * with marked bytes between them, which shows the same at a third of the cost. Tests make the n-th allocation fail with
 * ndp_arena_fail_at().
 */
#ifndef NDP_ARENA_H
#define NDP_ARENA_H

#include "base/status.h"

struct ndp_arena_block;

struct ndp_arena {
    struct ndp_arena_block *blocks; /* newest first; owned */
    struct ndp_arena_block *spare;  /* empty ones that a reset has kept; owned */
    uint64_t limit_bytes;           /* never passed */
    uint64_t used_bytes;            /* what callers asked for, alignment included */
    uint64_t allocations;           /* how many calls succeeded */
    uint64_t fail_at;               /* calls left up to the one that fails, that one included; 0 is none */
};

/* Initialises the caller's storage. Allocates nothing yet. */
void ndp_arena_init(struct ndp_arena *arena, uint64_t limit_bytes);

/* Frees everything that came from the arena; the arena can be used again with the same limit. */
void ndp_arena_clear(struct ndp_arena *arena);

/* The same, but keeps a few blocks for what comes next: who runs one small case after the other asks the system for
 * memory once. What came from the arena must not be touched any more, and a sanitizer sees it when it is. */
void ndp_arena_reset(struct ndp_arena *arena);

/* Makes the `call`-th allocation from now fail (1 is the next one); those behind it work
 * again. 0 switches that off; arena->fail_at is 0, too, once it has happened. */
void ndp_arena_fail_at(struct ndp_arena *arena, uint64_t call);

/* Gives zeroed memory that lives until ndp_arena_clear, aligned for any type, or NULL when the limit or
 * the machine's memory is reached. `size_bytes` 0 gives a valid pointer that must not be read. */
void *ndp_arena_alloc(struct ndp_arena *arena, uint64_t size_bytes) NDP_MUST_USE;

/* As above for `count` items of `item_bytes`; the product is checked. */
void *ndp_arena_alloc_items(struct ndp_arena *arena, uint64_t count, uint64_t item_bytes) NDP_MUST_USE;

/* Gives a copy of `size_bytes` bytes at `from` (borrowed), or NULL. */
void *ndp_arena_copy(struct ndp_arena *arena, const void *from, uint64_t size_bytes) NDP_MUST_USE;

#define NDP_ARENA_NEW(arena, type)          ((type *)ndp_arena_alloc((arena), sizeof(type)))
#define NDP_ARENA_ITEMS(arena, type, count) ((type *)ndp_arena_alloc_items((arena), (count), sizeof(type)))

#endif
