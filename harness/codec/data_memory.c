/* data_memory.c: alignment comes from posix_memalign, which keeps the size exact, so that sanitizers see the
 * first byte behind it. */
#include "codec/data_memory.h"

#include <stdlib.h>

enum { ALIGN_BYTES = 64 };

uint8_t *ndp_data_new(uint64_t size_bytes) {
    void *data = NULL;
    if (size_bytes > SIZE_MAX / 2) return NULL;
    if (posix_memalign(&data, ALIGN_BYTES, size_bytes == 0 ? 1 : (size_t)size_bytes) != 0) return NULL;
    return data;
}

uint8_t *ndp_data_grow(uint8_t *data, uint64_t size_bytes) {
    if (size_bytes > SIZE_MAX / 2) return NULL;
    return realloc(data, size_bytes == 0 ? 1 : (size_t)size_bytes);
}

void ndp_data_free(uint8_t *data) {
    free(data);
}
