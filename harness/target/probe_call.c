/* Computes what the functions of a graph return.
 *
 * Problem: two closures are equal when they behave the same, so an observation contains results of calls, and the
 * reference must compute them without running any code.
 *
 * Method: interpret the code template of each function over its cells, defaults, globals and arguments. Recursive
 * templates are linear in the inner result, so a loop accumulates factor and term instead of recursing.
 *
 * Cost: linear in the edges per call, times the recursion depth of the template. Limits: arithmetic modulo 2^64;
 * DEEPEST_CALL nested calls raise RecursionError as in Python.
 */
#include "target/probe_call.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PROBE = 3, CALLS = 2, DEEPEST_CALL = 16, RESULT_BYTES = 32 };

/* How a call ends. */
enum ending { GIVES_NUMBER, RAISES_NAME_ERROR, RAISES_TYPE_ERROR, RAISES_RECURSION_ERROR };

struct caller {
    const struct ndp_graph *graph;
    uint64_t added[NDP_MAX_NODES]; /* added to the number in a cell by the calls so far */
};

static uint64_t number_of_digits(struct ndp_bytes digits) {
    uint64_t number = 0;
    for (uint64_t i = 0; i < digits.size_bytes; i++)
        if (digits.data[i] != '-') number = number * 10 + (uint64_t)(digits.data[i] - '0');
    return digits.size_bytes > 0 && digits.data[0] == '-' ? 0 - number : number;
}

static uint64_t number_of_array(const struct ndp_array *array) {
    int64_t index[NDP_MAX_NDIM] = {0};
    uint64_t number = 0, place = 0;
    if (ndp_layout_count(&array->layout) == 0 || array->dtype->itemsize_bytes == 0) return 0;
    do {
        const uint8_t *item = array->buffer + ndp_layout_at(&array->layout, index);
        for (uint64_t i = 0; i < array->dtype->itemsize_bytes; i++) number += ++place * item[i];
    } while (ndp_layout_next(&array->layout, index));
    return number;
}

/* The number that a node contributes to a sum. */
static uint64_t number_of(const struct caller *caller, uint32_t number) {
    const struct ndp_node *node = &caller->graph->nodes[number];
    if (node->kind == NDP_NODE_INT) return number_of_digits(node->text);
    if (node->kind == NDP_NODE_BOOL) return node->truth;
    return node->kind == NDP_NODE_ARRAY ? number_of_array(&node->model) : 0;
}

static enum ending add_cell(const struct caller *caller, uint32_t cell, uint64_t *sum) {
    const struct ndp_edge *content = ndp_graph_node_edge(&caller->graph->nodes[cell], NDP_EDGE_CONTENT, 0);
    if (content == NULL) return RAISES_NAME_ERROR;
    *sum += number_of(caller, content->to) + caller->added[cell];
    return GIVES_NUMBER;
}

/* Adds the numbers of all nodes at edges of one role. */
static enum ending add_all(const struct caller *caller, const struct ndp_node *function, enum ndp_edge_role role,
                           uint64_t *sum) {
    enum ending ending = GIVES_NUMBER;
    for (uint32_t i = 0; i < function->edge_count && ending == GIVES_NUMBER; i++) {
        const struct ndp_edge *edge = &function->edges[i];
        if (edge->role != role) continue;
        if (role == NDP_EDGE_CELL) {
            ending = add_cell(caller, edge->to, sum);
        } else {
            *sum += number_of(caller, edge->to);
        }
    }
    return ending;
}

static enum ending call_add(const struct caller *caller, const struct ndp_node *function, uint64_t *value) {
    const enum ending ending = add_all(caller, function, NDP_EDGE_CELL, value);
    (void)add_all(caller, function, NDP_EDGE_DEFAULT, value);
    (void)add_all(caller, function, NDP_EDGE_KWDEFAULT, value);
    return ending;
}

static enum ending call_counter(struct caller *caller, const struct ndp_node *function, uint64_t *value) {
    const struct ndp_edge *cell = ndp_graph_node_edge(function, NDP_EDGE_CELL, 0);
    if (cell == NULL) return RAISES_NAME_ERROR;
    caller->added[cell->to]++;
    *value = 0;
    return add_cell(caller, cell->to, value);
}

static enum ending call_late(const struct caller *caller, const struct ndp_node *function, uint64_t *value) {
    const struct ndp_edge *globals = ndp_graph_node_edge(function, NDP_EDGE_GLOBALS, 0);
    const struct ndp_node *names = globals == NULL ? NULL : &caller->graph->nodes[globals->to];
    for (uint32_t i = 0; names != NULL && i < names->edge_count; i++) {
        if (!ndp_bytes_is_word(names->edges[i].name, "late")) continue;
        *value += number_of(caller, names->edges[i].to);
        return GIVES_NUMBER;
    }
    return RAISES_NAME_ERROR;
}

