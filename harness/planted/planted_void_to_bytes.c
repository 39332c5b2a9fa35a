#include "planted/defect.h"

static void relabel_as_bytes(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    if (ndp_defect_is_leaf(defect, "V")) defect->dtype_json[2] = 'S';
}

NDP_DECODE_WITH(decode, relabel_as_bytes)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(void_to_bytes, "dtype", "Raw bytes (V) come back as fixed-size byte strings (S).", encode, decode);
