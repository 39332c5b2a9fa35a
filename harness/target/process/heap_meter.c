/* Measures the heap of this process by interposing malloc.
 *
 * Problem: a decoder in C does not report how much memory it takes.
 *
 * Method: this file defines malloc and its relatives, calls the C library's versions (__libc_malloc and so on, exported
 * by glibc for this use) and counts malloc_usable_size() of each block, so that no header is needed. Under
 * AddressSanitizer the counters are installed as hooks.
 *
 * Cost: a few atomic operations per call during a measurement. Limits: mmap() is not counted; one measurement at a
 * time. Together with the registries of cmd/ this is the only mutable state of the process, because the heap is one per
 * process, too.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "target/process/heap_meter.h"

#include <features.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef __has_feature
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define METER_BY_HOOKS 1
#elif defined(__GLIBC__)
#define METER_BY_NAMES 1
#endif

/* Signed, because blocks from before the measurement may be freed during it. */
static _Atomic int64_t held_bytes; /* since the measurement began */
static _Atomic int64_t most_bytes;
static _Atomic bool is_measuring;

#if defined(METER_BY_HOOKS) || defined(METER_BY_NAMES)
static bool is_counted(void) {
    return atomic_load_explicit(&is_measuring, memory_order_relaxed);
}

static void add_held(size_t size_bytes) {
    const int64_t held = atomic_fetch_add(&held_bytes, (int64_t)size_bytes) + (int64_t)size_bytes;
    int64_t most = atomic_load(&most_bytes);
    while (held > most && !atomic_compare_exchange_weak(&most_bytes, &most, held)) continue;
}

static void subtract_held(size_t size_bytes) {
    (void)atomic_fetch_sub(&held_bytes, (int64_t)size_bytes);
}
#endif

#ifdef METER_BY_HOOKS
/* Source: sanitizer/allocator_interface.h of clang and gcc. */
extern int __sanitizer_install_malloc_and_free_hooks(void (*malloc_hook)(const volatile void *, size_t),
                                                     void (*free_hook)(const volatile void *));
extern size_t __sanitizer_get_allocated_size(const volatile void *block);

static void on_malloc(const volatile void *block, size_t size_bytes) {
    if (is_counted() && block != NULL) add_held(size_bytes);
}

static void on_free(const volatile void *block) {
    if (is_counted() && block != NULL) subtract_held(__sanitizer_get_allocated_size(block));
}

bool ndp_heap_meter_is_available(void) {
    static _Atomic int state; /* 0 not yet known, 1 yes, -1 no */
    int known = atomic_load(&state);
    if (known == 0) {
        known = __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free) > 0 ? 1 : -1;
        atomic_store(&state, known);
    }
    return known > 0;
}
#endif

#ifdef METER_BY_NAMES
#include <errno.h>

/* Declared in <stdlib.h> and <malloc.h> with other parameter names. */
void *malloc(size_t size_bytes);
void *calloc(size_t count, size_t item_bytes);
void *realloc(void *block, size_t size_bytes);
void *memalign(size_t alignment_bytes, size_t size_bytes);
void *aligned_alloc(size_t alignment_bytes, size_t size_bytes);
int posix_memalign(void **block, size_t alignment_bytes, size_t size_bytes);
void free(void *block);
size_t malloc_usable_size(void *block);
extern void *__libc_malloc(size_t size_bytes);
extern void *__libc_calloc(size_t count, size_t item_bytes);
extern void *__libc_realloc(void *block, size_t size_bytes);
extern void *__libc_memalign(size_t alignment_bytes, size_t size_bytes);
extern void __libc_free(void *block);

static void *gained(void *block) {
    if (is_counted() && block != NULL) add_held(malloc_usable_size(block));
    return block;
}

void *malloc(size_t size_bytes) {
    return gained(__libc_malloc(size_bytes));
}

void *calloc(size_t count, size_t item_bytes) {
    return gained(__libc_calloc(count, item_bytes));
}

void *realloc(void *block, size_t size_bytes) {
    const size_t before = is_counted() && block != NULL ? malloc_usable_size(block) : 0;
    void *moved = __libc_realloc(block, size_bytes);
    if (moved != NULL || size_bytes == 0) subtract_held(before);
    return gained(moved);
}

void *memalign(size_t alignment_bytes, size_t size_bytes) {
    return gained(__libc_memalign(alignment_bytes, size_bytes));
}

void *aligned_alloc(size_t alignment_bytes, size_t size_bytes) {
    return gained(__libc_memalign(alignment_bytes, size_bytes));
}

int posix_memalign(void **block, size_t alignment_bytes, size_t size_bytes) {
    const bool is_power = alignment_bytes > 0 && (alignment_bytes & (alignment_bytes - 1)) == 0;
    if (!is_power || alignment_bytes % sizeof(void *) != 0) return EINVAL;
    void *made = memalign(alignment_bytes, size_bytes);
    if (made == NULL) return ENOMEM;
    *block = made;
    return 0;
}

void free(void *block) {
    if (is_counted() && block != NULL) subtract_held(malloc_usable_size(block));
    __libc_free(block);
}

bool ndp_heap_meter_is_available(void) {
    return true;
}
#endif

#if !defined(METER_BY_HOOKS) && !defined(METER_BY_NAMES)
bool ndp_heap_meter_is_available(void) {
    return false;
}
#endif

void ndp_heap_meter_begin(void) {
    atomic_store(&held_bytes, 0);
    atomic_store(&most_bytes, 0);
    atomic_store(&is_measuring, true);
}

uint64_t ndp_heap_meter_peak_bytes(void) {
    const int64_t most = atomic_load(&most_bytes);
    return most > 0 ? (uint64_t)most : 0;
}

uint64_t ndp_heap_meter_end(void) {
    const uint64_t peak_bytes = ndp_heap_meter_peak_bytes();
    atomic_store(&is_measuring, false);
    return peak_bytes;
}
