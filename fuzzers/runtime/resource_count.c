#include "runtime/resource_count.h"

#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "runtime/json_memory.h"

enum { FILES = 128 };

/* Defined by the sanitizer; NULL without one. */
int __sanitizer_install_malloc_and_free_hooks(void (*taken)(const volatile void *block, size_t size),
                                              void (*given)(const volatile void *block)) __attribute__((weak));

/* The thread that runs inputs allocates nearly every block, so its counter is not atomic. */
static _Thread_local bool runs_inputs;
static int64_t held;
static _Atomic int64_t held_by_others;

static void count_blocks(int64_t blocks) {
    if (runs_inputs)
        held += blocks;
    else
        atomic_fetch_add_explicit(&held_by_others, blocks, memory_order_relaxed);
}

static void taken(const volatile void *block, size_t size) {
    (void)block;
    (void)size;
    count_blocks(1);
}

static void given(const volatile void *block) {
    (void)block;
    count_blocks(-1);
}

void fuzz_heap_watch(void) {
    runs_inputs = true;
    if (__sanitizer_install_malloc_and_free_hooks) (void)__sanitizer_install_malloc_and_free_hooks(taken, given);
}

int64_t fuzz_heap_held(void) {
    return held + atomic_load_explicit(&held_by_others, memory_order_relaxed) + fuzz_json_held();
}

/* One poll() queries all descriptors: closed ones report POLLNVAL. Source: POSIX.1-2008, poll(). */
uint32_t fuzz_files_open(void) {
    struct pollfd files[FILES];
    uint32_t count = 0;
    for (int i = 0; i < FILES; i++) files[i] = (struct pollfd){.fd = i};
    if (poll(files, FILES, 0) < 0) return 0;
    for (int i = 0; i < FILES; i++) count += (files[i].revents & POLLNVAL) == 0;
    return count;
}
