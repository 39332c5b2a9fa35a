#include "engine/without_instances.h"

#include <stdio.h>

#include "engine/without_numpy.h"
#include "model/graph/import_path.h"

#define ARENA_BYTES (UINT64_C(64) << 20)

/* Fills `library` with the package of the first instance if the encoder claims it. */
static void find_library(const struct ndp_batch *batch, const struct ndp_descriptor *descriptor,
                         char library[NDP_WORD_BYTES]) {
    const struct ndp_target *encoder = ndp_bench_find(ndp_batch_bench(batch), descriptor->route.encoder);
    const struct ndp_graph *graph = descriptor->value.graph;
    uint32_t first = 0;
    while (first < graph->count && graph->nodes[first].kind != NDP_NODE_INSTANCE) first++;
    if (first == graph->count || encoder == NULL) return;
    const struct ndp_bytes package = ndp_import_path_package(graph->nodes[first].import);
    if (package.size_bytes >= NDP_WORD_BYTES) return;
    snprintf(library, NDP_WORD_BYTES, "%.*s", (int)package.size_bytes, (const char *)package.data);
    if (ndp_target_library_version(&encoder->info, library) == NULL) library[0] = '\0';
}

static bool is_instance(enum ndp_node_kind kind) {
    return kind == NDP_NODE_INSTANCE;
}

enum ndp_status ndp_without_instances_ask(struct ndp_batch *batch, const struct ndp_descriptor *descriptor,
                                          const struct ndp_divergence *failure, char library[NDP_WORD_BYTES],
                                          char *evidence, size_t evidence_bytes, struct ndp_error *error) {
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    struct ndp_descriptor variant = *descriptor;
    struct ndp_experiment seen;
    library[0] = evidence[0] = '\0';
    if (descriptor->value.kind != NDP_VALUE_GRAPH) return NDP_OK;
    find_library(batch, descriptor, library);
    if (library[0] == '\0') return NDP_OK;
    NDP_TRY(ndp_without_kinds_graph(&arena, descriptor->value.graph, is_instance, &variant.value.graph));
    seen.end = NDP_EXPERIMENT_SILENT;
    if (variant.value.graph != NULL) NDP_TRY(ndp_experiment_run(batch, &variant, failure, &seen, error));
    if (seen.end == NDP_EXPERIMENT_KEPT)
        snprintf(evidence, evidence_bytes, "The arguments of the call pass without the instance of %s.", library);
    else
        library[0] = '\0';
    return NDP_OK;
}
