/* heap_watch.h: counts heap blocks, to detect an input that leaks memory, under every engine. Source: LLVM 14,
 * compiler-rt/include/sanitizer/allocator_interface.h. */
#ifndef NDP_FUZZ_HEAP_WATCH_H
#define NDP_FUZZ_HEAP_WATCH_H

#include <stdint.h>

/* Starts counting. Call it once, in the thread that runs inputs. It does nothing without a sanitizer. */
void fuzz_heap_watch(void);

/* Blocks allocated and not freed since then, by all threads; 0 without a sanitizer. */
int64_t fuzz_heap_held(void);

#endif
