#include "base/clock.h"
/* A testee as a target: sends batches, receives outcomes, and blames a case when the testee fails.
 *
 * Problem: a testee may crash, hang or send garbage at any time, with two batches in flight. Each failure must be
 * charged to the case that caused it, and the other cases must still run.
 *
 * Method: batches are numbered and frames are handled strictly in order; frames of the second batch wait in the parser
 * until the first is collected. When the testee ends, hangs or sends a bad frame, ndproof kills it with all its
 * descendants, blames one case and sends the rest to a new process. The blamed case is the one between BEGIN and END.
 * Between cases it is the case that ended last in this process and batch, because a failure after END is its aftermath;
 * for a bad frame it is the next case, whose BEGIN was expected. A process that fails before the first BEGIN of a batch
 * gets one retry without blame, since the cause may be older; then the next case is blamed.
 *
 * Cost: one process start per failure, which a fork server makes cheap. Limits: after TIMEOUTS_PER_BATCH timeouts, the
 * rest of a batch is skipped as UNSUPPORTED.
 */
#include "target/process/crash_frame.h"
#include "target/process/process_start.h"
#include "target/protocol/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PRINTED_TAIL_BYTES = 2048 };

/* After this many timeouts the rest of a batch is skipped, because each one delays the run by a deadline. */
enum { TIMEOUTS_PER_BATCH = 3 };

/* The failure of a process. */
struct failure {
    enum ndp_verdict verdict;
    struct ndp_death death;
    char text[160];
};

/* ---- sending ---- */

static enum ndp_status flush(struct ndp_process *self) {
    struct ndp_buffer *out = &self->out;
    while (self->out_at_bytes < out->size_bytes) {
        uint64_t written = 0;
        const struct ndp_bytes rest = {out->data + self->out_at_bytes, out->size_bytes - self->out_at_bytes};
        NDP_TRY(ndp_child_write(&self->child, rest, &written));
        if (written == 0) return NDP_OK;
        self->out_at_bytes += written;
        self->progress_ns = ndp_clock_ns();
    }
    out->size_bytes = 0;
    self->out_at_bytes = 0;
    return NDP_OK;
}

static bool wants_write(const struct ndp_process *self) {
    return self->child.write_fd >= 0 && self->out_at_bytes < self->out.size_bytes;
}

/* ---- blaming ---- */

static void count_verdict(struct ndp_target_counts *counts, enum ndp_verdict verdict) {
    if (verdict == NDP_VERDICT_CRASH) counts->crashes++;
    if (verdict == NDP_VERDICT_TIMEOUT) counts->timeouts++;
    if (verdict == NDP_VERDICT_OOM) counts->ooms++;
    if (verdict == NDP_VERDICT_FAULT) counts->faults++;
}

static void blame(struct ndp_process *self, struct ndp_arena *arena, const struct failure *failure,
                  struct ndp_outcome *outcome) {
    outcome->ended = failure->verdict;
    outcome->death = failure->death;
    memcpy(outcome->fault, failure->text, sizeof outcome->fault);
    outcome->stderr_tail = ndp_child_printed(&self->child, arena, PRINTED_TAIL_BYTES);
    if (failure->verdict == NDP_VERDICT_CRASH)
        ndp_crash_frame(outcome->stderr_tail, outcome->death.frame, sizeof outcome->death.frame);
}

static void skip_case(struct ndp_process *self, struct ndp_outcome *outcomes, const char *why) {
    struct ndp_process_batch *batch = &self->pending[0];
    struct ndp_outcome *outcome = &outcomes[batch->done];
    *outcome = (struct ndp_outcome){.case_id = batch->programs[batch->done].case_id, .ended = NDP_VERDICT_UNSUPPORTED};
    snprintf(outcome->fault, sizeof outcome->fault, "skipped: %s", why);
    batch->done++;
}

static void skip_rest(struct ndp_process *self, struct ndp_outcome *outcomes) {
    const struct ndp_process_batch *batch = &self->pending[0];
    char why[64];
    snprintf(why, sizeof why, "%u earlier cases of the batch exceeded the deadline", batch->timeouts);
    while (batch->done < batch->count) skip_case(self, outcomes, why);
}

