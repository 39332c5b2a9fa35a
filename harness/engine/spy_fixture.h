/* spy_fixture.h: a wrapper around a target that counts its calls and can change its answers. */
#ifndef NDP_SPY_FIXTURE_H
#define NDP_SPY_FIXTURE_H

#include <string.h>

#include "engine/batch.h"

struct spy {
    struct ndp_target_ops ops; /* first: spy_of depends on it */
    const struct ndp_target_ops *inner;
    uint32_t programs; /* that ran */
    uint32_t together; /* the size of the last batch */
    uint32_t refreshes;
    uint32_t censuses;
    enum ndp_status says; /* returned by submit; OK runs the batch */
    bool has_grown;       /* each program adds one descriptor to the samples */
    void (*spoil)(struct spy *spy, const struct ndp_program *program, struct ndp_outcome *outcome); /* NULL: none */
    const struct ndp_program *waiting[NDP_BATCHES_IN_FLIGHT];                                       /* oldest first */
    uint32_t waiting_count;
};

static inline struct spy *spy_of(const struct ndp_target *target) {
    return (struct spy *)(uintptr_t)target->ops;
}

static inline enum ndp_status spy_submit(struct ndp_target *target, const struct ndp_program *programs, uint32_t count,
                                         struct ndp_error *error) {
    struct spy *spy = spy_of(target);
    if (spy->says != NDP_OK) return ndp_error_set(error, spy->says, NDP_NO_OFFSET, "error of the spy");
    NDP_TRY(spy->inner->submit(target, programs, count, error));
    spy->waiting[spy->waiting_count++] = programs;
    return NDP_OK;
}

static inline enum ndp_status spy_collect(struct ndp_target *target, struct ndp_arena *arena,
                                          struct ndp_outcome *outcomes, uint32_t count, struct ndp_error *error) {
    struct spy *spy = spy_of(target);
    NDP_TRY(spy->inner->collect(target, arena, outcomes, count, error));
    spy->together = count;
    for (uint32_t i = 0; i < count; i++) {
        spy->programs++;
        if (spy->spoil != NULL) spy->spoil(spy, &spy->waiting[0][i], &outcomes[i]);
    }
    spy->waiting[0] = spy->waiting[1];
    spy->waiting_count--;
    return NDP_OK;
}

static inline enum ndp_status spy_census(struct ndp_target *target, struct ndp_resource_snapshot *out) {
    struct spy *spy = spy_of(target);
    spy->censuses++;
    *out = (struct ndp_resource_snapshot){.counts = {[NDP_RESOURCE_DESCRIPTORS] = 7}};
    if (spy->has_grown) out->counts[NDP_RESOURCE_DESCRIPTORS] += spy->programs;
    return NDP_OK;
}

static inline enum ndp_status spy_refresh(struct ndp_target *target, struct ndp_error *error) {
    struct spy *spy = spy_of(target);
    spy->refreshes++;
    return spy->inner->refresh(target, error);
}

static inline void spy_rest(struct ndp_target *target) {
    const struct spy *spy = spy_of(target);
    if (spy->inner->rest != NULL) spy->inner->rest(target);
}

static inline void spy_close(struct ndp_target *target) {
    target->ops = spy_of(target)->inner;
    ndp_target_close(target);
}

/* Wraps the target until it is closed (borrows `spy`). The samples are those of the spy. */
static inline void spy_on(struct spy *spy, struct ndp_target *target) {
    *spy = (struct spy){.inner = target->ops,
                        .ops = {.submit = spy_submit,
                                .collect = spy_collect,
                                .census = spy_census,
                                .refresh = spy_refresh,
                                .rest = spy_rest,
                                .close = spy_close}};
    target->ops = &spy->ops;
}

#endif
