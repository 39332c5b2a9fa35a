/* frame.h: the frames of the testee protocol: header layout, writer, and a parser for bytes as they come.
 *
 * The layout is documented in harness/testees/README.md. Nothing here knows what is inside the JSON part.
 * The parser takes bytes of any origin in pieces of any size and allocates no more than a small multiple of
 * what really arrived, whatever a header promises.
 */
#ifndef NDP_FRAME_H
#define NDP_FRAME_H

#include "base/bytes.h"

enum { NDP_FRAME_HEADER_BYTES = 24 };

/* enum name, number on the wire, name for messages */
#define NDP_FRAME_LIST(X) X(HELLO, 1, "HELLO") X(BATCH, 2, "BATCH") X(BEGIN, 3, "BEGIN") X(END, 4, "END")

enum ndp_frame_type {
#define NDP_FRAME_ENUM(name, number, text) NDP_FRAME_##name = number,
    NDP_FRAME_LIST(NDP_FRAME_ENUM)
#undef NDP_FRAME_ENUM
};

/* One frame: a view, borrows. */
struct ndp_frame {
    enum ndp_frame_type type;
    uint16_t index;    /* of the case in its batch */
    uint32_t sequence; /* of the batch */
    struct ndp_bytes json;
    struct ndp_bytes binary;
};

/* "HELLO", or "frame" for a number that is none. Never NULL. */
const char *ndp_frame_name(enum ndp_frame_type type);

/* Appends a header with empty parts and gives its place in `*at_bytes`. The JSON part is appended next, then
 * ndp_frame_end_json, then the binary part, then ndp_frame_end. Errors: as ndp_buffer_add. */
enum ndp_status ndp_frame_start(struct ndp_buffer *out, enum ndp_frame_type type, uint16_t index, uint32_t sequence,
                                uint64_t *at_bytes) NDP_MUST_USE;

/* Writes the length of the JSON part, which reaches to the end of `out`, into the header at `at_bytes`.
 * Errors: LIMIT when it does not fit its field. */
enum ndp_status ndp_frame_end_json(struct ndp_buffer *out, uint64_t at_bytes) NDP_MUST_USE;

/* Writes the length of the binary part, which reaches to the end of `out`. */
void ndp_frame_end(struct ndp_buffer *out, uint64_t at_bytes);

/* Bytes that arrived and are not yet consumed. Owns `data` (heap). */
struct ndp_frame_parser {
    uint8_t *data;
    uint64_t capacity_bytes;
    uint64_t start_bytes;    /* consumed up to here */
    uint64_t end_bytes;      /* filled up to here */
    uint64_t max_bytes;      /* of one frame, header included */
    uint64_t consumed_bytes; /* since init, for error offsets */
};

void ndp_frame_parser_init(struct ndp_frame_parser *parser, uint64_t max_frame_bytes);
void ndp_frame_parser_clear(struct ndp_frame_parser *parser);

/* Gives room for at least one more byte through `*room` and `*room_bytes`. Views of frames given before end here.
 * Errors: NOMEM. */
enum ndp_status ndp_frame_parser_room(struct ndp_frame_parser *parser, uint8_t **room,
                                      uint64_t *room_bytes) NDP_MUST_USE;

/* Says that `size_bytes` bytes were put into the room. */
void ndp_frame_parser_filled(struct ndp_frame_parser *parser, uint64_t size_bytes);

/* Appends a copy of `bytes`: room and filled in one. */
enum ndp_status ndp_frame_parser_add(struct ndp_frame_parser *parser, struct ndp_bytes bytes) NDP_MUST_USE;

/* Fills *out with the next whole frame and consumes it; *is_ready says whether there was one. The frame
 * borrows the parser until its next room, add or clear. Errors: INVALID (magic, type, reserved byte) and LIMIT
 * (a length over the maximum), with the offset in the stream; nothing is consumed then. */
enum ndp_status ndp_frame_parser_next(struct ndp_frame_parser *parser, struct ndp_frame *out, bool *is_ready,
                                      struct ndp_error *error) NDP_MUST_USE;

/* Bytes of a frame that has begun to arrive and is not whole; 0 between frames. */
uint64_t ndp_frame_parser_waiting(const struct ndp_frame_parser *parser);

#endif
