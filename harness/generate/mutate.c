/* mutate.c: one typed change of a descriptor.
 *
 * Problem: a mutation should change one feature and produce a valid descriptor.
 *
 * Method: a change is chosen and applied to a copy; parts that no longer fit are repaired or dropped (value_repair.c),
 * and the result is checked. After MAX_TRIES failures the data is changed, which always works. Cost: at most MAX_TRIES
 * checks of a value.
 */
#include "generate/dtype_edit.h"
#include "generate/generate_parts.h"
#include "model/graph/graph.h"

#include <string.h>

/* After this many invalid results, only the data is changed. */
enum { MAX_TRIES = 8 };

struct mutation {
    struct ndp_arena *arena;
    struct ndp_arena *scratch;
    struct ndp_choices *choices;
    struct ndp_generate_limits limits;
};

typedef enum ndp_status mutator(struct mutation *mutation, struct ndp_descriptor *descriptor);

static struct ndp_dtype_wish item_wish(const struct mutation *mutation) {
    uint64_t largest = mutation->limits.value_bytes < 200 ? mutation->limits.value_bytes : 200;
    return (struct ndp_dtype_wish){largest, false, 2};
}

static enum ndp_status change_dtype(struct mutation *mutation, struct ndp_descriptor *descriptor) {
    return ndp_generate_dtype(mutation->arena, mutation->choices, item_wish(mutation),
                              &descriptor->value.array.base.dtype);
}

/* Replaces one node of the dtype by a leaf. */
static enum ndp_status change_leaf(struct mutation *mutation, struct ndp_descriptor *descriptor) {
    const struct ndp_dtype *leaf = NULL;
    const struct ndp_dtype **dtype = &descriptor->value.array.base.dtype;
    NDP_TRY(ndp_generate_leaf(mutation->arena, mutation->choices, item_wish(mutation), &leaf));
    uint32_t index = (uint32_t)ndp_choose(mutation->choices, ndp_dtype_nodes(*dtype));
    return ndp_dtype_replace(mutation->arena, *dtype, index, leaf, dtype);
}

static enum ndp_status change_order(struct mutation *mutation, struct ndp_descriptor *descriptor) {
    static const enum ndp_byte_order orders[] = {NDP_ORDER_LITTLE, NDP_ORDER_BIG, NDP_ORDER_NATIVE};
    const struct ndp_dtype **dtype = &descriptor->value.array.base.dtype;
    enum ndp_byte_order order = orders[ndp_choose(mutation->choices, 3)];
    uint32_t index = (uint32_t)ndp_choose(mutation->choices, ndp_dtype_nodes(*dtype));
    const struct ndp_dtype *node = NULL;
    NDP_TRY(ndp_dtype_with_order(mutation->arena, ndp_dtype_node(*dtype, index), order, &node));
    return ndp_dtype_replace(mutation->arena, *dtype, index, node, dtype);
}

/* Changes the unit or multiple of a time, or the length of a string, in one node. */
static enum ndp_status change_parameter(struct mutation *mutation, struct ndp_descriptor *descriptor) {
    static const uint32_t multiples[] = {1, 2, 7, 25, 255, 256, 1000};
    static const uint64_t lengths[] = {31, 32, 63, 64, 127, 128, 255, 256, 257};
    struct ndp_choices *choices = mutation->choices;
    const struct ndp_dtype **dtype = &descriptor->value.array.base.dtype;
    const uint32_t index = (uint32_t)ndp_choose(choices, ndp_dtype_nodes(*dtype));
    struct ndp_dtype *node = ndp_arena_copy(mutation->arena, ndp_dtype_node(*dtype, index), sizeof *node);
    if (node == NULL) return NDP_NOMEM;
    if (node->kind == NDP_KIND_DATETIME || node->kind == NDP_KIND_TIMEDELTA) {
        if (ndp_choose_rarely(choices, 2))
            node->unit_multiple = multiples[ndp_choose(choices, NDP_ARRAY_LEN(multiples))];
        else
            node->unit = (enum ndp_unit)ndp_choose(choices, NDP_UNIT_COUNT);
        if (node->unit == NDP_UNIT_GENERIC) node->unit_multiple = 1;
    } else if (node->kind == NDP_KIND_BYTES || node->kind == NDP_KIND_TEXT || node->kind == NDP_KIND_VOID) {
        uint64_t length = ndp_choose(choices, 20);
        if (ndp_choose_rarely(choices, 4)) length = lengths[ndp_choose(choices, NDP_ARRAY_LEN(lengths))];
        node->itemsize_bytes = length * (node->kind == NDP_KIND_TEXT ? 4 : 1);
    } else {
        return NDP_INVALID;
    }
    return ndp_dtype_replace(mutation->arena, *dtype, index, node, dtype);
}

