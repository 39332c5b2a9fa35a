#include "reader/told_function.h"

#include <stdio.h>
#include <string.h>

#include "codec/pickle/pickle_code.h"
#include "codec/pickle/pickle_function.h"
#include "reader/told_atom.h"
#include "reader/told_name.h"

enum { NAME_BYTES_MAX = 128, EXACT = 1 << 30 };

void fuzz_told_add(struct fuzz_told_pairs *pairs, struct fuzz_told *told, uint32_t node) {
    pairs->is_full = pairs->is_full || pairs->count == FUZZ_TOLD_PAIRS;
    if (pairs->is_full) return;
    pairs->list[pairs->count].told = told;
    pairs->list[pairs->count++].node = node;
}

/* What a dict has under that text; the last where it has it more than once, NULL where it has none. */
static struct fuzz_told *find(const struct fuzz_told *dict, struct ndp_bytes key) {
    const uint64_t bits = fuzz_bits_of_text(key);
    struct fuzz_told *found = NULL;
    for (uint32_t i = 0; dict && dict->kind == FUZZ_TOLD_DICT && i + 1 < dict->count; i += 2) {
        const enum fuzz_told_kind kind = dict->items[i]->kind;
        const bool is_text = kind == FUZZ_TOLD_TEXT || kind == FUZZ_TOLD_STRING;
        if (is_text && dict->items[i]->bits == bits) found = dict->items[i + 1];
    }
    return found;
}

static bool is_number(const struct fuzz_told *node) {
    return node->kind == FUZZ_TOLD_TRUTH || (node->kind == FUZZ_TOLD_NUMBER && node->number != INT64_MIN);
}

static double real_of(const struct fuzz_told *node) {
    double real = (double)node->number;
    if (node->kind == FUZZ_TOLD_REAL) memcpy(&real, &node->bits, sizeof real);
    return real;
}

/* Whether keys are of which everybody can tell which are one: texts, small numbers, None. */
static bool is_settled(const struct fuzz_told *key) {
    const double real = is_number(key) || key->kind == FUZZ_TOLD_REAL ? real_of(key) : 0;
    return (key->kind == FUZZ_TOLD_TEXT || key->kind == FUZZ_TOLD_NONE || is_number(key) ||
            key->kind == FUZZ_TOLD_REAL) &&
           real > -EXACT && real < EXACT;
}

/* True, 1 and 1.0 are one key, and so are 0.0 and -0.0. */
static bool is_same_key(const struct fuzz_told *a, const struct fuzz_told *b) {
    const bool are_numbers = (is_number(a) || a->kind == FUZZ_TOLD_REAL) && (is_number(b) || b->kind == FUZZ_TOLD_REAL);
    if (are_numbers) return real_of(a) >= real_of(b) && real_of(a) <= real_of(b);
    return a->kind == b->kind && (a->kind == FUZZ_TOLD_NONE || a->bits == b->bits);
}

bool fuzz_told_settle(struct fuzz_told *dict) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < dict->count; i += 2)
        if (!is_settled(dict->items[i])) return false;
    for (uint32_t i = 0; i < dict->count; i += 2) {
        uint32_t at = 0;
        while (at < count && !is_same_key(dict->items[at], dict->items[i])) at += 2;
        if (at == count) {
            dict->items[count] = dict->items[i];
            count += 2;
        }
        dict->items[at + 1] = dict->items[i + 1];
    }
    dict->count = count;
    return true;
}

static bool is_word(struct ndp_bytes bytes, const char *word) {
    return bytes.data && ndp_bytes_is_equal(bytes, ndp_bytes_view(word));
}

static bool is_text(const struct fuzz_told *node, struct ndp_bytes text) {
    return node && node->kind == FUZZ_TOLD_TEXT && node->bits == fuzz_bits_of_text(text);
}

static bool is_container(const struct fuzz_told *node, enum fuzz_told_kind kind) {
    return node && node->kind == kind;
}

/* types.CellType, or the same by a function of the library that is given the name. */
static bool is_type(const struct fuzz_told *node, const char *name) {
    if (fuzz_is_told_name(node, FUZZ_TYPES, name)) return true;
    return is_container(node, FUZZ_TOLD_CALL) && node->bits == FUZZ_TOLD_REDUCE && node->args->count == 1 &&
           (fuzz_is_told_name(node->callable, FUZZ_CLOUDPICKLE, "_builtin_type") ||
            fuzz_is_told_name(node->callable, FUZZ_DILL, "_load_type")) &&
           is_text(node->args->items[0], ndp_bytes_view(name));
}

