/* planted_native_order.c: Big-endian arrays come back in little-endian order, their values kept. */
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
    if (!ndp_defect_is_leaf(defect, "iufcUMm") || defect->dtype_json[1] != '>') return;
    defect->dtype_json[1] = '<';
    if (defect->array.is_mapped) defect->array.is_mapped = false;
    if (ndp_defect_copy(defect) != NULL) swap(defect);
}
NDP_DECODE_WITH(decode, change)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(native_order, "byte_order", "Big-endian arrays come back in little-endian order, their values kept.", encode,
          decode);
