#include "planted/defect.h"

#include <stdlib.h>
#include <string.h>

static void shift_by_one_byte(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    const uint64_t size = ndp_defect_size_bytes(defect);
    uint8_t *shifted = size == 0 || defect->array.is_mapped ? NULL : malloc((size_t)size + 1);
    if (shifted == NULL) return;
    /* The data are contiguous in C or F order, so all bytes can move together. */
    memcpy(shifted + 1, defect->array.data, (size_t)size);
    defect->own_data = shifted;
    defect->array.data = shifted + 1;
}

NDP_DECODE_WITH(decode, shift_by_one_byte)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(misaligned, "flags", "The data follow a header of odd length directly, one byte past the alignment.", encode,
          decode);
