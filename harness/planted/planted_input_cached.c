#include "planted/defect.h"

#include <string.h>

#include "base/rng.h"

/* The encoder takes an array for the one before if address, entry point, type, shape and all elements but the first are
 * the same, and then encodes the elements that it remembers. */
static struct {
    uint64_t key;
    uint8_t first[64];
} cache;

static uint64_t key_of(const struct ndp_plugin_entry *entry, const struct ndp_defect *defect, const uint8_t *elements) {
    const void *const places[] = {entry, defect->inner.data};
    const uint64_t item_bytes = defect->array.itemsize_bytes;
    uint64_t key = ndp_hash_bytes(places, sizeof places, NDP_HASH_START);
    key = ndp_hash_bytes(defect->dtype_json, strlen(defect->dtype_json), key);
    key = ndp_hash_bytes(defect->shape, defect->array.ndim * sizeof *defect->shape, key);
    return ndp_hash_bytes(elements + item_bytes, ndp_defect_size_bytes(defect) - item_bytes, key);
}

static void remember(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    const uint64_t item_bytes = defect->array.itemsize_bytes;
    if (item_bytes > sizeof cache.first || ndp_defect_count_elems(defect) < 2) return;
    uint8_t *elements = ndp_defect_copy_in_order(defect);
    if (elements == NULL) return;
    const uint64_t key = key_of(entry, defect, elements);
    if (key == cache.key) memcpy(elements, cache.first, item_bytes);
    cache.key = key;
    memcpy(cache.first, elements, item_bytes);
}

NDP_DECODE_WITH(decode, NULL)
NDP_ENCODE_WITH(encode, remember, NULL)

NDP_PLANT_ALONE(input_cached, "staleness", "The encoder remembers an array by its address, type and shape.", encode,
                decode);
