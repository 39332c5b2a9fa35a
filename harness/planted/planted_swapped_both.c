#include "planted/defect.h"

static void swap_under_same_name(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    const bool is_hit = ndp_defect_is_leaf(defect, "iufMm") && defect->dtype_json[1] == '>';
    if (is_hit && !defect->array.is_mapped && ndp_defect_copy_in_order(defect) != NULL) ndp_defect_swap(defect);
}

NDP_DECODE_WITH(decode, swap_under_same_name)
NDP_ENCODE_WITH(encode, swap_under_same_name, NULL)

NDP_PLANT(swapped_both, "cross",
          "Big-endian numbers are written in little-endian order with a big-endian dtype, and read the same way.",
          encode, decode);
