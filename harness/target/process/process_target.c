/* A testee as a target: batches out, outcomes in, and somebody to blame when it ends in between.
 *
 * Batches are numbered; frames are handled strictly in order, so what arrives for the second batch waits in the parser
 * until the first is collected. When the testee ends, hangs or sends something wrong, it is killed with all below it,
 * one case is blamed, and a new process gets the rest. Blame: the case that was begun and not ended. When none was,
 * the case that ended last in this process and batch has it, because what follows an END is its aftermath; for a wrong
 * frame, the case whose BEGIN should have stood there. A process that fails before anything of a batch happened gets
 * one more chance without blame, since the cause may lie before the batch; then the next case has it.
 */
#include "target/process/crash_frame.h"
#include "target/process/isolate.h"
#include "target/process/spares.h"
#include "target/process/supervise.h"
#include "target/protocol/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Once so many cases of a batch ran into their deadline, waiting for the others would hold up the run. */
enum { START_ATTEMPTS = 3, PRINTED_TAIL_BYTES = 2048, TIMEOUTS_PER_BATCH = 3 };

/* A batch that was submitted. */
struct pending {
    const struct ndp_program *programs;
    uint32_t count;
    uint32_t done;  /* outcomes decided */
    uint32_t first; /* the case that has index 0 in the frame now under way */
    uint32_t sequence;
    uint32_t timeouts;
};

struct process {
    struct ndp_target target;
    struct ndp_target_limits limits;
    char **argv; /* owned, NULL-terminated */
    struct ndp_child child;
    struct ndp_spares spares;
    uint32_t starts; /* of processes that said HELLO */
    bool is_running;
    struct ndp_frame_parser parser;
    struct ndp_buffer out; /* frames to be written */
    uint64_t out_at_bytes;
    struct pending pending[NDP_BATCHES_IN_FLIGHT]; /* oldest first */
    uint32_t pending_count;
    uint32_t sequence; /* the last one given */
    bool has_begun;    /* case `done` of the oldest batch */
    bool has_retried;  /* a process failed before anything of the oldest batch happened */
    uint64_t begun_ns;
    uint64_t progress_ns; /* the last time that anything went in or out */
};

/* What went wrong with a process. */
struct failure {
    enum ndp_verdict verdict;
    struct ndp_death death;
    char text[160];
};

/* ---- sending ---- */

static enum ndp_status flush(struct process *self) {
    struct ndp_buffer *out = &self->out;
    while (self->out_at_bytes < out->size_bytes) {
        uint64_t written = 0;
        const struct ndp_bytes rest = {out->data + self->out_at_bytes, out->size_bytes - self->out_at_bytes};
        NDP_TRY(ndp_child_write(&self->child, rest, &written));
        if (written == 0) return NDP_OK;
        self->out_at_bytes += written;
        self->progress_ns = ndp_now_ns();
    }
    out->size_bytes = 0;
    self->out_at_bytes = 0;
    return NDP_OK;
}

static bool wants_write(const struct process *self) {
    return self->child.write_fd >= 0 && self->out_at_bytes < self->out.size_bytes;
}

/* Puts the undecided cases of a batch into a frame of their own. */
static enum ndp_status enqueue(struct process *self, struct pending *batch) {
    const uint32_t rest = batch->count - batch->done;
    NDP_TRY(ndp_wire_add_batch(&self->out, self->sequence + 1, batch->programs + batch->done, rest));
    batch->first = batch->done;
    batch->sequence = ++self->sequence;
    return NDP_OK;
}

/* ---- starting ---- */

static void stop(struct process *self) {
    ndp_child_stop(&self->child);
    self->is_running = false;
    self->has_begun = false;
}

/* The last line with anything in it: an interpreter's own word on why it ends stands there. */
static struct ndp_bytes last_line(struct ndp_bytes printed) {
    while (printed.size_bytes > 0 && printed.data[printed.size_bytes - 1] <= ' ') printed.size_bytes--;
    uint64_t start = printed.size_bytes;
    while (start > 0 && printed.data[start - 1] != '\n') start--;
    return (struct ndp_bytes){printed.data + start, printed.size_bytes - start};
}

