/* compare_property_test.c: a comparison detects every single change of an observed array and of a graph, at the right
 * path. A comparison that calls two things the same too readily shows in no round trip. */
#include "base/suite.h"
#include "generate/generate.h"
#include "model/equality.h"
#include "model/graph/graph.h"
#include "model/graph/graph_compare.h"

#include <inttypes.h>

enum { SEEDS = 6000, ELEMENTS_BYTES = 4096, LEAST_CHANGES = 5000, GRAPH_SEEDS = 3000, GRAPH_TRIES = 8 };

/* ---- arrays ---- */

/* Whether a byte of an item belongs to a leaf, and to the tail of a long double, which holds no value. */
struct kept {
    bool is_of_leaf, is_of_tail;
};

static void look_up(const struct ndp_dtype *dtype, uint64_t at, struct kept *out) {
    if (at >= dtype->itemsize_bytes) return;
    if (dtype->kind == NDP_KIND_SUBARRAY) {
        look_up(dtype->base, at % dtype->base->itemsize_bytes, out);
        return;
    }
    for (uint64_t i = 0; dtype->kind == NDP_KIND_STRUCT && i < dtype->field_count; i++)
        if (at >= dtype->fields[i].offset_bytes)
            look_up(dtype->fields[i].dtype, at - dtype->fields[i].offset_bytes, out);
    if (dtype->kind == NDP_KIND_STRUCT) return;
    const bool is_long = (dtype->kind == NDP_KIND_FLOAT && dtype->itemsize_bytes == 16) ||
                         (dtype->kind == NDP_KIND_COMPLEX && dtype->itemsize_bytes == 32);
    const bool is_tail = is_long && (dtype->order == NDP_ORDER_BIG ? at % 16 < 6 : at % 16 >= 10);
    out->is_of_tail = out->is_of_tail || is_tail;
    out->is_of_leaf = out->is_of_leaf || !is_tail;
}

/* "[1,2]" for item number `item` in C order. */
static void index_text(const struct ndp_observation *seen, uint64_t item, char *out, size_t size) {
    uint64_t rest = 1;
    size_t length = (size_t)snprintf(out, size, "[");
    for (uint32_t i = 0; i < seen->ndim; i++) rest *= (uint64_t)seen->shape[i];
    for (uint32_t i = 0; i < seen->ndim && length < size; i++) {
        rest /= (uint64_t)seen->shape[i];
        length += (size_t)snprintf(out + length, size - length, "%s%" PRIu64, i > 0 ? "," : "",
                                   item / rest % (uint64_t)seen->shape[i]);
    }
    if (length < size) snprintf(out + length, size - length, "]");
}

static void assert_one(const struct ndp_comparison *found, const char *path) {
    if (found->total != 1 || strcmp(found->list[0].path, path) != 0 ||
        strcmp(found->list[0].expected, found->list[0].got) == 0)
        fail_msg("expected one difference at %s, found %d, the first at %s", path, (int)found->total,
                 found->total > 0 ? found->list[0].path : "");
}

static void check_element(const struct ndp_observation *seen, struct ndp_rng *rng) {
    uint8_t copy[ELEMENTS_BYTES];
    char path[NDP_DIFFERENCE_TEXT_BYTES];
    struct ndp_comparison forth, back;
    struct ndp_observation other = *seen;
    struct kept kept = {0};
    const uint64_t at = ndp_rng_next(rng) % seen->elements.size_bytes, itemsize = seen->dtype->itemsize_bytes;
    memcpy(copy, seen->elements.data, (size_t)seen->elements.size_bytes);
    copy[at] ^= (uint8_t)(1u << ndp_rng_next(rng) % 8);
    other.elements.data = copy;
    ndp_equality_clear(&forth);
    ndp_equality_clear(&back);
    ndp_equality_compare_values(seen, &other, NDP_MASK_NONE, &forth);
    ndp_equality_compare_values(&other, seen, NDP_MASK_NONE, &back);
    look_up(seen->dtype, at % itemsize, &kept);
    index_text(seen, at / itemsize, path, sizeof path);
    if (kept.is_of_leaf && !kept.is_of_tail) {
        assert_true(forth.total > 0);
        assert_int_equal(strncmp(forth.list[0].path, path, strlen(path)), 0);
    }
    if (!kept.is_of_leaf) assert_int_equal(forth.total, 0);
    assert_int_equal(forth.total, back.total);
}

static bool has_no_element(const struct ndp_observation *seen) {
    for (uint32_t i = 0; i < seen->ndim; i++)
        if (seen->shape[i] == 0) return true;
    return false;
}

