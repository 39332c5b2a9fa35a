/* relay.c: cases with a middle. Three targets do a part each; what the middle got is judged as the result of the first
 * leg, and is then the source of the second. So each leg is held to its own contract, whatever the first one changed by
 * right, and the whole to both.
 *
 * A middle need not tell all there is (one that calls no functions has no results of them): what it leaves out is taken
 * from what was sent, so that it is compared from end to end.
 */
#include <string.h>

#include "engine/batch.h"
#include "model/graph_compare.h"
#include "model/graph_features.h"

enum ndp_status ndp_relay_plan(const struct ndp_batch *batch, const struct ndp_case *item, const struct ndp_array *held,
                               struct ndp_program *encoder, struct ndp_program *middle, struct ndp_program *decoder) {
    struct ndp_program *const all[] = {encoder, middle, decoder};
    (void)batch;
    NDP_TRY(ndp_plan_relay(item->legs, item->slots, encoder, middle, decoder));
    if (!item->has_graph) {
        encoder->value = &item->descriptor.value.array;
        encoder->base_bytes = item->base_bytes;
    }
    for (uint32_t i = 0; i < NDP_ARRAY_LEN(all); i++) {
        all[i]->case_id = item->id;
        if (item->has_graph) all[i]->graph = &item->sent;
        if (item->has_model) ndp_case_say_form(all[i], i == 2 && held != NULL ? held : &item->model);
    }
    return NDP_OK;
}

/* ---- running ---- */

/* One of the later parts of a relay, and where its bytes come from. */
struct part {
    struct ndp_target *target;
    enum ndp_slot from;
    bool is_last;
};

static const struct ndp_outcome *before(const struct ndp_case *item, const struct part *part) {
    return part->is_last ? item->relayed : item->first;
}

static enum ndp_status plan_part(struct ndp_batch *batch, const struct ndp_case *item, const struct part *part,
                                 struct ndp_program *program) {
    struct ndp_program others[2] = {{.step_count = 0}, {.step_count = 0}};
    struct ndp_array *held = NULL;
    memset(program, 0, sizeof *program);
    const struct ndp_slot_record *got = &before(item, part)->slots[NDP_SLOT_RESULT];
    if (part->is_last && item->has_model && got->has_observation) {
        held = NDP_ARENA_NEW(&batch->arena, struct ndp_array);
        if (held == NULL) return NDP_NOMEM;
        const enum ndp_status status = ndp_array_hold(&batch->arena, &got->observation, true, 0, held);
        /* Then the second leg is not judged, and what the bytes are taken for does not matter. */
        if (status == NDP_UNSUPPORTED || status == NDP_LIMIT) held = NULL;
        if (status == NDP_NOMEM) return status;
    }
    NDP_TRY(part->is_last ? ndp_relay_plan(batch, item, held, &others[0], &others[1], program)
                          : ndp_relay_plan(batch, item, NULL, &others[0], program, &others[1]));
    const struct ndp_slot_record *encoded = &before(item, part)->slots[part->from];
    program->supplied = encoded->bytes;
    program->supplied_buffer_count = encoded->buffer_count;
    memcpy(program->supplied_buffers, encoded->buffers, sizeof program->supplied_buffers);
    return NDP_OK;
}

/* Every case whose bytes are there goes on. */
static enum ndp_status run_part(struct ndp_batch *batch, const struct part *part, struct ndp_error *error) {
    struct ndp_outcome *outcomes = batch->outcomes[part->is_last ? 2 : 1];
    uint32_t sent[NDP_BATCH_CASES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < batch->sent_count; i++) {
        const struct ndp_case *item = &batch->cases[batch->sent[i]];
        const struct ndp_outcome *outcome = before(item, part);
        if (outcome == NULL || outcome->ended != NDP_VERDICT_PASS) continue;
        const struct ndp_slot_record *encoded = &outcome->slots[part->from];
        if (encoded->state != NDP_SLOT_FILLED || !encoded->has_bytes) continue;
        NDP_TRY(plan_part(batch, item, part, &batch->programs[count]));
        sent[count++] = batch->sent[i];
    }
    if (count == 0) return NDP_OK;
    struct ndp_target *target = part->target;
    NDP_TRY(target->ops->submit(target, batch->programs, count, error));
    NDP_TRY(target->ops->collect(target, &batch->arena, outcomes, count, error));
    for (uint32_t i = 0; i < count; i++) {
        struct ndp_case *item = &batch->cases[sent[i]];
        if (part->is_last) item->second = &outcomes[i];
        if (!part->is_last) item->relayed = &outcomes[i];
    }
    return NDP_OK;
}

enum ndp_status ndp_relay_run(struct ndp_batch *batch, struct ndp_error *error) {
    const struct part middle = {batch->middle, NDP_SLOT_ENCODED, false};
    const struct part last = {batch->decoder, NDP_SLOT_REENCODED, true};
    NDP_TRY(run_part(batch, &middle, error));
    return run_part(batch, &last, error);
}

/* ---- the second leg's source ---- */