/* ---- functions ---- */

struct parts {
    struct fuzz_told *globals, *name, *defaults, *kwdefaults, *closure, *attributes, *slots;
    bool is_moved; /* its globals are told different modules: that at the time it was made is its own */
};

/* False for another object, and for a function that is spelled in another way. */
static bool find_parts(const struct fuzz_told *told, struct parts *out) {
    const struct fuzz_told *state = told->state, *callable = told->callable;
    const bool is_dill = fuzz_is_told_name(callable, FUZZ_DILL, "_create_function");
    const bool is_set =
        told->later && fuzz_is_told_name(told->later->items[0]->callable, FUZZ_CLOUDPICKLE, "_function_setstate");
    const bool is_function = is_dill || fuzz_is_told_name(callable, FUZZ_CLOUDPICKLE, "_make_function") ||
                             (is_set && (is_type(callable, "LambdaType") || is_type(callable, "FunctionType")));
    const uint32_t count = told->args->count;
    if (!is_function || told->bits != FUZZ_TOLD_REDUCE || count < 5 || count > (is_dill ? 7 : 5)) return false;
    struct fuzz_told *const *args = told->args->items;
    if (!is_dill && is_set) state = told->later->items[0]->args->items[1];
    *out = (struct parts){.globals = args[1], .defaults = args[3], .closure = args[4], .is_moved = told->is_unsure};
    if (state) {
        if (!is_container(state, FUZZ_TOLD_TUPLE) || state->count != 2) return false;
        out->attributes = state->items[0];
        out->slots = state->items[1];
        if (!is_container(out->slots, FUZZ_TOLD_DICT) || !fuzz_told_settle(out->slots)) return false;
    } else if (!is_dill) {
        return false; /* it has its name there */
    }
    if (is_dill && count > 5) out->attributes = args[5];
    out->name = is_dill ? args[2] : find(out->slots, ndp_bytes_view("__name__"));
    out->kwdefaults = is_dill && told->args->count > 6 ? args[6] : NULL;
    struct fuzz_told *defaults = find(out->slots, ndp_bytes_view("__defaults__"));
    struct fuzz_told *kwdefaults = find(out->slots, ndp_bytes_view("__kwdefaults__"));
    if (defaults) out->defaults = defaults;
    if (kwdefaults) out->kwdefaults = kwdefaults;
    return is_container(out->name, FUZZ_TOLD_TEXT);
}

static bool is_ordered(struct fuzz_told_pairs *pairs, const struct fuzz_told *tuple, const struct ndp_node *node,
                       enum ndp_edge_role role) {
    const bool is_none = !tuple || tuple->kind == FUZZ_TOLD_NONE;
    if (!is_none && tuple->kind != FUZZ_TOLD_TUPLE) return true;
    const uint32_t count = is_none ? 0 : tuple->count;
    if (ndp_node_edges(node, role) != count) return false;
    for (uint32_t i = 0; i < count; i++) fuzz_told_add(pairs, tuple->items[i], ndp_node_edge(node, role, i)->to);
    return true;
}

static const struct ndp_edge *find_edge(const struct ndp_node *node, enum ndp_edge_role role, uint64_t bits) {
    for (uint32_t i = 0; i < node->edge_count; i++)
        if (node->edges[i].role == role && fuzz_bits_of_text(node->edges[i].name) == bits) return &node->edges[i];
    return NULL;
}

/* Whether there is an edge for each key of the dict, and of that role no more than `others` beside them. */
static bool is_named(struct fuzz_told_pairs *pairs, struct fuzz_told *dict, const struct ndp_node *node,
                     enum ndp_edge_role role, uint32_t others) {
    const bool is_none = !dict || dict->kind == FUZZ_TOLD_NONE;
    if (!is_none && (dict->kind != FUZZ_TOLD_DICT || !fuzz_told_settle(dict))) return true;
    const uint32_t count = is_none ? 0 : dict->count;
    if (ndp_node_edges(node, role) != count / 2 + others) return false;
    for (uint32_t i = 0; i < count; i += 2) {
        const struct ndp_edge *edge = find_edge(node, role, dict->items[i]->bits);
        if (!edge) return false;
        fuzz_told_add(pairs, dict->items[i + 1], edge->to);
    }
    return true;
}

