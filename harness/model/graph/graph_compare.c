/* graph_compare.c: comparison of two graphs.
 *
 * Problem: detect whether a copied graph has the same values, the same shape and the same sharing, and report each
 * difference at the node that owns it.
 *
 * Method: walk both graphs in parallel from their roots and pair their nodes. The pairing of objects with an identity
 * must be a bijection, so that lost and new sharing are findings of their own, not differences of content. Scalars and
 * tuples have no identity: every pair of them must be equal, in any number.
 *
 * Cost: bounded by count_steps(), edges of both graphs plus merges of tuples. Limits: NDP_MAX_NODES; findings beyond
 * NDP_MAX_GRAPH_FINDINGS are dropped.
 */
#include "model/graph/graph.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "model/graph/array_class.h"
#include "model/graph/graph_compare.h"
#include "model/leaf.h"

enum { UNPAIRED = UINT16_MAX };

/* A pair in the queue, and the edge that led to it. */
struct step {
    struct ndp_graph_pair pair;
    uint32_t owner; /* node of `expected`, or UNPAIRED at the root */
    uint32_t index; /* of the edge among the owner's */
};

struct walk {
    const struct ndp_graph *expected;
    const struct ndp_graph *got;
    struct ndp_graph_compare *match;
    uint16_t *got_of;      /* by node of `expected` */
    uint16_t *expected_of; /* by node of `got` */
    uint32_t *alike;       /* union-find over the tuples of `expected`, then of `got`, that were found equal */
    struct ndp_arena *arena;
    bool lacks_memory; /* for findings */
};

/* Allocates the findings on the first one, because they need more memory than the rest of a comparison. */
static bool has_room(struct walk *walk) {
    struct ndp_graph_compare *match = walk->match;
    if (match->findings == NULL) {
        match->findings = NDP_ARENA_ITEMS(walk->arena, struct ndp_graph_finding, NDP_MAX_GRAPH_FINDINGS);
        walk->lacks_memory = match->findings == NULL;
    }
    return !walk->lacks_memory && match->finding_count < NDP_MAX_GRAPH_FINDINGS;
}

static struct ndp_graph_finding *add_finding(struct walk *walk, enum ndp_graph_difference what, uint32_t expected,
                                             const char *expected_text, const char *got_text) {
    struct ndp_graph_compare *match = walk->match;
    if (!has_room(walk)) return NULL;
    struct ndp_graph_finding *finding = &match->findings[match->finding_count++];
    *finding = (struct ndp_graph_finding){.what = what, .expected = expected, .item = expected, .role = NDP_EDGE_COUNT};
    snprintf(finding->path, sizeof finding->path, "nodes[%u]", expected);
    snprintf(finding->expected_text, sizeof finding->expected_text, "%s", expected_text);
    snprintf(finding->got_text, sizeof finding->got_text, "%s", got_text);
    return finding;
}

static void compare_bytes(struct walk *walk, uint32_t number, const char *name, struct ndp_bytes expected,
                          struct ndp_bytes got) {
    char texts[2][NDP_DIFFERENCE_TEXT_BYTES];
    if (ndp_bytes_is_equal(expected, got)) return;
    ndp_text_show(expected, texts[0], sizeof texts[0]);
    ndp_text_show(got, texts[1], sizeof texts[1]);
    struct ndp_graph_finding *finding = add_finding(walk, NDP_GRAPH_DIFFERENT_TEXT, number, texts[0], texts[1]);
    if (finding != NULL) snprintf(finding->path, sizeof finding->path, "nodes[%u].%s", number, name);
}

static void compare_truth(struct walk *walk, uint32_t number, const char *name, bool expected, bool got) {
    compare_bytes(walk, number, name, ndp_bytes_view(expected ? "true" : "false"),
                  ndp_bytes_view(got ? "true" : "false"));
}

static void compare_vectorize(struct walk *walk, uint32_t number, const struct ndp_node *a, const struct ndp_node *b) {
    compare_truth(walk, number, "otypes", a->has_otypes, b->has_otypes);
    if (a->has_otypes && b->has_otypes) compare_bytes(walk, number, "otypes", a->otypes, b->otypes);
    compare_truth(walk, number, "signature", a->has_signature, b->has_signature);
    if (a->has_signature && b->has_signature) compare_bytes(walk, number, "signature", a->signature, b->signature);
    bool is_same = a->excluded_count == b->excluded_count;
    for (uint32_t i = 0; is_same && i < a->excluded_count; i++) is_same = a->excluded[i] == b->excluded[i];
    compare_truth(walk, number, "excluded", true, is_same);
}

