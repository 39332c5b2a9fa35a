/* shrink_measure.c: the size of a descriptor, for shrinking.
 *
 * Problem: a shrinker that accepts any simpler neighbour may cycle, for example between two shapes of the same size.
 *
 * Method: a descriptor is measured by a tuple of non-negative integers, compared lexicographically: number of views or
 * bytes (of a graph: nodes), details of views (edges), nodes of the dtype, axes, extents, memory, details of the dtype,
 * data, flags and route. Each accepted step decreases the tuple. This order is well-founded, so shrinking terminates.
 *
 * Cost: linear in the descriptor. Limits: sums saturate at 2^48.
 */
#include "generate/dtype_edit.h"
#include "generate/shrink_parts.h"
#include "model/graph/graph.h"

/* Sums of sizes saturate here, far below overflow. Other entries distinguish larger descriptors. */
#define CAP (UINT64_C(1) << 48)

static uint64_t capped(uint64_t value) {
    return value < CAP ? value : CAP;
}

static uint64_t magnitude(int64_t value) {
    return capped(value < 0 ? UINT64_C(0) - (uint64_t)value : (uint64_t)value);
}

/* Preferred leaves of shrinking come first: u1, i4, f8, then one of each kind. */
static uint64_t leaf_rank(const struct ndp_dtype *leaf) {
    uint64_t size = leaf->itemsize_bytes;
    bool is_second = leaf->unit == NDP_UNIT_SECOND && leaf->unit_multiple == 1;
    switch (leaf->kind) {
    case NDP_KIND_UINT:
        return size == 1 ? 0 : 12;
    case NDP_KIND_INT:
        return size == 4 ? 1 : 12;
    case NDP_KIND_FLOAT:
        return size == 8 ? 2 : 13;
    case NDP_KIND_BOOL:
        return 4;
    case NDP_KIND_COMPLEX:
        return size == 16 ? 5 : 14;
    case NDP_KIND_BYTES:
    case NDP_KIND_VOID:
        return size == 1 ? 6 : 15;
    case NDP_KIND_TEXT:
        return size == 4 ? 6 : 15;
    case NDP_KIND_DATETIME:
    case NDP_KIND_TIMEDELTA:
        return is_second ? 7 : 16;
    case NDP_KIND_OBJECT:
        return 8;
    case NDP_KIND_REGISTERED:
        return 17;
    case NDP_KIND_STRUCT:
    case NDP_KIND_SUBARRAY:
    case NDP_KIND_COUNT:
    default:
        return 20;
    }
}

static uint64_t order_rank(enum ndp_byte_order order) {
    switch (order) {
    case NDP_ORDER_LITTLE:
        return 1;
    case NDP_ORDER_NATIVE:
        return 2;
    case NDP_ORDER_BIG:
        return 3;
    case NDP_ORDER_NONE:
    default:
        return 0;
    }
}

static uint64_t text_measure(struct ndp_bytes text) {
    uint64_t sum = text.size_bytes * 32 + (text.size_bytes == 0 ? 256 : 0);
    for (uint64_t i = 0; i < text.size_bytes; i++) {
        bool is_letter = text.data[i] >= 'a' && text.data[i] <= 'z';
        sum += is_letter ? (uint64_t)(text.data[i] - 'a') : 32;
    }
    return sum;
}

static uint64_t dtype_measure(const struct ndp_dtype *dtype);

static uint64_t struct_measure(const struct ndp_dtype *dtype) {
    uint64_t sum = dtype->is_aligned ? 9 : 1;
    if (!ndp_dtype_is_packed(dtype)) sum += 16 + dtype->itemsize_bytes;
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        const struct ndp_field *field = &dtype->fields[i];
        sum += text_measure(field->name) + dtype_measure(field->dtype);
        if (field->has_title) sum += 8 + text_measure(field->title);
    }
    return sum;
}

/* The entry of a dtype: kinds, orders, names, padding. */
static uint64_t dtype_measure(const struct ndp_dtype *dtype) {
    uint64_t sum = dtype->metadata.size_bytes;
    if (dtype->kind == NDP_KIND_STRUCT) return capped(sum + struct_measure(dtype));
    if (dtype->kind == NDP_KIND_SUBARRAY) {
        sum += dtype_measure(dtype->base);
        for (uint32_t i = 0; i < dtype->ndim; i++) sum += 4 + magnitude(dtype->shape[i]);
        return capped(sum);
    }
    bool is_flexible = leaf_rank(dtype) == 15 || leaf_rank(dtype) == 6;
    sum += leaf_rank(dtype) * 32 + order_rank(dtype->order) + (is_flexible ? dtype->itemsize_bytes : 0);
    return capped(sum + dtype->unit + dtype->unit_multiple);
}

static uint64_t slice_measure(const struct ndp_slice *slice) {
    uint64_t step = slice->step == 1 ? 0 : magnitude(slice->step) + (slice->step < 0);
    /* The start of an empty slice or of a full reversed axis is determined by the other members. */
    bool is_reversed_whole = slice->step == -1 && slice->start == slice->count - 1;
    return step + (is_reversed_whole ? 0 : magnitude(slice->start));
}

