#include "engine/leak_watch.h"

#include "engine/case.h"

enum { FIRST_PATIENCE = 3, CLOSE_BATCHES = 8, MOST_SEARCHES = 2 };

static struct ndp_leak_watch_target *find_watched(struct ndp_leak_watch *watch, const struct ndp_bench *bench,
                                                  const struct ndp_target *target) {
    for (uint32_t i = 0; i < bench->count; i++)
        if (bench->targets[i] == target) return &watch->targets[i];
    return NULL;
}

/* Whether the routes of the batch promise to release the resource, decided by the first route. */
static bool is_promised(const struct ndp_batch *batch, enum ndp_resource resource) {
    const enum ndp_contract_field field = resource == NDP_RESOURCE_FILES ? NDP_FIELD_FILES : NDP_FIELD_RESOURCES;
    return batch->count == 0 || ndp_contract_find(field, &batch->cases[0].descriptor.route, &batch->encoder->info,
                                                  &batch->decoder->info, batch->cases[0].features)
                                        ->promise != NDP_PROMISE_ANY;
}

/* Whether a resource that the routes promise to release has grown in the batch. */
static bool has_grown(const struct ndp_leak_watch_target *one, const struct ndp_batch *batch,
                      const struct ndp_resource_snapshot *now) {
    for (uint32_t i = 0; i < NDP_RESOURCE_COUNT; i++)
        if (now->counts[i] > one->before.counts[i] && is_promised(batch, (enum ndp_resource)i)) return true;
    return false;
}

static uint64_t count_deaths(const struct ndp_target *target) {
    return target->counts.crashes + target->counts.timeouts + target->counts.ooms;
}

static bool sample_target(struct ndp_leak_watch_target *one, const struct ndp_batch *batch, struct ndp_target *target,
                          uint64_t *compared) {
    struct ndp_resource_snapshot now;
    const bool is_close = one->close > 0;
    if (is_close) one->close--;
    if (target->ops->census == NULL) return false;
    if (count_deaths(target) != one->deaths || target->ops->census(target, &now) != NDP_OK) {
        /* A case ended the process. A new one starts now, so that the next batch does not depend on this. */
        struct ndp_error ignored;
        (void)!target->ops->refresh(target, &ignored);
        return false;
    }
    if (!one->has_before || one->restarts != target->counts.restarts) return false;
    *compared += NDP_RESOURCE_COUNT;
    if (!has_grown(one, batch, &now)) {
        one->growths = 0;
        return false;
    }
    if (is_close) {
        if (++one->searches == MOST_SEARCHES) one->close = 0;
        return true;
    }
    if (one->patience == 0) one->patience = FIRST_PATIENCE;
    if (++one->growths < one->patience) return false;
    one->growths = 0;
    one->patience *= 2;
    one->close = CLOSE_BATCHES;
    one->searches = 0;
    return false;
}

/* Every batch is compared with a sample before it, because the process may have run others. A target that does not run
 * is started. */
static void begin_target(struct ndp_leak_watch_target *one, struct ndp_target *target) {
    struct ndp_resource_snapshot now;
    struct ndp_error error;
    one->deaths = count_deaths(target);
    one->has_before = false;
    if (target->ops->census == NULL) return;
    if (target->ops->census(target, &now) != NDP_OK &&
        (target->ops->refresh(target, &error) != NDP_OK || target->ops->census(target, &now) != NDP_OK))
        return;
    one->restarts = target->counts.restarts;
    one->before = now;
    one->has_before = true;
}

void ndp_leak_watch_begin(struct ndp_leak_watch *watch, const struct ndp_bench *bench, const struct ndp_batch *batch) {
    struct ndp_target *const targets[] = {batch->encoder, batch->decoder};
    for (uint32_t i = 0; i < (targets[0] == targets[1] ? 1 : 2); i++) {
        struct ndp_leak_watch_target *one = find_watched(watch, bench, targets[i]);
        if (one != NULL) begin_target(one, targets[i]);
    }
}

void ndp_leak_watch_sample(struct ndp_leak_watch *watch, const struct ndp_bench *bench, const struct ndp_batch *batch,
                           uint64_t *compared, bool *is_suspect) {
    struct ndp_target *const targets[] = {batch->encoder, batch->decoder};
    *compared = 0;
    *is_suspect = false;
    for (uint32_t i = 0; i < (targets[0] == targets[1] ? 1 : 2); i++) {
        struct ndp_leak_watch_target *one = find_watched(watch, bench, targets[i]);
        if (one != NULL && sample_target(one, batch, targets[i], compared)) *is_suspect = true;
    }
}

void ndp_leak_watch_relax(struct ndp_leak_watch *watch, const struct ndp_bench *bench, const struct ndp_batch *batch) {
    struct ndp_leak_watch_target *const both[] = {find_watched(watch, bench, batch->encoder),
                                                  find_watched(watch, bench, batch->decoder)};
    for (int i = 0; i < 2; i++)
        if (both[i] != NULL) both[i]->close = 0;
}
