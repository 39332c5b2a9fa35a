#include "planted/defect.h"

#include <string.h>

enum { CHUNK_BYTES = 1024 };

static void zero_last_chunk(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    const uint64_t size = ndp_defect_size_bytes(defect);
    if (size <= CHUNK_BYTES || defect->array.is_mapped) return;
    /* The reference decodes to contiguous data, in C or F order. */
    uint8_t *data = (uint8_t *)(uintptr_t)defect->array.data;
    memset(data + size - size % CHUNK_BYTES, 0, (size_t)(size % CHUNK_BYTES));
}

NDP_DECODE_WITH(decode, zero_last_chunk)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(last_chunk, "values", "In data over 1 KiB, the last incomplete chunk stays zero.", encode, decode);
