#include "planted/defect.h"

#include <string.h>

enum { PADDING_BYTE = 0xff };

/* The wrapper ends with "ub", followed by the length of the padding and the padding. */
static void shorten_padding(const struct ndp_plugin_entry *entry, const struct ndp_plugin_array *array,
                            struct ndp_buffer *bytes) {
    (void)array;
    if (strcmp(entry->entry, "file") != 0 && strcmp(entry->entry, "object") != 0) return;
    for (uint64_t i = 2; i + 1 < bytes->size_bytes; i++) {
        if (memcmp(bytes->data + i - 2, "ub", 2) != 0 || bytes->data[i + 1] != PADDING_BYTE) continue;
        bytes->data[i]--;
        return;
    }
}

NDP_DECODE_WITH(decode, NULL)
NDP_ENCODE_WITH(encode, NULL, shorten_padding)

NDP_PLANT_JOBLIB(padding_one, "values", "The length of the padding before the elements is one byte too small.", encode,
                 decode);
