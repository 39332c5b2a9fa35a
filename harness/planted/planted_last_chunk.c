#include "planted/defect.h"

#include <string.h>

enum { CHUNK_BYTES = 1024 };

static void change(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    const uint64_t size = ndp_defect_size(defect);
    if (size <= CHUNK_BYTES || defect->array.is_mapped) return;
    /* The data of the reference's decoder are contiguous in one order or the other. */
    uint8_t *data = (uint8_t *)(uintptr_t)defect->array.data;
    memset(data + size - size % CHUNK_BYTES, 0, (size_t)(size % CHUNK_BYTES));
}

NDP_DECODE_WITH(decode, change)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(last_chunk, "values", "Of data over 1 KiB, the last chunk that is not full stays zero.", encode, decode);