/* Stops the process and blames a case (see the top). The caller starts a new process when cases are left. */
static void fail_case(struct ndp_process *self, struct ndp_arena *arena, const struct failure *failure,
                      struct ndp_outcome *outcomes) {
    struct ndp_process_batch *batch = &self->pending[0];
    const bool has_begun = self->has_begun;
    struct ndp_outcome *next = &outcomes[batch->done];
    ndp_process_stop(self);
    count_verdict(&self->target.counts, failure->verdict);
    if (!has_begun && batch->done > batch->first && failure->verdict != NDP_VERDICT_FAULT) {
        blame(self, arena, failure, next - 1);
        return;
    }
    if (!has_begun && batch->done == batch->first && !self->has_retried) {
        self->has_retried = true;
        return;
    }
    *next = (struct ndp_outcome){.case_id = batch->programs[batch->done].case_id};
    blame(self, arena, failure, next);
    batch->done++;
    self->has_retried = false;
    self->target.counts.cases++;
    if (failure->verdict == NDP_VERDICT_TIMEOUT && ++batch->timeouts == TIMEOUTS_PER_BATCH) skip_rest(self, outcomes);
}

static void fail_with(struct ndp_process *self, struct ndp_arena *arena, enum ndp_verdict verdict, const char *text,
                      struct ndp_outcome *outcomes) {
    struct failure failure = {.verdict = verdict};
    const size_t text_bytes = strnlen(text, sizeof failure.text - 1);
    memcpy(failure.text, text, text_bytes);
    fail_case(self, arena, &failure, outcomes);
}

/* Handles the end of a process, by itself or by its guard. */
static void fail_ended(struct ndp_process *self, struct ndp_arena *arena, struct ndp_outcome *outcomes) {
    struct failure failure = {.verdict = NDP_VERDICT_CRASH, .death = self->child.death};
    ndp_child_describe(&self->child, failure.text);
    const enum ndp_ending ending = self->child.ending;
    if (ending == NDP_ENDING_MEMORY || ending == NDP_ENDING_PROCESSES || ending == NDP_ENDING_DISK)
        failure.verdict = NDP_VERDICT_OOM;
    if (self->child.ending == NDP_ENDING_LOST) failure.verdict = NDP_VERDICT_FAULT;
    const uint64_t cut_bytes = ndp_frame_parser_waiting(&self->parser);
    if (self->child.ending == NDP_ENDING_EXITED && cut_bytes > 0) {
        failure.verdict = NDP_VERDICT_FAULT;
        snprintf(failure.text, sizeof failure.text, "the testee exited with %d, %llu bytes into a frame",
                 failure.death.exit_code, (unsigned long long)cut_bytes);
    }
    fail_case(self, arena, &failure, outcomes);
}

/* ---- receiving ---- */

static enum ndp_status handle_begin(struct ndp_process *self, const struct ndp_frame *frame, struct ndp_error *error) {
    if (self->has_begun) return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "second BEGIN without an END");
    if (frame->json.size_bytes != 0 || frame->binary.size_bytes != 0)
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "BEGIN frame is not empty");
    self->has_begun = true;
    self->begun_ns = ndp_clock_ns();
    return NDP_OK;
}

/* NOMEM is an error of ndproof, except when the answer exceeds its share of the memory. Then the library has made its
 * result too large, which counts as OOM. */
static void fail_too_large(struct ndp_process *self, struct ndp_arena *arena, const struct ndp_frame *frame,
                           struct ndp_outcome *outcomes) {
    char text[64];
    snprintf(text, sizeof text, "END frame of %llu bytes is too large", (unsigned long long)frame->binary.size_bytes);
    fail_with(self, arena, NDP_VERDICT_OOM, text, outcomes);
}

static enum ndp_status handle_end(struct ndp_process *self, struct ndp_arena *arena, const struct ndp_frame *frame,
                                  struct ndp_outcome *outcomes, struct ndp_error *error) {
    struct ndp_process_batch *batch = &self->pending[0];
    if (!self->has_begun) return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "END without a BEGIN");
    const uint64_t before_bytes = arena->used_bytes;
    const enum ndp_status status = ndp_wire_read_end(arena, frame, &self->target.info, &batch->programs[batch->done],
                                                     &outcomes[batch->done], error);
    /* The memory that the answer has taken, and the most that its last request can have been. */
    const uint64_t asked_bytes = arena->used_bytes - before_bytes + frame->binary.size_bytes;
    if (status == NDP_NOMEM && asked_bytes > arena->limit_bytes / batch->count) {
        fail_too_large(self, arena, frame, outcomes);
        return NDP_OK;
    }
    if (status == NDP_NOMEM && asked_bytes > arena->limit_bytes - before_bytes) {
        skip_case(self, outcomes, "earlier cases of the batch used up the memory");
        self->has_begun = self->has_retried = false;
        return NDP_OK;
    }
    if (status != NDP_OK) return status;
    count_verdict(&self->target.counts, outcomes[batch->done].ended);
    batch->done++;
    self->has_begun = false;
    self->has_retried = false;
    self->target.counts.cases++;
    return NDP_OK;
}

