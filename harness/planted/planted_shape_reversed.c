#include "planted/defect.h"

#include <string.h>

/* The elements stay in place; the shape and the strides are reversed. */
static void reverse_shape(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    const uint32_t ndim = defect->array.ndim;
    if (strcmp(entry->format, "npy") != 0 || defect->array.is_mapped) return;
    if (ndim < 2 || ndp_defect_copy(defect) == NULL) return;
    for (uint32_t k = 0; k < ndim / 2; k++) {
        const int64_t kept = defect->shape[k];
        defect->shape[k] = defect->shape[ndim - 1 - k];
        defect->shape[ndim - 1 - k] = kept;
    }
    ndp_defect_set_order(defect, false);
}

NDP_DECODE_WITH(decode, reverse_shape)
NDP_ENCODE_WITH(encode, reverse_shape, NULL)

NDP_PLANT(shape_reversed, "cross", "The shape is written in reverse, and reversed again on reading.", encode, decode);
