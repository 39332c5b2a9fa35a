#include "reader/told_graph.h"

#include <stdio.h>
#include <string.h>

#include "codec/pickle/pickle_graph.h"
#include "fuzz.h"
#include "reader/said_pickle.h"
#include "reader/told_atom.h"
#include "reader/told_function.h"
#include "reader/told_name.h"

static bool is_integer(const struct fuzz_told *told, struct ndp_bytes text) {
    char digits[24];
    if (told->number == INT64_MIN) return true;
    (void)snprintf(digits, sizeof digits, "%lld", (long long)told->number);
    return ndp_bytes_is_word(text, digits);
}

static bool is_real(const struct fuzz_told *told, struct ndp_bytes text) {
    uint64_t bits = 0;
    for (uint64_t i = 0; i < text.size_bytes; i++) bits = bits << 8 | text.data[i];
    const bool is_nan = bits << 1 > UINT64_C(0xffe) << 52;
    return told->bits == bits || (is_nan && told->is_unsure);
}

static bool is_atom(const struct fuzz_told *told, const struct ndp_node *node) {
    switch ((int)told->kind) {
    case FUZZ_TOLD_NONE:
        return node->kind == NDP_NODE_NONE;
    case FUZZ_TOLD_TRUTH:
        return node->kind == NDP_NODE_BOOL && node->truth == (told->bits != 0);
    case FUZZ_TOLD_NUMBER:
        return node->kind == NDP_NODE_INT && is_integer(told, node->text);
    case FUZZ_TOLD_REAL:
        return node->kind == NDP_NODE_FLOAT && is_real(told, node->text);
    case FUZZ_TOLD_TEXT:
    case FUZZ_TOLD_STRING: /* as latin-1 */
        return node->kind == NDP_NODE_TEXT && told->bits == fuzz_bits_of_text(node->text);
    case FUZZ_TOLD_BYTES:
        return node->kind == NDP_NODE_BYTES && told->bits == fuzz_bits_of_bytes(node->text);
    default:
        return true;
    }
}

static bool has_functions(const struct ndp_graph *graph) {
    for (uint32_t i = 0; i < graph->count; i++)
        if (ndp_node_is_callable(graph->nodes[i].kind) || graph->nodes[i].kind == NDP_NODE_CELL) return true;
    return false;
}

/* Keys are the first half of the edges. */
static bool is_dict(struct fuzz_told_pairs *pairs, struct fuzz_told *told, const struct ndp_node *node) {
    const bool is_settled = fuzz_told_settle(told);
    if (node->kind != NDP_NODE_DICT || (is_settled && node->edge_count != told->count)) return false;
    for (uint32_t i = 0; is_settled && i < told->count; i++)
        fuzz_told_add(pairs, told->items[i], node->edges[i / 2 + (i % 2) * (told->count / 2)].to);
    return true;
}

static bool are_items(struct fuzz_told_pairs *pairs, const struct fuzz_told *told, const struct ndp_node *node) {
    if (node->edge_count != told->count) return false;
    for (uint32_t i = 0; i < told->count; i++) fuzz_told_add(pairs, told->items[i], node->edges[i].to);
    return true;
}

/* An array of objects: (version, shape, type, order, items), and the items in C order whatever the order. */
static bool are_objects(struct fuzz_told_pairs *pairs, const struct fuzz_told *told, const struct ndp_node *node) {
    const struct fuzz_told *state = told->state;
    if (!state || state->kind != FUZZ_TOLD_TUPLE || state->count != 5) return true;
    const struct fuzz_told *shape = state->items[1], *items = state->items[4];
    if (shape->kind != FUZZ_TOLD_TUPLE || items->kind != FUZZ_TOLD_LIST) return true;
    if (shape->count != node->ndim || items->count != node->edge_count) return false;
    for (uint32_t k = 0; k < node->ndim; k++)
        if (shape->items[k]->number != node->shape[k]) return false;
    if (state->items[3]->bits != 0 ? !node->is_fortran : ndp_node_is_fortran(node)) return false;
    for (uint32_t i = 0; i < items->count; i++) fuzz_told_add(pairs, items->items[i], node->edges[i].to);
    return true;
}

static bool is_global(const struct fuzz_told *told, const char *module, const char *name) {
    return told->kind == FUZZ_TOLD_GLOBAL && ndp_bytes_is_word(fuzz_told_global(told).module, module) &&
           ndp_bytes_is_word(told->name, name);
}

/* The class that a call surely makes something of: one that is called by its opcode, or what copyreg is given. Anything
 * else may give whatever it likes. */
static const struct fuzz_told *class_of(const struct fuzz_told *call) {
    const bool is_made = call->bits != FUZZ_TOLD_REDUCE;
    const bool is_copied = call->args->count > 0 && is_global(call->callable, "copyreg", "_reconstructor");
    const struct fuzz_told *class = is_made ? call->callable : is_copied ? call->args->items[0] : NULL;
    return class && class->kind == FUZZ_TOLD_GLOBAL ? class : NULL;
}

/* Of an object without words whose class is sure, its name; what is beyond the words that its class has may have none.
 */
