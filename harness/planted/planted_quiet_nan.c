#include "planted/defect.h"

/* A NaN has all exponent bits set and some bit of the fraction; the quiet bit is the first of the fraction. */
static void quiet(uint8_t *value, uint64_t size_bytes, bool is_big) {
    const uint64_t top = is_big ? 0 : size_bytes - 1;
    const uint64_t next = is_big ? 1 : size_bytes - 2;
    const uint8_t exponent = size_bytes == 4 ? 0x80 : 0xf0;
    const uint8_t quiet_bit = size_bytes == 4 ? 0x40 : 0x08;
    bool has_fraction = (value[next] & (uint8_t)~exponent) != 0;
    for (uint64_t i = 0; i < size_bytes; i++) has_fraction = has_fraction || (i != top && i != next && value[i] != 0);
    if ((value[top] & 0x7f) == 0x7f && (value[next] & exponent) == exponent && has_fraction) value[next] |= quiet_bit;
}

static void quiet_all(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    if (!ndp_defect_is_leaf(defect, "fc")) return;
    const bool is_complex = defect->dtype_json[2] == 'c';
    const uint64_t part = defect->array.itemsize_bytes / (is_complex ? 2 : 1);
    if ((part != 4 && part != 8) || defect->array.is_mapped || ndp_defect_copy_in_order(defect) == NULL) return;
    const bool is_big = defect->dtype_json[1] == '>';
    for (uint64_t at = 0; at < ndp_defect_size_bytes(defect); at += part) quiet(defect->own_data + at, part, is_big);
}

NDP_DECODE_WITH(decode, quiet_all)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(quiet_nan, "values", "Floats pass through the processor, which turns signalling NaNs into quiet ones.",
          encode, decode);
