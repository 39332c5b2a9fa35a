#include "planted/defect.h"

#include <string.h>

static void swap_complex(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    const uint64_t item = defect->array.itemsize_bytes;
    if (!ndp_defect_is_leaf(defect, "c") || defect->dtype_json[1] != '>' || ndp_defect_copy_in_order(defect) == NULL)
        return;
    for (uint64_t i = 0; i < ndp_defect_count_elems(defect); i++) {
        uint8_t parts[32];
        memcpy(parts, defect->own_data + i * item, (size_t)item);
        memcpy(defect->own_data + i * item, parts + item / 2, (size_t)(item / 2));
        memcpy(defect->own_data + i * item + item / 2, parts, (size_t)(item / 2));
    }
}

NDP_DECODE_WITH(decode, swap_complex)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(complex_swap, "values",
          "A big-endian complex number is byte-swapped as one unit, which exchanges its two parts.", encode, decode);
