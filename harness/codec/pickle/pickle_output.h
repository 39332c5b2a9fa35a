/* pickle_output.h: the bytes of a pickle on their way out: gathered, framed, and passed on. For pickle_write.c. */
#ifndef NDP_PICKLE_OUTPUT_H
#define NDP_PICKLE_OUTPUT_H

#include "codec/strided.h"

struct ndp_output {
    ndp_write_bytes *write;
    void *sink;
    uint8_t *data;  /* what has not been passed on */
    uint8_t *owned; /* NULL while `data` is the caller's room */
    uint64_t size_bytes;
    uint64_t capacity_bytes;
    uint64_t passed_bytes; /* what has been */
    uint64_t frame_start;  /* in `data`, of the header; NDP_NO_FRAME outside of frames */
    bool is_framing;
};
#define NDP_NO_FRAME UINT64_MAX

/* What is short stays in `room` (borrowed), and needs no memory of its own. */
struct ndp_output ndp_output_start(ndp_write_bytes *write, void *sink, uint8_t *room, uint64_t room_bytes);
void ndp_output_clear(struct ndp_output *output);

/* Adds bytes to the frame, which is opened when there is none. Errors: NOMEM, what `write` gives. */
enum ndp_status ndp_output_add(struct ndp_output *output, const void *bytes, uint64_t size_bytes) NDP_MUST_USE;
enum ndp_status ndp_output_byte(struct ndp_output *output, uint8_t byte) NDP_MUST_USE;

/* Adds an opcode with its length, and a payload; one of 64 KiB and more stands outside of frames. */
enum ndp_status ndp_output_payload(struct ndp_output *output, const uint8_t *head, uint64_t head_bytes,
                                   struct ndp_bytes payload) NDP_MUST_USE;

/* Between two objects: a frame of 64 KiB ends. */
enum ndp_status ndp_output_boundary(struct ndp_output *output) NDP_MUST_USE;

/* Ends the frame and passes everything on. */
enum ndp_status ndp_output_flush(struct ndp_output *output) NDP_MUST_USE;

#endif
