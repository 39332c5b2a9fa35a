#include "runtime/runnable_case.h"

#include "codec/npy/npy_header.h"
#include "describe/fault.h"
#include "model/array.h"
#include "model/graph/array_class.h"
#include "model/graph/graph.h"

/* A page and some bytes beyond it; fuzzing uses smaller portions (base/portion.h). */
enum { FITTING_BYTES = 5120 };

static bool takes_format(const struct fuzz_cases *cases, const char *format) {
    if (!cases || !cases->formats) return true;
    for (const char *const *word = cases->formats; *word; word++)
        if (strcmp(*word, format) == 0) return true;
    return false;
}

/* Every fault applies to NPY, or to raw bytes, which take the same values. */
static bool has_encoding(struct ndp_arena *arena, const struct ndp_value *value) {
    struct ndp_array array;
    struct ndp_buffer header = {.max_bytes = 1 << 20};
    const bool is_encoded =
        value->kind == NDP_VALUE_ARRAY && ndp_array_build(arena, &value->array, true, &array, NULL) == NDP_OK &&
        !ndp_dtype_has_object(array.dtype) &&
        ndp_npy_header_add(&header, array.dtype, false, array.layout.shape, array.layout.ndim, 0, NULL) == NDP_OK;
    ndp_buffer_clear(&header);
    return is_encoded;
}

bool fuzz_remove_impossible_fault(struct ndp_arena *arena, const struct fuzz_cases *cases,
                                  struct ndp_descriptor *descriptor) {
    const char *named = descriptor->route.format, *format = named[0] != '\0' ? named : "npy";
    const bool is_of_value = descriptor->bytes.data == NULL && descriptor->file[0] == '\0';
    if (descriptor->kind != NDP_CASE_DECODE || descriptor->fault.name[0] == '\0' || !is_of_value) return false;
    if (takes_format(cases, format) && ndp_fault_find(descriptor->fault.name, format) &&
        has_encoding(arena, &descriptor->value))
        return false;
    descriptor->kind = NDP_CASE_ROUND_TRIP;
    descriptor->fault = (struct ndp_fault){.name = ""};
    descriptor->expect = NDP_EXPECT_OPEN;
    descriptor->route = (struct ndp_route){.format = ""};
    descriptor->property_count = 0;
    return true;
}

enum ndp_expect fuzz_expected_of(const struct ndp_descriptor *descriptor) {
    const bool is_of_value = descriptor->bytes.data == NULL && descriptor->file[0] == '\0';
    const struct ndp_fault_row *row = ndp_fault_find(descriptor->fault.name, descriptor->route.format);
    return descriptor->kind == NDP_CASE_DECODE && is_of_value && row ? row->expect : NDP_EXPECT_OPEN;
}

enum ndp_status fuzz_make_smaller(struct ndp_arena *arena, struct ndp_descriptor *descriptor, bool *is_changed) {
    *is_changed = false;
    if (descriptor->value.kind != NDP_VALUE_ARRAY) return NDP_OK;
    struct ndp_descriptor smaller = *descriptor;
    NDP_TRY(ndp_generate_reduced_value(arena, FITTING_BYTES, &smaller.value.array, is_changed));
    /* The fault may need a part that the smaller array lacks. */
    if (*is_changed && descriptor->fault.name[0] != '\0')
        *is_changed = ndp_descriptor_check(arena, &smaller, NULL) == NDP_OK;
    if (*is_changed) *descriptor = smaller;
    return NDP_OK;
}

/* Gives the substitute class the promises of the original one, under its own name. If no class can substitute it, a
 * plain array remains. */
static enum ndp_status substitute_class(struct ndp_arena *arena, enum ndp_array_class class, struct ndp_node *node) {
    enum ndp_array_class other = NDP_CLASS_NDARRAY;
    const char *promised = ndp_class_promised(class);
    if (promised[0] == '\0' || !ndp_class_find(ndp_bytes_view(ndp_class_stand_in(class)), &other))
        other = NDP_CLASS_NDARRAY;
    struct ndp_edge *edges = NDP_ARENA_ITEMS(arena, struct ndp_edge, node->edge_count);
    if (!edges) return NDP_NOMEM;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < node->edge_count; i++) {
        edges[kept] = node->edges[i];
        if (edges[kept].role == NDP_EDGE_ATTRIBUTE) {
            if (!ndp_class_takes_attributes(other)) continue;
            if (ndp_bytes_is_word(edges[kept].name, promised))
                edges[kept].name = ndp_bytes_view(ndp_class_promised(other));
        }
        kept++;
    }
    node->edges = edges;
    node->edge_count = kept;
    node->array.class_name = ndp_bytes_view(ndp_class_word(other));
    return NDP_OK;
}

static bool has_library(const struct ndp_bench *bench, enum ndp_array_class class) {
    const char *library = ndp_class_library(class);
    for (uint32_t i = 0; i < bench->count; i++)
        if (ndp_target_library_version(&bench->targets[i]->info, library)) return true;
    return library[0] == '\0';
}

enum ndp_status fuzz_replace_missing_classes(struct ndp_arena *arena, const struct ndp_bench *bench,
                                             struct ndp_descriptor *descriptor, bool *is_changed) {
    const struct ndp_graph *graph = descriptor->value.graph;
    *is_changed = false;
    if (descriptor->value.kind != NDP_VALUE_GRAPH) return NDP_OK;
    struct ndp_node *nodes = NULL; /* a copy, made when the first node is replaced */
    for (uint32_t i = 0; i < graph->count; i++) {
        const struct ndp_node *node = &graph->nodes[i];
        enum ndp_array_class class;
        if (node->kind != NDP_NODE_ARRAY || !ndp_class_find(node->array.class_name, &class) ||
            has_library(bench, class))
            continue;
        if (!nodes) nodes = ndp_arena_copy(arena, graph->nodes, graph->count * sizeof *nodes);
        if (!nodes) return NDP_NOMEM;
        NDP_TRY(substitute_class(arena, class, &nodes[i]));
    }
    if (!nodes) return NDP_OK;
    struct ndp_graph *fitting = NDP_ARENA_NEW(arena, struct ndp_graph);
    if (!fitting) return NDP_NOMEM;
    *fitting = (struct ndp_graph){graph->root, graph->count, nodes};
    descriptor->value.graph = fitting;
    *is_changed = true;
    return NDP_OK;
}
