/* wire_json.h: JSON helpers of the readers and writers of frames (wire_*.c). */
#ifndef NDP_WIRE_JSON_H
#define NDP_WIRE_JSON_H

#include "describe/json_read.h"
#include "target/program.h"
#include "target/protocol/frame.h"

/* Limits of the JSON part of a frame. The parser limits the frame itself. */
extern const struct ndp_describe_limits ndp_wire_json_limits;

/* The words for enum ndp_backing_file. */
enum { NDP_WIRE_CLAIMS = 3 };
extern const char *const ndp_wire_claims_words[NDP_WIRE_CLAIMS];

/* Copies a string of printable UTF-8 into `out`. Errors: INVALID for another type or text, or more than `out_bytes` - 1
 * bytes. */
enum ndp_status ndp_wire_json_text(struct ndp_json_reader *reader, const cJSON *item, char *out,
                                   size_t out_bytes) NDP_MUST_USE;

/* The same for a text of any length: cut after a whole code point, with control characters replaced by '?'. */
enum ndp_status ndp_wire_json_cut_text(struct ndp_json_reader *reader, const cJSON *item, char *out,
                                       size_t out_bytes) NDP_MUST_USE;

/* Finds the string in `words`. Errors: INVALID. */
enum ndp_status ndp_wire_json_word(struct ndp_json_reader *reader, const cJSON *item, const char *const *words,
                                   uint32_t count, uint32_t *out) NDP_MUST_USE;

/* Fills *out with the piece [offset, length] of `binary` (borrowed). Errors: INVALID. */
enum ndp_status ndp_wire_json_piece(struct ndp_json_reader *reader, const cJSON *item, struct ndp_bytes binary,
                                    struct ndp_bytes *out) NDP_MUST_USE;

/* The same for a list of at most `max` pieces. */
enum ndp_status ndp_wire_json_pieces(struct ndp_json_reader *reader, const cJSON *array, struct ndp_bytes binary,
                                     uint32_t max, struct ndp_bytes *out, uint32_t *count) NDP_MUST_USE;

/* Reports a missing member (NULL) by name. Errors: INVALID. */
enum ndp_status ndp_wire_json_required(struct ndp_json_reader *reader, const cJSON *object, const cJSON *member,
                                       const char *key) NDP_MUST_USE;

/* Appends literal JSON text. */
enum ndp_status ndp_wire_json_add(struct ndp_buffer *out, const char *text) NDP_MUST_USE;

/* Appends a NUL-terminated UTF-8 text as a JSON string; invalid bytes become '?'. */
enum ndp_status ndp_wire_json_add_string(struct ndp_buffer *out, const char *text) NDP_MUST_USE;

/* Appends a number, or a decimal string above 2^53 - 1. */
enum ndp_status ndp_wire_json_add_u64(struct ndp_buffer *out, uint64_t number) NDP_MUST_USE;
enum ndp_status ndp_wire_json_add_i64(struct ndp_buffer *out, int64_t number) NDP_MUST_USE;

/* Appends "[1,2]". */
enum ndp_status ndp_wire_json_add_extents(struct ndp_buffer *out, const int64_t *items, uint32_t count) NDP_MUST_USE;

/* Appends "[offset,length]" for a piece that will follow the `*binary_bytes` bytes so far, and adds it to the count. */
enum ndp_status ndp_wire_json_add_piece(struct ndp_buffer *out, struct ndp_bytes piece,
                                        uint64_t *binary_bytes) NDP_MUST_USE;

#endif