static void compare_objects(struct walk *walk, uint32_t number, const struct ndp_node *a, const struct ndp_node *b) {
    bool is_same = a->ndim == b->ndim;
    for (uint32_t i = 0; is_same && i < a->ndim; i++) is_same = a->shape[i] == b->shape[i];
    compare_truth(walk, number, "shape", true, is_same);
    compare_bytes(walk, number, "dtype", ndp_bytes_view(a->is_string ? "StringDType" : "object"),
                  ndp_bytes_view(b->is_string ? "StringDType" : "object"));
    if (a->is_string && b->is_string) compare_truth(walk, number, "coerce", !a->is_strict, !b->is_strict);
    if (is_same)
        compare_bytes(walk, number, "order", ndp_bytes_view(ndp_graph_node_is_fortran(a) ? "F" : "C"),
                      ndp_bytes_view(ndp_graph_node_is_fortran(b) ? "F" : "C"));
}

/* The last six bytes of a long double, which is little-endian here, are padding. */
static bool is_fill_equal(const struct ndp_node *a, const struct ndp_node *b) {
    enum { UNIT_BYTES = 16, VALUE_BYTES = 10 };
    const struct ndp_bytes x = a->fill_value, y = b->fill_value;
    const struct ndp_dtype *item = a->has_model ? a->model.dtype : a->has_observation ? a->observation.dtype : NULL;
    if (item == NULL || !ndp_leaf_is_longdouble(item) || x.size_bytes != y.size_bytes) return ndp_bytes_is_equal(x, y);
    for (uint64_t i = 0; i < x.size_bytes; i++)
        if (i % UNIT_BYTES < VALUE_BYTES && x.data[i] != y.data[i]) return false;
    return true;
}

static void compare_array(struct walk *walk, uint32_t number, const struct ndp_node *a, const struct ndp_node *b) {
    enum ndp_array_class class = NDP_CLASS_NDARRAY;
    if (!ndp_class_find(a->array.class_name, &class) || class != NDP_CLASS_MASKED) return;
    if (a->fill_value.size_bytes != 0 && !is_fill_equal(a, b))
        compare_bytes(walk, number, "fill_value", a->fill_value, b->fill_value);
    compare_truth(walk, number, "hard_mask", a->has_hard_mask, b->has_hard_mask);
}

/* Compares the members of a node without its edges. */
static void compare_members(struct walk *walk, uint32_t number, const struct ndp_node *a, const struct ndp_node *b) {
    switch (a->kind) {
    case NDP_NODE_BOOL:
        compare_truth(walk, number, "bool", a->truth, b->truth);
        break;
    case NDP_NODE_INT:
    case NDP_NODE_FLOAT:
    case NDP_NODE_TEXT:
    case NDP_NODE_BYTES:
    case NDP_NODE_OTHER:
        compare_bytes(walk, number, ndp_graph_words_node(a->kind), a->text, b->text);
        break;
    case NDP_NODE_ARRAY:
        compare_array(walk, number, a, b);
        break;
    case NDP_NODE_OBJECTS:
        compare_objects(walk, number, a, b);
        break;
    case NDP_NODE_FUNCTION:
        compare_bytes(walk, number, "code", ndp_bytes_view(ndp_graph_words_code(a->code)),
                      ndp_bytes_view(ndp_graph_words_code(b->code)));
        compare_bytes(walk, number, "name", a->name, b->name);
        break;
    case NDP_NODE_FROMPYFUNC:
        compare_bytes(walk, number, "name", a->name, b->name);
        break;
    case NDP_NODE_VECTORIZE:
        compare_vectorize(walk, number, a, b);
        break;
    case NDP_NODE_INSTANCE:
        if (a->has_contents) compare_bytes(walk, number, "class", a->import, b->import);
        break;
    case NDP_NODE_NONE:
    case NDP_NODE_TUPLE:
    case NDP_NODE_LIST:
    case NDP_NODE_DICT:
    case NDP_NODE_VIEW:
    case NDP_NODE_CELL:
    case NDP_NODE_GLOBALS:
    case NDP_NODE_METHOD:
    case NDP_NODE_PARTIAL:
    case NDP_NODE_COUNT:
        break;
    }
}