static uint64_t view_measure(const struct ndp_view *view) {
    uint64_t sum = view->axis + magnitude(view->offset_bytes) + view->name.size_bytes;
    if (view->op == NDP_VIEW_RESHAPE && view->order == NDP_MEMORY_F) sum++;
    for (uint32_t i = 0; i < view->ndim; i++) {
        sum += 16;
        if (view->shape != NULL) sum += magnitude(view->shape[i]);
        if (view->strides_bytes != NULL) sum += magnitude(view->strides_bytes[i]);
        if (view->axes != NULL) sum += view->axes[i] != i;
        if (view->slices != NULL) sum += slice_measure(&view->slices[i]);
    }
    if (view->dtype != NULL) sum += dtype_measure(view->dtype);
    return capped(sum);
}

static uint64_t data_measure(const struct ndp_data *data) {
    static const uint8_t ranks[NDP_PATTERN_COUNT] = {[NDP_PATTERN_ZEROS] = 0,
                                                     [NDP_PATTERN_INDEX] = 1,
                                                     [NDP_PATTERN_SPECIAL] = 2,
                                                     [NDP_PATTERN_RANDOM] = 3,
                                                     [NDP_PATTERN_HEX] = 4};
    uint64_t sum = ((uint64_t)ranks[data->pattern] << 50) + capped(data->seed);
    for (uint64_t i = 0; i < data->bytes.size_bytes; i++) sum += data->bytes.data[i] != 0;
    return sum;
}

static void measure_base(const struct ndp_base *base, struct ndp_measure *out) {
    if (base->dtype != NULL) {
        out->entries[2] = ndp_dtype_nodes(base->dtype);
        out->entries[6] = dtype_measure(base->dtype);
    }
    out->entries[3] = base->ndim;
    for (uint32_t i = 0; i < base->ndim; i++) out->entries[4] += magnitude(base->shape[i]);
    if (base->has_map) out->entries[5] += 64 + (uint64_t)base->map_mode + (capped(base->map_offset_bytes) << 8);
    out->entries[5] += base->is_readonly + base->misalign_bytes + (base->order == NDP_MEMORY_F);
    out->entries[7] = data_measure(&base->data);
}

/* Nodes first, then edges, then details of single nodes. Arrays are measured as outside of a graph. */
static void measure_node(const struct ndp_node *node, struct ndp_measure *out) {
    out->entries[1] += node->edge_count;
    out->entries[5] += ndp_graph_node_calls(node);
    out->entries[8] += (uint64_t)node->kind;
    if (node->kind >= NDP_NODE_INT && node->kind <= NDP_NODE_OTHER) out->entries[8] += node->text.size_bytes;
    if (node->kind == NDP_NODE_FUNCTION) out->entries[5] += (uint64_t)node->code + node->name.size_bytes;
    if (node->kind == NDP_NODE_INSTANCE) out->entries[5] += node->keep_count;
    if (node->kind == NDP_NODE_VECTORIZE)
        out->entries[5] += node->excluded_count + node->has_otypes + 2U * node->has_signature;
    if (node->kind != NDP_NODE_ARRAY && node->kind != NDP_NODE_VIEW) return;
    out->entries[5] += (uint64_t)node->has_hard_mask + (node->fill_value.size_bytes > 0);
    out->entries[1] += node->array.view_count;
    for (uint32_t i = 0; i < node->array.view_count; i++) out->entries[5] += view_measure(&node->array.views[i]);
    struct ndp_measure base = {{0}};
    measure_base(&node->array.base, &base);
    for (int i = 2; i < NDP_MEASURE_ENTRIES; i++) out->entries[i] += base.entries[i];
}

static struct ndp_measure measure_graph(const struct ndp_graph *graph) {
    struct ndp_measure out = {{0}};
    out.entries[0] = graph->count;
    for (uint32_t i = 0; i < graph->count; i++) measure_node(&graph->nodes[i], &out);
    return out;
}

struct ndp_measure ndp_shrink_measure(const struct ndp_descriptor *descriptor) {
    if (descriptor->value.kind == NDP_VALUE_GRAPH) return measure_graph(descriptor->value.graph);
    struct ndp_measure out = {{0}};
    const struct ndp_array_value *value = &descriptor->value.array;
    out.entries[0] = value->view_count + capped(descriptor->bytes.size_bytes) * 2;
    for (uint64_t i = 0; i < descriptor->bytes.size_bytes; i++) out.entries[0] += descriptor->bytes.data[i] != 0;
    for (uint32_t i = 0; i < value->view_count; i++) out.entries[1] += view_measure(&value->views[i]);
    measure_base(&value->base, &out);
    bool is_plain = value->class_name.size_bytes == 0 || ndp_bytes_is_word(value->class_name, "ndarray");
    out.entries[8] = value->is_readonly + (is_plain ? 0U : 2U) + (capped(descriptor->route.offset_bytes) << 2);
    out.entries[8] = capped(out.entries[8]) + capped(descriptor->fault.argument);
    return out;
}

bool ndp_shrink_measure_is_less(const struct ndp_measure *a, const struct ndp_measure *b) {
    for (int i = 0; i < NDP_MEASURE_ENTRIES; i++)
        if (a->entries[i] != b->entries[i]) return a->entries[i] < b->entries[i];
    return false;
}
