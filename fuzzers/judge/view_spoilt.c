#include "judge/view_spoilt.h"

#include "base/checked.h"
#include "fuzz.h"

enum { BASE_BYTES = 4096 };

/* A base, and a view of all of it that can be spoilt. */
struct trial {
    struct ndp_arena *arena;
    struct ndp_array array;
    int64_t count;
    int64_t numbers[NDP_MAX_NDIM + 1]; /* a shape, or strides */
    uint32_t axes[NDP_MAX_NDIM + 1];
    struct ndp_slice slices[NDP_MAX_NDIM + 1];
    uint64_t pick;
};

static bool is_made(struct trial *trial, struct ndp_view view) {
    struct ndp_array out;
    return ndp_array_view(trial->arena, &trial->array, &view, &out, NULL) == NDP_OK;
}

/* Where a view that reaches no item lies, or one along an axis that has no second one: where the array does. */
static bool stays(struct trial *trial, struct ndp_view view, uint32_t axis, bool is_new) {
    const struct ndp_layout *from = &trial->array.layout;
    struct ndp_array out;
    if (ndp_array_view(trial->arena, &trial->array, &view, &out, NULL) != NDP_OK) return false;
    if (out.layout.offset_bytes != from->offset_bytes || out.layout.ndim != from->ndim + is_new) return false;
    for (uint32_t i = 0; i < from->ndim; i++)
        if (out.layout.strides_bytes[i + (is_new && i >= axis)] != from->strides_bytes[i]) return false;
    return out.layout.shape[axis] == is_new && (!is_new || out.layout.strides_bytes[axis] == 0);
}

static void check_reshape(struct trial *trial) {
    const struct ndp_layout *layout = &trial->array.layout;
    struct ndp_view view = {.op = NDP_VIEW_RESHAPE, .ndim = layout->ndim, .shape = trial->numbers};
    view.order = trial->pick % 2 == 0 ? NDP_MEMORY_C : NDP_MEMORY_F;
    FUZZ_HOLDS_OF("reshape", is_made(trial, view));
    if (trial->count == 0) return;
    if (view.ndim == 0) trial->numbers[view.ndim++] = 1;
    trial->numbers[trial->pick % view.ndim]++;
    FUZZ_HOLDS_OF("reshape", !is_made(trial, view));
}

static void check_transpose(struct trial *trial) {
    struct ndp_view view = {.op = NDP_VIEW_TRANSPOSE, .ndim = trial->array.layout.ndim, .axes = trial->axes};
    for (uint32_t i = 0; i < view.ndim; i++) trial->axes[i] = view.ndim - 1 - i;
    FUZZ_HOLDS_OF("transpose", is_made(trial, view));
    const uint32_t last = view.ndim;
    if (last > 0) {
        trial->axes[trial->pick % last] = trial->pick % 2 == 0 ? last : trial->axes[(trial->pick + 1) % last];
        FUZZ_HOLDS_OF("transpose", (last == 1 && trial->pick % 2 != 0) == is_made(trial, view));
    }
    trial->axes[last] = last;
    for (uint32_t i = 0; i < last; i++) trial->axes[i] = i;
    view.ndim++;
    FUZZ_HOLDS_OF("transpose", !is_made(trial, view));
}

static void check_slice(struct trial *trial) {
    const struct ndp_layout *layout = &trial->array.layout;
    struct ndp_view view = {.op = NDP_VIEW_SLICE, .ndim = layout->ndim, .slices = trial->slices};
    const int64_t step = 1 + (int64_t)(trial->pick % 3);
    for (uint32_t i = 0; i < layout->ndim; i++)
        trial->slices[i] = (struct ndp_slice){0, step, (layout->shape[i] + step - 1) / step};
    FUZZ_HOLDS_OF("slice", is_made(trial, view));
    if (layout->ndim == 0) return;
    struct ndp_slice *slice = &trial->slices[trial->pick / 3 % layout->ndim];
    const int64_t extent = layout->shape[trial->pick / 3 % layout->ndim];
    const struct ndp_slice bad[] = {
        {0, step, slice->count + 1}, {extent, step, 1}, {extent - 1, -1, extent + 1}, {0, 0, 1}, {-1, 1, 1}, {0, 1, -1},
        {extent + 1, 1, 0}};
    *slice = (struct ndp_slice){extent > 0 ? extent - 1 : 0, -1, extent};
    FUZZ_HOLDS_OF("slice", is_made(trial, view));
    *slice = bad[trial->pick / 64 % NDP_ARRAY_LEN(bad)];
    FUZZ_HOLDS_OF("slice", !is_made(trial, view));
    const uint32_t axis = (uint32_t)(trial->pick / 3 % layout->ndim);
    for (uint32_t i = 0; i < layout->ndim; i++) trial->slices[i] = (struct ndp_slice){0, 1, layout->shape[i]};
    *slice = (struct ndp_slice){(int64_t)(trial->pick / 8 % (uint64_t)(extent + 1)), step, 0};
    FUZZ_HOLDS_OF("slice", stays(trial, view, axis, false));
}