static void name_edge(const struct ndp_node *node, uint32_t number, uint32_t index, struct ndp_graph_finding *out) {
    const struct ndp_edge *edge = &node->edges[index];
    uint32_t ordinal = 0;
    out->role = edge->role;
    if (node->kind == NDP_NODE_FUNCTION && edge->role == NDP_EDGE_ATTRIBUTE)
        out->described = ndp_graph_words_description(edge->name);
    for (uint32_t i = 0; i < index; i++) ordinal += node->edges[i].role == edge->role;
    if (!ndp_graph_words_edge_is_named(edge->role)) {
        snprintf(out->path, sizeof out->path, "nodes[%u].%s[%u]", number, ndp_graph_words_edge(edge->role), ordinal);
        return;
    }
    char name[NDP_DIFFERENCE_TEXT_BYTES];
    ndp_text_show(edge->name, name, sizeof name);
    snprintf(out->path, sizeof out->path, "nodes[%u].%s.%s", number, ndp_graph_words_edge(edge->role), name);
}

/* Attributes the findings from `first` on to the node whose edge led here. */
static void blame_owner(struct walk *walk, const struct step *step, uint32_t first) {
    if (step->owner == UNPAIRED) return;
    for (uint32_t i = first; i < walk->match->finding_count; i++) {
        struct ndp_graph_finding *finding = &walk->match->findings[i];
        finding->expected = step->owner;
        name_edge(&walk->expected->nodes[step->owner], step->owner, step->index, finding);
    }
}

/* A split object: the second copy must equal the first. Its targets are not walked again. */
static void pair_copy(struct walk *walk, const struct ndp_graph_pair *pair, const struct ndp_node *expected,
                      const struct ndp_node *got) {
    if (walk->expected_of[pair->got] != UNPAIRED) return;
    walk->expected_of[pair->got] = (uint16_t)pair->expected;
    walk->match->pairs[walk->match->pair_count++] = *pair;
    compare_members(walk, pair->expected, expected, got);
}

static uint32_t find_set(const struct walk *walk, uint32_t number) {
    while (walk->alike[number] != number) number = walk->alike[number] = walk->alike[walk->alike[number]];
    return number;
}

/* A library may copy or share tuples, so that one pairs with several of the other graph. Returns whether these two are
 * not yet known to be equal; from then on they count as equal, or their difference is reported. */
static bool join_tuples(struct walk *walk, uint32_t expected, uint32_t got) {
    const uint32_t first = find_set(walk, expected), second = find_set(walk, walk->expected->count + got);
    walk->alike[first] = second;
    return first != second;
}

/* Whether the walk continues into the pair: it is new, and both have the same kind and value. */
static bool pair_up(struct walk *walk, const struct step *step) {
    const uint32_t a = step->pair.expected, b = step->pair.got;
    const uint32_t first = walk->match->finding_count;
    const struct ndp_node *expected = &walk->expected->nodes[a];
    const struct ndp_node *got = &walk->got->nodes[b];
    char texts[2][NDP_DIFFERENCE_TEXT_BYTES];
    if (expected->kind != got->kind) {
        snprintf(texts[0], sizeof texts[0], "%s", ndp_graph_words_node(expected->kind));
        snprintf(texts[1], sizeof texts[1], "%s", ndp_graph_words_node(got->kind));
        if (got->kind == NDP_NODE_OTHER) ndp_text_show(got->text, texts[1], sizeof texts[1]);
        (void)add_finding(walk, NDP_GRAPH_DIFFERENT_KIND, a, texts[0], texts[1]);
        blame_owner(walk, step, first);
        return false;
    }
    if (walk->got_of[a] == b && walk->expected_of[b] == a) return false;
    if (ndp_graph_node_has_identity(expected) && walk->got_of[a] != UNPAIRED) {
        (void)add_finding(walk, NDP_GRAPH_SPLIT, a, "one object", "two objects");
        pair_copy(walk, &step->pair, expected, got);
        return false;
    }
    if (ndp_graph_node_has_identity(expected) && walk->expected_of[b] != UNPAIRED) {
        (void)add_finding(walk, NDP_GRAPH_MERGED, a, "two objects", "one object");
        return false;
    }
    if (expected->kind == NDP_NODE_TUPLE && !join_tuples(walk, a, b)) return false;
    walk->got_of[a] = (uint16_t)b;
    walk->expected_of[b] = (uint16_t)a;
    compare_members(walk, a, expected, got);
    if (!ndp_graph_node_has_identity(expected)) blame_owner(walk, step, first);
    return true;
}