/* A stride means nothing on an axis of one element and in an empty array. */
static void check_axis(const struct ndp_observation *seen, struct ndp_rng *rng) {
    int64_t extents[NDP_MAX_NDIM], strides[NDP_MAX_NDIM];
    struct ndp_comparison shape, stride;
    struct ndp_observation longer = *seen, wider = *seen;
    char paths[2][32];
    const uint32_t axis = (uint32_t)(ndp_rng_next(rng) % seen->ndim);
    memcpy(extents, seen->shape, seen->ndim * sizeof *extents);
    memcpy(strides, seen->strides_bytes, seen->ndim * sizeof *strides);
    extents[axis] ^= 1, strides[axis] ^= 1;
    longer.shape = extents, wider.strides_bytes = strides;
    snprintf(paths[0], sizeof paths[0], "shape[%" PRIu32 "]", axis);
    snprintf(paths[1], sizeof paths[1], "strides[%" PRIu32 "]", axis);
    ndp_equality_clear(&shape);
    ndp_equality_clear(&stride);
    ndp_equality_compare_shape(seen, &longer, &shape);
    ndp_equality_compare_strides(seen, &wider, &stride);
    assert_one(&shape, paths[0]);
    if (has_no_element(seen) || seen->shape[axis] == 1)
        assert_int_equal(stride.total, 0);
    else
        assert_one(&stride, paths[1]);
    longer.ndim--;
    ndp_equality_clear(&shape);
    ndp_equality_compare_shape(seen, &longer, &shape);
    assert_one(&shape, "ndim");
}

static void check_flag(const struct ndp_observation *seen, struct ndp_rng *rng) {
    static const char *const paths[] = {"flags.c_contiguous", "flags.f_contiguous", "flags.writeable", "flags.aligned",
                                        "flags.owndata"};
    const uint64_t bit = ndp_rng_next(rng) % NDP_ARRAY_LEN(paths);
    struct ndp_observation other = *seen;
    struct ndp_comparison all, rest;
    other.flags ^= UINT32_C(1) << bit;
    ndp_equality_clear(&all);
    ndp_equality_clear(&rest);
    ndp_equality_compare_flags(seen, &other, UINT32_MAX, &all);
    ndp_equality_compare_flags(seen, &other, ~(UINT32_C(1) << bit), &rest);
    assert_one(&all, paths[bit]);
    assert_int_equal(rest.total, 0);
}

static void check_backing(const struct ndp_observation *seen, struct ndp_rng *rng) {
    static const char *const paths[] = {"backing.class", "backing.claims", "backing.mapped",
                                        "backing.mode",  "backing.offset", "backing.position"};
    struct ndp_observation other = *seen;
    struct ndp_backing *backing = &other.backing;
    struct ndp_comparison found, class;
    const uint64_t which = ndp_rng_next(rng) % NDP_ARRAY_LEN(paths);
    if (which == 0) backing->is_map_class = !backing->is_map_class;
    if (which == 1) backing->claims = (enum ndp_backing_file)((backing->claims + 1) % 3);
    if (which == 2) backing->is_mapped = !backing->is_mapped;
    if (which == 3) backing->has_mode = !backing->has_mode;
    if (which == 4) backing->has_offset = !backing->has_offset;
    if (which == 5) backing->has_position = !backing->has_position;
    ndp_equality_clear(&found);
    ndp_equality_clear(&class);
    ndp_equality_compare_backing(seen, &other, &found);
    assert_one(&found, paths[which]);
    other.class_name = ndp_bytes_view("another class");
    ndp_equality_compare_class(seen, &other, &class);
    assert_one(&class, "class");
}

static uint64_t check_array(const struct ndp_observation *seen, struct ndp_rng *rng) {
    check_flag(seen, rng);
    check_backing(seen, rng);
    if (seen->ndim > 0) check_axis(seen, rng);
    if (seen->elements.size_bytes > 0) check_element(seen, rng);
    return 2U + (seen->ndim > 0) + (seen->elements.size_bytes > 0);
}

static void every_change_of_an_array_is_detected(void **state) {
    static const struct ndp_generate_limits limits = {.value_bytes = ELEMENTS_BYTES};
    struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 26};
    uint64_t changes = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct ndp_choices choices;
        struct ndp_value value = {.kind = NDP_VALUE_ARRAY};
        struct ndp_array array;
        struct ndp_observation seen;
        struct ndp_rng rng;
        ndp_rng_init(&rng, seed);
        ndp_choices_init_seed(&choices, seed);
        assert_int_equal(ndp_generate_value(&arena, &choices, &limits, &value), NDP_OK);
        if (value.kind == NDP_VALUE_ARRAY && ndp_array_build(&arena, &value.array, true, &array, NULL) == NDP_OK &&
            ndp_array_observe(&arena, &array, &seen) == NDP_OK && seen.elements.size_bytes <= ELEMENTS_BYTES)
            changes += check_array(&seen, &rng);
        ndp_arena_reset(&arena);
    }
    ndp_arena_clear(&arena);
    assert_true(changes >= LEAST_CHANGES);
}

/* ---- graphs ---- */

