#include "model/leaf.h"

#include <string.h>

static bool mark_leaf(void *context, const struct ndp_dtype *leaf, uint64_t offset_bytes, const char *path) {
    uint8_t *mask = context;
    (void)path;
    const uint64_t unit_bytes = ndp_leaf_unit_bytes(leaf);
    const bool is_longdouble = ndp_leaf_is_longdouble(leaf);
    for (uint64_t i = 0; i < leaf->itemsize_bytes; i++) {
        const uint64_t in_unit = i % unit_bytes;
        if (is_longdouble && (leaf->order == NDP_ORDER_BIG ? in_unit < 6 : in_unit >= 10)) continue;
        mask[offset_bytes + i] = 0xff;
    }
    return true;
}

void ndp_leaf_mask(const struct ndp_dtype *item, uint8_t *mask) {
    if (item->itemsize_bytes > 0) memset(mask, 0, item->itemsize_bytes);
    ndp_dtype_visit(item, mark_leaf, mask);
}