/* Number of leading edges with equal roles; unnamed edges pair by position. */
static uint32_t count_equal_roles(const struct ndp_node *node, const struct ndp_node *other) {
    uint32_t count = 0;
    while (count < node->edge_count && count < other->edge_count && node->edges[count].role == other->edges[count].role)
        count++;
    return count;
}

static const struct ndp_edge *find_equal_edge(const struct ndp_node *node, const struct ndp_node *other, uint32_t index,
                                              uint32_t alike_count) {
    const struct ndp_edge *edge = &other->edges[index];
    uint32_t ordinal = 0;
    if (index < alike_count && !ndp_graph_words_edge_is_named(edge->role)) return &node->edges[index];
    for (uint32_t i = 0; i < index; i++) ordinal += other->edges[i].role == edge->role;
    if (!ndp_graph_words_edge_is_named(edge->role)) return ndp_graph_node_edge(node, edge->role, ordinal);
    for (uint32_t i = 0; i < node->edge_count; i++) {
        const struct ndp_edge *candidate = &node->edges[i];
        if (candidate->role == edge->role && ndp_bytes_is_equal(candidate->name, edge->name)) return candidate;
    }
    return NULL;
}

static void add_edge_finding(struct walk *walk, enum ndp_graph_difference what, uint32_t number,
                             const struct ndp_node *node, uint32_t index) {
    bool is_gone = what == NDP_GRAPH_MISSING;
    struct ndp_graph_finding *finding =
        add_finding(walk, what, number, is_gone ? "there" : "missing", is_gone ? "missing" : "there");
    if (finding == NULL) return;
    name_edge(node, number, index, finding);
}

struct stack {
    struct step *steps;
    uint32_t count;
};

/* Limit of the edges that a walk follows: each edge of the expected graph once, and those of a tuple again for each
 * merge of two sets of equal tuples. */
static uint64_t count_steps(const struct ndp_graph *expected, const struct ndp_graph *got) {
    uint64_t edges = 1, tuples = 0, longest = 0;
    for (uint32_t i = 0; i < expected->count; i++) {
        const struct ndp_node *node = &expected->nodes[i];
        edges += node->edge_count;
        tuples += node->kind == NDP_NODE_TUPLE;
        if (node->kind == NDP_NODE_TUPLE && node->edge_count > longest) longest = node->edge_count;
    }
    for (uint32_t i = 0; i < got->count; i++) tuples += got->nodes[i].kind == NDP_NODE_TUPLE;
    return edges + tuples * longest;
}

/* No mask and an all-False mask are equivalent to a user of the array. */
static bool is_empty_mask(const struct ndp_graph *got, const struct ndp_edge *edge) {
    const struct ndp_node *mask = &got->nodes[edge->to];
    if (edge->role != NDP_EDGE_MASK || mask->kind != NDP_NODE_ARRAY || !mask->has_observation) return false;
    const struct ndp_bytes elements = mask->observation.elements;
    for (uint64_t i = 0; i < elements.size_bytes; i++)
        if (elements.data[i] != 0) return false;
    return true;
}

