#include "model/dtype_path.h"

#include <string.h>

/* The state of a walk: the visitor, and the current path. */
struct walk {
    ndp_dtype_leaf_visitor *visit;
    void *context;
    struct ndp_dtype_path path;
};

static bool walk_node(struct walk *walk, const struct ndp_dtype *dtype, uint64_t offset_bytes);

static bool walk_subarray(struct walk *walk, const struct ndp_dtype *dtype, uint64_t offset_bytes) {
    const size_t length = walk->path.length;
    const uint64_t step_bytes = dtype->base->itemsize_bytes;
    /* A sub-array of zero bytes may have 2^62 elements. */
    uint64_t count = dtype->itemsize_bytes > 0;
    for (uint32_t i = 0; i < dtype->ndim; i++) count *= (uint64_t)dtype->shape[i];
    for (uint64_t i = 0; i < count; i++) {
        ndp_dtype_path_add_index(&walk->path, dtype->shape, dtype->ndim, i);
        if (!walk_node(walk, dtype->base, offset_bytes + i * step_bytes)) return false;
        ndp_dtype_path_cut(&walk->path, length);
    }
    return true;
}

static bool walk_node(struct walk *walk, const struct ndp_dtype *dtype, uint64_t offset_bytes) {
    if (dtype->kind == NDP_KIND_SUBARRAY) return walk_subarray(walk, dtype, offset_bytes);
    if (dtype->kind != NDP_KIND_STRUCT) return walk->visit(walk->context, dtype, offset_bytes, walk->path.text);
    const size_t length = walk->path.length;
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        const struct ndp_field *field = &dtype->fields[i];
        ndp_dtype_path_add_name(&walk->path, field->name);
        if (!walk_node(walk, field->dtype, offset_bytes + field->offset_bytes)) return false;
        ndp_dtype_path_cut(&walk->path, length);
    }
    return true;
}

void ndp_dtype_visit(const struct ndp_dtype *dtype, ndp_dtype_leaf_visitor *visit, void *context) {
    struct walk walk = {.visit = visit, .context = context};
    (void)walk_node(&walk, dtype, 0);
}
