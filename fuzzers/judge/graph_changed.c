#include "judge/graph_changed.h"

#include <stdio.h>

#include "base/rng.h"
#include "base/text.h"
#include "fuzz.h"
#include "model/graph_compare.h"

enum { TRIES = 16, CHANGES = 4 };

enum where {
    NOWHERE, /* it is not to be told */
    OWN,     /* of the node that is changed */
    EITHER,  /* of that or of its copy */
    LED,     /* of whatever leads to it */
    EDGE,    /* of one of its edges */
};

/* What is to be told. */
struct place {
    enum where where;
    enum ndp_graph_difference what;
    const char *word;            /* OWN: behind the node's path; NULL is nothing */
    const struct ndp_node *node; /* EDGE: whose edges */
    uint32_t index;              /* EDGE */
    struct ndp_bytes texts[2];   /* what stood there, and what stands there; no data is anything */
};

enum { PLACES = 2 };

/* A graph beside the one that it was made of, and what tells the two apart, there and back. */
struct change {
    struct ndp_arena *arena;
    const struct ndp_graph *was;
    struct ndp_graph graph;
    struct ndp_node *nodes; /* those of `graph`, with room for one more */
    const bool *is_reached; /* by node of `was` */
    uint32_t at;            /* the node that is changed */
    struct ndp_rng rng;
    struct place forth[PLACES], back[PLACES];
};

static uint64_t below(struct change *change, uint64_t count) {
    return ndp_rng_next(&change->rng) % count;
}

static void edge_path(const struct ndp_node *node, uint32_t number, uint32_t index, char *out) {
    const struct ndp_edge *edge = &node->edges[index];
    char name[NDP_DIFFERENCE_TEXT_BYTES];
    uint32_t before = 0;
    for (uint32_t i = 0; i < index; i++)
        if (node->edges[i].role == edge->role) before++;
    ndp_text_show(edge->name, name, sizeof name);
    if (ndp_edge_is_named(edge->role))
        snprintf(out, NDP_DIFFERENCE_TEXT_BYTES, "nodes[%u].%s.%s", number, ndp_edge_word(edge->role), name);
    else
        snprintf(out, NDP_DIFFERENCE_TEXT_BYTES, "nodes[%u].%s[%u]", number, ndp_edge_word(edge->role), before);
}

/* Whether nothing that a function does needs the edge. */
static bool is_described(const struct ndp_node *node, const struct ndp_edge *edge) {
    static const char *const words[] = {"__doc__", "__annotations__", "__qualname__", "__module__"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(words); i++)
        if (node->kind == NDP_NODE_FUNCTION && edge->role == NDP_EDGE_ATTRIBUTE &&
            ndp_bytes_is_word(edge->name, words[i]))
            return true;
    return false;
}

static bool is_of_edge(const struct ndp_graph_finding *finding, const struct ndp_node *node, uint32_t number,
                       uint32_t index) {
    char path[NDP_DIFFERENCE_TEXT_BYTES];
    edge_path(node, number, index, path);
    return finding->expected == number && finding->role == node->edges[index].role &&
           strcmp(finding->path, path) == 0 && (finding->described != NULL) == is_described(node, &node->edges[index]);
}

static bool is_of_node(const struct ndp_graph_finding *finding, uint32_t number, const char *word) {
    char path[NDP_DIFFERENCE_TEXT_BYTES];
    snprintf(path, sizeof path, "nodes[%u]%s%s", number, word ? "." : "", word ? word : "");
    return finding->expected == number && finding->role == NDP_EDGE_COUNT && strcmp(finding->path, path) == 0;
}

static bool is_led(const struct ndp_graph_finding *finding, const struct ndp_graph *graph, uint32_t at,
                   const char *word) {
    for (uint32_t i = 0; i < graph->count; i++)
        for (uint32_t k = 0; k < graph->nodes[i].edge_count; k++)
            if (graph->nodes[i].edges[k].to == at && is_of_edge(finding, &graph->nodes[i], i, k)) return true;
    return at == graph->root && is_of_node(finding, at, word);
}

static bool is_text(const char *text, struct ndp_bytes of) {
    char shown[NDP_DIFFERENCE_TEXT_BYTES];
    ndp_text_show(of, shown, sizeof shown);
    return of.data == NULL || strcmp(text, shown) == 0;
}