static enum ndp_status remove_field(struct mutation *mutation, struct ndp_descriptor *descriptor) {
    const struct ndp_dtype **dtype = &descriptor->value.array.base.dtype;
    if ((*dtype)->kind != NDP_KIND_STRUCT || (*dtype)->field_count == 0) return NDP_INVALID;
    uint64_t first = ndp_choose(mutation->choices, (*dtype)->field_count);
    return ndp_dtype_without_fields(mutation->arena, *dtype, first, 1, dtype);
}

static enum ndp_status change_extent(struct mutation *mutation, struct ndp_descriptor *descriptor) {
    static const int64_t extents[] = {0, 1, 2, 3, 4, 5, 7, 8, 16, 33, 100};
    struct ndp_base *base = &descriptor->value.array.base;
    if (base->ndim == 0) return NDP_INVALID;
    int64_t *shape = ndp_arena_copy(mutation->arena, base->shape, base->ndim * sizeof *shape);
    if (shape == NULL) return NDP_NOMEM;
    shape[ndp_choose(mutation->choices, base->ndim)] = extents[ndp_choose(mutation->choices, NDP_ARRAY_LEN(extents))];
    base->shape = shape;
    return NDP_OK;
}

/* Adds or removes one axis; the others keep their extents. */
static enum ndp_status change_axes(struct mutation *mutation, struct ndp_descriptor *descriptor) {
    struct ndp_base *base = &descriptor->value.array.base;
    const bool is_more = base->ndim == 0 || ndp_choose_rarely(mutation->choices, 2);
    if (is_more && base->ndim >= mutation->limits.max_ndim) return NDP_INVALID;
    const uint32_t at = (uint32_t)ndp_choose(mutation->choices, (uint64_t)base->ndim + is_more);
    int64_t *shape = NDP_ARENA_ITEMS(mutation->arena, int64_t, (uint64_t)base->ndim + 1);
    if (shape == NULL) return NDP_NOMEM;
    for (uint32_t i = 0; i < base->ndim; i++)
        if (is_more || i != at) shape[i + (is_more ? i >= at : 0) - (is_more ? 0 : i > at)] = base->shape[i];
    if (is_more) shape[at] = 1 + (int64_t)ndp_choose(mutation->choices, 4);
    base->shape = shape;
    base->ndim = is_more ? base->ndim + 1 : base->ndim - 1;
    return NDP_OK;
}

static enum ndp_status change_shape(struct mutation *mutation, struct ndp_descriptor *descriptor) {
    struct ndp_base *base = &descriptor->value.array.base;
    int64_t shape[NDP_MAX_NDIM] = {0};
    uint64_t itemsize = base->dtype->itemsize_bytes;
    struct ndp_shape_wish wish = {.itemsize_bytes = itemsize, .max_ndim = mutation->limits.max_ndim};
    wish.max_count = itemsize > 0 ? 400 / itemsize : 12;
    ndp_generate_shape(mutation->choices, wish, &base->ndim, shape);
    base->shape = ndp_arena_copy(mutation->arena, shape, base->ndim * sizeof *shape);
    return base->shape == NULL ? NDP_NOMEM : NDP_OK;
}

static enum ndp_status add_view(struct mutation *mutation, struct ndp_descriptor *descriptor) {
    struct ndp_array_value *value = &descriptor->value.array;
    if (value->view_count >= NDP_MAX_VIEWS) return NDP_INVALID;
    struct ndp_view *views = NDP_ARENA_ITEMS(mutation->arena, struct ndp_view, (uint64_t)value->view_count + 1);
    if (views == NULL) return NDP_NOMEM;
    for (uint32_t i = 0; i < value->view_count; i++) views[i] = value->views[i];
    struct ndp_array array;
    bool has_view = false;
    NDP_TRY(ndp_array_build_layout(mutation->scratch, value, true, &array, NULL));
    NDP_TRY(ndp_generate_view(mutation->arena, mutation->scratch, mutation->choices, &array, &mutation->limits,
                              NDP_VIEW_COUNT, &views[value->view_count], &array, &has_view));
    if (!has_view) return NDP_INVALID;
    value->views = views;
    value->view_count++;
    return NDP_OK;
}

static enum ndp_status remove_view(struct mutation *mutation, struct ndp_descriptor *descriptor) {
    struct ndp_array_value *value = &descriptor->value.array;
    if (value->view_count == 0) return NDP_INVALID;
    struct ndp_view *views = NDP_ARENA_ITEMS(mutation->arena, struct ndp_view, value->view_count);
    if (views == NULL) return NDP_NOMEM;
    uint32_t gone = (uint32_t)ndp_choose(mutation->choices, value->view_count);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < value->view_count; i++)
        if (i != gone) views[kept++] = value->views[i];
    value->views = views;
    value->view_count = kept;
    return NDP_OK;
}

