/* generate_functions.c: generates the functions of a graph, with their cells, defaults and globals, and their
 * callers. */
#include "generate/generate_parts.h"
#include "generate/graph_draft.h"
#include "model/graph/array_class.h"

enum { MAX_FUNCTIONS = 5, MAX_CELLS = 6, MAX_DECORATORS = 3 };

/* Returns the first node of the kind, or the number of nodes. */
static uint32_t find_node(const struct ndp_graph_draft *d, enum ndp_node_kind kind) {
    uint32_t i = 0;
    while (i < d->count && d->nodes[i].kind != kind) i++;
    return i;
}

static uint32_t add_function(struct ndp_graph_draft *d, uint32_t index) {
    static const char *const names[MAX_FUNCTIONS] = {"f", "<lambda>", "f", "<lambda>", "k"};
    uint32_t number = ndp_graph_draft_node(d, NDP_NODE_FUNCTION);
    d->nodes[number].code = NDP_CODE_IDENTITY;
    d->nodes[number].name = ndp_bytes_view(names[index]);
    return number;
}

/* A value that a function references from a cell or a default. */
static uint32_t draw_referenced(struct ndp_graph_draft *d) {
    const uint64_t choice = ndp_choose_weighted(d->choices, (const uint8_t[]){4, 3, 3}, 3);
    if (choice == 1) return ndp_graph_draft_array(d, NDP_CLASS_NDARRAY);
    if (choice == 2) return ndp_graph_draft_scalar(d);
    return ndp_graph_draft_int(d);
}

static void fill_cell(struct ndp_graph_draft *d, uint32_t cell) {
    if (ndp_choose_rarely(d->choices, 6)) return; /* leaves the cell empty */
    ndp_graph_draft_edge(d, cell, NDP_EDGE_CONTENT, NULL, draw_referenced(d));
}

/* Mostly none or one of either kind. Several reveal a changed order or a fixed capacity. */
static void draw_defaults(struct ndp_graph_draft *d, uint32_t function) {
    static const char *const names[] = {"k", "other", "a", "last"};
    static const uint8_t weights[] = {10, 4, 2, 1, 1};
    const uint32_t places = ndp_choose_weighted(d->choices, weights, NDP_ARRAY_LEN(weights));
    const uint32_t named = ndp_choose_weighted(d->choices, weights, NDP_ARRAY_LEN(weights));
    for (uint32_t i = 0; i < places; i++) ndp_graph_draft_edge(d, function, NDP_EDGE_DEFAULT, NULL, draw_referenced(d));
    for (uint32_t i = 0; i < named; i++)
        ndp_graph_draft_edge(d, function, NDP_EDGE_KWDEFAULT, names[i], draw_referenced(d));
    if (ndp_choose_rarely(d->choices, 4))
        ndp_graph_draft_edge(d, function, NDP_EDGE_ATTRIBUTE, "note", ndp_graph_draft_scalar(d));
    if (ndp_choose_rarely(d->choices, 8)) ndp_graph_draft_edge(d, function, NDP_EDGE_ATTRIBUTE, "own", function);
}

/* A type by name, a scalar, a shared node, or the function itself. */
static uint32_t draw_annotation(struct ndp_graph_draft *d, uint32_t function) {
    const uint64_t choice = ndp_choose(d->choices, 4);
    if (choice == 1) return ndp_graph_draft_scalar(d);
    if (choice == 2) return ndp_graph_draft_array(d, NDP_CLASS_NDARRAY);
    if (choice == 3) return function;
    return ndp_graph_draft_text(d, "int");
}

/* Descriptive attributes: docstring; a qualified name with an owner or, as decorators leave it, without; a module that
 * is __main__, exists, or does not exist; annotations. */
