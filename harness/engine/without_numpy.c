/* without_numpy.c: whether CPython, and not NumPy, is to blame for a failure.
 *
 * Problem. CPython copies and pickles arrays with code of its own, and calls NumPy only to reduce an array to a
 * function and its arguments. A testee of NumPy runs both, so the failure of one looks like that of the other.
 *
 * Method. Two experiments, on formats that CPython implements (format_layers.h) in a target that runs CPython:
 *   1. CPython has two implementations of pickle, which call the same methods of NumPy and are meant to be equal. If
 * the value survives when the other one takes the place of the first at either end, they differ, and CPython is wrong.
 *   2. The arrays of a graph are replaced by numbers and lists. If the same failure shows, NumPy has no part in it.
 *
 * Cost. At most three cases.
 *
 * Limits. A defect of CPython that both implementations share and that only arrays reach stays NumPy's.
 */
#include "engine/without_numpy.h"

#include <stdio.h>
#include <string.h>

#include "engine/format_layers.h"

#define ARENA_BYTES (UINT64_C(64) << 20)

/* ---- a graph without arrays ---- */

static bool is_of_numpy(enum ndp_node_kind kind) {
    return kind == NDP_NODE_ARRAY || kind == NDP_NODE_VIEW || kind == NDP_NODE_OBJECTS || kind == NDP_NODE_VECTORIZE ||
           kind == NDP_NODE_FROMPYFUNC;
}

/* Replaces an object by a list of the objects that it refers to, or by a number if there are none. A mask and the base
 * of a view are no such objects. */
static enum ndp_status replace_node(struct ndp_arena *arena, struct ndp_node *node) {
    struct ndp_edge *items = NDP_ARENA_ITEMS(arena, struct ndp_edge, node->edge_count + 1);
    uint32_t count = 0;
    if (items == NULL) return NDP_NOMEM;
    for (uint32_t i = 0; i < node->edge_count; i++) {
        const enum ndp_edge_role role = node->edges[i].role;
        if (role == NDP_EDGE_MASK || role == NDP_EDGE_OF) continue;
        items[count++] = (struct ndp_edge){.role = NDP_EDGE_ITEM, .to = node->edges[i].to};
    }
    *node = count > 0 ? (struct ndp_node){.kind = NDP_NODE_LIST, .edges = items, .edge_count = count}
                      : (struct ndp_node){.kind = NDP_NODE_INT, .text = ndp_bytes_view("0")};
    return NDP_OK;
}

enum ndp_status ndp_without_kinds_graph(struct ndp_arena *arena, const struct ndp_graph *graph,
                                        bool (*is_left_out)(enum ndp_node_kind), const struct ndp_graph **out) {
    struct ndp_node *nodes = ndp_arena_copy(arena, graph->nodes, graph->count * sizeof *nodes);
    struct ndp_graph *plain = NDP_ARENA_NEW(arena, struct ndp_graph);
    if (nodes == NULL || plain == NULL) return NDP_NOMEM;
    *out = NULL;
    for (uint32_t i = 0; i < graph->count; i++)
        if (is_left_out(nodes[i].kind)) NDP_TRY(replace_node(arena, &nodes[i]));
    *plain = (struct ndp_graph){.root = graph->root, .count = graph->count, .nodes = nodes};
    const enum ndp_status status = ndp_graph_check(arena, plain, NULL);
    if (status == NDP_OK) *out = plain;
    return status == NDP_NOMEM ? NDP_NOMEM : NDP_OK;
}

enum ndp_status ndp_without_numpy_graph(struct ndp_arena *arena, const struct ndp_graph *graph,
                                        const struct ndp_graph **out) {
    NDP_TRY(ndp_without_kinds_graph(arena, graph, is_of_numpy, out));
    if (*out != NULL && (*out)->nodes[graph->root].kind == NDP_NODE_INT) *out = NULL;
    return NDP_OK;
}

/* ---- experiments ---- */

/* The target at that end of the case if it runs CPython and the library to blame is there; otherwise NULL. */
static const struct ndp_target *find_python(const struct ndp_bench *bench, const struct ndp_without_numpy_case *item,
                                            enum ndp_end end) {
    const struct ndp_route *route = &item->descriptor->route;
    const struct ndp_target *target = ndp_bench_find(bench, end == NDP_END_ENCODER ? route->encoder : route->decoder);
    if (target == NULL || strncmp(target->info.language, "CPython", strlen("CPython")) != 0) return NULL;
    return ndp_bytes_word_is(ndp_entry_library(&target->info, route, end), item->library) ? target : NULL;
}

