#include "planted/defect.h"

#include <string.h>

static void cut_at_nul(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    const uint64_t item = defect->array.itemsize_bytes;
    if (!ndp_defect_is_leaf(defect, "S") || ndp_defect_copy_in_order(defect) == NULL) return;
    for (uint64_t i = 0; i < ndp_defect_count_elems(defect); i++) {
        uint8_t *value = defect->own_data + i * item;
        const uint8_t *nul = memchr(value, 0, (size_t)item);
        if (nul != NULL) memset(value + (nul - value), 0, (size_t)(item - (uint64_t)(nul - value)));
    }
}

NDP_DECODE_WITH(decode, cut_at_nul)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(c_string, "values", "Fixed-size bytes are read as C strings: everything after the first NUL is lost.", encode,
          decode);
