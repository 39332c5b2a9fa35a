#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/temporary.h"
#include "engine/batch.h"
#include "engine/repeat.h"

struct ndp_target *ndp_bench_find(const struct ndp_bench *bench, const char *name) {
    for (uint32_t i = 0; i < bench->count; i++) {
        if (strcmp(bench->targets[i]->info.name, name) == 0) return bench->targets[i];
    }
    return NULL;
}

enum ndp_status ndp_batch_new(const struct ndp_bench *bench, uint64_t arena_bytes, struct ndp_batch **out) {
    struct ndp_batch *batch = calloc(1, sizeof *batch);
    if (batch == NULL) return NDP_NOMEM;
    batch->bench = bench;
    ndp_arena_init(&batch->arena, arena_bytes);
    *out = batch;
    return NDP_OK;
}

void ndp_batch_free(struct ndp_batch *batch) {
    if (batch == NULL) return;
    ndp_arena_clear(&batch->arena);
    free(batch);
}

void ndp_batch_clear(struct ndp_batch *batch) {
    ndp_arena_reset(&batch->arena);
    batch->count = 0;
    batch->sent_count = 0;
    batch->encoder = NULL;
    batch->middle = NULL;
    batch->decoder = NULL;
}

struct ndp_arena *ndp_batch_arena(struct ndp_batch *batch) {
    return &batch->arena;
}

uint32_t ndp_batch_count(const struct ndp_batch *batch) {
    return batch->count;
}

const struct ndp_descriptor *ndp_batch_descriptor(const struct ndp_batch *batch, uint32_t index) {
    return &batch->cases[index].descriptor;
}

uint64_t ndp_batch_case_id(const struct ndp_batch *batch, uint32_t index) {
    return batch->cases[index].id;
}

const struct ndp_result *ndp_batch_result(const struct ndp_batch *batch, uint32_t index) {
    return &batch->cases[index].result;
}

bool ndp_batch_can_overlap(const struct ndp_batch *batch) {
    if (batch->middle != NULL) return false;
    for (uint32_t i = 0; i < batch->count; i++) {
        if (ndp_case_is_repeated(&batch->cases[i])) return false;
    }
    return batch->encoder == batch->decoder;
}

static enum ndp_status find_properties(const struct ndp_descriptor *descriptor, uint32_t *mask,
                                       struct ndp_error *error) {
    uint32_t count;
    const struct ndp_property *const *all = ndp_properties(&count);
    uint32_t found = 0;
    for (uint32_t named = 0; named < descriptor->property_count; named++) {
        uint32_t i = 0;
        while (i < count && strcmp(all[i]->name, descriptor->properties[named]) != 0) i++;
        if (i == count) {
            return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "there is no property %s",
                                 descriptor->properties[named]);
        }
        found |= 1u << i;
    }
    /* Whoever asks for everything asks for what one run can tell. */
    for (uint32_t i = 0; i < count && descriptor->property_count == 0; i++) {
        if (!all[i]->by_repetition) found |= 1u << i;
    }
    *mask = found;
    return NDP_OK;
}

/* A property that has nothing to say about this kind of value needs nothing of it. */
static uint32_t slots_of(uint32_t properties, bool is_graph) {
    uint32_t count;
    const struct ndp_property *const *all = ndp_properties(&count);
    uint32_t slots = 0;
    for (uint32_t i = 0; i < count; i++) {
        if ((properties & (1u << i)) != 0 && (all[i]->for_graph == is_graph || all[i]->by_repetition))
            slots |= all[i]->needs;
    }
    return slots;
}

/* Zeroes all but the places of divergences, nine tenths of a case: each is zeroed when it is added. */
static void clear_case(struct ndp_case *item) {
    uint8_t *start = (uint8_t *)item;
    const size_t divergences = offsetof(struct ndp_case, result.divergences);
    const size_t behind = offsetof(struct ndp_case, result.divergence_count);
    memset(start, 0, divergences);
    memset(start + behind, 0, sizeof *item - behind);
}

enum ndp_status ndp_batch_add(struct ndp_batch *batch, uint64_t case_id, const struct ndp_descriptor *descriptor,
                              uint32_t properties, struct ndp_error *error) {
    if (batch->count == NDP_BATCH_CASES) return ndp_error_set(error, NDP_LIMIT, NDP_NO_OFFSET, "the batch is full");
    const struct ndp_route *route = &descriptor->route;
    bool is_decode = descriptor->kind == NDP_CASE_DECODE;
    struct ndp_target *decoder = ndp_bench_find(batch->bench, route->decoder);
    struct ndp_target *encoder = is_decode ? decoder : ndp_bench_find(batch->bench, route->encoder);
    struct ndp_target *middle = route->is_relayed ? ndp_bench_find(batch->bench, route->via.target) : NULL;
    if (encoder == NULL || decoder == NULL || (route->is_relayed && middle == NULL)) {
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "this run has no target %s",
                             decoder == NULL   ? route->decoder
                             : encoder == NULL ? route->encoder
                                               : route->via.target);
    }
    if (batch->count > 0 && (encoder != batch->encoder || middle != batch->middle || decoder != batch->decoder)) {
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "a batch has one pair of targets, and one middle");
    }
    if (properties == 0) NDP_TRY(find_properties(descriptor, &properties, error));
    batch->encoder = encoder;
    batch->middle = middle;
    batch->decoder = decoder;
    struct ndp_case *item = &batch->cases[batch->count++];
    clear_case(item);
    item->id = case_id;
    item->descriptor = *descriptor;
    ndp_route_leg(route, 0, &item->legs[0]);
    if (route->is_relayed) ndp_route_leg(route, 1, &item->legs[1]);
    item->properties = properties;
    item->slots = slots_of(properties, descriptor->value.kind == NDP_VALUE_GRAPH) & ~batch->bench->without_slots;
    return NDP_OK;
}

