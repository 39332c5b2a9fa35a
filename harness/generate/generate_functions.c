/* generate_functions.c: generates the main function of a graph by its plan, with its cells, defaults, description and
 * globals, and its caller. Only the main array is in them: other contents are scalars and functions, so that a walk
 * meets the main array first. */
#include "generate/generate_parts.h"
#include "generate/graph_plan_values.h"

enum { MAX_DECORATORS = 3 };

static uint32_t add_code(struct ndp_graph_draft *d, enum ndp_code code, const char *name) {
    const uint32_t number = ndp_graph_draft_node(d, NDP_NODE_FUNCTION);
    d->nodes[number].code = code;
    d->nodes[number].name = ndp_bytes_view(name);
    return number;
}

static uint32_t add_cell(struct ndp_graph_draft *d, uint32_t function, uint32_t content) {
    const uint32_t cell = ndp_graph_draft_node(d, NDP_NODE_CELL);
    if (content != NDP_GRAPH_UNSET) ndp_graph_draft_edge(d, cell, NDP_EDGE_CONTENT, NULL, content);
    ndp_graph_draft_edge(d, function, NDP_EDGE_CELL, NULL, cell);
    return cell;
}

/* A number, on which the codes can calculate, or another scalar. */
static uint32_t draw_content(struct ndp_graph_draft *d) {
    return ndp_choose_rarely(d->choices, 3) ? ndp_graph_draft_scalar(d) : ndp_graph_draft_int(d);
}

/* The main array if it is at the position, otherwise a scalar. */
static uint32_t content_at(struct ndp_plan_draft *plan, enum ndp_plan_position position) {
    return plan->row[NDP_PLAN_POSITION] == position ? plan->main : draw_content(plan->d);
}

/* ---- code and cells ---- */

/* A function of a module under its own name, or what the decorator returned under that of another. */
static uint32_t add_importable(struct ndp_graph_draft *d, bool is_decorated) {
    static const struct {
        enum ndp_code code;
        const char *name;
    } there[] = {{NDP_CODE_IDENTITY, "identity"},
                 {NDP_CODE_ADD, "add"},
                 {NDP_CODE_CONST, "const"},
                 {NDP_CODE_CALL, "decorated"},
                 {NDP_CODE_IDENTITY, "decorated"}};
    const uint64_t at = is_decorated ? 4 : ndp_choose(d->choices, 4);
    const uint32_t number = add_code(d, there[at].code, there[at].name);
    d->nodes[number].is_importable = true;
    return number;
}

/* The inner function of a decorator. It has the name of the wrapped function and references it in an attribute. */
static void add_wrapped(struct ndp_graph_draft *d, uint32_t function) {
    for (uint32_t level = 1; level > 0;) {
        const bool is_last = level == MAX_DECORATORS || !ndp_choose_rarely(d->choices, 4);
        const uint32_t wrapped = add_code(d, is_last ? NDP_CODE_ADD : NDP_CODE_CALL, "");
        d->nodes[wrapped].name = d->nodes[function].name;
        if (is_last) ndp_graph_draft_edge(d, wrapped, NDP_EDGE_DEFAULT, NULL, ndp_graph_draft_int(d));
        (void)add_cell(d, function, wrapped);
        ndp_graph_draft_edge(d, function, NDP_EDGE_ATTRIBUTE, "__wrapped__", wrapped);
        function = wrapped;
        level = is_last ? 0 : level + 1;
    }
}

static void add_globals(struct ndp_plan_draft *plan, uint32_t function) {
    struct ndp_graph_draft *d = plan->d;
    const uint32_t globals = ndp_graph_draft_node(d, NDP_NODE_GLOBALS);
    const bool has_array = plan->row[NDP_PLAN_POSITION] == NDP_POSITION_GLOBAL;
    const uint64_t choice = ndp_choose(d->choices, 8);
    if (has_array || choice != 7)
        ndp_graph_draft_edge(d, globals, NDP_EDGE_ENTRY, "late",
                             choice == 6 && !has_array ? function : content_at(plan, NDP_POSITION_GLOBAL));
    if (ndp_choose_rarely(d->choices, 3))
        ndp_graph_draft_edge(d, globals, NDP_EDGE_ENTRY, "unused", ndp_graph_draft_int(d));
    ndp_graph_draft_edge(d, function, NDP_EDGE_GLOBALS, NULL, globals);
}

