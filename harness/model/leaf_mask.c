#include "model/leaf.h"

#include <string.h>

static bool is_tail(const struct ndp_dtype *leaf, uint64_t at_bytes) {
    const uint64_t in_unit = at_bytes % ndp_leaf_unit_bytes(leaf);
    return ndp_leaf_is_longdouble(leaf) && (leaf->order == NDP_ORDER_BIG ? in_unit < 6 : in_unit >= 10);
}

static bool mark_leaf(void *context, const struct ndp_dtype *leaf, uint64_t offset_bytes, const char *path) {
    uint8_t *mask = context;
    (void)path;
    for (uint64_t i = 0; i < leaf->itemsize_bytes; i++)
        if (!is_tail(leaf, i)) mask[offset_bytes + i] = 0xff;
    return true;
}

static bool clear_tails(void *context, const struct ndp_dtype *leaf, uint64_t offset_bytes, const char *path) {
    uint8_t *to = context;
    (void)path;
    for (uint64_t i = 0; ndp_leaf_is_longdouble(leaf) && i < leaf->itemsize_bytes; i++)
        if (is_tail(leaf, i)) to[offset_bytes + i] = 0;
    return true;
}

void ndp_leaf_copy_kept(const struct ndp_dtype *item, const uint8_t *from, uint8_t *to) {
    if (item->itemsize_bytes == 0) return;
    memcpy(to, from, (size_t)item->itemsize_bytes);
    ndp_dtype_visit(item, clear_tails, to);
}

void ndp_leaf_mask(const struct ndp_dtype *item, uint8_t *mask) {
    if (item->itemsize_bytes > 0) memset(mask, 0, item->itemsize_bytes);
    ndp_dtype_visit(item, mark_leaf, mask);
}