static void push_edges(struct walk *walk, struct stack *stack, uint32_t a, uint32_t b) {
    const struct ndp_node *expected = &walk->expected->nodes[a];
    const struct ndp_node *got = &walk->got->nodes[b];
    if (expected->kind == NDP_NODE_INSTANCE && !expected->has_contents) return; /* nothing is known about it */
    const uint32_t alike_count = count_equal_roles(expected, got);
    for (uint32_t i = expected->edge_count; i-- > 0;) {
        const struct ndp_edge *alike = find_equal_edge(got, expected, i, alike_count);
        if (alike == NULL) {
            add_edge_finding(walk, NDP_GRAPH_MISSING, a, expected, i);
            continue;
        }
        stack->steps[stack->count++] = (struct step){{expected->edges[i].to, alike->to}, a, i};
    }
    for (uint32_t i = 0; i < got->edge_count; i++) {
        if (find_equal_edge(expected, got, i, alike_count) == NULL && !is_empty_mask(walk->got, &got->edges[i]))
            add_edge_finding(walk, NDP_GRAPH_EXTRA, a, got, i);
    }
}

enum ndp_status ndp_graph_compare(struct ndp_arena *arena, const struct ndp_graph *expected,
                                  const struct ndp_graph *got, struct ndp_graph_compare *out) {
    struct ndp_graph_compare match = {0};
    struct walk walk = {.expected = expected, .got = got, .match = &match, .arena = arena};
    const uint32_t nodes = expected->count + got->count;
    const uint64_t steps = count_steps(expected, got);
    struct stack stack = {NDP_ARENA_ITEMS(arena, struct step, steps), 0};
    /* A scalar may be paired repeatedly, so pairs are bounded by edges, not by nodes. */
    match.pairs = NDP_ARENA_ITEMS(arena, struct ndp_graph_pair, steps);
    walk.got_of = NDP_ARENA_ITEMS(arena, uint16_t, expected->count);
    walk.expected_of = NDP_ARENA_ITEMS(arena, uint16_t, got->count);
    walk.alike = NDP_ARENA_ITEMS(arena, uint32_t, nodes);
    if (stack.steps == NULL || match.pairs == NULL || walk.got_of == NULL || walk.expected_of == NULL ||
        walk.alike == NULL)
        return NDP_NOMEM;
    memset(walk.got_of, 0xff, expected->count * sizeof *walk.got_of);
    memset(walk.expected_of, 0xff, got->count * sizeof *walk.expected_of);
    for (uint32_t i = 0; i < nodes; i++) walk.alike[i] = i;
    stack.steps[stack.count++] = (struct step){{expected->root, got->root}, UNPAIRED, 0};
    while (stack.count > 0) {
        const struct step step = stack.steps[--stack.count];
        const struct ndp_graph_pair pair = step.pair;
        if (!pair_up(&walk, &step)) continue;
        match.pairs[match.pair_count++] = pair;
        /* Nodes with edges are met once, except tuples. */
        push_edges(&walk, &stack, pair.expected, pair.got);
    }
    if (walk.lacks_memory) return NDP_NOMEM;
    *out = match;
    return NDP_OK;
}

static const struct ndp_node *array_of(const struct ndp_graph *graph, uint32_t number) {
    const struct ndp_node *node = &graph->nodes[number];
    if (node->kind != NDP_NODE_ARRAY || !node->has_memory || node->observation.elements.size_bytes == 0) return NULL;
    return node;
}

static void report_aliasing(uint32_t a, uint32_t b, const char *expected, const char *got, struct ndp_comparison *out) {
    char path[NDP_DIFFERENCE_TEXT_BYTES];
    snprintf(path, sizeof path, "nodes[%u] and nodes[%u]", a, b);
    ndp_equality_add(out, path, expected, got);
}

static void compare_aliasing_pair(const struct ndp_graph *expected, const struct ndp_graph *got,
                                  struct ndp_graph_pair a, struct ndp_graph_pair b, struct ndp_comparison *lost,
                                  struct ndp_comparison *fresh) {
    const struct ndp_node *left[2] = {array_of(expected, a.expected), array_of(expected, b.expected)};
    const struct ndp_node *right[2] = {array_of(got, a.got), array_of(got, b.got)};
    if (left[0] == NULL || left[1] == NULL || right[0] == NULL || right[1] == NULL) return;
    bool was_shared = left[0]->memory_group == left[1]->memory_group;
    bool is_shared = right[0]->memory_group == right[1]->memory_group;
    if (!was_shared) {
        fresh->comparisons++;
        if (is_shared) report_aliasing(a.expected, b.expected, "separate memories", "one memory", fresh);
        return;
    }
    lost->comparisons++;
    if (!is_shared) {
        report_aliasing(a.expected, b.expected, "one memory", "separate memories", lost);
        return;
    }
    int64_t distance = left[1]->memory_offset_bytes - left[0]->memory_offset_bytes;
    int64_t found = right[1]->memory_offset_bytes - right[0]->memory_offset_bytes;
    if (distance == found) return;
    char texts[2][NDP_DIFFERENCE_TEXT_BYTES];
    snprintf(texts[0], sizeof texts[0], "%" PRId64 " bytes apart", distance);
    snprintf(texts[1], sizeof texts[1], "%" PRId64 " bytes apart", found);
    report_aliasing(a.expected, b.expected, texts[0], texts[1], lost);
}

