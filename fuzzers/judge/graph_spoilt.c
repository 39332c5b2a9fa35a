#include "judge/graph_spoilt.h"

#include <stdio.h>

#include "base/rng.h"
#include "fuzz.h"

enum { TRIES = 24, SPOILT = 3 };

/* A graph with one node that is spoilt. */
struct spoil {
    struct ndp_arena *arena;
    const struct ndp_graph *was;
    struct ndp_graph graph;
    struct ndp_node *nodes; /* those of `graph` */
    struct ndp_node *node;  /* the one that is spoilt */
    struct ndp_node *other; /* another one that is, or NULL */
    struct ndp_edge *edges; /* of that node, with room for two more */
    uint32_t at;
    struct ndp_rng rng;
};

static uint64_t below(struct spoil *spoil, uint64_t count) {
    return ndp_rng_next(&spoil->rng) % count;
}

static const struct ndp_dtype *number(void) {
    static const struct ndp_dtype type = {.kind = NDP_KIND_INT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 4};
    return &type;
}

static bool is_class(const struct ndp_node *node, const char *word) {
    return node->kind == NDP_NODE_ARRAY && ndp_bytes_is_word(node->array.class_name, word);
}

static bool add_edge(struct spoil *spoil, struct ndp_edge edge) {
    spoil->edges[spoil->node->edge_count++] = edge;
    return true;
}

static bool drop_edge(struct spoil *spoil, uint32_t index) {
    const uint32_t count = --spoil->node->edge_count;
    for (uint32_t i = index; i < count; i++) spoil->edges[i] = spoil->edges[i + 1];
    return true;
}

/* The place of an edge of that role, from one that is drawn on; their number where there is none. */
static uint32_t find_edge(struct spoil *spoil, enum ndp_edge_role role) {
    const uint32_t count = spoil->node->edge_count;
    const uint32_t from = count > 0 ? (uint32_t)below(spoil, count) : 0;
    for (uint32_t i = 0; i < count; i++)
        if (spoil->edges[(from + i) % count].role == role) return (from + i) % count;
    return count;
}

static bool has_edge(const struct spoil *spoil, enum ndp_edge_role role) {
    for (uint32_t i = 0; i < spoil->node->edge_count; i++)
        if (spoil->edges[i].role == role) return true;
    return false;
}

/* The roles of a kind's edges, one bit each. */
static uint32_t roles_of(enum ndp_node_kind kind) {
#define ROLE(name) (UINT32_C(1) << NDP_EDGE_##name)
    static const uint32_t roles[NDP_NODE_COUNT] = {
        [NDP_NODE_TUPLE] = ROLE(ITEM),
        [NDP_NODE_LIST] = ROLE(ITEM),
        [NDP_NODE_DICT] = ROLE(KEY) | ROLE(VALUE),
        [NDP_NODE_ARRAY] = ROLE(ATTRIBUTE) | ROLE(MASK),
        [NDP_NODE_VIEW] = ROLE(OF),
        [NDP_NODE_OBJECTS] = ROLE(ITEM),
        [NDP_NODE_FUNCTION] = ROLE(CELL) | ROLE(DEFAULT) | ROLE(KWDEFAULT) | ROLE(ATTRIBUTE) | ROLE(GLOBALS),
        [NDP_NODE_CELL] = ROLE(CONTENT),
        [NDP_NODE_GLOBALS] = ROLE(ENTRY),
        [NDP_NODE_METHOD] = ROLE(FUNCTION) | ROLE(SELF),
        [NDP_NODE_PARTIAL] = ROLE(FUNCTION) | ROLE(ARGUMENT) | ROLE(KEYWORD),
        [NDP_NODE_VECTORIZE] = ROLE(FUNCTION),
        [NDP_NODE_FROMPYFUNC] = ROLE(FUNCTION),
    };
    return roles[kind];
}

/* The kinds of node that an edge of a role may lead to, one bit each. */
static uint32_t kinds_of(enum ndp_edge_role role) {
#define KIND(name) (UINT32_C(1) << NDP_NODE_##name)
    const uint32_t objects = ~(KIND(CELL) | KIND(GLOBALS));
    if (role == NDP_EDGE_MASK) return KIND(ARRAY);
    if (role == NDP_EDGE_OF) return KIND(ARRAY) | KIND(VIEW);
    if (role == NDP_EDGE_CELL) return KIND(CELL);
    if (role == NDP_EDGE_GLOBALS) return KIND(GLOBALS);
    if (role == NDP_EDGE_FUNCTION) return KIND(FUNCTION);
    if (role == NDP_EDGE_KEY) return KIND(INT) | KIND(TEXT) | KIND(BYTES) | KIND(BOOL) | KIND(NONE);
    return role == NDP_EDGE_SELF ? objects & ~KIND(NONE) : objects;
}

