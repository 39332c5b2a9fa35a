/* heap_watch.h: how much of the heap is held, so that an input that loses memory is found where it happens, under every
 * engine. Source: LLVM 14, compiler-rt/include/sanitizer/allocator_interface.h. */
#ifndef NDP_FUZZ_HEAP_WATCH_H
#define NDP_FUZZ_HEAP_WATCH_H

#include <stdint.h>

/* Begins to count. Once, in the thread that runs inputs, and where there is no sanitizer it does nothing. */
void fuzz_heap_watch(void);

/* Blocks that were taken and not given back since then, by all threads; 0 where nobody counts. */
int64_t fuzz_heap_held(void);

#endif
