#include "runtime/value_bound.h"

#include "base/checked.h"
#include "model/graph.h"

static uint64_t times(uint64_t bytes, const int64_t *shape, uint32_t ndim) {
    for (uint32_t i = 0; i < ndim; i++)
        if (!ndp_mul_u64_fits(bytes, (uint64_t)shape[i], &bytes)) return UINT64_MAX;
    return bytes;
}

static uint64_t sum(uint64_t a, uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t size_of(const struct ndp_array_value *array) {
    const struct ndp_dtype *dtype = array->base.dtype;
    if (!dtype) return 0;
    uint64_t item = dtype->itemsize_bytes, most = times(item, array->base.shape, array->base.ndim), all = most;
    for (uint32_t i = 0; i < array->view_count; i++) {
        const struct ndp_view *view = &array->views[i];
        if (view->op == NDP_VIEW_AS_DTYPE && view->dtype->itemsize_bytes > item) item = view->dtype->itemsize_bytes;
        const uint64_t size = view->shape ? times(item, view->shape, view->ndim) : most;
        if (size > most) most = size;
        all = sum(all, most);
    }
    /* What stands before the elements of a map is in memory, too. */
    return array->base.has_map ? sum(all, array->base.map_offset_bytes) : all;
}

bool fuzz_value_may_exceed(const struct ndp_value *value, uint64_t most_bytes) {
    uint64_t all = 0;
    if (value->kind == NDP_VALUE_ARRAY) all = size_of(&value->array);
    for (uint32_t i = 0; value->kind == NDP_VALUE_GRAPH && i < value->graph->count; i++)
        all = sum(all, size_of(&value->graph->nodes[i].array));
    return all > most_bytes;
}