static bool is_at(const struct ndp_graph_finding *finding, const struct change *change, const struct place *place) {
    const uint32_t copy = change->graph.count - 1;
    if (finding->what != place->what || !is_text(finding->expected_text, place->texts[0]) ||
        !is_text(finding->got_text, place->texts[1]))
        return false;
    switch (place->where) {
    case OWN:
        return is_of_node(finding, change->at, place->word);
    case EITHER:
        return is_of_node(finding, change->at, NULL) || is_of_node(finding, copy, NULL);
    case LED:
        return is_led(finding, change->was, change->at, place->word);
    case EDGE:
        return is_of_edge(finding, place->node, change->at, place->index);
    case NOWHERE:
        break;
    }
    return false;
}

/* Whether what was found is what is to be told, all of it, and nothing else. */
static bool is_told(const struct change *change, const struct ndp_graph_match *match, const struct place *places) {
    bool is_met[PLACES];
    for (uint32_t k = 0; k < PLACES; k++) is_met[k] = places[k].where == NOWHERE;
    for (uint32_t i = 0; i < match->finding_count; i++) {
        bool is_any = false;
        for (uint32_t k = 0; k < PLACES; k++)
            if (is_at(&match->findings[i], change, &places[k])) is_any = is_met[k] = true;
        if (!is_any) return false;
    }
    return is_met[0] && is_met[1];
}

/* Something is told of the same place either way, with both texts exchanged. */
static void tell(struct change *change, struct place place) {
    change->forth[0] = change->back[0] = place;
    change->back[0].texts[0] = place.texts[1];
    change->back[0].texts[1] = place.texts[0];
}

static void tell_texts(struct change *change, enum where where, const char *word, struct ndp_bytes was,
                       struct ndp_bytes is) {
    tell(change, (struct place){.where = where, .what = NDP_GRAPH_DIFFERENT_TEXT, .word = word, .texts = {was, is}});
}

static void tell_words(struct change *change, enum where where, const char *word, const char *was, const char *is) {
    tell_texts(change, where, word, ndp_bytes_view(was), ndp_bytes_view(is));
}

static void tell_truth(struct change *change, enum where where, const char *word, bool was) {
    tell_words(change, where, word, was ? "true" : "false", was ? "false" : "true");
}

/* Another text: with a NUL behind it, without its last byte, or with one of them that is another. */
static struct ndp_bytes other_text(struct change *change, struct ndp_bytes text) {
    uint8_t *bytes = ndp_arena_alloc(change->arena, text.size_bytes + 1);
    const uint64_t how = below(change, 3), size = text.size_bytes;
    if (bytes == NULL) return ndp_bytes_view("~");
    if (size > 0) memcpy(bytes, text.data, size);
    bytes[size] = 0;
    if (how == 0 || size == 0) return (struct ndp_bytes){bytes, size + 1};
    if (how == 1) return (struct ndp_bytes){bytes, size - 1};
    bytes[below(change, size)] ^= 1;
    return (struct ndp_bytes){bytes, size};
}

static bool change_text(struct change *change, enum where where, const char *word, struct ndp_bytes *text) {
    const struct ndp_bytes was = *text;
    *text = other_text(change, was);
    tell_texts(change, where, word, was.data ? was : ndp_bytes_view(""), *text);
    return true;
}

static bool change_vectorize(struct change *change, struct ndp_node *node) {
    switch (below(change, 5)) {
    case 0:
        tell_truth(change, OWN, "otypes", node->has_otypes);
        node->has_otypes = !node->has_otypes;
        return true;
    case 1:
        tell_truth(change, OWN, "signature", node->has_signature);
        node->has_signature = !node->has_signature;
        return true;
    case 2:
        return node->has_otypes && change_text(change, OWN, "otypes", &node->otypes);
    case 3:
        return node->has_signature && change_text(change, OWN, "signature", &node->signature);
    default:
        break;
    }
    if (node->excluded_count > 0 && below(change, 2) == 0)
        node->excluded[below(change, node->excluded_count)]++;
    else if (node->excluded_count > 0)
        node->excluded_count--;
    else
        node->excluded_count++;
    tell(change, (struct place){.where = OWN, .what = NDP_GRAPH_DIFFERENT_TEXT, .word = "excluded"});
    return true;
}

/* Object arrays of one memory order in both have none to tell. */
static bool has_two_orders(const struct ndp_node *node) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < node->ndim; i++) {
        if (node->shape[i] == 0) return false;
        if (node->shape[i] != 1) count++;
    }
    return count >= 2;
}