static enum ndp_status start_failed(struct process *self, enum ndp_status status, const char *what,
                                    struct ndp_error *error) {
    char ending[NDP_ENDING_TEXT_BYTES];
    struct ndp_arena arena;
    stop(self);
    ndp_child_describe(&self->child, ending);
    ndp_arena_init(&arena, PRINTED_TAIL_BYTES);
    struct ndp_bytes printed = ndp_child_printed(&self->child, &arena, 120);
    if (printed.size_bytes > 0) printed = last_line(printed);
    (void)ndp_error_set(error, status, NDP_NO_OFFSET, "%s: %s%s%s%.*s", self->target.info.name, what,
                        status == NDP_GONE ? ending : "", printed.size_bytes > 0 ? "; it printed: " : "",
                        (int)printed.size_bytes, printed.size_bytes > 0 ? (const char *)printed.data : "");
    ndp_arena_clear(&arena);
    return status;
}

/* Reads what there is. */
static enum ndp_status receive(struct process *self) {
    uint8_t *room;
    uint64_t room_bytes, got;
    NDP_TRY(ndp_frame_parser_room(&self->parser, &room, &room_bytes));
    NDP_TRY(ndp_child_read(&self->child, room, room_bytes, &got));
    ndp_frame_parser_filled(&self->parser, got);
    if (got > 0) self->progress_ns = ndp_now_ns();
    return NDP_OK;
}

/* Whether nothing more can come. */
static bool is_drained(const struct process *self) {
    return self->child.ending != NDP_ENDING_RUNNING && self->child.read_fd < 0;
}

static enum ndp_status await_hello(struct process *self, struct ndp_target_info *info, struct ndp_error *error) {
    const uint64_t deadline_ns = ndp_now_ns() + self->limits.start_deadline_ns;
    for (;;) {
        struct ndp_error detail = {.status = NDP_OK};
        struct ndp_frame frame;
        bool is_ready = false;
        enum ndp_status status = ndp_frame_parser_next(&self->parser, &frame, &is_ready, &detail);
        if (status == NDP_OK && is_ready) status = ndp_wire_read_hello(&frame, info, &detail);
        if (status != NDP_OK) {
            char text[sizeof detail.text + sizeof detail.path + 32];
            snprintf(text, sizeof text, "bad HELLO: %s %s", detail.path, detail.text);
            return start_failed(self, NDP_INVALID, text, error);
        }
        if (is_ready) return NDP_OK;
        if (is_drained(self)) return start_failed(self, NDP_GONE, "no HELLO; it ", error);
        const uint64_t now_ns = ndp_now_ns();
        if (now_ns >= deadline_ns) return start_failed(self, NDP_TIMEOUT, "no HELLO in time", error);
        status = ndp_child_wait(&self->child, false, deadline_ns - now_ns);
        if (status == NDP_OK) status = receive(self);
        if (status != NDP_OK) return start_failed(self, status, "cannot read from it", error);
    }
}

static void name_network(struct process *self) {
    static const char *const words[] = {
#define NETWORK_WORD(name, word) [NDP_NETWORK_##name] = word,
        NDP_NETWORK_LIST(NETWORK_WORD)
#undef NETWORK_WORD
    };
    snprintf(self->target.info.network, sizeof self->target.info.network, "%s", words[self->child.network]);
}

static void forget_channel(struct process *self) {
    ndp_frame_parser_clear(&self->parser);
    self->out.size_bytes = 0;
    self->out_at_bytes = 0;
}

/* A spare that has come to nothing while it waited is no reason to do without a process. */
static bool take_spare(struct process *self, struct ndp_target_info *info) {
    forget_channel(self);
    if (!ndp_spares_take(&self->spares, &self->child)) return false;
    self->is_running = true;
    if (await_hello(self, info, NULL) != NDP_OK) return false;
    /* It may have said HELLO and died after that. */
    if (ndp_child_wait(&self->child, false, 0) == NDP_OK && self->child.ending == NDP_ENDING_RUNNING) return true;
    (void)start_failed(self, NDP_GONE, "after HELLO it ", NULL);
    return false;
}

static enum ndp_status start_new(struct process *self, struct ndp_target_info *info, struct ndp_error *error) {
    forget_channel(self);
    NDP_TRY(ndp_child_start(&self->child, self->argv, &self->limits, error));
    self->is_running = true;
    return await_hello(self, info, error);
}

