#include "heap_watch.h"

#include <stdatomic.h>
#include <stddef.h>

/* A sanitizer's own; absent without one. */
int __sanitizer_install_malloc_and_free_hooks(void (*taken)(const volatile void *block, size_t size),
                                              void (*given)(const volatile void *block)) __attribute__((weak));

static _Atomic int64_t held;

static void taken(const volatile void *block, size_t size) {
    (void)block;
    (void)size;
    atomic_fetch_add_explicit(&held, 1, memory_order_relaxed);
}

static void given(const volatile void *block) {
    (void)block;
    atomic_fetch_sub_explicit(&held, 1, memory_order_relaxed);
}

void fuzz_heap_watch(void) {
    if (__sanitizer_install_malloc_and_free_hooks) (void)__sanitizer_install_malloc_and_free_hooks(taken, given);
}

int64_t fuzz_heap_held(void) {
    return atomic_load_explicit(&held, memory_order_relaxed);
}
