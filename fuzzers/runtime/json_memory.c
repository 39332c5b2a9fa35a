/* json_memory.c: small blocks for the trees of cJSON.
 *
 * Problem: a descriptor becomes a tree of a hundred small blocks, and the sanitizer's malloc takes a fifth of the time
 * of a case for them.
 *
 * Method: freed blocks wait in one list for each size class, last in, first out. All bytes of a free block, its header
 * and the rest behind the requested size are poisoned, so that an access past the end or after the end of its life is
 * reported like one in the sanitizer's own heap. Large blocks come from malloc.
 *
 * Cost: two calls that change shadow memory. Limits: a block that is freed and given again at once hides a late access
 * to its first owner; the asan flavour, which replays the corpus, uses malloc. One thread.
 */
#include "runtime/json_memory.h"

#include <cjson/cJSON.h>
#include <stdalign.h>
#include <stdlib.h>

#include "base/poison.h"

enum { STEP_BYTES = 32, CLASSES = 16, CHUNK_BYTES = 1 << 16 };

struct block {
    struct block *next; /* while it is free */
    size_t class;       /* CLASSES: from malloc */
    alignas(max_align_t) uint8_t data[];
};

/* From malloc. A leak detector reads no poisoned bytes, so the list leads to every chunk. */
struct chunk {
    struct chunk *next;
    alignas(max_align_t) uint8_t data[CHUNK_BYTES];
};

static struct block *free_blocks[CLASSES];
static struct chunk *chunks;
static uint64_t used_bytes = CHUNK_BYTES; /* of the newest chunk */
static int64_t held;

/* Cuts a block of `total_bytes` from the newest chunk, or from a new one, or gives NULL. Chunks are never freed. */
static struct block *cut(size_t total_bytes) {
    if (CHUNK_BYTES - used_bytes < total_bytes) {
        struct chunk *chunk = calloc(1, sizeof *chunk);
        if (!chunk) return NULL;
        chunk->next = chunks;
        chunks = chunk;
        used_bytes = 0;
        NDP_POISON(chunk->data, CHUNK_BYTES);
    }
    struct block *block = (struct block *)(void *)(chunks->data + used_bytes);
    used_bytes += total_bytes;
    return block;
}

void *fuzz_json_malloc(size_t size_bytes) {
    const size_t class = size_bytes > 0 ? (size_bytes - 1) / STEP_BYTES : 0;
    struct block *block;
    if (class >= CLASSES) {
        if (size_bytes > SIZE_MAX - sizeof *block) return NULL;
        block = malloc(sizeof *block + size_bytes);
    } else if (free_blocks[class]) {
        block = free_blocks[class];
        NDP_UNPOISON(block, sizeof *block);
        free_blocks[class] = block->next;
    } else {
        block = cut(sizeof *block + (class + 1) * STEP_BYTES);
    }
    if (!block) return NULL;
    NDP_UNPOISON(block, sizeof *block + size_bytes);
    block->class = class < CLASSES ? class : CLASSES;
    NDP_POISON(block, sizeof *block);
    held++;
    return block->data;
}

void fuzz_json_free(void *data) {
    if (!data) return;
    struct block *block = (struct block *)(void *)((uint8_t *)data - offsetof(struct block, data));
    NDP_UNPOISON(block, sizeof *block);
    held--;
    if (block->class == CLASSES) {
        free(block);
        return;
    }
    block->next = free_blocks[block->class];
    free_blocks[block->class] = block;
    NDP_POISON(block, sizeof *block + (block->class + 1) * STEP_BYTES);
}

int64_t fuzz_json_held(void) {
    return held;
}

void fuzz_json_memory_open(void) {
#ifdef NDP_ARENA_REDZONES
    cJSON_Hooks hooks = {.malloc_fn = fuzz_json_malloc, .free_fn = fuzz_json_free};
    cJSON_InitHooks(&hooks);
#endif
}