static bool leads_out(struct spoil *spoil) {
    if (spoil->node->edge_count == 0) return false;
    spoil->edges[below(spoil, spoil->node->edge_count)].to = spoil->graph.count + (uint32_t)below(spoil, 2);
    return true;
}

static bool has_strange_role(struct spoil *spoil) {
    const enum ndp_edge_role role = (enum ndp_edge_role)below(spoil, NDP_EDGE_COUNT);
    if ((roles_of(spoil->node->kind) >> role & 1) != 0) return false;
    return add_edge(spoil, (struct ndp_edge){.role = role, .name = ndp_bytes_view("a"), .to = spoil->at});
}

static bool leads_wrong(struct spoil *spoil) {
    const uint32_t count = spoil->graph.count, from = (uint32_t)below(spoil, count);
    if (spoil->node->edge_count == 0) return false;
    struct ndp_edge *edge = &spoil->edges[below(spoil, spoil->node->edge_count)];
    for (uint32_t i = 0; i < count; i++) {
        edge->to = (from + i) % count;
        if ((kinds_of(edge->role) >> spoil->nodes[edge->to].kind & 1) == 0) return true;
    }
    return false;
}

/* One more of what there may be one of, or of a name. */
static bool has_twin(struct spoil *spoil) {
    static const uint32_t single = ROLE(MASK) | ROLE(OF) | ROLE(CONTENT) | ROLE(FUNCTION) | ROLE(SELF) | ROLE(GLOBALS);
    if (spoil->node->edge_count == 0) return false;
    const struct ndp_edge edge = spoil->edges[below(spoil, spoil->node->edge_count)];
    if ((single >> edge.role & 1) == 0 && !ndp_edge_is_named(edge.role)) return false;
    return add_edge(spoil, edge);
}

static bool lacks_edge(struct spoil *spoil) {
    static const enum ndp_edge_role needed[] = {NDP_EDGE_FUNCTION, NDP_EDGE_SELF, NDP_EDGE_OF, NDP_EDGE_KEY,
                                                NDP_EDGE_VALUE};
    const uint32_t index = find_edge(spoil, needed[below(spoil, NDP_ARRAY_LEN(needed))]);
    return index < spoil->node->edge_count && drop_edge(spoil, index);
}

static bool has_twin_key(struct spoil *spoil) {
    const uint32_t key = find_edge(spoil, NDP_EDGE_KEY), value = find_edge(spoil, NDP_EDGE_VALUE);
    if (key == spoil->node->edge_count || value == spoil->node->edge_count) return false;
    const struct ndp_edge edges[] = {spoil->edges[key], spoil->edges[value]};
    return add_edge(spoil, edges[0]) && add_edge(spoil, edges[1]);
}

/* Two keys of one dict that are equal, of one kind or as True is 1. */
static bool has_equal_keys(struct spoil *spoil) {
    const uint32_t first = find_edge(spoil, NDP_EDGE_KEY), next = find_edge(spoil, NDP_EDGE_KEY);
    if (first >= spoil->node->edge_count || spoil->edges[first].to == spoil->edges[next].to) return false;
    const struct ndp_node *key = &spoil->nodes[spoil->edges[first].to];
    struct ndp_node *twin = spoil->other = &spoil->nodes[spoil->edges[next].to];
    const bool is_digit =
        key->kind == NDP_NODE_INT && (ndp_bytes_is_word(key->text, "0") || ndp_bytes_is_word(key->text, "1"));
    if (key->kind == NDP_NODE_BOOL && below(spoil, 2) == 0)
        *twin = (struct ndp_node){.kind = NDP_NODE_INT, .text = ndp_bytes_view(key->truth ? "1" : "0")};
    else if (is_digit && below(spoil, 2) == 0)
        *twin = (struct ndp_node){.kind = NDP_NODE_BOOL, .truth = key->text.data[0] == '1'};
    else
        *twin = *key;
    return true;
}

static const char *no_name(struct spoil *spoil) {
    static const char *const words[] = {"",   "1a", "a b", "\xc3\xa9", "aaaaaaaabbbbbbbbccccccccdddddddde",
                                        "a-", "a@", "a["};
    return words[below(spoil, NDP_ARRAY_LEN(words))];
}

static bool has_no_name(struct spoil *spoil) {
    if (spoil->node->edge_count == 0) return false;
    struct ndp_edge *edge = &spoil->edges[below(spoil, spoil->node->edge_count)];
    edge->name = ndp_bytes_view(no_name(spoil));
    return ndp_edge_is_named(edge->role);
}

