#include "planted/defect.h"

static void add_dimension(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    if (defect->array.ndim != 0) return;
    defect->array.ndim = 1;
    defect->shape[0] = 1;
    defect->strides_bytes[0] = (int64_t)defect->array.itemsize_bytes;
}

NDP_DECODE_WITH(decode, add_dimension)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(scalar_to_1d, "shape", "An array of zero dimensions comes back with one.", encode, decode);
