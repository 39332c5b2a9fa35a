/* Serves the testee protocol with a plugin.
 *
 * Problem: a codec in C must be usable from another process or machine, with the same results as in process.
 *
 * Method: read BATCH frames, run each program with the step interpreter and write BEGIN and END. The END of a case is
 * sent with the BEGIN of the next, which saves a system call per case. An error of the testee itself ends the process,
 * so ndproof knows at which case.
 *
 * Cost: one write per case. Limits: one batch at a time.
 */
#include "target/protocol/serve.h"

#include "target/claims.h"
#include "target/interpret.h"
#include "target/protocol/wire.h"

#include <errno.h>
#include <unistd.h>

#define MAX_FRAME_BYTES (UINT64_C(1) << 31)
#define MAX_CASE_BYTES  (UINT64_C(1) << 33)

struct server {
    struct ndp_interpreter *interpreter;
    int read_fd;
    int write_fd;
    struct ndp_frame_parser parser;
    struct ndp_buffer out;
    struct ndp_arena batch;  /* the decoded batch */
    struct ndp_arena single; /* memory of one case */
};

static enum ndp_status send_all(struct server *server, struct ndp_error *error) {
    struct ndp_buffer *out = &server->out;
    uint64_t at = 0;
    while (at < out->size_bytes) {
        const ssize_t written = write(server->write_fd, out->data + at, (size_t)(out->size_bytes - at));
        if (written < 0 && errno == EINTR) continue;
        if (written < 0)
            return ndp_error_set(error, errno == EPIPE ? NDP_GONE : NDP_IO, NDP_NO_OFFSET, "cannot write a frame");
        at += (uint64_t)written;
    }
    out->size_bytes = 0;
    return NDP_OK;
}

/* Waits for the next frame; *is_end at the end of input. */
static enum ndp_status next_frame(struct server *server, struct ndp_frame *frame, bool *is_end,
                                  struct ndp_error *error) {
    for (;;) {
        bool is_ready = false;
        uint8_t *room;
        uint64_t room_bytes;
        NDP_TRY(ndp_frame_parser_next(&server->parser, frame, &is_ready, error));
        *is_end = false;
        if (is_ready) return NDP_OK;
        NDP_TRY(ndp_frame_parser_room(&server->parser, &room, &room_bytes));
        const ssize_t got = read(server->read_fd, room, (size_t)room_bytes);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "cannot read a frame");
        if (got > 0) {
            ndp_frame_parser_filled(&server->parser, (uint64_t)got);
            continue;
        }
        if (ndp_frame_parser_waiting(&server->parser) > 0)
            return ndp_error_set(error, NDP_TRUNCATED, server->parser.consumed_bytes, "the last frame is incomplete");
        *is_end = true;
        return NDP_OK;
    }
}

static enum ndp_status run_case(struct server *server, uint32_t sequence, uint16_t index,
                                const struct ndp_program *program, struct ndp_error *error) {
    struct ndp_outcome outcome;
    NDP_TRY(ndp_wire_add_begin(&server->out, sequence, index));
    /* Sends the END of the case before, too. */
    NDP_TRY(send_all(server, error));
    ndp_interpreter_run(server->interpreter, &server->single, program, &outcome);
    /* A testee that cannot do its own work ends; ndproof knows at which case. */
    if (outcome.ended != NDP_VERDICT_PASS) return ndp_error_set(error, NDP_FAULT, NDP_NO_OFFSET, "%s", outcome.fault);
    const enum ndp_status status = ndp_wire_add_end(&server->out, sequence, index, &outcome);
    ndp_arena_clear(&server->single);
    return status;
}

static enum ndp_status run_batch(struct server *server, const struct ndp_frame *frame, struct ndp_error *error) {
    struct ndp_program *programs;
    uint32_t count;
    if (frame->type != NDP_FRAME_BATCH)
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "unexpected frame %s, a testee receives BATCH",
                             ndp_frame_name(frame->type));
    NDP_TRY(ndp_wire_read_batch(&server->batch, frame, &programs, &count, error));
    for (uint32_t i = 0; i < count; i++) NDP_TRY(run_case(server, frame->sequence, (uint16_t)i, &programs[i], error));
    ndp_arena_clear(&server->batch);
    return send_all(server, error);
}

static enum ndp_status serve_batches(struct server *server, const struct ndp_plugin *plugin, struct ndp_error *error) {
    struct ndp_target_info info;
    ndp_claims_to_info(plugin, &info);
    NDP_TRY(ndp_wire_add_hello(&server->out, &info));
    NDP_TRY(send_all(server, error));
    for (;;) {
        struct ndp_frame frame;
        bool is_end = false;
        NDP_TRY(next_frame(server, &frame, &is_end, error));
        if (is_end) return NDP_OK;
        NDP_TRY(run_batch(server, &frame, error));
    }
}

enum ndp_status ndp_serve(const struct ndp_plugin *plugin, int read_fd, int write_fd, struct ndp_error *error) {
    struct server server = {.read_fd = read_fd, .write_fd = write_fd};
    NDP_TRY(ndp_interpreter_new(plugin, &server.interpreter, error));
    ndp_frame_parser_init(&server.parser, MAX_FRAME_BYTES);
    ndp_buffer_init(&server.out, MAX_FRAME_BYTES);
    ndp_arena_init(&server.batch, MAX_FRAME_BYTES);
    ndp_arena_init(&server.single, MAX_CASE_BYTES);
    const enum ndp_status status = serve_batches(&server, plugin, error);
    ndp_arena_clear(&server.single);
    ndp_arena_clear(&server.batch);
    ndp_buffer_clear(&server.out);
    ndp_frame_parser_clear(&server.parser);
    ndp_interpreter_free(server.interpreter);
    return status;
}
