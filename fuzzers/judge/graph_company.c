#include "judge/graph_company.h"

#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "fuzz.h"
#include "model/graph_compare.h"

/* A graph and a copy of it, matched before a node is changed: what is compared is no part of the walk. */
struct company {
    const struct ndp_graph *was;
    struct ndp_graph graph;
    struct ndp_node *nodes; /* those of `graph` */
    struct ndp_graph_match match;
    struct ndp_rng rng;
};

static uint64_t below(struct company *company, uint64_t count) {
    return ndp_rng_next(&company->rng) % count;
}

static bool lies_somewhere(const struct ndp_node *node) {
    return node->kind == NDP_NODE_ARRAY && node->has_memory && node->observation.elements.size_bytes > 0;
}

/* Some node of those that were met. */
static uint32_t draw(struct company *company) {
    return company->match.pairs[below(company, company->match.pair_count)].expected;
}

/* Of pairs with `at` in them: how many have come apart, and how many together. Of all pairs: how many are together. */
static void count_pairs(const struct company *company, uint32_t at, uint64_t *lost, uint64_t *fresh, uint64_t *together,
                        uint64_t *all) {
    *lost = *fresh = *together = *all = 0;
    for (uint32_t i = 0; i < company->match.pair_count; i++)
        for (uint32_t k = 0; k < i; k++) {
            const uint32_t x = company->match.pairs[i].expected, y = company->match.pairs[k].expected;
            const struct ndp_node *a = &company->was->nodes[x], *b = &company->was->nodes[y];
            const struct ndp_node *c = &company->nodes[x], *d = &company->nodes[y];
            if (x == y || !lies_somewhere(a) || !lies_somewhere(b)) continue;
            const bool was_one = a->memory_group == b->memory_group, is_one = c->memory_group == d->memory_group;
            const bool is_moved =
                is_one && (x == at || y == at) &&
                a->memory_offset_bytes - b->memory_offset_bytes != c->memory_offset_bytes - d->memory_offset_bytes;
            *lost += was_one && (!is_one || is_moved);
            *fresh += !was_one && is_one;
            *together += was_one;
            ++*all;
        }
}

/* What is told names the array that lies elsewhere. */
static bool is_of(const struct ndp_comparison *comparison, uint32_t at) {
    char first[32], next[32];
    snprintf(first, sizeof first, "nodes[%u] and ", at);
    snprintf(next, sizeof next, " and nodes[%u]", at);
    for (uint32_t i = 0; i < comparison->count; i++) {
        const char *path = comparison->list[i].path, *end = strstr(path, next);
        const bool ends_so = end && end[strlen(next)] == '\0';
        if (strncmp(path, first, strlen(first)) != 0 && !ends_so) return false;
        if (strcmp(comparison->list[i].expected, comparison->list[i].got) == 0) return false;
    }
    return true;
}

static void check_pairs(struct company *company, uint32_t at) {
    struct ndp_comparison gone, made;
    uint64_t lost, fresh, together, all;
    ndp_comparison_clear(&gone);
    ndp_comparison_clear(&made);
    count_pairs(company, at, &lost, &fresh, &together, &all);
    ndp_compare_aliasing(company->was, &company->graph, &company->match, &gone, &made);
    FUZZ_HOLDS(gone.total == lost && is_of(&gone, at));
    FUZZ_HOLDS(made.total == fresh && is_of(&made, at));
    FUZZ_HOLDS(gone.comparisons == together && made.comparisons == all - together);
}

/* An array has a memory of its own, is in that of another, or lies elsewhere in its own: next to where it was, or as
 * far from another on its other side. */
static void check_aliasing(struct company *company) {
    const uint32_t at = draw(company), other = draw(company);
    struct ndp_node *node = &company->nodes[at];
    if (!lies_somewhere(node)) return;
    switch (below(company, 4)) {
    case 0:
        node->memory_group = company->graph.count;
        break;
    case 1:
        node->memory_group = company->nodes[other].memory_group;
        break;
    case 2:
        node->memory_offset_bytes = 2 * company->nodes[other].memory_offset_bytes - node->memory_offset_bytes;
        break;
    default:
        node->memory_offset_bytes++;
        break;
    }
    check_pairs(company, at);
    *node = company->was->nodes[at];
}

static bool is_only(const struct ndp_comparison *comparison, uint32_t at, const char *word) {
    char path[NDP_DIFFERENCE_TEXT_BYTES];
    snprintf(path, sizeof path, "nodes[%u].%s", at, word);
    return comparison->total == 1 && comparison->count == 1 && strcmp(comparison->list[0].path, path) == 0 &&
           strcmp(comparison->list[0].got, "~") == 0;
}

static void check_whole(struct company *company) {
    const uint32_t at = draw(company);
    struct ndp_comparison told;
    uint64_t arrays = 0;
    ndp_comparison_clear(&told);
    for (uint32_t i = 0; i < company->match.pair_count; i++)
        arrays += company->was->nodes[company->match.pairs[i].expected].kind == NDP_NODE_ARRAY;
    company->nodes[at].trouble = ndp_bytes_view("~");
    ndp_compare_whole(company->was, &company->graph, &company->match, &told);
    FUZZ_HOLDS(told.comparisons == arrays);
    FUZZ_HOLDS(company->was->nodes[at].kind == NDP_NODE_ARRAY ? is_only(&told, at, "whole") : told.total == 0);
    company->nodes[at].trouble = company->was->nodes[at].trouble;
}

/* Every node gives the same twice, but for one. */
static void check_results(struct ndp_arena *arena, struct company *company) {
    const uint32_t at = draw(company), which = (uint32_t)below(company, 2);
    struct ndp_node *nodes = ndp_arena_copy(arena, company->nodes, company->graph.count * sizeof *nodes);
    const struct ndp_graph before = {company->was->root, company->was->count, nodes};
    struct ndp_comparison told;
    ndp_comparison_clear(&told);
    for (uint32_t i = 0; nodes && i < before.count; i++) {
        nodes[i].result_count = company->nodes[i].result_count = 2;
        nodes[i].results[0] = company->nodes[i].results[0] = ndp_bytes_view("1");
        nodes[i].results[1] = company->nodes[i].results[1] = ndp_bytes_view("2");
    }
    if (!nodes) return;
    company->nodes[at].results[which] = ndp_bytes_view("~");
    ndp_compare_results(&before, &company->graph, &company->match, &told);
    FUZZ_HOLDS(told.comparisons == 2 * (uint64_t)company->match.pair_count);
    FUZZ_HOLDS(is_only(&told, at, which == 0 ? "results[0]" : "results[1]"));
}

void fuzz_check_company(struct ndp_arena *arena, const struct ndp_graph *graph, uint64_t pick) {
    struct company company = {.was = graph};
    ndp_rng_init(&company.rng, pick);
    company.nodes = ndp_arena_copy(arena, graph->nodes, graph->count * sizeof *company.nodes);
    company.graph = (struct ndp_graph){graph->root, graph->count, company.nodes};
    if (!company.nodes || ndp_graph_match(arena, graph, &company.graph, &company.match) != NDP_OK) return;
    check_aliasing(&company);
    check_aliasing(&company);
    check_whole(&company);
    check_results(arena, &company);
}
