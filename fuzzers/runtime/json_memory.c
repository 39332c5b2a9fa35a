/* json_memory.c: memory of JSON trees. A tree is a small block for every word, and a sanitizer's heap takes most of the
 * time of a short input for those. Blocks of one size come from slabs; like the sanitizer's own they have marked bytes
 * before and behind them, are marked once they are given back, and rest before they are used again. Trees that nobody
 * gives back are counted, because slabs hide them from a search for leaks. */
#include "runtime/json_memory.h"

#include <cjson/cJSON.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef __has_feature
#define __has_feature(name) 0
#endif
/* Where the arena marks its objects by itself, this file is without a sanitizer, too. */
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer) || defined(NDP_ARENA_REDZONES)
#include <sanitizer/asan_interface.h>
#define MARK(data, size)   __asan_poison_memory_region(data, size)
#define UNMARK(data, size) __asan_unpoison_memory_region(data, size)
#else
#define MARK(data, size)   ((void)(data))
#define UNMARK(data, size) ((void)(data))
#endif

enum { STEP_BYTES = 16, CLASSES = 33, SLAB_BLOCKS = 64, RESTING_BLOCKS = 32 };

/* Stands before each block, and its marked bytes before the block behind it. */
struct head {
    struct head *next; /* of those that rest */
    size_t size_class; /* 0: of the heap */
};

struct resting {
    struct head *oldest;
    struct head *newest;
    uint32_t count;
};

static _Thread_local struct resting resting[CLASSES];
static _Thread_local int64_t held;
static void *_Atomic slabs; /* all of them, so that they are not lost */

static void rest(struct head *head) {
    struct resting *list = &resting[head->size_class];
    head->next = NULL;
    if (list->newest)
        list->newest->next = head;
    else
        list->oldest = head;
    list->newest = head;
    list->count++;
    MARK(head + 1, head->size_class * STEP_BYTES);
}

/* A slab has as many blocks as wait before one is used again, and more. */
static void add_slab(size_t size_class) {
    const size_t stride = sizeof(struct head) + size_class * STEP_BYTES;
    uint8_t *slab = malloc(STEP_BYTES + SLAB_BLOCKS * stride);
    if (!slab) return;
    void *before = slabs;
    *(void **)(void *)slab = before;
    slabs = slab;
    for (size_t i = 0; i < SLAB_BLOCKS; i++) {
        struct head *head = (struct head *)(void *)(slab + STEP_BYTES + i * stride);
        head->size_class = size_class;
        rest(head);
    }
}

static void *take(size_t size) {
    const size_t size_class = size == 0 ? 1 : (size + STEP_BYTES - 1) / STEP_BYTES;
    struct head *head = NULL;
    if (size_class >= CLASSES) {
        if (size <= SIZE_MAX - sizeof *head) head = malloc(sizeof *head + size);
        if (!head) return NULL;
        head->size_class = 0;
    } else {
        struct resting *list = &resting[size_class];
        if (list->count < RESTING_BLOCKS) add_slab(size_class);
        if (!list->oldest) return NULL;
        head = list->oldest;
        list->oldest = head->next;
        __builtin_prefetch(head->next);
        if (!list->oldest) list->newest = NULL;
        list->count--;
        UNMARK(head + 1, size);
    }
    held++;
    return head + 1;
}

static void give_back(void *block) {
    if (!block) return;
    struct head *head = (struct head *)block - 1;
    held--;
    if (head->size_class == 0)
        free(head);
    else
        rest(head);
}

void fuzz_json_memory(void) {
    cJSON_Hooks hooks = {take, give_back};
    cJSON_InitHooks(&hooks);
}

int64_t fuzz_json_held(void) {
    return held;
}