/* What the functions have that are made of templates: nothing that is kept. */
static bool says_nothing(const struct fuzz_told *value, struct ndp_bytes name) {
    char inside[NAME_BYTES_MAX + 32];
    if (value->kind == FUZZ_TOLD_NONE || name.size_bytes > NAME_BYTES_MAX) return true;
    if (value->kind == FUZZ_TOLD_DICT) return value->count == 0;
    const int size =
        snprintf(inside, sizeof inside, "%s%.*s", ndp_function_inside, (int)name.size_bytes, (const char *)name.data);
    return is_text(value, ndp_bytes_view(ndp_function_dynamic_module)) ||
           is_text(value, (struct ndp_bytes){(const uint8_t *)inside, (uint64_t)size});
}

/* Qualified name, module, text and annotations; gives how many of them the node has. */
static bool are_own(struct fuzz_told_pairs *pairs, const struct parts *parts, const struct ndp_node *node,
                    uint32_t *count) {
    struct fuzz_told *module = find(parts->slots, ndp_bytes_view("__module__"));
    if (!module) module = find(parts->globals, ndp_bytes_view("__name__"));
    const bool is_of_module = parts->is_moved || is_text(module, ndp_bytes_view(ndp_function_module));
    for (uint32_t i = 0; i < NDP_FUNCTION_OWN; i++) {
        const struct ndp_bytes word = ndp_bytes_view(ndp_function_own[i]);
        const struct ndp_edge *edge = find_edge(node, NDP_EDGE_ATTRIBUTE, fuzz_bits_of_text(word));
        struct fuzz_told *value = find(parts->slots, word);
        if (!edge && value && !is_of_module && !says_nothing(value, node->name)) return false;
        if (!edge) continue;
        if (!value && is_word(word, "__module__")) {
            value = module;
            if (parts->is_moved) {
                ++*count;
                continue;
            }
        }
        if (!value && is_word(word, "__qualname__")) value = parts->name;
        if (!value) return false;
        fuzz_told_add(pairs, value, edge->to);
        ++*count;
    }
    return true;
}

/* Names that a dict gives to globals. Their values are compared where no other function has the same globals. */
static bool are_entries(struct fuzz_told_pairs *pairs, const struct fuzz_told *dict, const struct fuzz_told *over,
                        const struct ndp_node *node, bool is_alone) {
    for (uint32_t i = 0; is_container(dict, FUZZ_TOLD_DICT) && i + 1 < dict->count; i += 2) {
        const struct ndp_bytes name = dict->items[i]->bytes;
        if (!is_container(dict->items[i], FUZZ_TOLD_TEXT) || !name.data || name.size_bytes == 0) continue;
        if (name.data[0] == '_') continue;
        const struct ndp_edge *edge = find_edge(node, NDP_EDGE_ENTRY, dict->items[i]->bits);
        if (!edge) return false;
        if (is_alone && !find(over, name)) fuzz_told_add(pairs, dict->items[i + 1], edge->to);
    }
    return true;
}

static bool are_globals(struct fuzz_told_pairs *pairs, const struct parts *parts, const struct ndp_graph *graph,
                        const struct ndp_node *node) {
    const struct ndp_edge *edge = ndp_node_edge(node, NDP_EDGE_GLOBALS, 0);
    struct fuzz_told *more = find(parts->slots, ndp_bytes_view("__globals__"));
    if (!edge || edge->to >= graph->count || !is_container(parts->globals, FUZZ_TOLD_DICT)) return true;
    if (!fuzz_told_settle(parts->globals)) return true;
    if (is_container(more, FUZZ_TOLD_DICT) && !fuzz_told_settle(more)) return true;
    const bool is_alone = !parts->globals->is_unsure;
    return are_entries(pairs, parts->globals, more, &graph->nodes[edge->to], is_alone) &&
           are_entries(pairs, more, NULL, &graph->nodes[edge->to], is_alone);
}

static bool has_description(const struct fuzz_told *dict) {
    for (uint32_t i = 0; i < NDP_FUNCTION_OWN; i++)
        if (find(dict, ndp_bytes_view(ndp_function_own[i]))) return true;
    return false;
}

