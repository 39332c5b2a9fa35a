/* contract_apply.c: computes the expected observation of a result: the model of the source with every promise applied.
 */
#include <string.h>

#include "base/byteorder.h"
#include "property/contract.h"

/* One item whose leaves change their byte order. */
struct swap {
    uint8_t *item;
    enum ndp_byte_order to;
};

static bool swap_leaf(void *context, const struct ndp_dtype *leaf, uint64_t offset_bytes, const char *path) {
    struct swap *swap = context;
    (void)path;
    if (leaf->order == NDP_ORDER_NONE || leaf->order == swap->to) return true;
    uint64_t unit_bytes = leaf->itemsize_bytes;
    if (leaf->kind == NDP_KIND_COMPLEX) unit_bytes /= 2;
    if (leaf->kind == NDP_KIND_TEXT) unit_bytes = 4;
    for (uint64_t at = 0; at < leaf->itemsize_bytes; at += unit_bytes) {
        uint8_t *unit = swap->item + offset_bytes + at;
        for (uint64_t i = 0; i < unit_bytes / 2; i++) {
            uint8_t low = unit[i];
            unit[i] = unit[unit_bytes - 1 - i];
            unit[unit_bytes - 1 - i] = low;
        }
    }
    return true;
}

/* Changes the byte order of the dtype and the elements together, so that the values stay the same. */
static enum ndp_status make_native(struct ndp_arena *arena, bool is_little_endian, struct ndp_observation *out) {
    enum ndp_byte_order order = is_little_endian ? NDP_ORDER_LITTLE : NDP_ORDER_BIG;
    const struct ndp_dtype *dtype = NULL;
    NDP_TRY(ndp_dtype_with_order(arena, out->dtype, order, &dtype));
    uint64_t itemsize_bytes = out->dtype->itemsize_bytes;
    if (itemsize_bytes != 0 && out->elements.size_bytes != 0) {
        uint8_t *copy = ndp_arena_copy(arena, out->elements.data, out->elements.size_bytes);
        if (copy == NULL) return NDP_NOMEM;
        for (uint64_t at = 0; at + itemsize_bytes <= out->elements.size_bytes; at += itemsize_bytes) {
            struct swap swap = {.item = copy + at, .to = order};
            ndp_dtype_visit(out->dtype, swap_leaf, &swap);
        }
        out->elements.data = copy;
    }
    out->dtype = dtype;
    return NDP_OK;
}

/* The layout that the result must have. PERMUTED keeps the strides, which are contiguous under the permutation. */
static enum ndp_status fill_layout(enum ndp_promise promise, const struct ndp_array *model, uint64_t features,
                                   struct ndp_layout *out) {
    enum ndp_memory_order order = NDP_MEMORY_C;
    bool is_c = (features & NDP_FEATURE_C_CONTIGUOUS) != 0;
    bool is_f = (features & NDP_FEATURE_F_CONTIGUOUS) != 0;
    bool is_kept = promise == NDP_PROMISE_SAME || promise == NDP_PROMISE_LOST;
    if (promise == NDP_PROMISE_PERMUTED && !is_c && !is_f) is_kept = (features & NDP_FEATURE_PERMUTED) != 0;
    if (is_kept) {
        *out = model->layout;
        out->offset_bytes = 0;
        return NDP_OK;
    }
    if (promise != NDP_PROMISE_C_ORDER && is_f && !is_c) order = NDP_MEMORY_F;
    return ndp_layout_contiguous(out, model->layout.shape, model->layout.ndim, model->dtype->itemsize_bytes, order, 0);
}

static void set_flag(struct ndp_observation *out, enum ndp_flag flag, bool is_set) {
    out->flags = is_set ? out->flags | (uint32_t)flag : out->flags & ~(uint32_t)flag;
}

static enum ndp_status apply_order(struct ndp_arena *arena, enum ndp_promise promise, const struct ndp_array *model,
                                   uint64_t features, struct ndp_layout *layout, struct ndp_observation *out) {
    NDP_TRY(fill_layout(promise, model, features, layout));
    int64_t *strides_bytes = ndp_arena_copy(arena, layout->strides_bytes, layout->ndim * sizeof(int64_t));
    if (strides_bytes == NULL) return NDP_NOMEM;
    out->strides_bytes = strides_bytes;
    if (promise == NDP_PROMISE_SAME)
        return NDP_OK; /* the flags of an array without bytes do not follow from its strides */
    set_flag(out, NDP_FLAG_C_CONTIGUOUS, ndp_layout_is_c_contiguous(layout, model->dtype->itemsize_bytes));
    set_flag(out, NDP_FLAG_F_CONTIGUOUS, ndp_layout_is_f_contiguous(layout, model->dtype->itemsize_bytes));
    return NDP_OK;
}

/* The mode of a map, from an entry such as "mmap:r+" or "mmap:r+:numpy", or the settings of a transport. */
static bool map_mode_of(const struct ndp_route *route, enum ndp_map_mode *out) {
    const bool is_entry = strncmp(route->decode, "mmap:", 5) == 0;
    if (route->is_transport && !is_entry)
        return ndp_value_find_map_mode(route->map_mode[0] != '\0' ? route->map_mode : "r", out);
    if (!is_entry) return false;
    char word[NDP_WORD_BYTES];
    memcpy(word, route->decode + 5, sizeof word - 5);
    word[strcspn(word, ":")] = '\0';
    return ndp_value_find_map_mode(word, out);
}