/* Results of calls, and how often something was called, where the middle does not tell. `told` stands for `sent`. */
static void fill_in(const struct ndp_node *sent, const struct ndp_node *seen, struct ndp_node *told) {
    if (!ndp_node_is_callable(told->kind)) return;
    told->calls = ndp_node_calls(sent);
    if (told->result_count > 0 || seen == NULL) return;
    told->result_count = seen->result_count;
    memcpy(told->results, seen->results, sizeof told->results);
}

/* What the source said of the node that `number` of the expectation is, or NULL. */
static const struct ndp_node *seen_of(const struct ndp_graph *source, const struct ndp_graph_match *match,
                                      uint32_t number) {
    for (uint32_t i = 0; source != NULL && i < match->pair_count; i++) {
        if (match->pairs[i].expected == number) return &source->nodes[match->pairs[i].got];
    }
    return NULL;
}

static enum ndp_status hold_array(struct ndp_batch *batch, struct ndp_node *node) {
    const struct ndp_target_info *middle = &batch->middle->info;
    if (node->kind != NDP_NODE_ARRAY || !node->has_observation) return NDP_OK;
    NDP_TRY(ndp_array_hold(&batch->arena, &node->observation, middle->is_little_endian,
                           middle->longdouble_alignment_bytes, &node->model));
    node->array.class_name = node->observation.class_name;
    node->has_model = true;
    return NDP_OK;
}

/* The middle's graph as one that is sent: its arrays with models, what it cannot tell from where it came. */
static enum ndp_status hold_graph(struct ndp_batch *batch, const struct ndp_case *item, const struct ndp_graph *got,
                                  struct ndp_graph *out) {
    const struct ndp_graph *source = item->first->slots[NDP_SLOT_SOURCE].graph;
    struct ndp_graph_match arrived, seen = {.pair_count = 0};
    struct ndp_node *nodes = ndp_arena_copy(&batch->arena, got->nodes, got->count * sizeof *nodes);
    if (nodes == NULL) return NDP_NOMEM;
    for (uint32_t i = 0; i < got->count; i++) NDP_TRY(hold_array(batch, &nodes[i]));
    NDP_TRY(ndp_graph_match(&batch->arena, &item->graph, got, &arrived));
    if (source != NULL) NDP_TRY(ndp_graph_match(&batch->arena, &item->graph, source, &seen));
    for (uint32_t i = 0; i < arrived.pair_count; i++) {
        const uint32_t sent = arrived.pairs[i].expected;
        fill_in(&item->graph.nodes[sent], seen_of(source, &seen, sent), &nodes[arrived.pairs[i].got]);
    }
    *out = (struct ndp_graph){got->root, got->count, nodes};
    return NDP_OK;
}

/* The middle's program, told as that of an encoder. */
static struct ndp_outcome *as_encoder(struct ndp_batch *batch, const struct ndp_outcome *relayed) {
    struct ndp_outcome *encoded = ndp_arena_copy(&batch->arena, relayed, sizeof *encoded);
    if (encoded == NULL) return NULL;
    encoded->slots[NDP_SLOT_SOURCE] = relayed->slots[NDP_SLOT_RESULT];
    encoded->slots[NDP_SLOT_ENCODED] = relayed->slots[NDP_SLOT_REENCODED];
    memset(&encoded->slots[NDP_SLOT_RESULT], 0, sizeof encoded->slots[NDP_SLOT_RESULT]);
    memset(&encoded->slots[NDP_SLOT_REENCODED], 0, sizeof encoded->slots[NDP_SLOT_REENCODED]);
    return encoded;
}

enum ndp_status ndp_relay_source(struct ndp_batch *batch, const struct ndp_case *item, struct ndp_relay_source *out) {
    const struct ndp_slot_record *got = &item->relayed->slots[NDP_SLOT_RESULT];
    const struct ndp_target_info *middle = &batch->middle->info;
    struct ndp_relay_source source = {.encoded = as_encoder(batch, item->relayed)};
    if (source.encoded == NULL) return NDP_NOMEM;
    if (item->has_graph) {
        if (got->graph == NULL) return NDP_UNSUPPORTED;
        NDP_TRY(hold_graph(batch, item, got->graph, &source.graph));
        struct ndp_graph *told = ndp_arena_copy(&batch->arena, &source.graph, sizeof *told);
        if (told == NULL) return NDP_NOMEM;
        source.encoded->slots[NDP_SLOT_SOURCE].graph = told;
        source.features = ndp_graph_features(&source.graph);
        *out = source;
        return NDP_OK;
    }
    if (!got->has_observation) return NDP_UNSUPPORTED;
    NDP_TRY(ndp_array_hold(&batch->arena, &got->observation, middle->is_little_endian,
                           middle->longdouble_alignment_bytes, &source.model));
    source.features = ndp_contract_features(&source.model, &item->legs[1]);
    NDP_TRY(ndp_contract_expect(&batch->arena, &source.model, &item->legs[1], middle, &batch->decoder->info,
                                &source.promised));
    *out = source;
    return NDP_OK;
}
