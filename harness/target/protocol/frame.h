/* frame.h: frames of the testee protocol: header layout, writer and incremental parser.
 *
 * harness/testees/README.md documents the layout. This module does not interpret the JSON part. The parser accepts
 * arbitrary bytes in pieces of any size, and allocates at most a small multiple of the bytes that have arrived,
 * whatever a header states.
 */
#ifndef NDP_FRAME_H
#define NDP_FRAME_H

#include "base/bytes.h"

enum { NDP_FRAME_HEADER_BYTES = 24 };

/* enum name, number on the wire, name for messages */
#define NDP_FRAME_LIST(X) X(HELLO, 1, "HELLO") X(BATCH, 2, "BATCH") X(BEGIN, 3, "BEGIN") X(END, 4, "END")

#define NDP_FRAME_ENUM(name, number, text) NDP_FRAME_##name = number,
enum ndp_frame_type { NDP_FRAME_LIST(NDP_FRAME_ENUM) };

/* A frame. All members are borrowed. */
struct ndp_frame {
    enum ndp_frame_type type;
    uint16_t index;    /* of the case in its batch */
    uint32_t sequence; /* of the batch */
    struct ndp_bytes json;
    struct ndp_bytes binary;
};

/* "HELLO", or "frame" for an unknown type. Never NULL. */
const char *ndp_frame_name(enum ndp_frame_type type);

/* Appends a header with empty parts and sets `*at_bytes` to its offset. Append the JSON part next, call
 * ndp_frame_end_json, append the binary part, and call ndp_frame_end. Errors: as ndp_buffer_add. */
enum ndp_status ndp_frame_start(struct ndp_buffer *out, enum ndp_frame_type type, uint16_t index, uint32_t sequence,
                                uint64_t *at_bytes) NDP_MUST_USE;

/* Writes the length of the JSON part, which ends at the end of `out`, into the header at `at_bytes`. Errors: LIMIT when
 * it does not fit its field. */
enum ndp_status ndp_frame_end_json(struct ndp_buffer *out, uint64_t at_bytes) NDP_MUST_USE;

/* Writes the length of the binary part, which ends at the end of `out`. */
void ndp_frame_end(struct ndp_buffer *out, uint64_t at_bytes);

/* The bytes that have arrived and are not consumed. Owns `data` (heap). */
struct ndp_frame_parser {
    uint8_t *data;
    uint64_t capacity_bytes;
    uint64_t start_bytes;    /* consumed up to here */
    uint64_t end_bytes;      /* filled up to here */
    uint64_t max_bytes;      /* of a frame with its header */
    uint64_t consumed_bytes; /* since init, for error offsets */
};

void ndp_frame_parser_init(struct ndp_frame_parser *parser, uint64_t max_frame_bytes);
void ndp_frame_parser_clear(struct ndp_frame_parser *parser);

/* Sets `*room` and `*room_bytes` to space for at least one more byte. Frames from earlier calls become invalid. Errors:
 * NOMEM. */
enum ndp_status ndp_frame_parser_room(struct ndp_frame_parser *parser, uint8_t **room,
                                      uint64_t *room_bytes) NDP_MUST_USE;

/* Reports that `size_bytes` bytes were written to that space. */
void ndp_frame_parser_filled(struct ndp_frame_parser *parser, uint64_t size_bytes);

/* Appends a copy of `bytes`: room and filled in one call. */
enum ndp_status ndp_frame_parser_add(struct ndp_frame_parser *parser, struct ndp_bytes bytes) NDP_MUST_USE;

/* Consumes the next complete frame and fills *out; *is_ready tells whether there was one. The frame borrows from the
 * parser until the next room, add or clear. Errors: INVALID (magic, type, reserved byte) and LIMIT (a length over the
 * maximum), with the offset in the stream; nothing is consumed then. */
enum ndp_status ndp_frame_parser_next(struct ndp_frame_parser *parser, struct ndp_frame *out, bool *is_ready,
                                      struct ndp_error *error) NDP_MUST_USE;

/* The number of bytes of an incomplete frame; 0 between frames. */
uint64_t ndp_frame_parser_waiting(const struct ndp_frame_parser *parser);

#endif