static bool is_function_without_name(struct spoil *spoil) {
    spoil->node->name = ndp_bytes_view(no_name(spoil));
    return spoil->node->kind == NDP_NODE_FUNCTION;
}

/* The longest name, with every kind of character: it is no reason to refuse a function, nor an edge. */
static bool has_long_name(struct spoil *spoil) {
    static const char name[] = "_aA0zZ9_bbbbbbbbbbbbbbbbbbbbbbbb";
    const uint32_t index = find_edge(spoil, NDP_EDGE_KWDEFAULT);
    if (spoil->node->kind != NDP_NODE_FUNCTION || spoil->node->is_importable) return false;
    spoil->node->name = ndp_bytes_view(name);
    if (index < spoil->node->edge_count) spoil->edges[index].name = ndp_bytes_view(name);
    return true;
}

/* A module's own function that has something beside it, or that no module has. */
static bool is_of_no_module(struct spoil *spoil) {
    struct ndp_node *node = spoil->node;
    if (node->kind != NDP_NODE_FUNCTION) return false;
    node->is_importable = true;
    if (node->edge_count > 0) return true;
    if (below(spoil, 2) == 0)
        node->name = ndp_bytes_view("somebody");
    else
        node->code = NDP_CODE_NESTED, node->name = ndp_bytes_view("nested");
    return true;
}

static bool lacks_what_it_reads(struct spoil *spoil) {
    static const enum ndp_code codes[] = {NDP_CODE_COUNTER, NDP_CODE_RECURSE, NDP_CODE_MUTUAL,
                                          NDP_CODE_CALL,    NDP_CODE_LATE,    NDP_CODE_DEEP};
    struct ndp_node *node = spoil->node;
    const uint64_t pick = below(spoil, NDP_ARRAY_LEN(codes));
    if (node->kind != NDP_NODE_FUNCTION || node->is_importable) return false;
    node->code = codes[pick];
    return !has_edge(spoil, pick < 4 ? NDP_EDGE_CELL : NDP_EDGE_GLOBALS);
}

static bool has_other_items(struct spoil *spoil) {
    const uint32_t item = find_edge(spoil, NDP_EDGE_ITEM);
    if (spoil->node->kind != NDP_NODE_OBJECTS) return false;
    if (item < spoil->node->edge_count && below(spoil, 2) == 0) return drop_edge(spoil, item);
    return add_edge(spoil, (struct ndp_edge){.role = NDP_EDGE_ITEM, .to = spoil->at});
}

static bool is_called_too_often(struct spoil *spoil) {
    spoil->node->calls = NDP_MAX_CALLS + 1;
    return true;
}

static bool has_no_otypes(struct spoil *spoil) {
    spoil->node->has_otypes = true;
    spoil->node->otypes = ndp_bytes_view("");
    return spoil->node->kind == NDP_NODE_VECTORIZE;
}

static bool is_other(struct spoil *spoil) {
    *spoil->node = (struct ndp_node){.kind = NDP_NODE_OTHER, .text = ndp_bytes_view("int")};
    return true;
}

static bool has_no_root(struct spoil *spoil) {
    const enum ndp_node_kind kind = spoil->node->kind;
    if (kind == NDP_NODE_CELL || kind == NDP_NODE_GLOBALS)
        spoil->graph.root = spoil->at;
    else
        spoil->graph.root = spoil->graph.count + (uint32_t)below(spoil, 2);
    return true;
}

static bool has_no_type(struct spoil *spoil) {
    spoil->node->array.base.dtype = NULL;
    return spoil->node->kind == NDP_NODE_ARRAY;
}

static bool has_no_class(struct spoil *spoil) {
    spoil->node->array.class_name = ndp_bytes_view("~");
    return spoil->node->kind == NDP_NODE_ARRAY;
}

/* Whether a class takes attributes of no name but of those that it promises. */
static bool is_closed(const struct ndp_node *node) {
    static const char *const words[] = {"", "ndarray", "memmap", "matrix", "recarray", "MaskedArray", "Quantity"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(words); i++)
        if (is_class(node, words[i])) return true;
    return false;
}

static bool is_promised(const struct ndp_node *node, struct ndp_bytes name) {
    if (is_class(node, "Quantity")) return ndp_bytes_is_word(name, "unit");
    if (is_class(node, "proxy")) return ndp_bytes_is_word(name, "wrapped");
    return !is_closed(node) && !is_class(node, "plain") && ndp_bytes_is_word(name, "extra");
}

