#include "planted/defect.h"

static void change(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    const bool is_hit = ndp_defect_is_leaf(defect, "iufMm") && defect->dtype_json[1] == '>';
    if (is_hit && !defect->array.is_mapped && ndp_defect_own(defect) != NULL) ndp_defect_swap(defect);
}

NDP_DECODE_WITH(decode, change)
NDP_ENCODE_WITH(encode, change, NULL)

NDP_PLANT(swapped_both, "cross",
          "Big-endian numbers are written in little-endian order under a big-endian name, and read alike.", encode,
          decode);
