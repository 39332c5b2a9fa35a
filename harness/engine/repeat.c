#include "engine/repeat.h"

#include <string.h>

/* Runs before each sample. The runs before the first sample also fill pools and load modules. */
enum { RUNS = 8 };
#define ARENA_BYTES (UINT64_C(256) << 20)

bool ndp_repeat_is_needed(const struct ndp_case *item) {
    const struct ndp_property *property;
    for (uint32_t at = 0; (property = ndp_property_set_next(item->properties, &at)) != NULL; at++) {
        if (property->by_repetition &&
            ndp_property_applies(property, item->descriptor.kind, item->descriptor.value.kind))
            return true;
    }
    return false;
}

/* Runs `program` RUNS times; *is_done: all runs ended normally. */
static enum ndp_status run_repeatedly(struct ndp_target *target, const struct ndp_program *program, bool *is_done,
                                      struct ndp_error *error) {
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    struct ndp_program *programs = NDP_ARENA_ITEMS(&arena, struct ndp_program, RUNS);
    struct ndp_outcome *outcomes = NDP_ARENA_ITEMS(&arena, struct ndp_outcome, RUNS);
    enum ndp_status status = programs != NULL && outcomes != NULL ? NDP_OK : NDP_NOMEM;
    for (uint32_t i = 0; i < RUNS && status == NDP_OK; i++) programs[i] = *program;
    if (status == NDP_OK) status = target->ops->submit(target, programs, RUNS, error);
    if (status == NDP_OK) status = target->ops->collect(target, &arena, outcomes, RUNS, error);
    *is_done = status == NDP_OK;
    for (uint32_t i = 0; i < RUNS && status == NDP_OK; i++)
        *is_done = *is_done && outcomes[i].ended == NDP_VERDICT_PASS;
    return status;
}

static enum ndp_status sample_repeatedly(struct ndp_target *target, const struct ndp_program *program,
                                         struct ndp_resource_snapshot looks[NDP_PROPERTY_SAMPLES], bool *is_known,
                                         struct ndp_error *error) {
    bool is_done = target->ops->census != NULL;
    for (uint32_t i = 0; i < NDP_PROPERTY_SAMPLES && is_done; i++) {
        NDP_TRY(run_repeatedly(target, program, &is_done, error));
        if (is_done) is_done = target->ops->census(target, &looks[i]) == NDP_OK;
    }
    *is_known = is_done;
    return NDP_OK;
}

enum ndp_status ndp_repeat_case(struct ndp_batch *batch, struct ndp_case *item, struct ndp_error *error) {
    if (item->first == NULL || item->first->ended != NDP_VERDICT_PASS) return NDP_OK;
    struct ndp_property_samples *left = NDP_ARENA_NEW(&batch->arena, struct ndp_property_samples);
    struct ndp_program *programs = NDP_ARENA_ITEMS(&batch->arena, struct ndp_program, 2);
    if (left == NULL || programs == NULL) return NDP_NOMEM;
    left->runs = RUNS;
    NDP_TRY(ndp_case_plan(batch, item, &programs[0], &programs[1]));
    NDP_TRY(sample_repeatedly(batch->encoder, &programs[0], left->looks[0], &left->is_known[0], error));
    if (item->second != NULL && item->second->ended == NDP_VERDICT_PASS) {
        ndp_case_supply(&programs[1], &item->first->slots[NDP_SLOT_ENCODED]);
        NDP_TRY(sample_repeatedly(batch->decoder, &programs[1], left->looks[1], &left->is_known[1], error));
    }
    item->left = left;
    return NDP_OK;
}
