#include "planted/defect.h"

static void change(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    if (!ndp_defect_is_leaf(defect, "b") || defect->array.is_mapped || ndp_defect_own(defect) == NULL) return;
    for (uint64_t i = 0; i < ndp_defect_size(defect); i++) defect->own_data[i] ^= 1;
}

NDP_DECODE_WITH(decode, change)
NDP_ENCODE_WITH(encode, change, NULL)

NDP_PLANT(bits_inverted, "cross", "Booleans are written as 0 for true and 1 for false, and read alike.", encode,
          decode);