static enum ndp_status handle_frame(struct ndp_process *self, struct ndp_arena *arena, const struct ndp_frame *frame,
                                    struct ndp_outcome *outcomes, struct ndp_error *error) {
    const struct ndp_process_batch *batch = &self->pending[0];
    const uint32_t index = batch->done - batch->first;
    if (frame->type != NDP_FRAME_BEGIN && frame->type != NDP_FRAME_END)
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "unexpected %s frame", ndp_frame_name(frame->type));
    if (frame->sequence != batch->sequence || frame->index != index)
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET,
                             "%s frame for case %u of batch %u, expected case %u of batch %u",
                             ndp_frame_name(frame->type), frame->index, frame->sequence, index, batch->sequence);
    if (frame->type == NDP_FRAME_BEGIN) return handle_begin(self, frame, error);
    return handle_end(self, arena, frame, outcomes, error);
}

/* Handles the next frame if it is complete. A bad frame ends the process. Errors: NOMEM. */
static enum ndp_status take_frame(struct ndp_process *self, struct ndp_arena *arena, struct ndp_outcome *outcomes,
                                  bool *is_taken) {
    struct ndp_error error = {.status = NDP_OK};
    struct ndp_frame frame;
    *is_taken = false;
    enum ndp_status status = ndp_frame_parser_next(&self->parser, &frame, is_taken, &error);
    if (status == NDP_OK && *is_taken) status = handle_frame(self, arena, &frame, outcomes, &error);
    if (status == NDP_OK || status == NDP_NOMEM) return status;
    char text[sizeof error.text + sizeof error.path + 2];
    snprintf(text, sizeof text, "%s%s%s", error.path, error.path[0] ? " " : "", error.text);
    fail_with(self, arena, NDP_VERDICT_FAULT, text, outcomes);
    *is_taken = true;
    return NDP_OK;
}

/* The deadline of the current case. A testee may declare a factor in HELLO ("patience"). Each MiB of an array adds a
 * fifth, because xz takes 0.7 s for one and a case encodes several times. */
static uint64_t case_deadline_ns(const struct ndp_process *self) {
    enum { PIECE_BYTES = 1 << 20, PIECES_PER_DEADLINE = 5, MAX_PIECES = 1 << 12 };
    const struct ndp_process_batch *batch = &self->pending[0];
    const uint32_t patience = self->target.info.patience;
    const uint64_t deadline_ns = self->limits.case_deadline_ns * (patience > 1 ? patience : 1);
    if (self->pending_count == 0 || batch->done >= batch->count) return deadline_ns;
    const uint64_t pieces = batch->programs[batch->done].base_bytes.size_bytes / PIECE_BYTES;
    return deadline_ns + deadline_ns / PIECES_PER_DEADLINE * (pieces < MAX_PIECES ? pieces : MAX_PIECES);
}

/* Waits for an event, or ends a process that is past the deadline. A frame that has made no progress for half of the
 * deadline counts as cut (FAULT), not as slow. */
static enum ndp_status await_event(struct ndp_process *self, struct ndp_arena *arena, struct ndp_outcome *outcomes) {
    const uint64_t now_ns = ndp_clock_ns();
    const uint64_t since_ns = self->has_begun ? self->begun_ns : self->progress_ns;
    const uint64_t deadline_ns = since_ns + case_deadline_ns(self);
    if (now_ns >= deadline_ns) {
        const bool is_cut =
            ndp_frame_parser_waiting(&self->parser) > 0 && now_ns - self->progress_ns >= case_deadline_ns(self) / 2;
        fail_with(self, arena, is_cut ? NDP_VERDICT_FAULT : NDP_VERDICT_TIMEOUT,
                  is_cut ? "the rest of a frame did not arrive" : "the deadline passed", outcomes);
        return NDP_OK;
    }
    NDP_TRY(ndp_child_wait(&self->child, wants_write(self), deadline_ns - now_ns));
    /* GONE is ignored here: the end of the testee is noticed below, with its cause. */
    if (wants_write(self) && flush(self) == NDP_IO) return NDP_IO;
    return ndp_process_read(self);
}

