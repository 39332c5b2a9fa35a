#include "planted/defect.h"

static void clear_not_a_time(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    if (!ndp_defect_is_leaf(defect, "Mm") || ndp_defect_copy_in_order(defect) == NULL) return;
    const uint64_t top = defect->dtype_json[1] == '>' ? 0 : 7;
    for (uint64_t i = 0; i < ndp_defect_count_elems(defect); i++) {
        uint8_t *value = defect->own_data + i * 8;
        uint8_t others = 0;
        for (uint64_t k = 0; k < 8; k++) others |= k == top ? 0 : value[k];
        if (value[top] == 0x80 && others == 0) value[top] = 0;
    }
}

NDP_DECODE_WITH(decode, clear_not_a_time)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(not_a_time, "values", "Not-a-time, the smallest 64-bit integer, becomes the epoch.", encode, decode);
