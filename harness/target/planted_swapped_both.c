/* planted_swapped_both.c: Big-endian numbers are written in little-endian order under a big-endian name, and read
 * alike. */
#include "target/defect.h"

/* Reverses every item of a kind whose item is one number, and complex numbers part by part. */
static void swap(struct ndp_defect *defect) {
    const uint64_t item = defect->array.itemsize_bytes;
    const uint64_t part = defect->dtype_json[2] == 'c' ? item / 2 : defect->dtype_json[2] == 'U' ? 4 : item;
    for (uint64_t at = 0; part > 0 && at + part <= ndp_defect_size(defect); at += part) {
        for (uint64_t i = 0; i < part / 2; i++) {
            const uint8_t kept = defect->own_data[at + i];
            defect->own_data[at + i] = defect->own_data[at + part - 1 - i];
            defect->own_data[at + part - 1 - i] = kept;
        }
    }
}

static void change(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    const bool is_hit = ndp_defect_is_leaf(defect, "iufMm") && defect->dtype_json[1] == '>';
    if (is_hit && !defect->array.is_mapped && ndp_defect_copy(defect) != NULL) swap(defect);
}

NDP_DECODE_WITH(decode, change)
NDP_ENCODE_WITH(encode, change, NULL)

NDP_PLANT(swapped_both, "cross",
          "Big-endian numbers are written in little-endian order under a big-endian name, and read alike.", encode,
          decode);
