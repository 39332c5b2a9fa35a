/* batch.c: runs a batch of cases on one pair of targets.
 *
 * Problem. A testee is a process behind a pipe: one exchange per case would leave both sides idle most of the time.
 *
 * Method. All cases are prepared (prepare.c) and planned (case_plan.c), and their programs are submitted to the encoder
 * together. A target that is encoder and decoder runs whole cases. For a pair, the bytes that arrive become the input
 * of the second programs, which the decoder runs together. Cases of properties that need it are repeated (repeat.c);
 * then every case is judged (judge.c). A case that is not claimed, or whose encoding failed, skips the later stages and
 * keeps its place among the results.
 *
 * Cost. One exchange per target and batch. Memory comes from one arena, which clearing the batch resets.
 *
 * Limits. NDP_BATCH_CASES cases, one pair of targets. Start and finish of a pair must not be interleaved with other
 * batches (ndp_batch_can_overlap).
 */
#include "engine/batch.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/temporary.h"
#include "engine/case.h"
#include "engine/repeat.h"

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
    batch->decoder = NULL;
}

struct ndp_arena *ndp_batch_arena(struct ndp_batch *batch) {
    return &batch->arena;
}

const struct ndp_bench *ndp_batch_bench(const struct ndp_batch *batch) {
    return batch->bench;
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

struct ndp_property_set ndp_batch_properties(const struct ndp_batch *batch, uint32_t index) {
    return batch->cases[index].properties;
}

const struct ndp_result *ndp_batch_result(const struct ndp_batch *batch, uint32_t index) {
    return &batch->cases[index].result;
}

bool ndp_batch_can_overlap(const struct ndp_batch *batch) {
    for (uint32_t i = 0; i < batch->count; i++)
        if (ndp_repeat_is_needed(&batch->cases[i])) return false;
    return batch->encoder == batch->decoder;
}

/* Zeroes everything but the divergences, nine tenths of a case; each of those is zeroed when it is added. */
static void clear_case(struct ndp_case *item) {
    uint8_t *start = (uint8_t *)item;
    const size_t divergences = offsetof(struct ndp_case, result.divergences);
    const size_t behind = offsetof(struct ndp_case, result.divergence_count);
    memset(start, 0, divergences);
    memset(start + behind, 0, sizeof *item - behind);
}

enum ndp_status ndp_batch_add(struct ndp_batch *batch, uint64_t case_id, const struct ndp_descriptor *descriptor,
                              struct ndp_property_set properties, struct ndp_error *error) {
    if (batch->count == NDP_BATCH_CASES) return ndp_error_set(error, NDP_LIMIT, NDP_NO_OFFSET, "the batch is full");
    const struct ndp_route *route = &descriptor->route;
    const bool is_decode = descriptor->kind == NDP_CASE_DECODE;
    struct ndp_target *decoder = ndp_bench_find(batch->bench, route->decoder);
    struct ndp_target *encoder = is_decode ? decoder : ndp_bench_find(batch->bench, route->encoder);
    if (encoder == NULL || decoder == NULL) {
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "the run has no target named %s",
                             decoder == NULL ? route->decoder : route->encoder);
    }
    if (batch->count > 0 && (encoder != batch->encoder || decoder != batch->decoder))
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET,
                             "all cases of a batch must name the same encoder and decoder");
    if (ndp_property_set_is_empty(properties)) NDP_TRY(ndp_property_set_named(descriptor, &properties, error));
    batch->encoder = encoder;
    batch->decoder = decoder;
    struct ndp_case *item = &batch->cases[batch->count++];
    clear_case(item);
    item->id = case_id;
    item->descriptor = *descriptor;
    item->properties = properties;
    item->slots = ndp_property_set_slots(properties, descriptor->value.kind) & ~batch->bench->without_slots;
    return NDP_OK;
}

/* For a pair of targets, the second program is planned again when its input is known; this one is discarded. */
static enum ndp_status plan_first(const struct ndp_batch *batch, const struct ndp_case *item,
                                  struct ndp_program *program) {
    ndp_program_clear(program);
    if (batch->encoder == batch->decoder) return ndp_case_plan(batch, item, program, NULL);
    struct ndp_program second = {0};
    return ndp_case_plan(batch, item, program, &second);
}

/* Checking the free space for temporary files takes as long as a step of a small case, so a check covers 16 cases. */
static enum ndp_status check_space(struct ndp_batch *batch, struct ndp_error *error) {
    enum { CASES_PER_CHECK = 16 };
    if (batch->cases_until_space_check == 0) {
        NDP_TRY(ndp_temporary_check(error));
        batch->cases_until_space_check = CASES_PER_CHECK;
    }
    const uint32_t left = batch->cases_until_space_check;
    batch->cases_until_space_check -= batch->count < left ? batch->count : left;
    return NDP_OK;
}