/* An attribute that the class does not take, or without the one that it promises. */
static bool has_other_attributes(struct spoil *spoil) {
    const uint32_t index = find_edge(spoil, NDP_EDGE_ATTRIBUTE);
    struct ndp_node *node = spoil->node;
    if (node->kind != NDP_NODE_ARRAY) return false;
    if (index < node->edge_count && is_promised(node, spoil->edges[index].name)) return drop_edge(spoil, index);
    if (index < node->edge_count) {
        node->array.class_name = ndp_bytes_view("");
        return true;
    }
    if (!is_closed(node)) return false;
    return add_edge(spoil, (struct ndp_edge){.role = NDP_EDGE_ATTRIBUTE, .name = ndp_bytes_view("a"), .to = spoil->at});
}

/* A proxy wraps arrays, a unit is a text, and two classes are made of their attributes. */
static bool has_wrong_attribute(struct spoil *spoil) {
    const uint32_t index = find_edge(spoil, NDP_EDGE_ATTRIBUTE);
    struct ndp_node *node = spoil->node;
    if (node->kind != NDP_NODE_ARRAY || index == node->edge_count) return false;
    struct ndp_edge *edge = &spoil->edges[index];
    if (is_class(node, "reduce_only") || is_class(node, "reduce_ex")) {
        edge->to = spoil->at;
        return true;
    }
    edge->to = (uint32_t)below(spoil, spoil->graph.count);
    const enum ndp_node_kind to = spoil->nodes[edge->to].kind;
    if (is_class(node, "proxy") && ndp_bytes_is_word(edge->name, "wrapped"))
        return to != NDP_NODE_ARRAY && to != NDP_NODE_VIEW;
    return is_class(node, "Quantity") && to != NDP_NODE_TEXT;
}

static bool is_quantity_of_numbers(struct spoil *spoil) {
    spoil->node->array.base.dtype = number();
    return is_class(spoil->node, "Quantity");
}

static bool has_other_fill(struct spoil *spoil) {
    struct ndp_node *node = spoil->node;
    node->fill_value = (struct ndp_bytes){(const uint8_t *)"", 1};
    if (node->kind != NDP_NODE_ARRAY || node->array.base.dtype->itemsize_bytes <= 1 || node->array.view_count > 0)
        return false;
    return true;
}

static bool is_masked_without_mask(struct spoil *spoil) {
    struct ndp_node *node = spoil->node;
    if (node->kind != NDP_NODE_ARRAY) return false;
    if (!is_class(node, "MaskedArray")) {
        node->has_hard_mask = true;
        return true;
    }
    const uint32_t mask = find_edge(spoil, NDP_EDGE_MASK);
    if (mask < node->edge_count && below(spoil, 2) == 0) {
        node->array.class_name = ndp_bytes_view("ndarray");
        return true;
    }
    return mask < node->edge_count && node->array.base.dtype->kind == NDP_KIND_STRUCT && node->array.view_count == 0 &&
           drop_edge(spoil, mask);
}

/* A mask of numbers, of another class, or with an axis more. */
static bool has_other_mask(struct spoil *spoil) {
    const uint32_t index = find_edge(spoil, NDP_EDGE_MASK);
    if (index == spoil->node->edge_count) return false;
    struct ndp_node *mask = spoil->other = &spoil->nodes[spoil->edges[index].to];
    int64_t *shape = NDP_ARENA_ITEMS(spoil->arena, int64_t, mask->array.base.ndim + 1);
    const uint64_t how = below(spoil, 3);
    if (shape == NULL || mask->array.view_count > 0) return false;
    for (uint32_t i = 0; i < mask->array.base.ndim; i++) shape[i] = mask->array.base.shape[i];
    shape[mask->array.base.ndim] = 1;
    if (how == 0)
        mask->array.base.dtype = number();
    else if (how == 1)
        mask->array.class_name = ndp_bytes_view("recarray");
    else
        mask->array.base.shape = shape, mask->array.base.ndim++;
    return true;
}

static bool is_view_of_itself(struct spoil *spoil) {
    if (spoil->node->kind != NDP_NODE_VIEW || spoil->node->edge_count == 0) return false;
    spoil->edges[0].to = spoil->at;
    return true;
}

/* One function of a module, in two nodes. */
static bool comes_twice(struct spoil *spoil) {
    struct ndp_node *other = spoil->other = &spoil->nodes[below(spoil, spoil->graph.count)];
    if (spoil->node->kind != NDP_NODE_FUNCTION || other->kind != NDP_NODE_FUNCTION || other == spoil->node)
        return false;
    *other = (struct ndp_node){
        .kind = NDP_NODE_FUNCTION, .code = NDP_CODE_ADD, .name = ndp_bytes_view("add"), .is_importable = true};
    *spoil->node = *other;
    return true;
}

