#include "runtime/observed_value.h"

#include <string.h>

#include "codec/strided.h"

/* Allocates from a block that is known to be large enough. */
static enum ndp_status append_bytes(void *sink, const void *bytes, uint64_t size_bytes) {
    uint8_t **at = sink;
    if (size_bytes > 0) memcpy(*at, bytes, (size_t)size_bytes);
    *at += size_bytes;
    return NDP_OK;
}

/* Copies the elements from the observation's C order to Fortran order. */
static enum ndp_status in_fortran_order(struct ndp_arena *arena, const struct ndp_observation *seen,
                                        struct ndp_bytes *out) {
    struct ndp_layout layout;
    struct ndp_walk walk;
    uint8_t *room = ndp_arena_alloc(arena, seen->elements.size_bytes), *at = room;
    if (!room) return NDP_NOMEM;
    NDP_TRY(ndp_layout_contiguous(&layout, seen->shape, seen->ndim, seen->dtype->itemsize_bytes, NDP_MEMORY_C, 0));
    const struct ndp_elements elements = {seen->dtype, &layout, seen->elements.data};
    ndp_strided_walk_init(&walk, &elements, NDP_MEMORY_F);
    NDP_TRY(ndp_strided_walk_write(&walk, append_bytes, &at));
    *out = (struct ndp_bytes){room, seen->elements.size_bytes};
    return NDP_OK;
}

enum ndp_status fuzz_value_of(struct ndp_arena *arena, const struct ndp_observation *seen,
                              struct ndp_array_value *out) {
    const bool is_fortran = (seen->flags & (NDP_FLAG_C_CONTIGUOUS | NDP_FLAG_F_CONTIGUOUS)) == NDP_FLAG_F_CONTIGUOUS;
    struct ndp_base base = {.dtype = seen->dtype, .ndim = seen->ndim, .shape = seen->shape};
    base.data = (struct ndp_data){.pattern = NDP_PATTERN_HEX, .bytes = seen->elements};
    base.order = is_fortran ? NDP_MEMORY_F : NDP_MEMORY_C;
    if (is_fortran) NDP_TRY(in_fortran_order(arena, seen, &base.data.bytes));
    *out = (struct ndp_array_value){.base = base};
    return NDP_OK;
}
