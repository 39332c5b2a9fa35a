/* pickle_output.h: buffered, framed output of pickle_write.c. */
#ifndef NDP_PICKLE_OUTPUT_H
#define NDP_PICKLE_OUTPUT_H

#include "codec/strided.h"

struct ndp_pickle_output {
    ndp_write_bytes *write;
    void *sink;
    uint8_t *data;  /* bytes not yet passed to `write` */
    uint8_t *owned; /* NULL while `data` is the caller's room */
    uint64_t size_bytes;
    uint64_t capacity_bytes;
    uint64_t passed_bytes; /* bytes passed to `write` */
    uint64_t frame_start;  /* offset of the header in `data`; NDP_NO_FRAME outside of frames */
    bool is_framing;
};
#define NDP_NO_FRAME UINT64_MAX

/* Starts in `room` (borrowed); a short pickle needs no other memory. */
struct ndp_pickle_output ndp_pickle_output_start(ndp_write_bytes *write, void *sink, uint8_t *room,
                                                 uint64_t room_bytes);
void ndp_pickle_output_clear(struct ndp_pickle_output *output);

/* Adds bytes to the frame, and opens one if necessary. Errors: NOMEM, errors of `write`. */
enum ndp_status ndp_pickle_output_add(struct ndp_pickle_output *output, const void *bytes,
                                      uint64_t size_bytes) NDP_MUST_USE;
enum ndp_status ndp_pickle_output_add_byte(struct ndp_pickle_output *output, uint8_t byte) NDP_MUST_USE;

/* Adds an opcode with its length, and a payload; a payload of 64 KiB or more goes outside of frames. */
enum ndp_status ndp_pickle_output_add_payload(struct ndp_pickle_output *output, const uint8_t *head,
                                              uint64_t head_bytes, struct ndp_bytes payload) NDP_MUST_USE;

/* Call between two objects: ends a frame of 64 KiB or more. */
enum ndp_status ndp_pickle_output_boundary(struct ndp_pickle_output *output) NDP_MUST_USE;

/* Ends the frame and passes all bytes to `write`. */
enum ndp_status ndp_pickle_output_flush(struct ndp_pickle_output *output) NDP_MUST_USE;

#endif