static bool is_other(const struct fuzz_told *told, const struct ndp_node *node) {
    const struct fuzz_told *class = told->kind == FUZZ_TOLD_CALL ? class_of(told) : NULL;
    if (told->kind == FUZZ_TOLD_SET) return ndp_bytes_is_word(node->text, "builtins.set");
    if (told->kind == FUZZ_TOLD_FROZENSET) return ndp_bytes_is_word(node->text, "builtins.frozenset");
    if (told->kind == FUZZ_TOLD_BYTEARRAY) return ndp_bytes_is_word(node->text, "builtins.bytearray");
    if (!class || (node->is_opaque && node->text.size_bytes == 0)) return true;
    const struct fuzz_global global = fuzz_told_global(class);
    const struct ndp_bytes text = node->text;
    const uint64_t point = global.module.size_bytes;
    if (text.size_bytes != point + 1 + global.name.size_bytes || text.data[point] != '.') return false;
    return ndp_bytes_is_equal((struct ndp_bytes){text.data, point}, global.module) &&
           ndp_bytes_is_equal((struct ndp_bytes){text.data + point + 1, global.name.size_bytes}, global.name);
}

/* What the state of an array has behind what NumPy's own have, or what joblib's function rebuilds it with. */
static struct fuzz_told *dict_of(const struct fuzz_told *told) {
    const struct fuzz_told *from = told->state ? told->state : told->args;
    struct fuzz_told *last = from->kind == FUZZ_TOLD_TUPLE && from->count > 0 ? from->items[from->count - 1] : NULL;
    return last && last->kind == FUZZ_TOLD_DICT && fuzz_told_settle(last) ? last : NULL;
}

/* An attribute that is there has the value that the dict has last. */
static void add_attributes(struct fuzz_told_pairs *pairs, const struct fuzz_told *told, const struct ndp_node *node) {
    const struct fuzz_told *dict = dict_of(told);
    for (uint32_t i = 0; dict && i < dict->count; i += 2)
        for (uint32_t k = 0; dict->items[i]->kind == FUZZ_TOLD_TEXT && k < node->edge_count; k++)
            if (node->edges[k].role == NDP_EDGE_ATTRIBUTE &&
                fuzz_bits_of_text(node->edges[k].name) == dict->items[i]->bits)
                fuzz_told_add(pairs, dict->items[i + 1], node->edges[k].to);
}

static bool compare(struct fuzz_told_pairs *pairs, struct fuzz_told *told, const struct ndp_graph *graph,
                    const struct ndp_node *node) {
    if (told->kind == FUZZ_TOLD_DICT) return is_dict(pairs, told, node);
    if (told->kind == FUZZ_TOLD_LIST) return node->kind == NDP_NODE_LIST && are_items(pairs, told, node);
    if (told->kind == FUZZ_TOLD_TUPLE) return node->kind == NDP_NODE_TUPLE && are_items(pairs, told, node);
    if (told->kind == FUZZ_TOLD_GLOBAL && node->kind == NDP_NODE_FUNCTION)
        return ndp_bytes_is_equal(told->name, node->name);
    if (told->kind != FUZZ_TOLD_CALL) return is_atom(told, node);
    if (node->kind == NDP_NODE_ARRAY) add_attributes(pairs, told, node);
    if (node->kind == NDP_NODE_ARRAY)
        return fuzz_told_says(told, node->model.dtype, &node->model.layout, node->model.buffer);
    return node->kind == NDP_NODE_OBJECTS ? are_objects(pairs, told, node)
                                          : fuzz_is_function_told(pairs, told, graph, node);
}

bool fuzz_graph_is_told(struct ndp_arena *arena, struct ndp_bytes pickle, const struct ndp_graph *graph) {
    static struct fuzz_told_pairs pairs;
    struct fuzz_told *root;
    struct ndp_bytes behind;
    bool is_so = true;
    if (!fuzz_tell(arena, pickle, false, &root, &behind)) return true;
    pairs.count = 0, pairs.is_full = false;
    if (has_functions(graph)) fuzz_told_note(&pairs, root);
    fuzz_told_add(&pairs, root, graph->root);
    while (pairs.count > 0 && is_so && !pairs.is_full) {
        struct fuzz_told *told = pairs.list[--pairs.count].told;
        const uint32_t number = pairs.list[pairs.count].node;
        if (number >= graph->count) return true;
        const struct ndp_node *node = &graph->nodes[number];
        /* Globals are a dict, too; what one object is, is one node. */
        if (node->kind == NDP_NODE_OTHER)
            is_so = is_other(told, node) && (node->body.size_bytes == 0 || fuzz_tells_of(arena, told, node->body));
        if (node->kind == NDP_NODE_GLOBALS || node->kind == NDP_NODE_OTHER) continue;
        if (told->node != 0 && told->kind > FUZZ_TOLD_BYTES) is_so = told->node == number + 1;
        if (told->node != 0) continue;
        told->node = number + 1;
        is_so = compare(&pairs, told, graph, node);
    }
    return is_so || pairs.is_full;
}
