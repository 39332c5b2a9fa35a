#include "planted/defect.h"

static void drop_last_extent(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    const uint32_t ndim = defect->array.ndim;
    if (ndim >= 2 && defect->shape[ndim - 1] == 1) defect->array.ndim--;
}

NDP_DECODE_WITH(decode, drop_last_extent)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(squeeze_last, "shape", "A last extent of 1 is dropped when there are two or more dimensions.", encode,
          decode);