/* The cell that the code itself needs. */
static void add_own_cell(struct ndp_plan_draft *plan, uint32_t function) {
    struct ndp_graph_draft *d = plan->d;
    const uint8_t code = plan->row[NDP_PLAN_FUNCTION];
    if (code == NDP_PLAN_FUNCTION_COUNTER) (void)add_cell(d, function, ndp_graph_draft_int(d));
    if (code == NDP_PLAN_FUNCTION_RECURSE) (void)add_cell(d, function, function);
    if (code == NDP_PLAN_FUNCTION_CALL) add_wrapped(d, function);
    if (code != NDP_PLAN_FUNCTION_MUTUAL) return;
    const uint32_t other = add_code(d, NDP_CODE_MUTUAL, "other");
    (void)add_cell(d, function, other);
    (void)add_cell(d, other, function);
}

/* Another function with the cell, in a list or a container of the graph. */
static void share_cell(struct ndp_plan_draft *plan, uint32_t cell) {
    plan->peer = add_code(plan->d, NDP_CODE_ADD, "peer");
    ndp_graph_draft_edge(plan->d, plan->peer, NDP_EDGE_CELL, NULL, cell);
}

static void add_cells(struct ndp_plan_draft *plan, uint32_t function) {
    struct ndp_graph_draft *d = plan->d;
    const uint8_t closure = plan->row[NDP_PLAN_CLOSURE];
    const uint32_t own = ndp_graph_node_count_edges(&d->nodes[function], NDP_EDGE_CELL);
    const bool has_array = plan->row[NDP_PLAN_POSITION] == NDP_POSITION_CELL;
    uint32_t count = closure == NDP_CLOSURE_NONE ? 0 : closure == NDP_CLOSURE_TWO ? 2 : 1;
    if (closure == NDP_CLOSURE_MANY) count = 3 + (uint32_t)ndp_choose(d->choices, 4);
    if (closure == NDP_CLOSURE_EMPTY || closure == NDP_CLOSURE_SHARED) {
        const uint32_t cell = add_cell(d, function, has_array ? plan->main : NDP_GRAPH_UNSET);
        if (closure == NDP_CLOSURE_SHARED) share_cell(plan, cell);
        if (closure == NDP_CLOSURE_SHARED && !has_array)
            ndp_graph_draft_edge(d, cell, NDP_EDGE_CONTENT, NULL, draw_content(d));
        if (closure == NDP_CLOSURE_EMPTY && has_array) (void)add_cell(d, function, NDP_GRAPH_UNSET);
        return;
    }
    for (uint32_t i = own; i < count; i++) {
        const bool is_second = i == own + 1 && plan->row[NDP_PLAN_ROOT] == NDP_ROOT_FUNCTION;
        const bool takes_second = is_second && plan->second != NDP_GRAPH_UNSET;
        (void)add_cell(d, function,
                       takes_second ? plan->second
                       : i == own   ? content_at(plan, NDP_POSITION_CELL)
                                    : draw_content(d));
    }
}

/* ---- defaults, attributes and description ---- */