static void draw_description(struct ndp_graph_draft *d, uint32_t function) {
    static const char *const docs[] = {"Says what it does.", "", "one\n    two \xe2\x82\xac"};
    static const char *const qualnames[] = {"Outer.inner", "", "make.<locals>.other", "Outer.\xc3\xa9"};
    static const char *const modules[] = {"ndproof_other", "__main__", "numpy"};
    static const char *const names[] = {"x", "return"};
    if (ndp_choose_rarely(d->choices, 8)) {
        const char *doc = docs[ndp_choose(d->choices, NDP_ARRAY_LEN(docs))];
        ndp_graph_draft_edge(d, function, NDP_EDGE_ATTRIBUTE, "__doc__", ndp_graph_draft_text(d, doc));
    }
    if (ndp_choose_rarely(d->choices, 8)) {
        const uint32_t qualname = ndp_graph_draft_text(d, qualnames[ndp_choose(d->choices, NDP_ARRAY_LEN(qualnames))]);
        if (d->nodes[qualname].text.size_bytes == 0) d->nodes[qualname].text = d->nodes[function].name;
        ndp_graph_draft_edge(d, function, NDP_EDGE_ATTRIBUTE, "__qualname__", qualname);
    }
    if (ndp_choose_rarely(d->choices, 8)) {
        const char *module = modules[ndp_choose(d->choices, NDP_ARRAY_LEN(modules))];
        ndp_graph_draft_edge(d, function, NDP_EDGE_ATTRIBUTE, "__module__", ndp_graph_draft_text(d, module));
    }
    if (!ndp_choose_rarely(d->choices, 8)) return;
    const uint32_t annotations = ndp_graph_draft_node(d, NDP_NODE_DICT);
    const uint64_t count = 1 + ndp_choose(d->choices, NDP_ARRAY_LEN(names));
    for (uint64_t i = 0; i < count; i++) {
        ndp_graph_draft_edge(d, annotations, NDP_EDGE_KEY, NULL, ndp_graph_draft_text(d, names[i]));
        ndp_graph_draft_edge(d, annotations, NDP_EDGE_VALUE, NULL, draw_annotation(d, function));
    }
    ndp_graph_draft_edge(d, function, NDP_EDGE_ATTRIBUTE, "__annotations__", annotations);
}

/* A function of a module: under its own name, decorated, or wrapped by the decorator. */
static void draw_importable(struct ndp_graph_draft *d, uint32_t function) {
    static const struct {
        enum ndp_code code;
        const char *name;
    } there[] = {{NDP_CODE_IDENTITY, "identity"},
                 {NDP_CODE_ADD, "add"},
                 {NDP_CODE_CONST, "const"},
                 {NDP_CODE_CALL, "decorated"},
                 {NDP_CODE_IDENTITY, "decorated"}};
    uint64_t drawn = ndp_choose(d->choices, NDP_ARRAY_LEN(there));
    for (uint32_t i = 0; i < d->count; i++) {
        const struct ndp_node *node = &d->nodes[i];
        bool is_alike = node->kind == NDP_NODE_FUNCTION && node->is_importable && node->code == there[drawn].code;
        if (is_alike && ndp_bytes_is_word(node->name, there[drawn].name)) return; /* name in use */
    }
    d->nodes[function].code = there[drawn].code;
    d->nodes[function].name = ndp_bytes_view(there[drawn].name);
    d->nodes[function].is_importable = true;
}

/* The inner function of a decorator. It has the name of the wrapped function and references it in an attribute; rarely
 * the attribute references another function. */
static void draw_decorator(struct ndp_graph_draft *d, uint32_t function) {
    for (uint32_t level = 1; level > 0;) {
        uint32_t cell = ndp_graph_draft_node(d, NDP_NODE_CELL);
        uint32_t wrapped = ndp_graph_draft_node(d, NDP_NODE_FUNCTION);
        const bool is_last = level == MAX_DECORATORS || !ndp_choose_rarely(d->choices, 4);
        d->nodes[wrapped].code = is_last ? NDP_CODE_ADD : NDP_CODE_CALL;
        d->nodes[wrapped].name = d->nodes[function].name;
        if (is_last) ndp_graph_draft_edge(d, wrapped, NDP_EDGE_DEFAULT, NULL, ndp_graph_draft_int(d));
        ndp_graph_draft_edge(d, cell, NDP_EDGE_CONTENT, NULL, wrapped);
        ndp_graph_draft_edge(d, function, NDP_EDGE_CELL, NULL, cell);
        ndp_graph_draft_edge(d, function, NDP_EDGE_ATTRIBUTE, "__wrapped__", wrapped);
        function = wrapped;
        level = is_last ? 0 : level + 1;
    }
}

/* The value of a global: a number, or an object that the code cannot add to a number. */
static uint32_t draw_global(struct ndp_graph_draft *d, const uint32_t *functions, uint32_t count) {
    const uint64_t choice = ndp_choose_weighted(d->choices, (const uint8_t[]){6, 2, 2, 2}, 4);
    if (choice == 1) return ndp_graph_draft_array(d, NDP_CLASS_NDARRAY);
    if (choice == 2) return ndp_graph_draft_scalar(d);
    if (choice == 3) return functions[ndp_choose(d->choices, count)];
    return ndp_graph_draft_int(d);
}

