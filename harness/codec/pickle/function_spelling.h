/* function_spelling.h: a graph of functions in one line, for tests: what a person would write down of it.
 *
 *     name:code c(<cell> <>) d(defaults) k{name:value} a{attributes} g{globals}; code ? is of no template
 *
 * What was spelled before is "#" and its number in the order of spelling. Globals are spelled where there are any.
 */
#ifndef NDP_FUNCTION_SPELLING_H
#define NDP_FUNCTION_SPELLING_H

#include <stdio.h>
#include <string.h>

#include "model/graph.h"

enum { SPELLING_BYTES = 512, SPELLING_DEPTH = 32 };

struct spelling {
    const struct ndp_graph *graph;
    uint32_t numbers[NDP_MAX_NODES]; /* and one */
    uint32_t count;
    char text[SPELLING_BYTES];
};

static inline void spell_text(struct spelling *s, const char *text, uint64_t size_bytes) {
    const size_t at = strlen(s->text);
    assert_true(at + size_bytes < sizeof s->text);
    memcpy(s->text + at, text, (size_t)size_bytes);
    s->text[at + size_bytes] = '\0';
}

static inline void spell_word(struct spelling *s, const char *word) {
    spell_text(s, word, strlen(word));
}

static inline void spell_node(struct spelling *s, uint32_t number, uint32_t depth);

/* Everything that edges of one role lead to, between two brackets; nothing when there is none. */
static inline void spell_role(struct spelling *s, const struct ndp_node *node, enum ndp_edge_role role,
                              const char *open, const char *close, uint32_t depth) {
    const char *before = open;
    for (uint32_t i = 0; i < node->edge_count; i++) {
        const struct ndp_edge *edge = &node->edges[i];
        if (edge->role != role) continue;
        spell_word(s, before);
        before = " ";
        if (ndp_edge_is_named(role)) {
            spell_text(s, (const char *)edge->name.data, edge->name.size_bytes);
            spell_word(s, ":");
        }
        spell_node(s, edge->to, depth + 1);
    }
    if (before != open) spell_word(s, close);
}

static inline void spell_function(struct spelling *s, const struct ndp_node *node, uint32_t depth) {
    const struct ndp_edge *globals = ndp_node_edge(node, NDP_EDGE_GLOBALS, 0);
    spell_text(s, (const char *)node->name.data, node->name.size_bytes);
    spell_word(s, ":");
    spell_word(s, node->is_opaque ? "?" : ndp_code_word(node->code));
    spell_role(s, node, NDP_EDGE_CELL, " c(", ")", depth);
    spell_role(s, node, NDP_EDGE_DEFAULT, " d(", ")", depth);
    spell_role(s, node, NDP_EDGE_KWDEFAULT, " k{", "}", depth);
    spell_role(s, node, NDP_EDGE_ATTRIBUTE, " a{", "}", depth);
    if (globals != NULL) spell_role(s, &s->graph->nodes[globals->to], NDP_EDGE_ENTRY, " g{", "}", depth);
}

static inline void spell_node(struct spelling *s, uint32_t number, uint32_t depth) {
    const struct ndp_node *node = &s->graph->nodes[number];
    assert_true(depth < SPELLING_DEPTH);
    if (ndp_node_has_identity(node->kind)) {
        char again[16];
        snprintf(again, sizeof again, "#%u", s->numbers[number] == 0 ? 0 : s->numbers[number] - 1);
        if (s->numbers[number] != 0) {
            spell_word(s, again);
            return;
        }
        s->numbers[number] = ++s->count;
    }
    if (node->kind == NDP_NODE_NONE) spell_word(s, "None");
    if (node->kind == NDP_NODE_INT || node->kind == NDP_NODE_TEXT)
        spell_text(s, (const char *)node->text.data, node->text.size_bytes);
    if (node->kind == NDP_NODE_LIST) {
        spell_word(s, "[");
        spell_role(s, node, NDP_EDGE_ITEM, "", "", depth);
        spell_word(s, "]");
    }
    if (node->kind == NDP_NODE_CELL) {
        spell_word(s, "<");
        spell_role(s, node, NDP_EDGE_CONTENT, "", "", depth);
        spell_word(s, ">");
    }
    if (node->kind == NDP_NODE_FUNCTION) spell_function(s, node, depth);
    if (node->kind == NDP_NODE_METHOD || node->kind == NDP_NODE_PARTIAL || node->kind == NDP_NODE_VECTORIZE) {
        spell_word(s, ndp_node_word(node->kind));
        spell_role(s, node, NDP_EDGE_FUNCTION, "(", "", depth);
        spell_role(s, node, NDP_EDGE_SELF, " self ", "", depth);
        spell_role(s, node, NDP_EDGE_ARGUMENT, " args ", "", depth);
        spell_role(s, node, NDP_EDGE_KEYWORD, " keywords ", "", depth);
        spell_word(s, ")");
    }
}

/* Spells `graph` into s->text. */
static inline void spell(struct spelling *s, const struct ndp_graph *graph) {
    memset(s, 0, sizeof *s);
    s->graph = graph;
    spell_node(s, graph->root, 0);
}

#endif