static bool change_objects(struct change *change, struct ndp_node *node) {
    int64_t *shape = NDP_ARENA_ITEMS(change->arena, int64_t, node->ndim + 1);
    if (shape == NULL) return false;
    if (below(change, 2) == 0) {
        node->is_fortran = !node->is_fortran;
        if (has_two_orders(node))
            tell_words(change, OWN, "order", node->is_fortran ? "C" : "F", node->is_fortran ? "F" : "C");
        return true;
    }
    for (uint32_t i = 0; i < node->ndim; i++) shape[i] = node->shape[i];
    const uint64_t axis = below(change, node->ndim + 1);
    shape[axis] = axis == node->ndim ? 1 : shape[axis] + 1;
    if (axis == node->ndim) node->ndim++;
    node->shape = shape;
    tell(change, (struct place){.where = OWN, .what = NDP_GRAPH_DIFFERENT_TEXT, .word = "shape"});
    return true;
}

/* What only a MaskedArray has. A fill value that is not said may be any. */
static bool change_masked(struct change *change, struct ndp_node *node) {
    const bool is_masked = ndp_bytes_is_word(node->array.class_name, "MaskedArray");
    if (below(change, 2) == 0) {
        if (is_masked) tell_truth(change, OWN, "hard_mask", node->has_hard_mask);
        node->has_hard_mask = !node->has_hard_mask;
        return true;
    }
    const bool was_any = node->fill_value.size_bytes == 0;
    (void)change_text(change, OWN, "fill_value", &node->fill_value);
    if (!is_masked || was_any) change->forth[0].where = NOWHERE;
    if (!is_masked || node->fill_value.size_bytes == 0) change->back[0].where = NOWHERE;
    return true;
}

static bool change_function(struct change *change, struct ndp_node *node) {
    const enum ndp_code was = node->code;
    if (below(change, 2) == 0) return change_text(change, OWN, "name", &node->name);
    node->code = (enum ndp_code)((was + 1 + below(change, NDP_CODE_COUNT - 1)) % NDP_CODE_COUNT);
    tell_words(change, OWN, "code", ndp_code_word(was), ndp_code_word(node->code));
    return true;
}

