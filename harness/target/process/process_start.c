#include "base/clock.h"
/* process_start.c: starts testees: HELLO, processes of fork servers, and restarts. A fork server that fails is replaced
 * by a new one. */
#include "target/process/process_start.h"

#include "target/protocol/wire.h"

#include <stdio.h>
#include <string.h>

enum { START_ATTEMPTS = 3, PRINTED_BYTES = 2048 };

enum ndp_status ndp_process_enqueue(struct ndp_process *self, struct ndp_process_batch *batch) {
    const uint32_t rest = batch->count - batch->done;
    NDP_TRY(ndp_wire_add_batch(&self->out, self->sequence + 1, batch->programs + batch->done, rest));
    batch->first = batch->done;
    batch->sequence = ++self->sequence;
    return NDP_OK;
}

void ndp_process_stop(struct ndp_process *self) {
    if (self->is_running) {
        ndp_child_end(&self->child);
        self->target.counts.orphans += self->child.orphans;
    }
    self->is_running = false;
    self->has_begun = false;
}

void ndp_process_close(struct ndp_process *self) {
    const bool has_run = self->is_running;
    ndp_child_stop(&self->child);
    if (has_run) self->target.counts.orphans += self->child.orphans;
    self->is_running = false;
    self->has_begun = false;
}

/* The last line that is not empty. Interpreters print the reason of their end there. */
static struct ndp_bytes last_line(struct ndp_bytes printed) {
    while (printed.size_bytes > 0 && printed.data[printed.size_bytes - 1] <= ' ') printed.size_bytes--;
    uint64_t start = printed.size_bytes;
    while (start > 0 && printed.data[start - 1] != '\n') start--;
    return (struct ndp_bytes){printed.data + start, printed.size_bytes - start};
}

static enum ndp_status start_failed(struct ndp_process *self, enum ndp_status status, const char *what,
                                    struct ndp_error *error) {
    char ending[NDP_ENDING_TEXT_BYTES];
    ndp_process_close(self);
    ndp_child_describe(&self->child, ending);
    NDP_ARENA_SCOPED(arena, PRINTED_BYTES);
    struct ndp_bytes printed = ndp_child_printed(&self->child, &arena, 120);
    if (printed.size_bytes > 0) printed = last_line(printed);
    (void)ndp_error_set(error, status, NDP_NO_OFFSET, "%s: %s%s%s%.*s", self->target.info.name, what,
                        status == NDP_GONE ? ending : "", printed.size_bytes > 0 ? "; it printed: " : "",
                        (int)printed.size_bytes, printed.size_bytes > 0 ? (const char *)printed.data : "");
    return status;
}

enum ndp_status ndp_process_read(struct ndp_process *self) {
    uint8_t *room;
    uint64_t room_bytes, got;
    NDP_TRY(ndp_frame_parser_room(&self->parser, &room, &room_bytes));
    NDP_TRY(ndp_child_read(&self->child, room, room_bytes, &got));
    ndp_frame_parser_filled(&self->parser, got);
    if (got > 0) self->progress_ns = ndp_clock_ns();
    return NDP_OK;
}

bool ndp_process_is_drained(const struct ndp_process *self) {
    return self->child.ending != NDP_ENDING_RUNNING && self->child.read_fd < 0;
}

static enum ndp_status await_hello(struct ndp_process *self, struct ndp_target_info *info, struct ndp_error *error) {
    const uint64_t deadline_ns = ndp_clock_ns() + self->limits.start_deadline_ns;
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
        if (ndp_process_is_drained(self)) return start_failed(self, NDP_GONE, "no HELLO frame; the testee ", error);
        const uint64_t now_ns = ndp_clock_ns();
        if (now_ns >= deadline_ns) return start_failed(self, NDP_TIMEOUT, "no HELLO frame before the deadline", error);
        status = ndp_child_wait(&self->child, false, deadline_ns - now_ns);
        if (status == NDP_OK) status = ndp_process_read(self);
        if (status != NDP_OK) return start_failed(self, status, "cannot read from the testee", error);
    }
}

static void clear_channel(struct ndp_process *self) {
    ndp_frame_parser_clear(&self->parser);
    self->out.size_bytes = 0;
    self->out_at_bytes = 0;
}

static enum ndp_status start_new(struct ndp_process *self, struct ndp_target_info *info, struct ndp_error *error) {
    ndp_process_close(self);
    NDP_TRY(ndp_child_start(&self->child, self->argv, &self->limits, error));
    self->is_running = true;
    return await_hello(self, info, error);
}

static enum ndp_status ask_to_fork(struct ndp_process *self) {
    self->asked_ns = ndp_clock_ns();
    return ndp_child_fork(&self->child);
}

enum ndp_status ndp_process_start(struct ndp_process *self, struct ndp_target_info *info, struct ndp_error *error) {
    clear_channel(self);
    if (self->child.can_fork && ask_to_fork(self) == NDP_OK) {
        self->is_running = true;
        *info = self->target.info;
    } else {
        NDP_TRY(start_new(self, info, error));
        if (info->forks && !self->limits.feedback && ask_to_fork(self) != NDP_OK)
            return start_failed(self, NDP_GONE, "the testee ", error);
    }
    for (uint32_t i = 0; i < self->pending_count; i++) {
        const enum ndp_status status = ndp_process_enqueue(self, &self->pending[i]);
        if (status != NDP_OK) return start_failed(self, status, "cannot queue a batch", error);
    }
    self->progress_ns = ndp_clock_ns();
    return NDP_OK;
}

enum ndp_status ndp_process_await_fork(struct ndp_process *self, struct ndp_error *error) {
    const uint64_t deadline_ns = self->asked_ns + self->limits.start_deadline_ns;
    enum ndp_status status = NDP_OK;
    while (status == NDP_OK && self->child.is_forking) {
        const uint64_t now_ns = ndp_clock_ns();
        if (now_ns >= deadline_ns)
            status = start_failed(self, NDP_TIMEOUT, "no process before the deadline", error);
        else if (self->child.ending != NDP_ENDING_RUNNING)
            status = start_failed(self, NDP_GONE, "no process was forked; the testee ", error);
        else
            status = ndp_child_wait(&self->child, false, deadline_ns - now_ns);
    }
    self->progress_ns = ndp_clock_ns();
    if (status == NDP_OK) self->failed_forks = 0;
    if (status != NDP_GONE && status != NDP_TIMEOUT) return status;
    return ++self->failed_forks < START_ATTEMPTS ? ndp_process_restart(self, error) : status;
}

enum ndp_status ndp_process_restart(struct ndp_process *self, struct ndp_error *error) {
    struct ndp_target_info info;
    enum ndp_status status = NDP_GONE;
    if (!self->is_resting) self->target.counts.restarts++;
    self->is_resting = false;
    for (int i = 0; i < START_ATTEMPTS && status != NDP_OK; i++) {
        status = ndp_process_start(self, &info, error);
        if (status == NDP_LIMIT || status == NDP_NOMEM) return status;
    }
    if (status != NDP_OK) return NDP_GONE;
    const struct ndp_target_info *before = &self->target.info;
    if (strcmp(info.implementation, before->implementation) == 0 && strcmp(info.version, before->version) == 0)
        return NDP_OK;
    return start_failed(self, NDP_INVALID, "HELLO names another implementation or version than before the restart",
                        error);
}
