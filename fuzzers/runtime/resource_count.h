/* resource_count.h: counts heap blocks and open files, to detect an input that leaks some, under every engine.
 * Source: LLVM 14, compiler-rt/include/sanitizer/allocator_interface.h. */
#ifndef NDP_FUZZ_RESOURCE_COUNT_H
#define NDP_FUZZ_RESOURCE_COUNT_H

#include <stdint.h>

/* Starts counting. Call it once, in the thread that runs inputs. It does nothing without a sanitizer. */
void fuzz_heap_watch(void);

/* Blocks allocated and not freed since then, by all threads; 0 without a sanitizer. */
int64_t fuzz_heap_held(void);

/* Number of open file descriptors among the first 128 of this process. */
uint32_t fuzz_files_open(void);

#endif