static void add_defaults(struct ndp_plan_draft *plan, uint32_t function) {
    static const char *const names[] = {"k", "other", "a"};
    struct ndp_graph_draft *d = plan->d;
    const uint8_t signature = plan->row[NDP_PLAN_SIGNATURE];
    const bool has_several = signature == NDP_SIGNATURE_DEFAULTS;
    uint64_t places = signature == NDP_SIGNATURE_DEFAULT, named = signature == NDP_SIGNATURE_KWDEFAULT;
    if (has_several) places = 1 + ndp_choose(d->choices, 4);
    if (has_several) named = 1 + ndp_choose(d->choices, NDP_ARRAY_LEN(names));
    for (uint64_t i = 0; i < places; i++)
        ndp_graph_draft_edge(d, function, NDP_EDGE_DEFAULT, NULL,
                             i == 0 ? content_at(plan, NDP_POSITION_DEFAULT) : draw_content(d));
    for (uint64_t i = 0; i < named; i++)
        ndp_graph_draft_edge(d, function, NDP_EDGE_KWDEFAULT, names[i],
                             i == 0 ? content_at(plan, NDP_POSITION_KWDEFAULT) : draw_content(d));
}

/* A type by name, a scalar, or the function itself. */
static uint32_t draw_annotation(struct ndp_plan_draft *plan, uint32_t function) {
    if (plan->row[NDP_PLAN_POSITION] == NDP_POSITION_ANNOTATION) return plan->main;
    const uint64_t choice = ndp_choose(plan->d->choices, 3);
    if (choice == 1) return ndp_graph_draft_scalar(plan->d);
    return choice == 2 ? function : ndp_graph_draft_text(plan->d, "int");
}

static void add_annotations(struct ndp_plan_draft *plan, uint32_t function) {
    static const char *const names[] = {"x", "return"};
    struct ndp_graph_draft *d = plan->d;
    const uint32_t annotations = ndp_graph_draft_node(d, NDP_NODE_DICT);
    const uint64_t count = 1 + ndp_choose(d->choices, NDP_ARRAY_LEN(names));
    for (uint64_t i = 0; i < count; i++) {
        ndp_graph_draft_edge(d, annotations, NDP_EDGE_KEY, NULL, ndp_graph_draft_text(d, names[i]));
        ndp_graph_draft_edge(d, annotations, NDP_EDGE_VALUE, NULL,
                             i == 0 ? draw_annotation(plan, function) : ndp_graph_draft_text(d, "float"));
    }
    ndp_graph_draft_edge(d, function, NDP_EDGE_ATTRIBUTE, "__annotations__", annotations);
}

/* The qualified name has an owner or, as decorators leave it, none. */
static uint32_t draw_qualname(struct ndp_graph_draft *d, uint32_t function) {
    static const char *const names[] = {"Outer.inner", "", "make.<locals>.other", "Outer.\xc3\xa9"};
    const uint32_t number = ndp_graph_draft_text(d, names[ndp_choose(d->choices, NDP_ARRAY_LEN(names))]);
    if (d->nodes[number].text.size_bytes == 0) d->nodes[number].text = d->nodes[function].name;
    return number;
}

static void add_description(struct ndp_plan_draft *plan, uint32_t function) {
    static const char *const docs[] = {"Says what it does.", "", "one\n    two \xe2\x82\xac"};
    static const char *const modules[] = {"ndproof_other", "__main__", "numpy"};
    struct ndp_graph_draft *d = plan->d;
    const char *name = "__doc__";
    uint32_t to = function;
    switch ((enum ndp_plan_signature)plan->row[NDP_PLAN_SIGNATURE]) {
    case NDP_SIGNATURE_ATTRIBUTE:
        name = "note";
        to = plan->row[NDP_PLAN_POSITION] == NDP_POSITION_ATTRIBUTE ? plan->main : ndp_graph_draft_scalar(d);
        break;
    case NDP_SIGNATURE_OWN:
        name = "own";
        break;
    case NDP_SIGNATURE_DOC:
        to = ndp_graph_draft_text(d, docs[ndp_choose(d->choices, NDP_ARRAY_LEN(docs))]);
        break;
    case NDP_SIGNATURE_QUALNAME:
        name = "__qualname__";
        to = draw_qualname(d, function);
        break;
    case NDP_SIGNATURE_MODULE:
        name = "__module__";
        to = ndp_graph_draft_text(d, modules[ndp_choose(d->choices, NDP_ARRAY_LEN(modules))]);
        break;
    case NDP_SIGNATURE_ANNOTATIONS:
        add_annotations(plan, function);
        return;
    case NDP_SIGNATURE_PLAIN:
    case NDP_SIGNATURE_DEFAULT:
    case NDP_SIGNATURE_KWDEFAULT:
    case NDP_SIGNATURE_DEFAULTS:
    case NDP_SIGNATURE_COUNT:
        return;
    }
    ndp_graph_draft_edge(d, function, NDP_EDGE_ATTRIBUTE, name, to);
}