static bool is_function(struct fuzz_told_pairs *pairs, const struct fuzz_told *told, const struct ndp_graph *graph,
                        const struct ndp_node *node) {
    struct parts parts;
    uint32_t own = 0;
    if (!find_parts(told, &parts) || has_description(parts.attributes)) return true;
    return is_text(parts.name, node->name) && is_ordered(pairs, parts.closure, node, NDP_EDGE_CELL) &&
           is_ordered(pairs, parts.defaults, node, NDP_EDGE_DEFAULT) &&
           is_named(pairs, parts.kwdefaults, node, NDP_EDGE_KWDEFAULT, 0) && are_own(pairs, &parts, node, &own) &&
           is_named(pairs, parts.attributes, node, NDP_EDGE_ATTRIBUTE, own) && are_globals(pairs, &parts, graph, node);
}

/* ---- cells ---- */

static bool is_cell(const struct fuzz_told *told) {
    if (told->kind != FUZZ_TOLD_CALL || told->bits != FUZZ_TOLD_REDUCE || told->args->count > 1) return false;
    if (fuzz_is_told_name(told->callable, FUZZ_CLOUDPICKLE, "_make_empty_cell")) return told->args->count == 0;
    return fuzz_is_told_name(told->callable, FUZZ_CLOUDPICKLE, "_make_cell") ||
           fuzz_is_told_name(told->callable, FUZZ_DILL, "_create_cell") || is_type(told->callable, "CellType");
}

/* What is put into it twice is the same, as with atoms, or nobody can say which stands. */
static void note_content(struct fuzz_told *cell, struct fuzz_told *content) {
    const struct fuzz_told *before = cell->content;
    const bool is_same =
        before && before->kind == content->kind && before->kind < FUZZ_TOLD_BYTEARRAY && before->bits == content->bits;
    cell->is_unsure = cell->is_unsure || (before && before != content && !is_same);
    cell->content = content;
}

static void note_later(const struct fuzz_told *later) {
    for (uint32_t i = 0; later && i < later->count; i++) {
        struct fuzz_told *const *args = later->items[i]->args->items;
        const uint32_t count = later->items[i]->args->count;
        if (count == 3 && is_text(args[1], ndp_bytes_view("cell_contents"))) note_content(args[0], args[2]);
        if (fuzz_is_told_name(later->items[i]->callable, FUZZ_BUILTINS, "dict.update")) args[0]->is_unsure = true;
    }
}

/* Whether a dict is given different values under that text. */
static bool has_two(const struct fuzz_told *dict, const char *key) {
    const struct fuzz_told *last = find(dict, ndp_bytes_view(key));
    for (uint32_t i = 0; last && i + 1 < dict->count; i += 2)
        if (is_text(dict->items[i], ndp_bytes_view(key)) &&
            (dict->items[i + 1]->kind != last->kind || dict->items[i + 1]->bits != last->bits))
            return true;
    return false;
}

static void note_function(struct fuzz_told *told) {
    struct parts parts;
    if (!find_parts(told, &parts)) return;
    told->is_unsure = has_two(parts.globals, "__name__");
    if (parts.globals->content && parts.globals->content != told->args) parts.globals->is_unsure = true;
    parts.globals->content = told->args;
    const struct fuzz_told *given = find(parts.slots, ndp_bytes_view("__closure__"));
    if (!is_container(parts.closure, FUZZ_TOLD_TUPLE) || !is_container(given, FUZZ_TOLD_TUPLE)) return;
    for (uint32_t i = 0; i < parts.closure->count && i < given->count; i++)
        if (is_cell(given->items[i]) && given->items[i]->args->count == 1)
            note_content(parts.closure->items[i], given->items[i]->args->items[0]);
}

/* Each is met once: `pair` leads to itself then. */
void fuzz_told_note(struct fuzz_told_pairs *pairs, struct fuzz_told *root) {
    fuzz_told_add(pairs, root, 0);
    while (pairs->count > 0) {
        struct fuzz_told *told = pairs->list[--pairs->count].told;
        if (!told || told->pair || told->kind < FUZZ_TOLD_LIST) continue;
        told->pair = told;
        for (uint32_t i = 0; i < told->count; i++) fuzz_told_add(pairs, told->items[i], 0);
        if (told->kind != FUZZ_TOLD_CALL) continue;
        struct fuzz_told *const parts[] = {told->callable, told->args,  told->keywords,
                                           told->state,    told->pairs, told->later};
        for (size_t i = 0; i < NDP_ARRAY_LEN(parts); i++) fuzz_told_add(pairs, parts[i], 0);
        note_later(told->later);
        note_function(told);
    }
}

