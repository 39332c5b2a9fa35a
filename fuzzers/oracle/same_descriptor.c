#include "oracle/same_descriptor.h"

#include <string.h>

#include "model/dict.h"
#include "model/graph.h"

#define SAME_WORD(x, y, member) ndp_word_is((x)->member, (y)->member)
#define SAME(x, y, member)      ((x)->member == (y)->member)

static bool is_same_list(const int64_t *a, const int64_t *b, uint32_t count) {
    return count == 0 || a == b || (a && b && memcmp(a, b, count * sizeof *a) == 0);
}

/* A sub-array is told by its base and its shape; what size it has follows from them, and is not compared as its own. */
static bool has_same_sizes(const struct ndp_dtype *a, const struct ndp_dtype *b) {
    if (a->itemsize_bytes != b->itemsize_bytes || a->field_count != b->field_count) return false;
    if (a->kind == NDP_KIND_SUBARRAY) return has_same_sizes(a->base, b->base);
    for (uint64_t i = 0; i < a->field_count; i++)
        if (!has_same_sizes(a->fields[i].dtype, b->fields[i].dtype)) return false;
    return true;
}

static bool is_same_type(const struct ndp_dtype *a, const struct ndp_dtype *b) {
    return a == b || (a && b && ndp_dtype_compare(a, b, NULL) == 0 && has_same_sizes(a, b));
}

static bool is_same_slice(const struct ndp_slice *a, const struct ndp_slice *b) {
    return SAME(a, b, start) && SAME(a, b, step) && SAME(a, b, count);
}

static bool is_same_view(const struct ndp_view *a, const struct ndp_view *b) {
    if (!SAME(a, b, op) || !SAME(a, b, ndim) || !SAME(a, b, offset_bytes) || !SAME(a, b, axis) || !SAME(a, b, order) ||
        !ndp_bytes_is_equal(a->name, b->name) || !is_same_type(a->dtype, b->dtype) ||
        !is_same_list(a->shape, b->shape, a->ndim) || !is_same_list(a->strides_bytes, b->strides_bytes, a->ndim))
        return false;
    for (uint32_t i = 0; a->axes && i < a->ndim; i++)
        if (!b->axes || a->axes[i] != b->axes[i]) return false;
    for (uint32_t i = 0; a->slices && i < a->ndim; i++)
        if (!b->slices || !is_same_slice(&a->slices[i], &b->slices[i])) return false;
    return true;
}

static bool is_same_base(const struct ndp_base *a, const struct ndp_base *b) {
    return is_same_type(a->dtype, b->dtype) && SAME(a, b, ndim) && is_same_list(a->shape, b->shape, a->ndim) &&
           SAME(a, b, order) && SAME(a, b, data.pattern) && SAME(a, b, data.seed) &&
           ndp_bytes_is_equal(a->data.bytes, b->data.bytes) && SAME(a, b, misalign_bytes) && SAME(a, b, is_readonly) &&
           SAME(a, b, has_map) && (!a->has_map || (SAME(a, b, map_mode) && SAME(a, b, map_offset_bytes)));
}

/* No name is that of an array as such. */
static bool is_same_class(struct ndp_bytes a, struct ndp_bytes b) {
    const struct ndp_bytes plain = ndp_bytes_view("ndarray");
    return ndp_bytes_is_equal(a.size_bytes > 0 ? a : plain, b.size_bytes > 0 ? b : plain);
}

static bool is_same_array(const struct ndp_array_value *a, const struct ndp_array_value *b) {
    if (!is_same_base(&a->base, &b->base) || !SAME(a, b, view_count) || !SAME(a, b, is_readonly) ||
        !is_same_class(a->class_name, b->class_name))
        return false;
    for (uint32_t i = 0; i < a->view_count; i++)
        if (!is_same_view(&a->views[i], &b->views[i])) return false;
    return true;
}

static bool is_same_edge(const struct ndp_edge *a, const struct ndp_edge *b) {
    return SAME(a, b, role) && SAME(a, b, to) && ndp_bytes_is_equal(a->name, b->name);
}