/* ---- the caller ---- */

static uint32_t add_caller(struct ndp_graph_draft *d, enum ndp_node_kind kind, uint32_t function) {
    const uint32_t number = ndp_graph_draft_node(d, kind);
    ndp_graph_draft_edge(d, number, NDP_EDGE_FUNCTION, NULL, function);
    return number;
}

static uint32_t add_vectorize(struct ndp_graph_draft *d, uint8_t caller, uint32_t function) {
    const uint32_t number = add_caller(d, NDP_NODE_VECTORIZE, function);
    struct ndp_node *node = &d->nodes[number];
    if (caller == NDP_CALLER_CALLED) node->calls = 1;
    const bool has_both = caller != NDP_CALLER_VECTORIZE && caller != NDP_CALLER_OTYPES;
    node->has_otypes = caller == NDP_CALLER_OTYPES || (has_both && ndp_choose_rarely(d->choices, 2));
    if (node->has_otypes) node->otypes = ndp_bytes_view("d");
    node->has_signature = caller == NDP_CALLER_VECTOR_SIGNATURE;
    if (node->has_signature) node->signature = ndp_bytes_view("()->()");
    if (caller == NDP_CALLER_EXCLUDED) node->excluded_count = 1;
    return number;
}

/* An argument that is bound before the function travels: a number, or an object that cannot be added. */
static uint32_t draw_bound(struct ndp_graph_draft *d, uint32_t function) {
    const uint64_t choice = ndp_choose_weighted(d->choices, (const uint8_t[]){4, 4, 1, 1}, 4);
    if (choice == 1) return ndp_graph_draft_scalar(d);
    if (choice == 2) return ndp_graph_draft_node(d, NDP_NODE_LIST);
    return choice == 3 ? function : ndp_graph_draft_int(d);
}

/* A method cannot be bound to None. */
static uint32_t add_method(struct ndp_plan_draft *plan, uint32_t function) {
    struct ndp_graph_draft *d = plan->d;
    const uint32_t number = add_caller(d, NDP_NODE_METHOD, function);
    const bool has_array = plan->row[NDP_PLAN_POSITION] == NDP_POSITION_SELF;
    uint32_t self = has_array ? plan->main : draw_bound(d, function);
    if (d->nodes[self].kind == NDP_NODE_NONE) self = ndp_graph_draft_int(d);
    ndp_graph_draft_edge(d, number, NDP_EDGE_SELF, NULL, self);
    return number;
}

static uint32_t add_partial(struct ndp_plan_draft *plan, uint32_t function) {
    static const char *const names[] = {"k", "other"};
    struct ndp_graph_draft *d = plan->d;
    const uint8_t caller = plan->row[NDP_PLAN_CALLER];
    const uint32_t number = add_caller(d, NDP_NODE_PARTIAL, function);
    bool has_array = plan->row[NDP_PLAN_POSITION] == NDP_POSITION_ARGUMENT;
    const uint64_t places = caller == NDP_CALLER_KEYWORDS ? 0 : 1 + ndp_choose(d->choices, 3);
    const uint64_t named = caller == NDP_CALLER_PARTIAL ? 0 : 1 + ndp_choose(d->choices, NDP_ARRAY_LEN(names));
    for (uint64_t i = 0; i < places + named; i++) {
        const uint32_t to = has_array ? plan->main : draw_bound(d, function);
        const enum ndp_edge_role role = i < places ? NDP_EDGE_ARGUMENT : NDP_EDGE_KEYWORD;
        ndp_graph_draft_edge(d, number, role, i < places ? NULL : names[i - places], to);
        has_array = false;
    }
    return number;
}

