#include "planted/defect.h"

static void swap_to_little_endian(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    if (!ndp_defect_is_leaf(defect, "iufcUMm") || defect->dtype_json[1] != '>') return;
    defect->dtype_json[1] = '<';
    if (ndp_defect_copy_in_order(defect) != NULL) ndp_defect_swap(defect);
}

NDP_DECODE_WITH(decode, swap_to_little_endian)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(native_order, "byte_order", "Big-endian arrays come back in little-endian order, with equal values.", encode,
          decode);