/* Makes one step towards the outcomes of the oldest batch. */
static enum ndp_status advance(struct ndp_process *self, struct ndp_arena *arena, struct ndp_outcome *outcomes,
                               struct ndp_error *error) {
    bool is_taken;
    if (!self->is_running) return ndp_process_restart(self, error);
    if (self->child.is_forking) return ndp_process_await_fork(self, error);
    NDP_TRY(take_frame(self, arena, outcomes, &is_taken));
    if (is_taken) return NDP_OK;
    if (ndp_process_is_drained(self)) {
        fail_ended(self, arena, outcomes);
        return NDP_OK;
    }
    return await_event(self, arena, outcomes);
}

/* ---- the operations ---- */

static enum ndp_status submit(struct ndp_target *target, const struct ndp_program *programs, uint32_t program_count,
                              struct ndp_error *error) {
    struct ndp_process *self = target->state;
    if (self->pending_count == NDP_BATCHES_IN_FLIGHT || program_count > NDP_MAX_BATCH)
        return ndp_error_set(error, NDP_FAULT, NDP_NO_OFFSET, "too many batches in flight, or the batch is too large");
    struct ndp_process_batch batch = {.programs = programs, .count = program_count};
    if (self->is_running) {
        const enum ndp_status status = ndp_process_enqueue(self, &batch);
        if (status != NDP_OK) return ndp_error_set(error, status, NDP_NO_OFFSET, "the batch does not fit a frame");
        (void)flush(self); /* an error shows again in collect */
    }
    self->pending[self->pending_count++] = batch;
    return NDP_OK;
}

static enum ndp_status collect(struct ndp_target *target, struct ndp_arena *arena, struct ndp_outcome *outcomes,
                               uint32_t program_count, struct ndp_error *error) {
    struct ndp_process *self = target->state;
    if (self->pending_count == 0 || self->pending[0].count != program_count)
        return ndp_error_set(error, NDP_FAULT, NDP_NO_OFFSET, "the oldest batch has another size");
    memset(outcomes, 0, program_count * sizeof *outcomes);
    /* The time between two calls belongs to ndproof, not to the testee. */
    self->progress_ns = ndp_clock_ns();
    while (self->pending[0].done < program_count) {
        const enum ndp_status status = advance(self, arena, outcomes, error);
        if (status == NDP_OK) continue;
        ndp_process_stop(self);
        if (!error || error->status != status)
            return ndp_error_set(error, status, NDP_NO_OFFSET, "%s: %s", target->info.name, ndp_status_text(status));
        return status;
    }
    self->pending_count--;
    for (uint32_t i = 0; i < self->pending_count; i++) self->pending[i] = self->pending[i + 1];
    return NDP_OK;
}

/* The folder is looked at as the testee sees it, because it may lie in the testee's own shared memory. */
static enum ndp_status take_census(struct ndp_target *target, struct ndp_resource_snapshot *out) {
    enum { FOLDERS_DEEP = 8 };
    struct ndp_process *self = target->state;
    if (!self->is_running || self->pending_count > 0) return NDP_UNSUPPORTED;
    if (self->child.is_forking) NDP_TRY(ndp_process_await_fork(self, NULL));
    const struct ndp_child *child = &self->child;
    const int testee = ndp_guard_find_testee((int)child->guard, child->protection);
    const bool is_forked = child->process > 0;
    char folder[NDP_FOLDER_PATH_BYTES + 32], number[16] = "";
    if (is_forked) snprintf(number, sizeof number, "/%u", child->number);
    snprintf(folder, sizeof folder, "/proc/%d/root%s%s", testee, child->folder, number);
    const struct ndp_resource_snapshot_scope place = {.process = is_forked ? child->process : testee,
                                                      .root = (int)child->guard,
                                                      .folder = folder,
                                                      .depth = FOLDERS_DEEP,
                                                      .apart = is_forked ? testee : 0};
    return place.process > 0 ? ndp_resource_snapshot_take(&place, out) : NDP_GONE;
}