/* The error names the node, or what leads to it, which may be told first; what only looks spoilt is taken. */
enum word { REFUSED, NAMED, TAKEN };

/* How to spoil a node, and what is to be said of it. */
static const struct {
    const char *word;
    bool (*spoil)(struct spoil *);
    enum word due;
} ways[] = {
    {"out of the graph", leads_out, NAMED},
    {"another kind's edge", has_strange_role, NAMED},
    {"to another kind", leads_wrong, NAMED},
    {"one too many", has_twin, NAMED},
    {"one too few", lacks_edge, NAMED},
    {"a key twice", has_twin_key, NAMED},
    {"equal keys", has_equal_keys, REFUSED},
    {"no name", has_no_name, NAMED},
    {"a function without a name", is_function_without_name, NAMED},
    {"no module's function", is_of_no_module, NAMED},
    {"what it reads", lacks_what_it_reads, NAMED},
    {"as many items", has_other_items, NAMED},
    {"calls", is_called_too_often, NAMED},
    {"otypes", has_no_otypes, NAMED},
    {"other", is_other, REFUSED},
    {"root", has_no_root, REFUSED},
    {"no type", has_no_type, NAMED},
    {"no class", has_no_class, NAMED},
    {"attributes", has_other_attributes, NAMED},
    {"what an attribute is", has_wrong_attribute, NAMED},
    {"a quantity", is_quantity_of_numbers, NAMED},
    {"a fill value", has_other_fill, NAMED},
    {"not masked", is_masked_without_mask, NAMED},
    {"a mask", has_other_mask, REFUSED},
    {"a view of itself", is_view_of_itself, REFUSED},
    {"twice", comes_twice, REFUSED},
    {"a long name", has_long_name, TAKEN},
};

/* Spoils some node. Gives the way, or their number where it was none for that node. */
static uint64_t make(struct spoil *spoil) {
    const uint64_t way = below(spoil, NDP_ARRAY_LEN(ways));
    const uint32_t count = spoil->was->count;
    spoil->graph = (struct ndp_graph){spoil->was->root, count, spoil->nodes};
    spoil->at = (uint32_t)below(spoil, count);
    spoil->node = &spoil->nodes[spoil->at];
    spoil->other = NULL;
    spoil->edges = NDP_ARENA_ITEMS(spoil->arena, struct ndp_edge, (uint64_t)spoil->node->edge_count + 2);
    if (spoil->edges == NULL) return NDP_ARRAY_LEN(ways);
    for (uint32_t i = 0; i < spoil->node->edge_count; i++) spoil->edges[i] = spoil->node->edges[i];
    spoil->node->edges = spoil->edges;
    return ways[way].spoil(spoil) ? way : NDP_ARRAY_LEN(ways);
}

static void check_word(const struct spoil *spoil, uint64_t way) {
    const char *const what = ways[way].word;
    struct ndp_error error = {0};
    char name[32];
    snprintf(name, sizeof name, "nodes[%u]", spoil->at);
    const enum ndp_status status = ndp_graph_check(spoil->arena, &spoil->graph, &error);
    if (status == NDP_NOMEM) return;
    FUZZ_HOLDS_OF(what, (status == NDP_OK) == (ways[way].due == TAKEN));
    FUZZ_HOLDS_OF(what, ways[way].due != NAMED || strstr(error.text, name) != NULL);
}

static void take_back(struct spoil *spoil) {
    const uint32_t other = spoil->other ? (uint32_t)(spoil->other - spoil->nodes) : spoil->at;
    spoil->nodes[spoil->at] = spoil->was->nodes[spoil->at];
    spoil->nodes[other] = spoil->was->nodes[other];
}

uint32_t fuzz_check_graph_spoilt(struct ndp_arena *arena, const struct ndp_graph *graph, uint64_t pick) {
    struct spoil spoil = {.arena = arena, .was = graph};
    uint32_t spoilt = 0;
    ndp_rng_init(&spoil.rng, pick);
    spoil.nodes = ndp_arena_copy(arena, graph->nodes, graph->count * sizeof *spoil.nodes);
    for (uint32_t tries = 0; spoil.nodes && tries < TRIES && spoilt < SPOILT; tries++) {
        const uint64_t way = make(&spoil);
        if (way < NDP_ARRAY_LEN(ways)) check_word(&spoil, way), spoilt++;
        take_back(&spoil);
    }
    return spoilt;
}