/* What comes second is planned again when its bytes are there; here only its place is needed. */
static enum ndp_status plan_first_of(const struct ndp_batch *batch, const struct ndp_case *item,
                                     struct ndp_program *program) {
    struct ndp_program scratch[2] = {{0}, {0}};
    return item->descriptor.route.is_relayed ? ndp_relay_plan(batch, item, NULL, program, &scratch[0], &scratch[1])
                                             : ndp_case_plan(batch, item, program, &scratch[0]);
}

static enum ndp_status plan_first(const struct ndp_batch *batch, const struct ndp_case *item,
                                  struct ndp_program *program) {
    ndp_program_clear(program);
    if (!item->descriptor.route.is_relayed && batch->encoder == batch->decoder)
        return ndp_case_plan(batch, item, program, NULL);
    return plan_first_of(batch, item, program);
}

/* To look at the room for temporary files takes as long as a step of a small case: one look is for a few of them. */
static enum ndp_status check_room(struct ndp_batch *batch, struct ndp_error *error) {
    enum { CASES_PER_LOOK = 16 };
    if (batch->unlooked == 0) {
        NDP_TRY(ndp_temporary_check(error));
        batch->unlooked = CASES_PER_LOOK;
    }
    batch->unlooked -= batch->count < batch->unlooked ? batch->count : batch->unlooked;
    return NDP_OK;
}

enum ndp_status ndp_batch_start(struct ndp_batch *batch, struct ndp_error *error) {
    batch->sent_count = 0;
    NDP_TRY(check_room(batch, error));
    for (uint32_t i = 0; i < batch->count; i++) {
        struct ndp_case *item = &batch->cases[i];
        NDP_TRY(ndp_case_prepare(batch, item, error));
        if (item->result.verdict == NDP_VERDICT_UNSUPPORTED) continue;
        NDP_TRY(plan_first(batch, item, &batch->programs[batch->sent_count]));
        batch->sent[batch->sent_count++] = i;
    }
    if (batch->sent_count == 0) return NDP_OK;
    struct ndp_target *target = batch->encoder;
    return target->ops->submit(target, batch->programs, batch->sent_count, error);
}

/* The decoder's half of a pair: every case whose encoding is there goes on. */
static enum ndp_status run_second_half(struct ndp_batch *batch, struct ndp_error *error) {
    uint32_t sent[NDP_BATCH_CASES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < batch->sent_count; i++) {
        struct ndp_case *item = &batch->cases[batch->sent[i]];
        const struct ndp_slot_record *encoded = &item->first->slots[NDP_SLOT_ENCODED];
        if (item->first->ended != NDP_VERDICT_PASS || encoded->state != NDP_SLOT_FILLED || !encoded->has_bytes)
            continue;
        struct ndp_program *program = &batch->programs[count];
        ndp_program_clear(program);
        struct ndp_program scratch = {0};
        NDP_TRY(ndp_case_plan(batch, item, &scratch, program));
        program->supplied = encoded->bytes;
        program->supplied_buffer_count = encoded->buffer_count;
        memcpy(program->supplied_buffers, encoded->buffers, sizeof program->supplied_buffers);
        sent[count++] = batch->sent[i];
    }
    if (count == 0) return NDP_OK;
    struct ndp_target *target = batch->decoder;
    NDP_TRY(target->ops->submit(target, batch->programs, count, error));
    NDP_TRY(target->ops->collect(target, &batch->arena, batch->outcomes[1], count, error));
    for (uint32_t i = 0; i < count; i++) batch->cases[sent[i]].second = &batch->outcomes[1][i];
    return NDP_OK;
}

enum ndp_status ndp_batch_finish(struct ndp_batch *batch, struct ndp_error *error) {
    if (batch->sent_count > 0) {
        struct ndp_target *target = batch->encoder;
        NDP_TRY(target->ops->collect(target, &batch->arena, batch->outcomes[0], batch->sent_count, error));
        for (uint32_t i = 0; i < batch->sent_count; i++) batch->cases[batch->sent[i]].first = &batch->outcomes[0][i];
        if (batch->middle != NULL) {
            NDP_TRY(ndp_relay_run(batch, error));
        } else if (batch->encoder != batch->decoder) {
            NDP_TRY(run_second_half(batch, error));
        }
    }
    for (uint32_t i = 0; i < batch->count; i++) {
        if (ndp_case_is_repeated(&batch->cases[i])) NDP_TRY(ndp_case_repeat(batch, &batch->cases[i], error));
        ndp_case_judge(batch, &batch->cases[i]);
    }
    return NDP_OK;
}

enum ndp_status ndp_batch_refresh(struct ndp_batch *batch, struct ndp_error *error) {
    NDP_TRY(batch->encoder->ops->refresh(batch->encoder, error));
    if (batch->middle != NULL && batch->middle != batch->encoder)
        NDP_TRY(batch->middle->ops->refresh(batch->middle, error));
    if (batch->middle == batch->decoder) return NDP_OK;
    if (batch->encoder == batch->decoder) return NDP_OK;
    return batch->decoder->ops->refresh(batch->decoder, error);
}

enum ndp_status ndp_trial_run(struct ndp_batch *batch, const struct ndp_descriptor *descriptor, uint32_t properties,
                              const struct ndp_result **result, struct ndp_error *error) {
    ndp_batch_clear(batch);
    NDP_TRY(ndp_batch_add(batch, 0, descriptor, properties, error));
    NDP_TRY(ndp_batch_start(batch, error));
    NDP_TRY(ndp_batch_finish(batch, error));
    *result = ndp_batch_result(batch, 0);
    return NDP_OK;
}