/* The code of the function, with existing or new cells as needed. */
static void draw_code(struct ndp_graph_draft *d, uint32_t function, const uint32_t *functions, uint32_t count,
                      uint32_t *cells, uint32_t *cell_count) {
    static const enum ndp_code codes[] = {NDP_CODE_IDENTITY, NDP_CODE_ADD,     NDP_CODE_CONST, NDP_CODE_RECURSE,
                                          NDP_CODE_MUTUAL,   NDP_CODE_COUNTER, NDP_CODE_LATE,  NDP_CODE_NESTED,
                                          NDP_CODE_CALL,     NDP_CODE_DEEP};
    enum ndp_code code = codes[ndp_choose(d->choices, NDP_ARRAY_LEN(codes))];
    d->nodes[function].code = code;
    if (ndp_graph_words_code_reads_globals(code)) {
        uint32_t globals = find_node(d, NDP_NODE_GLOBALS);
        if (globals < d->count && ndp_choose_rarely(d->choices, 2)) {
            ndp_graph_draft_edge(d, function, NDP_EDGE_GLOBALS, NULL, globals);
            return;
        }
        globals = ndp_graph_draft_node(d, NDP_NODE_GLOBALS);
        if (!ndp_choose_rarely(d->choices, 5))
            ndp_graph_draft_edge(d, globals, NDP_EDGE_ENTRY, "late", draw_global(d, functions, count));
        if (ndp_choose_rarely(d->choices, 3))
            ndp_graph_draft_edge(d, globals, NDP_EDGE_ENTRY, "unused", ndp_graph_draft_int(d));
        ndp_graph_draft_edge(d, function, NDP_EDGE_GLOBALS, NULL, globals);
        return;
    }
    if (code == NDP_CODE_CALL) {
        draw_decorator(d, function);
        return;
    }
    if ((code == NDP_CODE_IDENTITY || code == NDP_CODE_ADD) && ndp_choose_rarely(d->choices, 3)) {
        draw_importable(d, function);
        return;
    }
    if (code == NDP_CODE_IDENTITY) return;
    if (code == NDP_CODE_RECURSE || code == NDP_CODE_MUTUAL) {
        uint32_t cell = ndp_graph_draft_node(d, NDP_NODE_CELL);
        uint32_t other = functions[ndp_choose(d->choices, count)];
        ndp_graph_draft_edge(d, cell, NDP_EDGE_CONTENT, NULL, code == NDP_CODE_RECURSE ? function : other);
        ndp_graph_draft_edge(d, function, NDP_EDGE_CELL, NULL, cell);
        return;
    }
    static const uint8_t cell_weights[] = {6, 6, 5, 2, 1};
    uint32_t wanted = ndp_choose_weighted(d->choices, cell_weights, NDP_ARRAY_LEN(cell_weights));
    if (code == NDP_CODE_COUNTER && wanted == 0) wanted = 1;
    for (uint32_t i = 0; i < wanted; i++) {
        bool is_shared = *cell_count > 0 && (ndp_choose_rarely(d->choices, 2) || *cell_count == MAX_CELLS);
        uint32_t cell = is_shared ? cells[ndp_choose(d->choices, *cell_count)] : ndp_graph_draft_node(d, NDP_NODE_CELL);
        ndp_graph_draft_edge(d, function, NDP_EDGE_CELL, NULL, cell);
        if (is_shared) continue;
        cells[(*cell_count)++] = cell;
        if (code == NDP_CODE_COUNTER && i == 0) {
            ndp_graph_draft_edge(d, cell, NDP_EDGE_CONTENT, NULL, ndp_graph_draft_int(d));
        } else {
            fill_cell(d, cell);
        }
    }
}

static uint32_t draw_vectorize(struct ndp_graph_draft *d, uint32_t function) {
    uint32_t number = ndp_graph_draft_node(d, NDP_NODE_VECTORIZE);
    struct ndp_node *node = &d->nodes[number];
    ndp_graph_draft_edge(d, number, NDP_EDGE_FUNCTION, NULL, function);
    node = &d->nodes[number];
    if (ndp_choose(d->choices, 3) != 1) {
        node->has_otypes = true;
        node->otypes = ndp_bytes_view("d");
    }
    if (ndp_choose_rarely(d->choices, 5)) {
        node->has_signature = true;
        node->signature = ndp_bytes_view("()->()");
    } else if (ndp_choose_rarely(d->choices, 6)) {
        node->excluded_count = 1;
    }
    node->calls = ndp_choose_rarely(d->choices, 4) ? 1 : 0;
    return number;
}