static enum ndp_status change_data(struct mutation *mutation, struct ndp_descriptor *descriptor) {
    struct ndp_base *base = &descriptor->value.array.base;
    uint64_t size = 0;
    if (!ndp_generate_base_size_fits(base, mutation->limits.value_bytes, &size)) return NDP_INVALID;
    return ndp_generate_data(mutation->arena, mutation->choices, base->dtype, size, &base->data);
}

static enum ndp_status change_memory(struct mutation *mutation, struct ndp_descriptor *descriptor) {
    struct ndp_base *base = &descriptor->value.array.base;
    base->misalign_bytes = 0;
    base->is_readonly = false;
    base->has_map = false;
    ndp_generate_memory(mutation->choices, &mutation->limits, base);
    return NDP_OK;
}

static enum ndp_status change_map(struct mutation *mutation, struct ndp_descriptor *descriptor) {
    ndp_generate_map(mutation->choices, &descriptor->value.array.base);
    return NDP_OK;
}

static enum ndp_status change_memory_order(struct mutation *mutation, struct ndp_descriptor *descriptor) {
    (void)mutation;
    struct ndp_base *base = &descriptor->value.array.base;
    base->order = base->order == NDP_MEMORY_C ? NDP_MEMORY_F : NDP_MEMORY_C;
    return NDP_OK;
}

static enum ndp_status change_writeable(struct mutation *mutation, struct ndp_descriptor *descriptor) {
    (void)mutation;
    descriptor->value.array.is_readonly = !descriptor->value.array.is_readonly;
    return NDP_OK;
}

static enum ndp_status change_fault(struct mutation *mutation, struct ndp_descriptor *descriptor) {
    if (descriptor->kind != NDP_CASE_DECODE) return NDP_INVALID;
    const char *format = descriptor->route.format[0] != '\0' ? descriptor->route.format : "npy";
    const struct ndp_fault_row *row = ndp_fault_find(descriptor->fault.name, format);
    if (row == NULL || ndp_choose_rarely(mutation->choices, 2)) row = ndp_generate_fault_row(mutation->choices, format);
    if (row == NULL) return NDP_INVALID;
    ndp_generate_set_fault(descriptor, row, ndp_generate_fault_argument(mutation->choices, row));
    return NDP_OK;
}

static const struct {
    mutator *mutate;
    uint8_t weight;
} mutators[] = {{change_data, 8},      {change_leaf, 12},      {change_order, 10}, {change_extent, 10},
                {add_view, 14},        {remove_view, 6},       {change_memory, 8}, {change_memory_order, 5},
                {change_writeable, 4}, {change_dtype, 6},      {change_shape, 6},  {change_map, 5},
                {remove_field, 4},     {change_parameter, 16}, {change_axes, 6},   {change_fault, 20}};

static enum ndp_status try_mutation(struct mutation *mutation, struct ndp_descriptor *descriptor) {
    uint8_t weights[NDP_ARRAY_LEN(mutators)];
    for (size_t i = 0; i < NDP_ARRAY_LEN(mutators); i++) weights[i] = mutators[i].weight;
    if (descriptor->kind != NDP_CASE_DECODE) weights[NDP_ARRAY_LEN(mutators) - 1] = 0;
    uint32_t drawn = ndp_choose_weighted(mutation->choices, weights, NDP_ARRAY_LEN(mutators));
    NDP_TRY(mutators[drawn].mutate(mutation, descriptor));
    NDP_TRY(
        ndp_generate_repaired_value(mutation->arena, mutation->scratch, &mutation->limits, &descriptor->value.array));
    return ndp_descriptor_check(mutation->scratch, descriptor, NULL);
}

/* Changes, removes or inserts one byte, or truncates. The expected result becomes open. */
static enum ndp_status mutate_bytes(struct ndp_arena *arena, struct ndp_choices *choices,
                                    struct ndp_descriptor *descriptor) {
    uint64_t size = descriptor->bytes.size_bytes;
    uint8_t *bytes = ndp_arena_alloc(arena, size + 1);
    if (bytes == NULL) return NDP_NOMEM;
    memcpy(bytes, descriptor->bytes.data, (size_t)size);
    uint64_t at = ndp_choose(choices, size);
    uint8_t with = (uint8_t)ndp_choose(choices, 256);
    switch (ndp_choose(choices, 4)) {
    case 1:
        if (size == 1) break;
        memmove(bytes + at, bytes + at + 1, (size_t)(size - at - 1));
        size--;
        break;
    case 2:
        memmove(bytes + at + 1, bytes + at, (size_t)(size - at));
        bytes[at] = with;
        size++;
        break;
    case 3:
        size = at + 1;
        break;
    default:
        bytes[at] ^= with == 0 ? 1 : with;
        break;
    }
    descriptor->bytes = (struct ndp_bytes){bytes, size};
    descriptor->expect = NDP_EXPECT_OPEN;
    return NDP_OK;
}