/* Who needs a second process is likely to need more: crashes are confirmed and made smaller, a process each. What a
 * spare does at its start must not count as feedback on a case. */
static void keep_spares(struct process *self, const struct ndp_target_info *info) {
    const uint32_t wanted = self->starts++;
    if (info->takes_spares && !self->limits.feedback) ndp_spares_fill(&self->spares, wanted, self->argv, &self->limits);
}

/* Starts a process that says the same HELLO as the one before, and gives it what is pending. */
static enum ndp_status start(struct process *self, struct ndp_target_info *info, struct ndp_error *error) {
    if (!take_spare(self, info)) NDP_TRY(start_new(self, info, error));
    keep_spares(self, info);
    for (uint32_t i = 0; i < self->pending_count; i++) {
        const enum ndp_status status = enqueue(self, &self->pending[i]);
        if (status != NDP_OK) return start_failed(self, status, "cannot write a batch", error);
    }
    self->progress_ns = ndp_now_ns();
    return NDP_OK;
}

static enum ndp_status start_again(struct process *self, struct ndp_error *error) {
    struct ndp_target_info info;
    enum ndp_status status = NDP_GONE;
    self->target.counts.restarts++;
    for (int i = 0; i < START_ATTEMPTS && status != NDP_OK; i++) {
        status = start(self, &info, error);
        if (status == NDP_LIMIT || status == NDP_NOMEM) return status;
    }
    if (status != NDP_OK) return NDP_GONE;
    const struct ndp_target_info *before = &self->target.info;
    if (strcmp(info.implementation, before->implementation) == 0 && strcmp(info.version, before->version) == 0)
        return NDP_OK;
    return start_failed(self, NDP_INVALID, "it says another HELLO than before", error);
}

/* ---- blaming ---- */

static void count(struct ndp_target_counts *counts, enum ndp_verdict verdict) {
    if (verdict == NDP_VERDICT_CRASH) counts->crashes++;
    if (verdict == NDP_VERDICT_TIMEOUT) counts->timeouts++;
    if (verdict == NDP_VERDICT_OOM) counts->ooms++;
    if (verdict == NDP_VERDICT_FAULT) counts->faults++;
}

static void blame(struct process *self, struct ndp_arena *arena, const struct failure *failure,
                  struct ndp_outcome *outcome) {
    outcome->ended = failure->verdict;
    outcome->death = failure->death;
    memcpy(outcome->fault, failure->text, sizeof outcome->fault);
    outcome->stderr_tail = ndp_child_printed(&self->child, arena, PRINTED_TAIL_BYTES);
    if (failure->verdict == NDP_VERDICT_CRASH)
        ndp_crash_frame(outcome->stderr_tail, outcome->death.frame, sizeof outcome->death.frame);
}

static void leave_out(struct process *self, struct ndp_outcome *outcomes, const char *why) {
    struct pending *batch = &self->pending[0];
    struct ndp_outcome *outcome = &outcomes[batch->done];
    *outcome = (struct ndp_outcome){.case_id = batch->programs[batch->done].case_id, .ended = NDP_VERDICT_UNSUPPORTED};
    snprintf(outcome->fault, sizeof outcome->fault, "left out, because %s", why);
    batch->done++;
}

static void leave_out_rest(struct process *self, struct ndp_outcome *outcomes) {
    const struct pending *batch = &self->pending[0];
    char why[64];
    snprintf(why, sizeof why, "%u cases before it passed the deadline", batch->timeouts);
    while (batch->done < batch->count) leave_out(self, outcomes, why);
}

/* Ends the process and decides whose fault it was; the caller starts another when there is more to do. */
static void fail(struct process *self, struct ndp_arena *arena, const struct failure *failure,
                 struct ndp_outcome *outcomes) {
    struct pending *batch = &self->pending[0];
    const bool has_begun = self->has_begun;
    struct ndp_outcome *next = &outcomes[batch->done];
    stop(self);
    count(&self->target.counts, failure->verdict);
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
    if (failure->verdict == NDP_VERDICT_TIMEOUT && ++batch->timeouts == TIMEOUTS_PER_BATCH)
        leave_out_rest(self, outcomes);
}

