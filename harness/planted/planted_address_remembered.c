#include "planted/defect.h"

#include <string.h>

/* The encoder takes an array for the one of the call before if address, entry point, type and shape are the same, and
 * then writes the last element that it remembers. */
static struct {
    const void *data;
    const struct ndp_plugin_entry *entry;
    uint64_t elems;
    char dtype[64];
    uint8_t last[64];
} cache;

static bool is_known(const struct ndp_plugin_entry *entry, const struct ndp_defect *defect) {
    return cache.data == defect->inner.data && cache.entry == entry && cache.elems == ndp_defect_count_elems(defect) &&
           strcmp(cache.dtype, defect->dtype_json) == 0;
}

static void remember(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    const uint64_t item_bytes = defect->array.itemsize_bytes, size_bytes = ndp_defect_size_bytes(defect);
    const bool is_small = item_bytes <= sizeof cache.last && strlen(defect->dtype_json) < sizeof cache.dtype;
    if (!is_small || ndp_defect_count_elems(defect) < 2) return;
    uint8_t *elements = ndp_defect_copy_in_order(defect);
    if (elements == NULL) return;
    uint8_t *last = elements + size_bytes - item_bytes;
    if (is_known(entry, defect)) memcpy(last, cache.last, (size_t)item_bytes);
    cache.data = defect->inner.data;
    cache.entry = entry;
    cache.elems = ndp_defect_count_elems(defect);
    memcpy(cache.dtype, defect->dtype_json, strlen(defect->dtype_json) + 1);
    memcpy(cache.last, last, (size_t)item_bytes);
}

NDP_DECODE_WITH(decode, NULL)
NDP_ENCODE_WITH(encode, remember, NULL)

NDP_PLANT_HISTORY(address_remembered, "values",
                  "The encoder takes an array in the place of a freed one of the same type and shape for that one.",
                  encode, decode);
