/* data_memory.c: alignment comes from posix_memalign, which keeps the size exact, so that sanitizers see the
 * first byte behind it. Large memory asks for huge pages: filling fresh memory is mostly the price of its page faults,
 * and NumPy asks for them too (core/src/multiarray/alloc.c). */
#define _DEFAULT_SOURCE /* madvise */

#include "codec/data_memory.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { ALIGN_BYTES = 64, PAGE_BYTES = 4096, HUGE_BYTES = 1 << 21, LARGE_BYTES = 1 << 22 };

/* Only whole pages inside the memory are asked about, so that nothing behind it grows. A refusal means nothing. */
static uint8_t *advise(void *data, uint64_t size_bytes) {
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
    return advise(data, size_bytes);
}

uint8_t *ndp_data_grow(uint8_t *data, uint64_t size_bytes) {
    if (size_bytes > SIZE_MAX / 2) return NULL;
    return advise(realloc(data, size_bytes == 0 ? 1 : (size_t)size_bytes), size_bytes);
}

void ndp_data_free(uint8_t *data) {
    free(data);
}