/* Changes what the node itself holds, or its kind. */
static bool change_node(struct ndp_node *node, struct ndp_rng *rng) {
    const bool is_text = node->kind == NDP_NODE_INT || node->kind == NDP_NODE_FLOAT || node->kind == NDP_NODE_TEXT ||
                         node->kind == NDP_NODE_BYTES;
    if (node->kind == NDP_NODE_BOOL)
        node->truth = !node->truth;
    else if (is_text)
        node->text = ndp_bytes_view("changed.");
    else if (node->kind == NDP_NODE_FUNCTION && ndp_rng_next(rng) % 2 == 0)
        node->name = ndp_bytes_view("changed");
    else if (node->kind == NDP_NODE_FUNCTION)
        node->code = (enum ndp_code)((node->code + 1) % NDP_CODE_COUNT);
    else
        node->kind = node->kind == NDP_NODE_LIST ? NDP_NODE_TUPLE : NDP_NODE_LIST;
    return true;
}

/* Removes an edge, or gives it another name; false if the node has none, or only a mask, which may be none as well. */
static bool change_edge(struct ndp_arena *arena, struct ndp_node *node, struct ndp_rng *rng) {
    if (node->edge_count == 0) return false;
    struct ndp_edge *edges = ndp_arena_copy(arena, node->edges, node->edge_count * sizeof *edges);
    assert_non_null(edges);
    node->edges = edges;
    struct ndp_edge *edge = &edges[ndp_rng_next(rng) % node->edge_count];
    if (edge->role == NDP_EDGE_MASK) return false;
    if (ndp_graph_words_edge_is_named(edge->role)) {
        edge->name = ndp_bytes_view("changed");
        return true;
    }
    memmove(edge, edge + 1, (size_t)(edges + node->edge_count - edge - 1) * sizeof *edge);
    node->edge_count--;
    return true;
}

/* Whether the path names node `at`, or an edge of it, or an edge that leads to it. */
static bool is_at(const struct ndp_graph_finding *finding, const struct ndp_graph *graph, uint32_t at) {
    char path[32];
    snprintf(path, sizeof path, "nodes[%u]", at);
    if (strncmp(finding->path, path, strlen(path)) == 0) return true;
    const struct ndp_node *from = &graph->nodes[finding->expected];
    for (uint32_t k = 0; k < from->edge_count; k++)
        if (from->edges[k].to == at && from->edges[k].role == finding->role) return true;
    return false;
}

static bool is_reached(struct ndp_arena *arena, const struct ndp_graph *graph, uint32_t at) {
    struct ndp_graph_compare match;
    assert_int_equal(ndp_graph_compare(arena, graph, graph, &match), NDP_OK);
    assert_int_equal(match.finding_count, 0);
    for (uint32_t i = 0; i < match.pair_count; i++)
        if (match.pairs[i].expected == at) return true;
    return false;
}

static uint64_t check_graph(struct ndp_arena *arena, const struct ndp_graph *graph, struct ndp_rng *rng) {
    struct ndp_node *nodes = ndp_arena_copy(arena, graph->nodes, graph->count * sizeof *nodes);
    const struct ndp_graph other = {graph->root, graph->count, nodes};
    const uint32_t at = (uint32_t)(ndp_rng_next(rng) % graph->count);
    struct ndp_graph_compare match;
    assert_non_null(nodes);
    const bool is_changed =
        ndp_rng_next(rng) % 2 == 0 ? change_node(&nodes[at], rng) : change_edge(arena, &nodes[at], rng);
    if (!is_changed || !is_reached(arena, graph, at)) return 0;
    assert_int_equal(ndp_graph_compare(arena, graph, &other, &match), NDP_OK);
    if (match.finding_count == 0)
        fail_msg("a change of node %u, a %s, is not found", at, ndp_graph_words_node(nodes[at].kind));
    bool is_there = false;
    for (uint32_t i = 0; i < match.finding_count; i++) is_there = is_there || is_at(&match.findings[i], graph, at);
    if (!is_there) fail_msg("a change of node %u is found at %s", at, match.findings[0].path);
    return 1;
}

static void every_change_of_a_graph_is_detected(void **state) {
    struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 26};
    uint64_t changes = 0;
    for (uint64_t seed = 0; seed < GRAPH_SEEDS; seed++) {
        struct ndp_choices choices;
        struct ndp_value value = {.kind = NDP_VALUE_GRAPH};
        struct ndp_graph graph;
        struct ndp_rng rng;
        ndp_rng_init(&rng, seed);
        ndp_choices_init_seed(&choices, seed);
        assert_int_equal(ndp_generate_graph(&arena, &choices, &value), NDP_OK);
        assert_int_equal(ndp_graph_expect(&arena, value.graph, true, &graph, NULL), NDP_OK);
        for (int i = 0; i < GRAPH_TRIES; i++) changes += check_graph(&arena, &graph, &rng);
        ndp_arena_reset(&arena);
    }
    ndp_arena_clear(&arena);
    assert_true(changes >= LEAST_CHANGES);
}

NDP_SUITE(compare_property_test, NDP_TEST(every_change_of_an_array_is_detected),
          NDP_TEST(every_change_of_a_graph_is_detected));