static bool is_filled(struct fuzz_told_pairs *pairs, const struct fuzz_told *told, const struct ndp_node *node) {
    const struct ndp_edge *edge = ndp_node_edge(node, NDP_EDGE_CONTENT, 0);
    struct fuzz_told *content = told->content;
    if (!is_cell(told) || told->is_unsure) return true;
    if (!content && !told->later && told->args->count == 1) content = told->args->items[0];
    if (!content || !edge) return !content == !edge;
    fuzz_told_add(pairs, content, edge->to);
    return true;
}

/* ---- what calls them ---- */

static bool is_led_to(struct fuzz_told_pairs *pairs, struct fuzz_told *told, const struct ndp_node *node,
                      enum ndp_edge_role role) {
    const struct ndp_edge *edge = ndp_node_edge(node, role, 0);
    if (edge) fuzz_told_add(pairs, told, edge->to);
    return edge != NULL;
}

static bool is_method(struct fuzz_told_pairs *pairs, const struct fuzz_told *told, const struct ndp_node *node) {
    struct fuzz_told *const *args = told->args->items;
    if (!is_type(told->callable, "MethodType") || told->args->count != 2) return true;
    return is_led_to(pairs, args[0], node, NDP_EDGE_FUNCTION) && is_led_to(pairs, args[1], node, NDP_EDGE_SELF);
}

static bool is_partial(struct fuzz_told_pairs *pairs, const struct fuzz_told *told, const struct ndp_node *node) {
    const bool is_dill = fuzz_is_told_name(told->callable, FUZZ_DILL, "_create_ftype") && told->args->count == 4;
    const struct fuzz_told *state = is_dill ? told->args : told->state;
    if (!is_container(state, FUZZ_TOLD_TUPLE) || state->count != 4) return true;
    struct fuzz_told *const *parts = state->items + is_dill;
    return is_led_to(pairs, parts[0], node, NDP_EDGE_FUNCTION) &&
           is_ordered(pairs, parts[1], node, NDP_EDGE_ARGUMENT) && is_named(pairs, parts[2], node, NDP_EDGE_KEYWORD, 0);
}

static bool is_said(const struct fuzz_told *value, bool has_text, struct ndp_bytes text) {
    return is_container(value, FUZZ_TOLD_TEXT) ? has_text && is_text(value, text) : !has_text;
}

static bool are_excluded(const struct fuzz_told *set, const struct ndp_node *node) {
    for (uint32_t i = 0; is_container(set, FUZZ_TOLD_SET) && i < set->count; i++) {
        uint32_t at = 0;
        while (at < node->excluded_count && (int64_t)node->excluded[at] != set->items[i]->number) at++;
        if (at == node->excluded_count) return false;
    }
    return true;
}

static bool is_vectorize(struct fuzz_told_pairs *pairs, const struct fuzz_told *told, const struct ndp_node *node) {
    const struct fuzz_told *state = told->state;
    struct fuzz_told *function = find(state, ndp_bytes_view("pyfunc"));
    return !function || (is_led_to(pairs, function, node, NDP_EDGE_FUNCTION) &&
                         is_said(find(state, ndp_bytes_view("otypes")), node->has_otypes, node->otypes) &&
                         is_said(find(state, ndp_bytes_view("signature")), node->has_signature, node->signature) &&
                         are_excluded(find(state, ndp_bytes_view("excluded")), node));
}

bool fuzz_is_function_told(struct fuzz_told_pairs *pairs, const struct fuzz_told *told, const struct ndp_graph *graph,
                           const struct ndp_node *node) {
    switch ((int)node->kind) {
    case NDP_NODE_FUNCTION:
        if (fuzz_is_told_name(told->callable, FUZZ_FUNCTOOLS, "partial") || is_cell(told)) return false;
        return is_function(pairs, told, graph, node);
    case NDP_NODE_CELL:
        return is_filled(pairs, told, node);
    case NDP_NODE_METHOD:
        return is_method(pairs, told, node);
    case NDP_NODE_PARTIAL:
        return is_partial(pairs, told, node);
    case NDP_NODE_VECTORIZE:
        return is_vectorize(pairs, told, node);
    default:
        return true;
    }
}