/* Puts every other entry point of `end` in the place of that of the route; *other is the first with which the promise
 * is kept, or "". */
static enum ndp_status try_others(struct ndp_batch *batch, const struct ndp_without_numpy_case *item, enum ndp_end end,
                                  char other[NDP_WORD_BYTES], struct ndp_error *error) {
    const struct ndp_target *target = find_python(ndp_batch_bench(batch), item, end);
    other[0] = '\0';
    for (uint32_t i = 0; target != NULL && i < target->info.entry_count && other[0] == '\0'; i++) {
        const struct ndp_entry *entry = &target->info.entries[i];
        struct ndp_descriptor variant = *item->descriptor;
        char *word = end == NDP_END_ENCODER ? variant.route.encode : variant.route.decode;
        struct ndp_experiment seen;
        if (!ndp_entry_is_on(entry, &variant.route, end) || ndp_bytes_word_is(entry->entry, word)) continue;
        memcpy(word, entry->entry, NDP_WORD_BYTES);
        NDP_TRY(ndp_experiment_run(batch, &variant, item->failure, &seen, error));
        if (seen.end == NDP_EXPERIMENT_KEPT) memcpy(other, entry->entry, NDP_WORD_BYTES);
    }
    return NDP_OK;
}

static enum ndp_status ask_twins(struct ndp_batch *batch, const struct ndp_without_numpy_case *item, char *evidence,
                                 size_t evidence_bytes, struct ndp_error *error) {
    static const struct {
        enum ndp_end end;
        const char *word;
    } ends[] = {{NDP_END_ENCODER, "pickler"}, {NDP_END_DECODER, "unpickler"}};
    const struct ndp_route *route = &item->descriptor->route;
    for (size_t i = 0; i < NDP_ARRAY_LEN(ends) && evidence[0] == '\0'; i++) {
        char other[NDP_WORD_BYTES];
        NDP_TRY(try_others(batch, item, ends[i].end, other, error));
        if (other[0] == '\0') continue;
        snprintf(evidence, evidence_bytes,
                 "CPython's %s \"%s\" fails where its other one, \"%s\", passes with the same value and calls the same "
                 "methods of NumPy.",
                 ends[i].word, ends[i].end == NDP_END_ENCODER ? route->encode : route->decode, other);
    }
    return NDP_OK;
}

static enum ndp_status ask_without_arrays(struct ndp_batch *batch, const struct ndp_without_numpy_case *item,
                                          char *evidence, size_t evidence_bytes, struct ndp_error *error) {
    struct ndp_descriptor variant = *item->descriptor;
    struct ndp_experiment seen;
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    NDP_TRY(ndp_without_numpy_graph(&arena, item->descriptor->value.graph, &variant.value.graph));
    if (variant.value.graph == NULL) return NDP_OK;
    NDP_TRY(ndp_experiment_run(batch, &variant, item->failure, &seen, error));
    if (seen.end == NDP_EXPERIMENT_SAME)
        snprintf(evidence, evidence_bytes,
                 "The same failure shows when numbers and lists replace all objects of NumPy.");
    return NDP_OK;
}

enum ndp_status ndp_without_numpy_ask(struct ndp_batch *batch, const struct ndp_without_numpy_case *item,
                                      char *evidence, size_t evidence_bytes, struct ndp_error *error) {
    const struct ndp_bench *bench = ndp_batch_bench(batch);
    const struct ndp_format_layer *layer = ndp_format_layers_find(item->descriptor->route.format);
    evidence[0] = '\0';
    if (layer == NULL || !layer->is_of_python) return NDP_OK;
    if (layer->is_twice) NDP_TRY(ask_twins(batch, item, evidence, evidence_bytes, error));
    const bool is_python =
        find_python(bench, item, NDP_END_ENCODER) != NULL || find_python(bench, item, NDP_END_DECODER) != NULL;
    if (evidence[0] != '\0' || !is_python || item->descriptor->value.kind != NDP_VALUE_GRAPH) return NDP_OK;
    return ask_without_arrays(batch, item, evidence, evidence_bytes, error);
}