static void fail_with(struct process *self, struct ndp_arena *arena, enum ndp_verdict verdict, const char *text,
                      struct ndp_outcome *outcomes) {
    struct failure failure = {.verdict = verdict};
    const size_t text_bytes = strnlen(text, sizeof failure.text - 1);
    memcpy(failure.text, text, text_bytes);
    fail(self, arena, &failure, outcomes);
}

/* The process ended by itself, or its guard ended it. */
static void fail_ended(struct process *self, struct ndp_arena *arena, struct ndp_outcome *outcomes) {
    struct failure failure = {.verdict = NDP_VERDICT_CRASH, .death = self->child.death};
    ndp_child_describe(&self->child, failure.text);
    if (self->child.ending == NDP_ENDING_MEMORY) failure.verdict = NDP_VERDICT_OOM;
    if (self->child.ending == NDP_ENDING_LOST) failure.verdict = NDP_VERDICT_FAULT;
    const uint64_t cut_bytes = ndp_frame_parser_waiting(&self->parser);
    if (self->child.ending == NDP_ENDING_EXITED && cut_bytes > 0) {
        failure.verdict = NDP_VERDICT_FAULT;
        snprintf(failure.text, sizeof failure.text, "it exited with %d, %llu bytes into a frame",
                 failure.death.exit_code, (unsigned long long)cut_bytes);
    }
    fail(self, arena, &failure, outcomes);
}

/* ---- receiving ---- */

static enum ndp_status handle_begin(struct process *self, const struct ndp_frame *frame, struct ndp_error *error) {
    if (self->has_begun) return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "BEGIN before END");
    if (frame->json.size_bytes != 0 || frame->binary.size_bytes != 0)
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "BEGIN with something in it");
    self->has_begun = true;
    self->begun_ns = ndp_now_ns();
    return NDP_OK;
}

/* A lack of memory is ours, unless the answer asks for more than its share: the library has made too much of what it
 * was given, as it does when it takes more than it may. */
static void fail_too_large(struct process *self, struct ndp_arena *arena, const struct ndp_frame *frame,
                           struct ndp_outcome *outcomes) {
    char text[64];
    snprintf(text, sizeof text, "an answer of %llu bytes is too large", (unsigned long long)frame->binary.size_bytes);
    fail_with(self, arena, NDP_VERDICT_OOM, text, outcomes);
}

static enum ndp_status handle_end(struct process *self, struct ndp_arena *arena, const struct ndp_frame *frame,
                                  struct ndp_outcome *outcomes, struct ndp_error *error) {
    struct pending *batch = &self->pending[0];
    if (!self->has_begun) return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "END before BEGIN");
    const uint64_t before_bytes = arena->used_bytes;
    const enum ndp_status status = ndp_wire_read_end(arena, frame, &self->target.info, &batch->programs[batch->done],
                                                     &outcomes[batch->done], error);
    /* What it has taken, and what it may have asked for last. */
    const uint64_t asked_bytes = arena->used_bytes - before_bytes + frame->binary.size_bytes;
    if (status == NDP_NOMEM && asked_bytes > arena->limit_bytes / batch->count) {
        fail_too_large(self, arena, frame, outcomes);
        return NDP_OK;
    }
    if (status == NDP_NOMEM && asked_bytes > arena->limit_bytes - before_bytes) {
        leave_out(self, outcomes, "the answers before it in its batch took the memory");
        self->has_begun = self->has_retried = false;
        return NDP_OK;
    }
    if (status != NDP_OK) return status;
    count(&self->target.counts, outcomes[batch->done].ended);
    batch->done++;
    self->has_begun = false;
    self->has_retried = false;
    self->target.counts.cases++;
    return NDP_OK;
}

static enum ndp_status handle(struct process *self, struct ndp_arena *arena, const struct ndp_frame *frame,
                              struct ndp_outcome *outcomes, struct ndp_error *error) {
    const struct pending *batch = &self->pending[0];
    const uint32_t index = batch->done - batch->first;
    if (frame->type != NDP_FRAME_BEGIN && frame->type != NDP_FRAME_END)
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "%s where none belongs", ndp_frame_name(frame->type));
    if (frame->sequence != batch->sequence || frame->index != index)
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "%s of case %u in batch %u instead of %u in %u",
                             ndp_frame_name(frame->type), frame->index, frame->sequence, index, batch->sequence);
    if (frame->type == NDP_FRAME_BEGIN) return handle_begin(self, frame, error);
    return handle_end(self, arena, frame, outcomes, error);
}