static enum ndp_status refresh(struct ndp_target *target, struct ndp_error *error) {
    struct ndp_process *self = target->state;
    struct ndp_target_info info;
    ndp_process_stop(self);
    self->is_resting = false;
    return ndp_process_start(self, &info, error);
}

static void rest(struct ndp_target *target) {
    struct ndp_process *self = target->state;
    ndp_process_close(self);
    self->is_resting = true;
}

static void close_process(struct ndp_target *target) {
    struct ndp_process *self = target->state;
    ndp_process_close(self);
    ndp_frame_parser_clear(&self->parser);
    ndp_buffer_clear(&self->out);
    for (char **argument = self->argv; argument && *argument; argument++) free(*argument);
    free(self->argv);
    free(self);
}

static const struct ndp_target_ops process_ops = {
    .submit = submit,
    .collect = collect,
    .census = take_census,
    .refresh = refresh,
    .rest = rest,
    .close = close_process,
};

/* ---- opening ---- */

/* Makes a relative path with a slash absolute, because the testee runs in another folder. Links are kept: the path of a
 * Python interpreter identifies its virtual environment. */
static char *absolute_program(const char *program) {
    enum { MAX_PATH_BYTES = 4096 };
    char folder[MAX_PATH_BYTES];
    if (program[0] == '/' || !strchr(program, '/') || !getcwd(folder, sizeof folder)) return strdup(program);
    const size_t size_bytes = strlen(folder) + strlen(program) + 2;
    char *path = malloc(size_bytes);
    if (path) snprintf(path, size_bytes, "%s/%s", folder, program);
    return path;
}

static bool copy_arguments(struct ndp_process *self, char *const *argv) {
    size_t arguments = 0;
    while (argv[arguments]) arguments++;
    self->argv = calloc(arguments + 1, sizeof *self->argv);
    if (!self->argv || arguments == 0) return false;
    for (size_t i = 0; i < arguments; i++) {
        self->argv[i] = i == 0 ? absolute_program(argv[i]) : strdup(argv[i]);
        if (!self->argv[i]) return false;
    }
    return true;
}

static void name_target(struct ndp_target_info *info, const char *name, const char *environment) {
    snprintf(info->name, sizeof info->name, "%s", name);
    snprintf(info->environment, sizeof info->environment, "%s", environment);
}

static enum ndp_status open_process(struct ndp_process *self, const char *name, const char *environment,
                                    char *const *argv, struct ndp_error *error) {
    struct ndp_target_info info;
    if (!copy_arguments(self, argv)) return ndp_error_set(error, NDP_NOMEM, NDP_NO_OFFSET, "out of memory");
    name_target(&self->target.info, name, environment);
    NDP_TRY(ndp_protection_choose(&self->limits.protection, error));
    NDP_TRY(ndp_process_start(self, &info, error));
    self->target.info = info;
    name_target(&self->target.info, name, environment);
    ndp_protection_describe(self->child.protection, self->child.network == NDP_NETWORK_OPEN,
                            self->target.info.protection);
    return NDP_OK;
}

enum ndp_status ndp_target_open_process(const char *name, const char *environment, char *const *argv,
                                        const struct ndp_target_limits *limits, struct ndp_target **out,
                                        struct ndp_error *error) {
    if (strlen(name) >= NDP_WORD_BYTES || strlen(environment) >= NDP_WORD_BYTES)
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET,
                             "the name of a target or of its environment is too long");
    struct ndp_process *self = calloc(1, sizeof *self);
    if (!self) return ndp_error_set(error, NDP_NOMEM, NDP_NO_OFFSET, "out of memory");
    self->target.ops = &process_ops;
    self->target.state = self;
    self->limits = limits ? *limits : ndp_target_default_limits;
    if (self->limits.compiled) snprintf(self->compiled, sizeof self->compiled, "%s", self->limits.compiled);
    self->limits.compiled = self->compiled;
    ndp_frame_parser_init(&self->parser, self->limits.frame_bytes);
    ndp_buffer_init(&self->out, self->limits.frame_bytes * NDP_BATCHES_IN_FLIGHT);
    const enum ndp_status status = open_process(self, name, environment, argv, error);
    if (status == NDP_OK)
        *out = &self->target;
    else
        close_process(&self->target);
    return status;
}