static uint32_t add_caller_of(struct ndp_plan_draft *plan, uint32_t function) {
    const uint8_t caller = plan->row[NDP_PLAN_CALLER];
    switch ((enum ndp_plan_caller)caller) {
    case NDP_CALLER_VECTORIZE:
    case NDP_CALLER_OTYPES:
    case NDP_CALLER_VECTOR_SIGNATURE:
    case NDP_CALLER_EXCLUDED:
    case NDP_CALLER_CALLED:
        return add_vectorize(plan->d, caller, function);
    case NDP_CALLER_FROMPYFUNC:
        return add_caller(plan->d, NDP_NODE_FROMPYFUNC, function);
    case NDP_CALLER_METHOD:
        return add_method(plan, function);
    case NDP_CALLER_PARTIAL:
    case NDP_CALLER_KEYWORDS:
    case NDP_CALLER_BOTH:
        return add_partial(plan, function);
    case NDP_CALLER_NONE:
    case NDP_CALLER_COUNT:
        break;
    }
    return function;
}

/* Another function with the same globals. */
static void share_globals(struct ndp_plan_draft *plan, uint32_t function) {
    const struct ndp_edge *globals = ndp_graph_node_edge(&plan->d->nodes[function], NDP_EDGE_GLOBALS, 0);
    if (globals == NULL || plan->peer != NDP_GRAPH_UNSET || plan->row[NDP_PLAN_ROOT] == NDP_ROOT_FUNCTION) return;
    if (!ndp_choose_rarely(plan->d->choices, 3)) return;
    plan->peer = add_code(plan->d, NDP_CODE_LATE, "peer");
    ndp_graph_draft_edge(plan->d, plan->peer, NDP_EDGE_GLOBALS, NULL, globals->to);
}

uint32_t ndp_plan_add_function(struct ndp_plan_draft *plan) {
    static const enum ndp_code codes[NDP_PLAN_FUNCTION_COUNT] = {
        [NDP_PLAN_FUNCTION_IDENTITY] = NDP_CODE_IDENTITY, [NDP_PLAN_FUNCTION_CONST] = NDP_CODE_CONST,
        [NDP_PLAN_FUNCTION_ADD] = NDP_CODE_ADD,           [NDP_PLAN_FUNCTION_COUNTER] = NDP_CODE_COUNTER,
        [NDP_PLAN_FUNCTION_RECURSE] = NDP_CODE_RECURSE,   [NDP_PLAN_FUNCTION_MUTUAL] = NDP_CODE_MUTUAL,
        [NDP_PLAN_FUNCTION_LATE] = NDP_CODE_LATE,         [NDP_PLAN_FUNCTION_DEEP] = NDP_CODE_DEEP,
        [NDP_PLAN_FUNCTION_CALL] = NDP_CODE_CALL,         [NDP_PLAN_FUNCTION_INNER] = NDP_CODE_NESTED,
    };
    static const char *const names[] = {"f", "<lambda>", "k"};
    struct ndp_graph_draft *d = plan->d;
    const uint8_t code = plan->row[NDP_PLAN_FUNCTION];
    plan->peer = NDP_GRAPH_UNSET;
    if (code == NDP_PLAN_FUNCTION_MODULE || code == NDP_PLAN_FUNCTION_DECORATED)
        return add_caller_of(plan, add_importable(d, code == NDP_PLAN_FUNCTION_DECORATED));
    const uint32_t function = add_code(d, codes[code], names[ndp_choose(d->choices, NDP_ARRAY_LEN(names))]);
    add_own_cell(plan, function);
    add_cells(plan, function);
    add_defaults(plan, function);
    add_description(plan, function);
    if (ndp_graph_words_code_reads_globals(codes[code])) add_globals(plan, function);
    share_globals(plan, function);
    return add_caller_of(plan, function);
}