enum ndp_status ndp_batch_start(struct ndp_batch *batch, struct ndp_error *error) {
    batch->sent_count = 0;
    NDP_TRY(check_space(batch, error));
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

void ndp_case_supply(struct ndp_program *program, const struct ndp_slot_record *encoded) {
    program->supplied = encoded->bytes;
    program->supplied_buffer_count = encoded->buffer_count;
    memcpy(program->supplied_buffers, encoded->buffers, sizeof program->supplied_buffers);
}

/* Runs the decoder's half of a pair for every case that was encoded. */
static enum ndp_status run_second_half(struct ndp_batch *batch, struct ndp_error *error) {
    uint32_t sent[NDP_BATCH_CASES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < batch->sent_count; i++) {
        struct ndp_case *item = &batch->cases[batch->sent[i]];
        const struct ndp_slot_record *encoded = &item->first->slots[NDP_SLOT_ENCODED];
        if (item->first->ended != NDP_VERDICT_PASS || encoded->state != NDP_SLOT_FILLED || !encoded->has_bytes)
            continue;
        struct ndp_program *program = &batch->programs[count];
        struct ndp_program first = {0};
        ndp_program_clear(program);
        NDP_TRY(ndp_case_plan(batch, item, &first, program));
        ndp_case_supply(program, encoded);
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
        if (batch->encoder != batch->decoder) NDP_TRY(run_second_half(batch, error));
    }
    for (uint32_t i = 0; i < batch->count; i++) {
        if (ndp_repeat_is_needed(&batch->cases[i])) NDP_TRY(ndp_repeat_case(batch, &batch->cases[i], error));
        ndp_case_judge(batch, &batch->cases[i]);
    }
    return NDP_OK;
}

enum ndp_status ndp_batch_refresh(struct ndp_batch *batch, struct ndp_error *error) {
    NDP_TRY(batch->encoder->ops->refresh(batch->encoder, error));
    if (batch->encoder == batch->decoder) return NDP_OK;
    return batch->decoder->ops->refresh(batch->decoder, error);
}

static enum ndp_status run_added(struct ndp_batch *batch, const struct ndp_result **result, struct ndp_error *error) {
    NDP_TRY(ndp_batch_start(batch, error));
    NDP_TRY(ndp_batch_finish(batch, error));
    *result = ndp_batch_result(batch, 0);
    return NDP_OK;
}

enum ndp_status ndp_batch_predict(struct ndp_batch *batch, uint64_t case_id, const struct ndp_descriptor *descriptor,
                                  struct ndp_property_set properties, struct ndp_result **result,
                                  struct ndp_error *error) {
    struct ndp_case *item = &batch->cases[0];
    ndp_batch_clear(batch);
    NDP_TRY(ndp_batch_add(batch, case_id, descriptor, properties, error));
    NDP_TRY(ndp_case_prepare(batch, item, error));
    item->result.has_promised = item->has_model;
    item->result.promised = item->promised;
    item->result.encoded = item->bytes;
    item->result.second = item->peers.second;
    *result = &item->result;
    return NDP_OK;
}

enum ndp_status ndp_batch_encode(struct ndp_batch *batch, struct ndp_error *error) {
    struct ndp_case *item = &batch->cases[0];
    struct ndp_target *target = batch->encoder;
    if (item->descriptor.kind == NDP_CASE_DECODE || target == batch->decoder) return NDP_OK;
    NDP_TRY(plan_first(batch, item, &batch->programs[0]));
    NDP_TRY(target->ops->submit(target, batch->programs, 1, error));
    NDP_TRY(target->ops->collect(target, &batch->arena, batch->outcomes[0], 1, error));
    const struct ndp_slot_record *encoded = &batch->outcomes[0][0].slots[NDP_SLOT_ENCODED];
    if (!encoded->has_bytes) return NDP_OK;
    item->result.encoding = encoded;
    item->result.encoded = encoded->bytes;
    return NDP_OK;
}

enum ndp_status ndp_batch_run_one(struct ndp_batch *batch, uint64_t case_id, const struct ndp_descriptor *descriptor,
                                  struct ndp_property_set properties, const struct ndp_result **result,
                                  struct ndp_error *error) {
    ndp_batch_clear(batch);
    NDP_TRY(ndp_batch_add(batch, case_id, descriptor, properties, error));
    return run_added(batch, result, error);
}

enum ndp_status ndp_batch_run_text(struct ndp_batch *batch, uint64_t case_id, struct ndp_bytes text, bool is_fresh,
                                   const struct ndp_result **result, struct ndp_error *error) {
    struct ndp_descriptor descriptor;
    ndp_batch_clear(batch);
    NDP_TRY(ndp_descriptor_read(&batch->arena, text, &ndp_describe_default_limits, &descriptor, error));
    NDP_TRY(ndp_batch_add(batch, case_id, &descriptor, (struct ndp_property_set){0}, error));
    if (is_fresh) NDP_TRY(ndp_batch_refresh(batch, error));
    return run_added(batch, result, error);
}