/* An argument that is bound before the function travels: a number, or an object that cannot be added. */
static uint32_t draw_bound(struct ndp_graph_draft *d, uint32_t function) {
    const uint64_t choice = ndp_choose_weighted(d->choices, (const uint8_t[]){4, 4, 2, 1, 1}, 5);
    if (choice == 1) return ndp_graph_draft_scalar(d);
    if (choice == 2) return ndp_graph_draft_array(d, NDP_CLASS_NDARRAY);
    if (choice == 3) return ndp_graph_draft_node(d, NDP_NODE_LIST);
    if (choice == 4) return function;
    return ndp_graph_draft_int(d);
}

/* A method cannot be bound to None. */
static uint32_t draw_self(struct ndp_graph_draft *d, uint32_t function) {
    const uint32_t self = draw_bound(d, function);
    return d->nodes[self].kind != NDP_NODE_NONE ? self : ndp_graph_draft_int(d);
}

/* Mostly one, positional or by keyword; otherwise several of both. */
static void draw_arguments(struct ndp_graph_draft *d, uint32_t partial, uint32_t function) {
    static const char *const names[] = {"k", "other"};
    uint64_t places = ndp_choose_rarely(d->choices, 2) ? 0 : 1, named = 1 - places;
    if (ndp_choose_rarely(d->choices, 3)) {
        places = ndp_choose(d->choices, 4);
        named = ndp_choose(d->choices, NDP_ARRAY_LEN(names) + UINT64_C(1));
    }
    for (uint64_t i = 0; i < places; i++)
        ndp_graph_draft_edge(d, partial, NDP_EDGE_ARGUMENT, NULL, draw_bound(d, function));
    for (uint64_t i = 0; i < named; i++)
        ndp_graph_draft_edge(d, partial, NDP_EDGE_KEYWORD, names[i], draw_bound(d, function));
}

/* A caller of the function, or the function itself. */
static uint32_t draw_caller(struct ndp_graph_draft *d, uint32_t function) {
    uint32_t number;
    switch (ndp_choose_weighted(d->choices, (const uint8_t[]){6, 6, 2, 2, 1}, 5)) {
    case 1:
        return draw_vectorize(d, function);
    case 2:
        number = ndp_graph_draft_node(d, NDP_NODE_FROMPYFUNC);
        ndp_graph_draft_edge(d, number, NDP_EDGE_FUNCTION, NULL, function);
        return number;
    case 3:
        number = ndp_graph_draft_node(d, NDP_NODE_PARTIAL);
        ndp_graph_draft_edge(d, number, NDP_EDGE_FUNCTION, NULL, function);
        draw_arguments(d, number, function);
        return number;
    case 4:
        number = ndp_graph_draft_node(d, NDP_NODE_METHOD);
        ndp_graph_draft_edge(d, number, NDP_EDGE_FUNCTION, NULL, function);
        ndp_graph_draft_edge(d, number, NDP_EDGE_SELF, NULL, draw_self(d, function));
        return number;
    default:
        return function;
    }
}

uint32_t ndp_graph_draft_functions(struct ndp_graph_draft *d) {
    uint32_t functions[MAX_FUNCTIONS], cells[MAX_CELLS + 4];
    uint32_t cell_count = 0;
    uint32_t count = 1 + ndp_choose_weighted(d->choices, (const uint8_t[]){8, 4, 2, 1, 1}, MAX_FUNCTIONS);
    for (uint32_t i = 0; i < count; i++) functions[i] = add_function(d, i);
    for (uint32_t i = 0; i < count && cell_count < MAX_CELLS; i++) {
        draw_code(d, functions[i], functions, count, cells, &cell_count);
        /* A function of a module has no additional state. */
        if (d->nodes[functions[i]].is_importable) continue;
        draw_defaults(d, functions[i]);
        draw_description(d, functions[i]);
    }
    if (count == 1) return draw_caller(d, functions[0]);
    uint32_t list = ndp_graph_draft_node(d, NDP_NODE_LIST);
    for (uint32_t i = 0; i < count; i++)
        ndp_graph_draft_edge(d, list, NDP_EDGE_ITEM, NULL, draw_caller(d, functions[i]));
    return list;
}
