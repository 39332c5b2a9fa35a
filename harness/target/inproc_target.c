#include "target/interpret.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/temporary.h"
#include "target/claims.h"

/* A batch runs when it is collected, because only then the arena of its outcomes is known. */
struct waiting {
    const struct ndp_program *programs;
    uint32_t count;
};

struct inproc {
    struct ndp_target target;
    struct ndp_interpreter *interpreter;
    struct waiting waiting[NDP_BATCHES_IN_FLIGHT]; /* oldest first */
    uint32_t waiting_count;
};

static enum ndp_status submit(struct ndp_target *target, const struct ndp_program *programs, uint32_t count,
                              struct ndp_error *error) {
    struct inproc *self = target->state;
    if (self->waiting_count == NDP_BATCHES_IN_FLIGHT)
        return ndp_error_set(error, NDP_FAULT, NDP_NO_OFFSET, "too many batches in flight");
    self->waiting[self->waiting_count++] = (struct waiting){programs, count};
    return NDP_OK;
}

static enum ndp_status collect(struct ndp_target *target, struct ndp_arena *arena, struct ndp_outcome *outcomes,
                               uint32_t count, struct ndp_error *error) {
    struct inproc *self = target->state;
    if (self->waiting_count == 0 || self->waiting[0].count != count)
        return ndp_error_set(error, NDP_FAULT, NDP_NO_OFFSET, "the oldest batch has another size");
    const struct waiting batch = self->waiting[0];
    self->waiting_count--;
    for (uint32_t i = 0; i < self->waiting_count; i++) self->waiting[i] = self->waiting[i + 1];
    for (uint32_t i = 0; i < count; i++) {
        ndp_interpreter_run(self->interpreter, arena, &batch.programs[i], &outcomes[i]);
        target->counts.cases++;
        if (outcomes[i].ended == NDP_VERDICT_FAULT) target->counts.faults++;
    }
    return NDP_OK;
}

/* Counts the resources of the whole process. The temporary folder is shared with other processes, so only its top level
 * is counted. */
static enum ndp_status census(struct ndp_target *target, struct ndp_resource_snapshot *out) {
    const struct ndp_resource_snapshot_scope place = {
        .process = (int)getpid(), .root = (int)getpid(), .folder = ndp_temporary_parent()};
    (void)target;
    return ndp_resource_snapshot_take(&place, out);
}

/* Nothing to do: a program leaves no state behind in this process. */
static enum ndp_status refresh(struct ndp_target *target, struct ndp_error *error) {
    (void)target;
    (void)error;
    return NDP_OK;
}

static void rest(struct ndp_target *target) {
    struct inproc *self = target->state;
    ndp_interpreter_rest(self->interpreter);
}

static void close_inproc(struct ndp_target *target) {
    struct inproc *self = target->state;
    ndp_interpreter_free(self->interpreter);
    free(self);
}

static const struct ndp_target_ops inproc_ops = {
    .submit = submit,
    .collect = collect,
    .census = census,
    .refresh = refresh,
    .rest = rest,
    .close = close_inproc,
};

enum ndp_status ndp_target_open_plugin(const struct ndp_plugin *plugin, struct ndp_target **out,
                                       struct ndp_error *error) {
    struct ndp_interpreter *interpreter;
    NDP_TRY(ndp_interpreter_new(plugin, &interpreter, error));
    struct inproc *self = calloc(1, sizeof *self);
    if (!self) {
        ndp_interpreter_free(interpreter);
        return ndp_error_set(error, NDP_NOMEM, NDP_NO_OFFSET, "out of memory");
    }
    self->interpreter = interpreter;
    self->target.ops = &inproc_ops;
    self->target.state = self;
    ndp_claims_to_info(plugin, &self->target.info);
    *out = &self->target;
    return NDP_OK;
}