static void apply_flags(enum ndp_promise writeable, enum ndp_promise alignment, const struct ndp_route *route,
                        const struct ndp_target_info *decoder, const struct ndp_array *model, struct ndp_layout layout,
                        struct ndp_observation *out) {
    enum ndp_map_mode mode = NDP_MAP_COPY;
    if (writeable == NDP_PROMISE_TRUE) set_flag(out, NDP_FLAG_WRITEABLE, true);
    if (writeable == NDP_PROMISE_FALSE) set_flag(out, NDP_FLAG_WRITEABLE, false);
    if (writeable == NDP_PROMISE_MODE) {
        set_flag(out, NDP_FLAG_WRITEABLE, !map_mode_of(route, &mode) || mode != NDP_MAP_READ);
    }
    if (alignment == NDP_PROMISE_TRUE) set_flag(out, NDP_FLAG_ALIGNED, true);
    if (alignment == NDP_PROMISE_FALSE) set_flag(out, NDP_FLAG_ALIGNED, false);
    if (alignment == NDP_PROMISE_PLACE) {
        /* A map starts on a page, so the place in the file and the address are equal modulo the alignment. */
        uint64_t alignment_bytes = ndp_dtype_alignment_on(model->dtype, decoder->longdouble_alignment_bytes);
        layout.offset_bytes = alignment_bytes == 0 ? 0 : (int64_t)(route->offset_bytes % alignment_bytes);
        set_flag(out, NDP_FLAG_ALIGNED, ndp_layout_is_aligned(&layout, alignment_bytes));
    }
}

static void apply_backing(enum ndp_promise promise, const struct ndp_route *route, struct ndp_observation *out) {
    struct ndp_backing backing = {.is_map_class = ndp_bytes_is_word(out->class_name, "memmap")};
    if (promise == NDP_PROMISE_SHARED) {
        out->backing.is_map_class = true;
        if (out->backing.mode == NDP_MAP_WRITE) out->backing.mode = NDP_MAP_READ_WRITE;
        return;
    }
    if (promise == NDP_PROMISE_OWN_MAP) {
        backing.is_map_class = true;
        backing.claims = NDP_BACKING_OTHER;
        backing.has_mode = map_mode_of(route, &backing.mode);
        if (backing.mode == NDP_MAP_WRITE) backing.mode = NDP_MAP_READ_WRITE;
        out->backing = backing;
        return;
    }
    if (promise != NDP_PROMISE_MAPPED && promise != NDP_PROMISE_DETACHED) return;
    if (promise == NDP_PROMISE_MAPPED) {
        backing.is_map_class = true;
        backing.claims = NDP_BACKING_CASE;
        backing.is_mapped = true;
        backing.has_mode = map_mode_of(route, &backing.mode);
        /* The route states the place of the data only for a raw file; an NPY file states it in its header. */
        backing.has_offset = backing.has_position = ndp_bytes_word_is(route->format, "raw");
        backing.offset_bytes = backing.has_offset ? route->offset_bytes : 0;
        backing.position_bytes = backing.offset_bytes;
    }
    out->backing = backing;
}

enum ndp_status ndp_contract_apply(struct ndp_arena *arena, const struct ndp_array *model,
                                   const struct ndp_route *route, const struct ndp_target_info *decoder,
                                   uint64_t features, const struct ndp_contract *contract,
                                   struct ndp_observation *out) {
    enum ndp_promise promises[NDP_FIELD_COUNT];
    for (uint32_t i = 0; i < NDP_FIELD_COUNT; i++) promises[i] = contract->rows[i]->promise;
    struct ndp_observation expected;
    struct ndp_layout layout;
    NDP_TRY(ndp_array_observe(arena, model, &expected));
    if (promises[NDP_FIELD_BYTE_ORDER] == NDP_PROMISE_NATIVE) {
        NDP_TRY(make_native(arena, decoder->is_little_endian, &expected));
    }
    NDP_TRY(apply_order(arena, promises[NDP_FIELD_MEMORY_ORDER], model, features, &layout, &expected));
    apply_flags(promises[NDP_FIELD_WRITEABLE], promises[NDP_FIELD_ALIGNMENT], route, decoder, model, layout, &expected);
    if (promises[NDP_FIELD_CLASS] == NDP_PROMISE_NDARRAY) expected.class_name = ndp_bytes_view("ndarray");
    if (promises[NDP_FIELD_CLASS] == NDP_PROMISE_MEMMAP) expected.class_name = ndp_bytes_view("memmap");
    apply_backing(promises[NDP_FIELD_BACKING], route, &expected);
    *out = expected;
    return NDP_OK;
}

enum ndp_status ndp_contract_expect(struct ndp_arena *arena, const struct ndp_array *model,
                                    const struct ndp_route *route, const struct ndp_target_info *encoder,
                                    const struct ndp_target_info *decoder, struct ndp_observation *out) {
    const uint64_t features = ndp_contract_features(model, route);
    struct ndp_contract contract;
    ndp_contract_fill(route, encoder, decoder, features, &contract);
    return ndp_contract_apply(arena, model, route, decoder, features, &contract, out);
}
