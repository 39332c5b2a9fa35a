/* data_memory.c: posix_memalign aligns and keeps the size exact, so that sanitizers detect overreads. Large blocks
 * request huge pages, as NumPy does (core/src/multiarray/alloc.c), because page faults dominate the cost of filling
 * fresh memory. */
#define _DEFAULT_SOURCE /* for madvise */

#include "codec/data_memory.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { ALIGN_BYTES = 64, PAGE_BYTES = 4096, HUGE_BYTES = 1 << 21, LARGE_BYTES = 1 << 22 };

/* Advises only about whole pages inside the block, so that no memory after it is affected. The result of madvise does
 * not matter. */
static uint8_t *advise_huge_pages(void *data, uint64_t size_bytes) {
#ifdef MADV_HUGEPAGE
    if (data != NULL && size_bytes >= LARGE_BYTES) {
        const uint64_t lead = (PAGE_BYTES - (uintptr_t)data % PAGE_BYTES) % PAGE_BYTES;
        const uint64_t inside = (size_bytes - lead) / PAGE_BYTES * PAGE_BYTES;
        (void)madvise((uint8_t *)data + lead, (size_t)inside, MADV_HUGEPAGE);
    }
#else
    (void)size_bytes;
#endif
    return data;
}

uint8_t *ndp_data_new(uint64_t size_bytes) {
    void *data = NULL;
    if (size_bytes > SIZE_MAX / 2) return NULL;
    const size_t align_bytes = size_bytes >= LARGE_BYTES ? HUGE_BYTES : ALIGN_BYTES;
    if (posix_memalign(&data, align_bytes, size_bytes == 0 ? 1 : (size_t)size_bytes) != 0) return NULL;
    return advise_huge_pages(data, size_bytes);
}

uint8_t *ndp_data_grow(uint8_t *data, uint64_t size_bytes) {
    if (size_bytes > SIZE_MAX / 2) return NULL;
    return advise_huge_pages(realloc(data, size_bytes == 0 ? 1 : (size_t)size_bytes), size_bytes);
}

void ndp_data_free(uint8_t *data) {
    free(data);
}