/* The function in cell 0. */
static enum ending callee_of(const struct caller *caller, const struct ndp_node *function,
                             const struct ndp_node **callee) {
    const struct ndp_edge *cell = ndp_graph_node_edge(function, NDP_EDGE_CELL, 0);
    const struct ndp_edge *content =
        cell == NULL ? NULL : ndp_graph_node_edge(&caller->graph->nodes[cell->to], NDP_EDGE_CONTENT, 0);
    if (content == NULL) return RAISES_NAME_ERROR;
    *callee = &caller->graph->nodes[content->to];
    return (*callee)->kind == NDP_NODE_FUNCTION ? GIVES_NUMBER : RAISES_TYPE_ERROR;
}

/* Calls a function that calls no other. */
static enum ending call_last(struct caller *caller, const struct ndp_node *function, uint64_t *value) {
    switch (function->code) {
    case NDP_CODE_CONST:
        *value = 0;
        return add_all(caller, function, NDP_EDGE_CELL, value);
    case NDP_CODE_NESTED:
        return add_all(caller, function, NDP_EDGE_CELL, value);
    case NDP_CODE_ADD:
        return call_add(caller, function, value);
    case NDP_CODE_COUNTER:
        return call_counter(caller, function, value);
    case NDP_CODE_LATE:
    case NDP_CODE_DEEP:
        return call_late(caller, function, value);
    case NDP_CODE_IDENTITY:
    case NDP_CODE_RECURSE:
    case NDP_CODE_MUTUAL:
    case NDP_CODE_CALL:
    case NDP_CODE_COUNT:
        break;
    }
    return GIVES_NUMBER;
}

/* Whether a function called with `value` calls the function in its cell. */
static bool calls_on(const struct ndp_node *function, uint64_t value) {
    if (function->code == NDP_CODE_CALL) return true;
    return (function->code == NDP_CODE_RECURSE || function->code == NDP_CODE_MUTUAL) && value > 0;
}

/* Calls a function with *value, which becomes the result. RECURSE and MUTUAL apply value = factor * inner + term to the
 * result of a call with one less; factors and terms are accumulated until the innermost call, so the depth is not
 * limited by the stack. */
static enum ending call_function(struct caller *caller, const struct ndp_node *function, uint64_t *value) {
    uint64_t factor = 1, term = 0;
    for (uint32_t depth = 0; depth < DEEPEST_CALL; depth++) {
        const enum ndp_code code = function->code;
        if (!calls_on(function, *value)) {
            const enum ending ending = call_last(caller, function, value);
            *value = factor * *value + term;
            return ending;
        }
        const enum ending ending = callee_of(caller, function, &function);
        if (ending != GIVES_NUMBER) return ending;
        if (code == NDP_CODE_CALL) continue;
        term += factor;
        if (code == NDP_CODE_MUTUAL) factor *= 2;
        *value -= 1;
    }
    return RAISES_RECURSION_ERROR;
}

/* The argument that a node passes to its function: the probe, or the argument bound before it. */
static uint64_t argument_of(const struct caller *caller, const struct ndp_node *node) {
    const struct ndp_edge *bound = ndp_graph_node_edge(node, NDP_EDGE_SELF, 0);
    if (bound == NULL) bound = ndp_graph_node_edge(node, NDP_EDGE_ARGUMENT, 0);
    return bound == NULL ? PROBE : number_of(caller, bound->to) % DEEPEST_CALL;
}

static void print_result(const struct ndp_node *node, enum ending ending, uint64_t value, char *out) {
    static const char *const errors[] = {"", "NameError", "TypeError", "RecursionError"};
    const bool is_float = node->kind == NDP_NODE_VECTORIZE && node->has_otypes;
    if (ending == GIVES_NUMBER) {
        snprintf(out, RESULT_BYTES, "%" PRIu64 "%s", value, is_float ? ".0" : "");
    } else {
        snprintf(out, RESULT_BYTES, "%s", errors[ending]);
    }
}

enum ndp_status ndp_probe_calls(struct ndp_arena *arena, const struct ndp_graph *graph, struct ndp_node *observed) {
    struct caller caller = {.graph = graph};
    for (uint32_t i = 0; i < graph->count; i++) {
        const struct ndp_node *node = &graph->nodes[i];
        const struct ndp_node *function = node;
        if (!ndp_graph_words_is_callable(node->kind)) continue;
        if (node->kind != NDP_NODE_FUNCTION) {
            const struct ndp_edge *edge = ndp_graph_node_edge(node, NDP_EDGE_FUNCTION, 0);
            if (edge == NULL || graph->nodes[edge->to].kind != NDP_NODE_FUNCTION) continue;
            function = &graph->nodes[edge->to];
        }
        for (uint32_t k = 0; k < CALLS; k++) {
            char *text = ndp_arena_alloc(arena, RESULT_BYTES);
            if (text == NULL) return NDP_NOMEM;
            uint64_t value = argument_of(&caller, node);
            const enum ending ending = call_function(&caller, function, &value);
            print_result(node, ending, value, text);
            observed[i].results[k] = ndp_bytes_view(text);
        }
        observed[i].result_count = CALLS;
    }
    return NDP_OK;
}
