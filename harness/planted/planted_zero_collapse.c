#include "planted/defect.h"

static void collapse_shape(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    if (ndp_defect_count_elems(defect) != 0) return;
    defect->array.ndim = 1;
    defect->shape[0] = 0;
    defect->strides_bytes[0] = (int64_t)defect->array.itemsize_bytes;
}

NDP_DECODE_WITH(decode, collapse_shape)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(zero_collapse, "shape", "An array without elements comes back with the shape (0,).", encode, decode);
