/* pickle_output.c: framed output of a pickle.
 *
 * Problem: protocol 4 and later group opcodes in frames whose length precedes them, and pass large payloads outside of
 * frames. Method: collect bytes in a room of the caller, later in heap memory; reserve the header when a frame opens
 * and fill it when the frame closes, or remove it from a frame shorter than FRAME_SIZE_MIN. Cost: each byte is copied
 * once, except the payloads of 64 KiB or more, which go directly to the sink. Limits: one frame of 64 KiB plus one
 * object is buffered. References: PEP 3154; CPython, Modules/_pickle.c.
 */
#include "codec/pickle/pickle_output.h"

#include <stdlib.h>
#include <string.h>

#include "base/byteorder.h"
#include "base/checked.h"
#include "codec/pickle/pickle_opcodes.h"

/* Source: CPython, Modules/_pickle.c: FRAME_SIZE_TARGET, FRAME_SIZE_MIN, FRAME_HEADER_SIZE. */
enum {
    FRAME_TARGET_BYTES = 1 << 16,
    FRAME_MIN_BYTES = 4,
    FRAME_HEADER_BYTES = 9,
    FIRST_CAPACITY_BYTES = 4096,
    FEW_BYTES = 8
};

struct ndp_pickle_output ndp_pickle_output_start(ndp_write_bytes *write, void *sink, uint8_t *room,
                                                 uint64_t room_bytes) {
    return (struct ndp_pickle_output){
        .write = write, .sink = sink, .data = room, .capacity_bytes = room_bytes, .frame_start = NDP_NO_FRAME};
}

void ndp_pickle_output_clear(struct ndp_pickle_output *output) {
    free(output->owned);
    *output = (struct ndp_pickle_output){0};
}

static enum ndp_status reserve_room(struct ndp_pickle_output *output, uint64_t size_bytes) {
    uint64_t needed = 0;
    if (output->capacity_bytes - output->size_bytes >= size_bytes) return NDP_OK;
    if (!ndp_checked_add_u64(output->size_bytes, size_bytes, &needed) || needed > SIZE_MAX / 2) return NDP_NOMEM;
    uint64_t capacity = output->owned == NULL ? FIRST_CAPACITY_BYTES : output->capacity_bytes * 2;
    if (capacity < needed) capacity = needed;
    uint8_t *data = realloc(output->owned, (size_t)capacity);
    if (data == NULL) return NDP_NOMEM;
    if (output->owned == NULL && output->size_bytes > 0) memcpy(data, output->data, (size_t)output->size_bytes);
    output->data = data;
    output->owned = data;
    output->capacity_bytes = capacity;
    return NDP_OK;
}

static enum ndp_status pass_on(struct ndp_pickle_output *output) {
    if (output->size_bytes == 0) return NDP_OK;
    NDP_TRY(output->write(output->sink, output->data, output->size_bytes));
    output->passed_bytes += output->size_bytes;
    output->size_bytes = 0;
    return NDP_OK;
}

/* Removes the header of a frame shorter than FRAME_SIZE_MIN. */
static void close_frame(struct ndp_pickle_output *output) {
    if (output->frame_start == NDP_NO_FRAME) return;
    uint8_t *header = output->data + output->frame_start;
    const uint64_t length = output->size_bytes - output->frame_start - FRAME_HEADER_BYTES;
    if (length >= FRAME_MIN_BYTES) {
        header[0] = NDP_OP_FRAME;
        ndp_store_u64le(header + 1, length);
    } else {
        memmove(header, header + FRAME_HEADER_BYTES, (size_t)length);
        output->size_bytes -= FRAME_HEADER_BYTES;
    }
    output->frame_start = NDP_NO_FRAME;
}

/* Fast path: no flush or reallocation is needed. */
static bool has_room(const struct ndp_pickle_output *output, uint64_t size_bytes) {
    if (size_bytes > output->capacity_bytes - output->size_bytes) return false;
    return output->is_framing ? output->frame_start != NDP_NO_FRAME
                              : output->size_bytes + size_bytes < FRAME_TARGET_BYTES;
}

/* Most appends are an opcode or a short text, for which a loop is faster than a call of memcpy. */
static void append_bytes(struct ndp_pickle_output *output, const uint8_t *bytes, uint64_t size_bytes) {
    uint8_t *to = output->data + output->size_bytes;
    if (size_bytes > FEW_BYTES)
        memcpy(to, bytes, (size_t)size_bytes);
    else
        for (uint64_t i = 0; i < size_bytes; i++) to[i] = bytes[i];
    output->size_bytes += size_bytes;
}

enum ndp_status ndp_pickle_output_add(struct ndp_pickle_output *output, const void *bytes, uint64_t size_bytes) {
    uint64_t needed = 0;
    if (has_room(output, size_bytes)) {
        append_bytes(output, bytes, size_bytes);
        return NDP_OK;
    }
    if (!ndp_checked_add_u64(size_bytes, FRAME_HEADER_BYTES, &needed)) return NDP_NOMEM;
    NDP_TRY(reserve_room(output, needed));
    if (output->is_framing && output->frame_start == NDP_NO_FRAME) {
        output->frame_start = output->size_bytes;
        output->size_bytes += FRAME_HEADER_BYTES;
    }
    append_bytes(output, bytes, size_bytes);
    if (output->is_framing || output->size_bytes < FRAME_TARGET_BYTES) return NDP_OK;
    return pass_on(output);
}

enum ndp_status ndp_pickle_output_add_byte(struct ndp_pickle_output *output, uint8_t byte) {
    if (has_room(output, 1)) {
        output->data[output->size_bytes++] = byte;
        return NDP_OK;
    }
    return ndp_pickle_output_add(output, &byte, 1);
}

enum ndp_status ndp_pickle_output_add_payload(struct ndp_pickle_output *output, const uint8_t *head,
                                              uint64_t head_bytes, struct ndp_bytes payload) {
    if (payload.size_bytes < FRAME_TARGET_BYTES) {
        NDP_TRY(ndp_pickle_output_add(output, head, head_bytes));
        return ndp_pickle_output_add(output, payload.data, payload.size_bytes);
    }
    const bool was_framing = output->is_framing;
    close_frame(output);
    output->is_framing = false;
    enum ndp_status status = ndp_pickle_output_add(output, head, head_bytes);
    if (status == NDP_OK) status = pass_on(output);
    if (status == NDP_OK) status = output->write(output->sink, payload.data, payload.size_bytes);
    output->passed_bytes += payload.size_bytes;
    output->is_framing = was_framing;
    return status;
}

enum ndp_status ndp_pickle_output_boundary(struct ndp_pickle_output *output) {
    if (output->frame_start == NDP_NO_FRAME) return NDP_OK;
    if (output->size_bytes - output->frame_start - FRAME_HEADER_BYTES < FRAME_TARGET_BYTES) return NDP_OK;
    close_frame(output);
    return pass_on(output);
}

enum ndp_status ndp_pickle_output_flush(struct ndp_pickle_output *output) {
    close_frame(output);
    return pass_on(output);
}