/* Handles the next frame when it is there. A frame that is wrong ends the process. Errors: NOMEM. */
static enum ndp_status take_frame(struct process *self, struct ndp_arena *arena, struct ndp_outcome *outcomes,
                                  bool *is_taken) {
    struct ndp_error error = {.status = NDP_OK};
    struct ndp_frame frame;
    *is_taken = false;
    enum ndp_status status = ndp_frame_parser_next(&self->parser, &frame, is_taken, &error);
    if (status == NDP_OK && *is_taken) status = handle(self, arena, &frame, outcomes, &error);
    if (status == NDP_OK || status == NDP_NOMEM) return status;
    char text[sizeof error.text + sizeof error.path + 2];
    snprintf(text, sizeof text, "%s%s%s", error.path, error.path[0] ? " " : "", error.text);
    fail_with(self, arena, NDP_VERDICT_FAULT, text, outcomes);
    *is_taken = true;
    return NDP_OK;
}

/* How long one case may take: longer where the testee says that everything does. */
static uint64_t case_deadline_ns(const struct process *self) {
    const uint32_t patience = self->target.info.patience;
    return self->limits.case_deadline_ns * (patience > 1 ? patience : 1);
}

/* Waits for something to happen, or ends the process that takes too long. A frame of which nothing came for half of
 * the time is cut, and not slow. */
static enum ndp_status await(struct process *self, struct ndp_arena *arena, struct ndp_outcome *outcomes) {
    const uint64_t now_ns = ndp_now_ns();
    const uint64_t since_ns = self->has_begun ? self->begun_ns : self->progress_ns;
    const uint64_t deadline_ns = since_ns + case_deadline_ns(self);
    if (now_ns >= deadline_ns) {
        const bool is_cut =
            ndp_frame_parser_waiting(&self->parser) > 0 && now_ns - self->progress_ns >= case_deadline_ns(self) / 2;
        fail_with(self, arena, is_cut ? NDP_VERDICT_FAULT : NDP_VERDICT_TIMEOUT,
                  is_cut ? "the rest of a frame does not come" : "the deadline passed", outcomes);
        return NDP_OK;
    }
    NDP_TRY(ndp_child_wait(&self->child, wants_write(self), deadline_ns - now_ns));
    /* A testee that is gone is seen by its end, which also says how. */
    if (wants_write(self) && flush(self) == NDP_IO) return NDP_IO;
    return receive(self);
}

/* One step on the way to the outcomes of the oldest batch. */
static enum ndp_status advance(struct process *self, struct ndp_arena *arena, struct ndp_outcome *outcomes,
                               struct ndp_error *error) {
    bool is_taken;
    if (!self->is_running) return start_again(self, error);
    NDP_TRY(take_frame(self, arena, outcomes, &is_taken));
    if (is_taken) return NDP_OK;
    if (is_drained(self)) {
        fail_ended(self, arena, outcomes);
        return NDP_OK;
    }
    return await(self, arena, outcomes);
}

/* ---- the operations ---- */

static enum ndp_status submit(struct ndp_target *target, const struct ndp_program *programs, uint32_t program_count,
                              struct ndp_error *error) {
    struct process *self = target->state;
    if (self->pending_count == NDP_BATCHES_IN_FLIGHT || program_count > NDP_MAX_BATCH)
        return ndp_error_set(error, NDP_FAULT, NDP_NO_OFFSET, "too many batches in flight, or too large a batch");
    struct pending batch = {.programs = programs, .count = program_count};
    if (self->is_running) {
        const enum ndp_status status = enqueue(self, &batch);
        if (status != NDP_OK) return ndp_error_set(error, status, NDP_NO_OFFSET, "the batch does not fit a frame");
        (void)flush(self); /* whatever is wrong shows when it is collected */
    }
    self->pending[self->pending_count++] = batch;
    return NDP_OK;
}