static enum ndp_status mutate_value(struct mutation *mutation, const struct ndp_descriptor *from,
                                    struct ndp_descriptor *out) {
    for (int i = 0; i < MAX_TRIES; i++) {
        struct ndp_descriptor descriptor = *from;
        enum ndp_status status = try_mutation(mutation, &descriptor);
        if (status == NDP_NOMEM) return status;
        if (status != NDP_OK) continue;
        *out = descriptor;
        return NDP_OK;
    }
    *out = *from;
    struct ndp_data *data = &out->value.array.base.data;
    bool is_zeros = data->pattern == NDP_PATTERN_ZEROS;
    *data = (struct ndp_data){.pattern = is_zeros ? NDP_PATTERN_INDEX : NDP_PATTERN_ZEROS};
    return NDP_OK;
}

/* Mutates one array of the graph that has no class of its own. Does nothing if the rest of the graph does not allow the
 * result. */
static enum ndp_status mutate_inside(struct ndp_arena *arena, struct ndp_choices *choices,
                                     const struct ndp_descriptor *from, struct ndp_descriptor *out) {
    const struct ndp_graph *whole = from->value.graph;
    struct ndp_graph *graph = ndp_arena_copy(arena, whole, sizeof *graph);
    struct ndp_node *nodes = ndp_arena_copy(arena, whole->nodes, whole->count * sizeof *nodes);
    if (graph == NULL || nodes == NULL) return NDP_NOMEM;
    struct ndp_node *node = &nodes[ndp_choose(choices, graph->count)];
    if (node->kind != NDP_NODE_ARRAY || !ndp_bytes_is_word(node->array.class_name, "ndarray")) return NDP_OK;
    struct ndp_descriptor array = {.kind = NDP_CASE_ROUND_TRIP,
                                   .value = {.kind = NDP_VALUE_ARRAY, .array = node->array}};
    struct ndp_descriptor changed = *from, after;
    NDP_TRY(ndp_generate_mutant(arena, choices, &array, &after));
    if (ndp_dtype_has_object(after.value.array.base.dtype)) return NDP_OK;
    node->array = after.value.array;
    graph->nodes = nodes;
    changed.value.graph = graph;
    const enum ndp_status status = ndp_descriptor_check(arena, &changed, NULL);
    if (status == NDP_OK) *out = changed;
    return status == NDP_NOMEM ? status : NDP_OK;
}

/* Mutates an array of the graph, or gives a simpler neighbour or another graph. */
static enum ndp_status mutate_graph(struct ndp_arena *arena, struct ndp_choices *choices,
                                    const struct ndp_descriptor *from, struct ndp_descriptor *out) {
    struct ndp_descriptor descriptor = *from;
    bool is_done = true;
    switch (ndp_choose(choices, 3)) {
    case 0:
        break;
    case 1:
        *out = *from;
        return mutate_inside(arena, choices, from, out);
    default:
        NDP_TRY(ndp_shrink_step(arena, from, (uint32_t)ndp_choose(choices, 8), &descriptor, &is_done));
        break;
    }
    if (is_done) {
        descriptor = *from;
        NDP_TRY(ndp_generate_graph(arena, choices, &descriptor.value));
    }
    *out = descriptor;
    return NDP_OK;
}

enum ndp_status ndp_generate_mutant(struct ndp_arena *arena, struct ndp_choices *choices,
                                    const struct ndp_descriptor *from, struct ndp_descriptor *out) {
    if (from->value.kind == NDP_VALUE_GRAPH) return mutate_graph(arena, choices, from, out);
    if (from->kind == NDP_CASE_DECODE && from->bytes.size_bytes > 0) {
        struct ndp_descriptor descriptor = *from;
        NDP_TRY(mutate_bytes(arena, choices, &descriptor));
        *out = descriptor;
        return NDP_OK;
    }
    if (from->kind == NDP_CASE_DECODE && from->file[0] != '\0') {
        *out = *from; /* The corpus index determines the content of a file. */
        return NDP_OK;
    }
    struct ndp_arena scratch;
    struct mutation mutation = {arena, &scratch, choices, ndp_generate_limits_of(&from->value)};
    ndp_generate_scratch_init(&scratch, &mutation.limits);
    enum ndp_status status = mutate_value(&mutation, from, out);
    ndp_arena_clear(&scratch);
    return status;
}
