#include "planted/defect.h"

static void invert_bools(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    if (!ndp_defect_is_leaf(defect, "b") || defect->array.is_mapped || ndp_defect_copy_in_order(defect) == NULL) return;
    for (uint64_t i = 0; i < ndp_defect_size_bytes(defect); i++) defect->own_data[i] ^= 1;
}

NDP_DECODE_WITH(decode, invert_bools)
NDP_ENCODE_WITH(encode, invert_bools, NULL)

NDP_PLANT(bits_inverted, "cross", "Booleans are written as 0 for true and 1 for false, and read the same way.", encode,
          decode);