/* What a node says of itself. False where it says nothing. */
static bool change_own(struct change *change) {
    struct ndp_node *node = &change->nodes[change->at];
    switch (node->kind) {
    case NDP_NODE_BOOL:
        tell_truth(change, LED, "bool", node->truth);
        node->truth = !node->truth;
        return true;
    case NDP_NODE_INT:
    case NDP_NODE_FLOAT:
    case NDP_NODE_TEXT:
    case NDP_NODE_BYTES:
    case NDP_NODE_OTHER:
        return change_text(change, LED, ndp_node_word(node->kind), &node->text);
    case NDP_NODE_ARRAY:
        return change_masked(change, node);
    case NDP_NODE_OBJECTS:
        return change_objects(change, node);
    case NDP_NODE_FUNCTION:
        return change_function(change, node);
    case NDP_NODE_FROMPYFUNC:
        return change_text(change, OWN, "name", &node->name);
    case NDP_NODE_VECTORIZE:
        return change_vectorize(change, node);
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
    return false;
}

static bool change_kind(struct change *change) {
    struct ndp_node *node = &change->nodes[change->at];
    const enum ndp_node_kind was = node->kind;
    node->kind = (enum ndp_node_kind)((was + 1 + below(change, NDP_NODE_COUNT - 1)) % NDP_NODE_COUNT);
    tell(change, (struct place){.where = LED, .what = NDP_GRAPH_DIFFERENT_KIND});
    change->forth[0].texts[0] = change->back[0].texts[1] = ndp_bytes_view(ndp_node_word(was));
    return was != NDP_NODE_OTHER;
}

static struct ndp_edge *own_edges(struct change *change) {
    struct ndp_node *node = &change->nodes[change->at];
    if (node->edge_count == 0) return NULL;
    struct ndp_edge *edges = ndp_arena_copy(change->arena, node->edges, node->edge_count * sizeof *edges);
    if (edges != NULL) node->edges = edges;
    return edges;
}

static bool is_nothing(struct ndp_bytes bytes) {
    for (uint64_t i = 0; i < bytes.size_bytes; i++)
        if (bytes.data[i] != 0) return false;
    return true;
}

/* An edge is gone: the last one of its role, or one that is known by its name. */
static bool drop_edge(struct change *change) {
    const struct ndp_node *was = &change->was->nodes[change->at];
    struct ndp_edge *edges = own_edges(change);
    if (edges == NULL) return false;
    uint32_t index = (uint32_t)below(change, was->edge_count);
    const enum ndp_edge_role role = edges[index].role;
    for (uint32_t i = index; i < was->edge_count && !ndp_edge_is_named(role); i++)
        if (edges[i].role == role) index = i;
    const struct ndp_node *to = &change->was->nodes[edges[index].to];
    memmove(edges + index, edges + index + 1, (was->edge_count - index - 1) * sizeof *edges);
    change->nodes[change->at].edge_count--;
    tell(change, (struct place){.where = EDGE, .what = NDP_GRAPH_MISSING, .node = was, .index = index});
    change->back[0].what = NDP_GRAPH_EXTRA;
    /* A mask of nothing is as good as none. */
    if (role == NDP_EDGE_MASK && to->has_observation && is_nothing(to->observation.elements))
        change->back[0].where = NOWHERE;
    return true;
}

static bool rename_edge(struct change *change) {
    const struct ndp_node *was = &change->was->nodes[change->at], *is = &change->nodes[change->at];
    struct ndp_edge *edges = own_edges(change);
    const uint32_t index = edges ? (uint32_t)below(change, was->edge_count) : 0;
    if (edges == NULL || !ndp_edge_is_named(edges[index].role)) return false;
    edges[index].name = ndp_bytes_view("~");
    const struct place old = {.where = EDGE, .what = NDP_GRAPH_MISSING, .node = was, .index = index};
    const struct place new = {.where = EDGE, .what = NDP_GRAPH_EXTRA, .node = is, .index = index};
    change->forth[0] = change->back[1] = old;
    change->forth[1] = change->back[0] = new;
    change->back[0].what = NDP_GRAPH_MISSING;
    change->back[1].what = NDP_GRAPH_EXTRA;
    return true;
}

/* Two edges of one role, the one after the other, change places: those that have names are the same edges then. */
static bool swap_edges(struct change *change) {
    const struct ndp_node *was = &change->was->nodes[change->at];
    struct ndp_edge *edges = was->edge_count > 1 ? own_edges(change) : NULL;
    if (edges == NULL) return false;
    const uint32_t index = (uint32_t)below(change, was->edge_count - 1);
    const struct ndp_edge first = edges[index], next = edges[index + 1];
    if (first.role != next.role) return false;
    edges[index] = next, edges[index + 1] = first;
    if (ndp_edge_is_named(first.role)) return true;
    tell(change, (struct place){.where = EDGE, .what = NDP_GRAPH_DIFFERENT_KIND, .node = was, .index = index});
    change->forth[1] = change->back[1] = change->forth[0];
    change->forth[1].index = change->back[1].index = index + 1;
    return change->was->nodes[first.to].kind != change->was->nodes[next.to].kind;
}

/* How many edges of a node that the root leads to lead to the one that is changed. */
static uint32_t edges_there(const struct change *change, uint32_t owner) {
    const struct ndp_node *node = &change->was->nodes[owner];
    uint32_t count = 0;
    for (uint32_t k = 0; change->is_reached[owner] && k < node->edge_count; k++)
        count += node->edges[k].to == change->at;
    return count;
}

/* Leads those edges to the copy instead, each by a bit of `moved` of its own. */
static bool lead_away(struct change *change, uint32_t owner, uint64_t moved, uint32_t *nth) {
    const struct ndp_node *was = &change->was->nodes[owner];
    if (edges_there(change, owner) == 0) return true;
    struct ndp_edge *edges = ndp_arena_copy(change->arena, was->edges, was->edge_count * sizeof *edges);
    if (edges == NULL) return false;
    for (uint32_t k = 0; k < was->edge_count; k++)
        if (was->edges[k].to == change->at && (moved >> (*nth)++ % 64 & 1)) edges[k].to = change->graph.count - 1;
    change->nodes[owner].edges = edges;
    return true;
}

/* Where several edges lead to one object, one or more of them, though never all, lead to a copy of it. */
static bool split(struct change *change) {
    const uint32_t at = change->at, all = change->graph.count;
    uint32_t count = 0, nth = 0;
    if (!ndp_node_has_identity(change->was->nodes[at].kind)) return false;
    for (uint32_t i = 0; i < all; i++) count += edges_there(change, i);
    if (count < 2) return false;
    const uint32_t used = count < 64 ? count : 64;
    const uint64_t bits = used == 64 ? UINT64_MAX - 1 : (UINT64_C(1) << used) - 2;
    const uint64_t moved = 1 + below(change, bits); /* neither none of the bits nor all of them */
    change->nodes[all] = change->nodes[at];
    change->graph.count++;
    for (uint32_t i = 0; i < all; i++)
        if (!lead_away(change, i, moved, &nth)) return false;
    tell(change, (struct place){.where = OWN, .what = NDP_GRAPH_SPLIT});
    change->back[0] = (struct place){.where = EITHER, .what = NDP_GRAPH_MERGED};
    return true;
}

/* Marks what the root leads to; gives how many those are. */
static uint32_t reach(const struct ndp_graph *graph, bool *is_reached) {
    uint32_t stack[NDP_MAX_NODES], depth = 0, count = 0;
    memset(is_reached, 0, graph->count * sizeof *is_reached);
    is_reached[graph->root] = true;
    stack[depth++] = graph->root;
    while (depth > 0) {
        const struct ndp_node *node = &graph->nodes[stack[--depth]];
        count++;
        for (uint32_t k = 0; k < node->edge_count; k++) {
            const uint32_t to = node->edges[k].to;
            if (is_reached[to]) continue;
            is_reached[to] = true;
            stack[depth++] = to;
        }
    }
    return count;
}

/* The copy of `was`, once. */
static bool start(struct change *change) {
    const uint32_t count = change->was->count;
    change->nodes = NDP_ARENA_ITEMS(change->arena, struct ndp_node, (uint64_t)count + 1);
    if (change->nodes == NULL) return false;
    memcpy(change->nodes, change->was->nodes, count * sizeof *change->nodes);
    return true;
}

/* Changes some node that the root leads to, in some way. Whether there was such a thing. */
static bool make(struct change *change) {
    static bool (*const ways[])(struct change *) = {change_own, change_own,  change_kind, drop_edge,
                                                    split,      rename_edge, swap_edges};
    change->graph = (struct ndp_graph){change->was->root, change->was->count, change->nodes};
    change->at = (uint32_t)below(change, change->was->count);
    while (!change->is_reached[change->at]) change->at = (change->at + 1) % change->was->count;
    memset(change->forth, 0, sizeof change->forth);
    memset(change->back, 0, sizeof change->back);
    return ways[below(change, NDP_ARRAY_LEN(ways))](change);
}

static void take_back(struct change *change) {
    const bool is_split = change->graph.count > change->was->count;
    if (is_split) memcpy(change->nodes, change->was->nodes, change->was->count * sizeof *change->nodes);
    change->nodes[change->at] = change->was->nodes[change->at];
}

bool fuzz_is_paired_once(const struct ndp_graph_match *match, const struct ndp_graph *got) {
    bool is_met[NDP_MAX_NODES + 1] = {false};
    for (uint32_t i = 0; i < match->pair_count; i++) {
        const uint32_t number = match->pairs[i].got;
        if (!ndp_node_has_identity(got->nodes[number].kind)) continue;
        if (is_met[number]) return false;
        is_met[number] = true;
    }
    return true;
}

static bool check_changed(struct change *change) {
    struct ndp_graph_match forth, back;
    if (ndp_graph_match(change->arena, change->was, &change->graph, &forth) != NDP_OK ||
        ndp_graph_match(change->arena, &change->graph, change->was, &back) != NDP_OK)
        return false;
    FUZZ_HOLDS(is_told(change, &forth, change->forth));
    FUZZ_HOLDS(is_told(change, &back, change->back));
    FUZZ_HOLDS(fuzz_is_paired_once(&forth, &change->graph));
    FUZZ_HOLDS(fuzz_is_paired_once(&back, change->was));
    return true;
}

/* The walk is the one by which nodes of an observation have their numbers. */
static void check_same(struct ndp_arena *arena, const struct ndp_graph *graph, uint32_t count) {
    struct ndp_graph_match match;
    struct ndp_graph numbered;
    if (ndp_graph_in_order(arena, graph, &numbered) != NDP_OK ||
        ndp_graph_match(arena, graph, &numbered, &match) != NDP_OK)
        return;
    FUZZ_HOLDS(numbered.count == count && match.pair_count == count);
    FUZZ_HOLDS(match.finding_count == 0);
    for (uint32_t i = 0; i < match.pair_count; i++)
        if (!FUZZ_HOLDS(match.pairs[i].got == i)) return;
}

uint32_t fuzz_check_graph_changed(struct ndp_arena *arena, const struct ndp_graph *graph, uint64_t pick) {
    bool is_reached[NDP_MAX_NODES];
    struct change change = {.arena = arena, .was = graph, .is_reached = is_reached};
    uint32_t made = 0;
    check_same(arena, graph, reach(graph, is_reached));
    ndp_rng_init(&change.rng, pick);
    for (uint32_t tries = 0; tries < TRIES && made < CHANGES && (change.nodes || start(&change)); tries++) {
        if (make(&change) && check_changed(&change)) made++;
        take_back(&change);
    }
    return made;
}
