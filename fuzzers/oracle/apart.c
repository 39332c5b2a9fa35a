#include "oracle/apart.h"

#include <string.h>

#include "base/checked.h"

enum { ROOM = 0xa5 };

struct apart {
    struct ndp_elements elements;
    struct ndp_layout layout;
};

/* Turns the last axis, which has more than one element, around. */
static void turn(struct ndp_layout *layout) {
    const uint32_t last = layout->ndim - 1;
    layout->offset_bytes += (layout->shape[last] - 1) * layout->strides_bytes[last];
    layout->strides_bytes[last] = -layout->strides_bytes[last];
}

static void copy_items(const struct ndp_elements *from, const struct ndp_layout *to, uint8_t *memory) {
    int64_t index[NDP_MAX_NDIM] = {0};
    struct ndp_walk walk;
    ndp_walk_init(&walk, from, NDP_MEMORY_C);
    do {
        (void)ndp_walk_copy(&walk, memory + ndp_layout_at(to, index), 1);
    } while (ndp_layout_next(to, index));
}

const struct ndp_elements *fuzz_lay_apart(struct ndp_arena *arena, const struct ndp_elements *elements) {
    const struct ndp_layout *layout = elements->layout;
    const uint64_t item_bytes = 2 * elements->dtype->itemsize_bytes, count = ndp_layout_count(layout);
    struct apart *apart = NDP_ARENA_NEW(arena, struct apart);
    uint64_t size_bytes;
    if (count == 0 || item_bytes == 0 || !apart || !ndp_mul_u64_fits(count, item_bytes, &size_bytes)) return elements;
    uint8_t *memory = ndp_arena_alloc(arena, size_bytes);
    if (!memory ||
        ndp_layout_contiguous(&apart->layout, layout->shape, layout->ndim, item_bytes, NDP_MEMORY_C, 0) != NDP_OK)
        return elements;
    memset(memory, ROOM, (size_t)size_bytes);
    if (layout->ndim > 0 && layout->shape[layout->ndim - 1] > 1) turn(&apart->layout);
    copy_items(elements, &apart->layout, memory);
    apart->elements = (struct ndp_elements){elements->dtype, &apart->layout, memory};
    return &apart->elements;
}