/* What a recipe says of a node: of what its kind has not, both say the same nothing. */
static bool is_same_node(const struct ndp_node *a, const struct ndp_node *b) {
    if (!SAME(a, b, kind) || !SAME(a, b, truth) || !ndp_bytes_is_equal(a->text, b->text) || !SAME(a, b, edge_count) ||
        !is_same_array(&a->array, &b->array) || !ndp_bytes_is_equal(a->fill_value, b->fill_value) ||
        !SAME(a, b, has_hard_mask) || !SAME(a, b, ndim) || !is_same_list(a->shape, b->shape, a->ndim) ||
        ndp_node_is_fortran(a) != ndp_node_is_fortran(b) || !SAME(a, b, code) ||
        !ndp_bytes_is_equal(a->name, b->name) || !SAME(a, b, is_importable) || !SAME(a, b, has_otypes) ||
        (a->has_otypes && !ndp_bytes_is_equal(a->otypes, b->otypes)) || !SAME(a, b, has_signature) ||
        (a->has_signature && !ndp_bytes_is_equal(a->signature, b->signature)) || !SAME(a, b, excluded_count) ||
        !SAME(a, b, calls))
        return false;
    for (uint32_t i = 0; i < a->excluded_count; i++)
        if (!SAME(a, b, excluded[i])) return false;
    for (uint32_t i = 0; i < a->edge_count; i++)
        if (!is_same_edge(&a->edges[i], &b->edges[i])) return false;
    return true;
}

static bool is_same_graph(const struct ndp_graph *a, const struct ndp_graph *b) {
    if (!SAME(a, b, root) || !SAME(a, b, count)) return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (!is_same_node(&a->nodes[i], &b->nodes[i])) return false;
    return true;
}

static bool is_same_thread(const struct ndp_dict_thread *a, const struct ndp_dict_thread *b) {
    if (!SAME(a, b, block_count)) return false;
    for (uint32_t i = 0; i < a->block_count; i++)
        if (!SAME(a, b, blocks[i].op) || !SAME(a, b, blocks[i].first) || !SAME(a, b, blocks[i].count)) return false;
    return true;
}

static bool is_same_dict(const struct ndp_dict_value *a, const struct ndp_dict_value *b) {
    if (!SAME(a, b, key) || !SAME(a, b, item) || !SAME(a, b, initial) || !SAME(a, b, rounds) ||
        !SAME(a, b, thread_count))
        return false;
    for (uint32_t i = 0; i < a->thread_count; i++)
        if (!is_same_thread(&a->threads[i], &b->threads[i])) return false;
    return true;
}

static bool is_same_value(const struct ndp_value *a, const struct ndp_value *b) {
    switch (a->kind) {
    case NDP_VALUE_ARRAY:
        return is_same_array(&a->array, &b->array);
    case NDP_VALUE_GRAPH:
        return is_same_graph(a->graph, b->graph);
    case NDP_VALUE_DICT:
        return is_same_dict(a->dict, b->dict);
    case NDP_VALUE_KIND_COUNT:
        break;
    }
    return false;
}

static bool is_same_route(const struct ndp_route *a, const struct ndp_route *b) {
    return SAME_WORD(a, b, format) && SAME(a, b, protocol) && SAME_WORD(a, b, encode) && SAME_WORD(a, b, decode) &&
           SAME_WORD(a, b, buffers) && SAME(a, b, offset_bytes) && SAME(a, b, is_transport) && SAME(a, b, max_nbytes) &&
           SAME(a, b, level) && SAME_WORD(a, b, map_mode) && SAME_WORD(a, b, encoder) && SAME_WORD(a, b, decoder);
}

bool fuzz_is_same_descriptor(const struct ndp_descriptor *a, const struct ndp_descriptor *b) {
    if (!SAME(a, b, kind) || !SAME(a, b, expect) || !is_same_route(&a->route, &b->route) ||
        !ndp_bytes_is_equal(a->bytes, b->bytes) || !SAME_WORD(a, b, file) || !SAME_WORD(a, b, fault.name) ||
        !SAME(a, b, fault.argument) || !SAME(a, b, property_count) || !SAME(a, b, value.kind))
        return false;
    for (uint32_t i = 0; i < a->property_count; i++)
        if (!SAME_WORD(a, b, properties[i])) return false;
    return is_same_value(&a->value, &b->value);
}