static enum ndp_status collect(struct ndp_target *target, struct ndp_arena *arena, struct ndp_outcome *outcomes,
                               uint32_t program_count, struct ndp_error *error) {
    struct process *self = target->state;
    if (self->pending_count == 0 || self->pending[0].count != program_count)
        return ndp_error_set(error, NDP_FAULT, NDP_NO_OFFSET, "no batch of this size waits");
    memset(outcomes, 0, program_count * sizeof *outcomes);
    /* The time between two calls is ndproof's own. */
    self->progress_ns = ndp_now_ns();
    while (self->pending[0].done < program_count) {
        const enum ndp_status status = advance(self, arena, outcomes, error);
        if (status == NDP_OK) continue;
        stop(self);
        if (!error || error->status != status)
            return ndp_error_set(error, status, NDP_NO_OFFSET, "%s: %s", target->info.name, ndp_status_text(status));
        return status;
    }
    self->pending_count--;
    for (uint32_t i = 0; i < self->pending_count; i++) self->pending[i] = self->pending[i + 1];
    return NDP_OK;
}

/* The testee is the oldest child of its guard, which adopts what the testee leaves. */
static enum ndp_status census(struct ndp_target *target, struct ndp_census *out) {
    enum { FOLDERS_DEEP = 8 };
    struct process *self = target->state;
    if (!self->is_running || self->pending_count > 0) return NDP_UNSUPPORTED;
    const int guard = (int)self->child.guard;
    const struct ndp_census_place place = {ndp_tree_first_child(guard), guard, self->child.folder, FOLDERS_DEEP};
    return place.process > 0 ? ndp_census_take(&place, out) : NDP_GONE;
}

static enum ndp_status refresh(struct ndp_target *target, struct ndp_error *error) {
    struct process *self = target->state;
    struct ndp_target_info info;
    stop(self);
    return start(self, &info, error);
}

static void close_process(struct ndp_target *target) {
    struct process *self = target->state;
    stop(self);
    ndp_spares_stop(&self->spares);
    ndp_frame_parser_clear(&self->parser);
    ndp_buffer_clear(&self->out);
    for (char **argument = self->argv; argument && *argument; argument++) free(*argument);
    free(self->argv);
    free(self);
}

static const struct ndp_target_ops process_ops = {
    .submit = submit,
    .collect = collect,
    .census = census,
    .refresh = refresh,
    .close = close_process,
};

/* ---- opening ---- */

/* A path with a slash is made absolute here, without following links: the place of an interpreter tells it which
 * environment it belongs to. */
static char *absolute_program(const char *program) {
    enum { MAX_PATH_BYTES = 4096 };
    char folder[MAX_PATH_BYTES];
    if (program[0] == '/' || !strchr(program, '/') || !getcwd(folder, sizeof folder)) return strdup(program);
    const size_t size_bytes = strlen(folder) + strlen(program) + 2;
    char *path = malloc(size_bytes);
    if (path) snprintf(path, size_bytes, "%s/%s", folder, program);
    return path;
}

static bool copy_arguments(struct process *self, char *const *argv) {
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

static enum ndp_status open_process(struct process *self, const char *name, const char *environment, char *const *argv,
                                    struct ndp_error *error) {
    struct ndp_target_info info;
    if (!copy_arguments(self, argv)) return ndp_error_set(error, NDP_NOMEM, NDP_NO_OFFSET, "out of memory");
    name_target(&self->target.info, name, environment);
    NDP_TRY(start(self, &info, error));
    self->target.info = info;
    name_target(&self->target.info, name, environment);
    name_network(self);
    return NDP_OK;
}

enum ndp_status ndp_target_open_process(const char *name, const char *environment, char *const *argv,
                                        const struct ndp_target_limits *limits, struct ndp_target **out,
                                        struct ndp_error *error) {
    if (strlen(name) >= NDP_WORD_BYTES || strlen(environment) >= NDP_WORD_BYTES)
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "the name of a target is too long");
    struct process *self = calloc(1, sizeof *self);
    if (!self) return ndp_error_set(error, NDP_NOMEM, NDP_NO_OFFSET, "out of memory");
    self->target.ops = &process_ops;
    self->target.state = self;
    self->limits = limits ? *limits : ndp_target_default_limits;
    ndp_frame_parser_init(&self->parser, self->limits.frame_bytes);
    ndp_buffer_init(&self->out, self->limits.frame_bytes * NDP_BATCHES_IN_FLIGHT);
    const enum ndp_status status = open_process(self, name, environment, argv, error);
    if (status == NDP_OK)
        *out = &self->target;
    else
        close_process(&self->target);
    return status;
}