void ndp_graph_compare_aliasing(const struct ndp_graph *expected, const struct ndp_graph *got,
                                const struct ndp_graph_compare *match, struct ndp_comparison *lost,
                                struct ndp_comparison *fresh) {
    for (uint32_t i = 0; i < match->pair_count; i++) {
        if (array_of(expected, match->pairs[i].expected) == NULL) continue;
        for (uint32_t k = i + 1; k < match->pair_count; k++) {
            if (match->pairs[k].expected == match->pairs[i].expected) continue; /* already reported as a split */
            compare_aliasing_pair(expected, got, match->pairs[i], match->pairs[k], lost, fresh);
        }
    }
}

void ndp_graph_compare_complete(const struct ndp_graph *expected, const struct ndp_graph *got,
                                const struct ndp_graph_compare *match, struct ndp_comparison *out) {
    for (uint32_t i = 0; i < match->pair_count; i++) {
        const struct ndp_node *left = &expected->nodes[match->pairs[i].expected];
        const struct ndp_node *right = &got->nodes[match->pairs[i].got];
        if (left->kind != NDP_NODE_ARRAY || left->trouble.size_bytes != 0) continue;
        out->comparisons++;
        if (right->trouble.size_bytes == 0) continue;
        char path[NDP_DIFFERENCE_TEXT_BYTES], text[NDP_DIFFERENCE_TEXT_BYTES];
        snprintf(path, sizeof path, "nodes[%u].whole", match->pairs[i].expected);
        ndp_text_show(right->trouble, text, sizeof text);
        ndp_equality_add(out, path, "whole", text);
    }
}

static void report_result_count(uint32_t number, const struct ndp_node *left, const struct ndp_node *right,
                                struct ndp_comparison *out) {
    char path[NDP_DIFFERENCE_TEXT_BYTES], texts[2][24];
    snprintf(path, sizeof path, "nodes[%u].results", number);
    snprintf(texts[0], sizeof texts[0], "%u results", left->result_count);
    snprintf(texts[1], sizeof texts[1], "%u results", right->result_count);
    ndp_equality_add(out, path, texts[0], texts[1]);
}

void ndp_graph_compare_results(const struct ndp_graph *expected, const struct ndp_graph *got,
                               const struct ndp_graph_compare *match, const uint32_t *numbers,
                               struct ndp_comparison *out) {
    for (uint32_t i = 0; i < match->pair_count; i++) {
        const struct ndp_node *left = &expected->nodes[match->pairs[i].expected];
        const struct ndp_node *right = &got->nodes[match->pairs[i].got];
        const uint32_t number = numbers != NULL ? numbers[match->pairs[i].expected] : match->pairs[i].expected;
        if (!ndp_graph_words_is_callable(left->kind)) continue;
        const bool has_both = left->result_count > 0 && right->result_count > 0;
        if (has_both && left->result_count != right->result_count) report_result_count(number, left, right, out);
        for (uint32_t k = 0; k < left->result_count && k < right->result_count; k++) {
            out->comparisons++;
            if (ndp_bytes_is_equal(left->results[k], right->results[k])) continue;
            char path[NDP_DIFFERENCE_TEXT_BYTES];
            char texts[2][NDP_DIFFERENCE_TEXT_BYTES];
            snprintf(path, sizeof path, "nodes[%u].results[%u]", number, k);
            ndp_text_show(left->results[k], texts[0], sizeof texts[0]);
            ndp_text_show(right->results[k], texts[1], sizeof texts[1]);
            ndp_equality_add(out, path, texts[0], texts[1]);
        }
    }
}