static void check_axes(struct trial *trial) {
    const struct ndp_layout *layout = &trial->array.layout;
    struct ndp_view view = {.op = NDP_VIEW_NEWAXIS, .axis = layout->ndim};
    FUZZ_HOLDS_OF("newaxis", is_made(trial, view) == (layout->ndim < NDP_MAX_NDIM));
    view.axis = (uint32_t)(trial->pick % (layout->ndim + 1));
    if (layout->ndim < NDP_MAX_NDIM) FUZZ_HOLDS_OF("newaxis", stays(trial, view, view.axis, true));
    view.axis = layout->ndim + 1;
    FUZZ_HOLDS_OF("newaxis", !is_made(trial, view));
    view = (struct ndp_view){.op = NDP_VIEW_BROADCAST, .ndim = layout->ndim, .shape = trial->numbers};
    FUZZ_HOLDS_OF("broadcast", is_made(trial, view));
    if (layout->ndim == 0) return;
    const uint64_t axis = trial->pick % layout->ndim;
    trial->numbers[axis] += layout->shape[axis] == 0 ? 2 : 1;
    FUZZ_HOLDS_OF("broadcast", is_made(trial, view) == (layout->shape[axis] == 1));
    view.ndim--;
    FUZZ_HOLDS_OF("broadcast", !is_made(trial, view));
}

/* A window over all of the items, and one that reaches an item or a byte farther. */
static void check_window(struct trial *trial) {
    const int64_t itemsize = (int64_t)trial->array.dtype->itemsize_bytes;
    struct ndp_view view = {.op = NDP_VIEW_STRIDED, .ndim = 1, .shape = trial->numbers, .strides_bytes = &itemsize};
    trial->numbers[0] = trial->count;
    FUZZ_HOLDS_OF("strided", is_made(trial, view));
    if (itemsize == 0 || trial->count == 0) return;
    const uint64_t how = trial->pick % 3;
    if (how == 0) trial->numbers[0]++;
    if (how != 0) view.offset_bytes = how == 1 ? 1 : -1;
    FUZZ_HOLDS_OF("strided", !is_made(trial, view));
}

/* Bytes of a size that divides the last axis, or not. */
static void check_type(struct trial *trial) {
    const struct ndp_layout *layout = &trial->array.layout;
    const uint64_t old = trial->array.dtype->itemsize_bytes, last = layout->ndim > 0 ? layout->ndim - 1 : 0;
    struct ndp_dtype bytes = {.kind = NDP_KIND_VOID, .itemsize_bytes = old};
    struct ndp_view view = {.op = NDP_VIEW_AS_DTYPE, .dtype = &bytes};
    FUZZ_HOLDS_OF("as_dtype", is_made(trial, view));
    bytes.itemsize_bytes = old + 1 + trial->pick % 3;
    if (layout->ndim == 0 || (uint64_t)layout->shape[last] * old % bytes.itemsize_bytes != 0)
        FUZZ_HOLDS_OF("as_dtype", !is_made(trial, view));
    bytes.itemsize_bytes = old - 1;
    if (old > 2) FUZZ_HOLDS_OF("as_dtype", !is_made(trial, view));
    view = (struct ndp_view){.op = NDP_VIEW_FIELD, .name = ndp_bytes_view("no such field")};
    FUZZ_HOLDS_OF("field", !is_made(trial, view));
}

bool fuzz_check_view_limits(struct ndp_arena *arena, const struct ndp_array_value *value, uint64_t pick) {
    static void (*const checks[])(struct trial *) = {check_reshape, check_transpose, check_slice,
                                                     check_axes,    check_window,    check_type};
    const struct ndp_array_value bare = {.base = value->base};
    struct trial trial = {.arena = arena, .count = 1, .pick = pick / NDP_ARRAY_LEN(checks)};
    const struct ndp_dtype *dtype = value->base.dtype;
    uint64_t size_bytes;
    if (!dtype || dtype->kind == NDP_KIND_SUBARRAY || ndp_dtype_has_object(dtype) ||
        !ndp_extents_fit(value->base.shape, value->base.ndim, dtype->itemsize_bytes, &(uint64_t){0}, &size_bytes) ||
        size_bytes > BASE_BYTES)
        return false;
    for (uint32_t i = 0; i < value->base.ndim; i++) {
        if (value->base.shape[i] > BASE_BYTES) return false;
        trial.numbers[i] = value->base.shape[i];
        trial.count *= value->base.shape[i];
        if (trial.count > BASE_BYTES) return false;
    }
    if (ndp_array_build(arena, &bare, true, &trial.array, NULL) != NDP_OK) return false;
    checks[pick % NDP_ARRAY_LEN(checks)](&trial);
    return true;
}
