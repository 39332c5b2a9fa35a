/* wire.h: converts programs and outcomes to frames of the testee protocol, and back.
 *
 * harness/testees/README.md documents the layout and every key. ndproof writes BATCH and reads HELLO and END; a testee
 * in C (target/protocol/serve.h) writes HELLO, BEGIN and END and reads BATCH. No input is trusted: types, lengths,
 * offsets, slots, shapes and sizes are checked against each other and against the program that was sent.
 */
#ifndef NDP_WIRE_H
#define NDP_WIRE_H

#include "target/protocol/frame.h"
#include "target/target.h"

#define NDP_WIRE_PROTOCOL 1

/* Appends one BATCH frame. Programs are borrowed during the call; equal step lists are written once. `count` is at most
 * NDP_MAX_BATCH. Errors: LIMIT, NOMEM; `out` is then unchanged. */
enum ndp_status ndp_wire_add_batch(struct ndp_buffer *out, uint32_t sequence, const struct ndp_program *programs,
                                   uint32_t count) NDP_MUST_USE;

/* Fills *out from a HELLO frame; `name` and `environment` become "". Errors: INVALID, LIMIT, NOMEM; `path` of the error
 * is a JSON pointer. */
enum ndp_status ndp_wire_read_hello(const struct ndp_frame *frame, struct ndp_target_info *out,
                                    struct ndp_error *error) NDP_MUST_USE;

/* Fills *out from the END frame of `program` (both borrowed), with memory of `arena`; `ended` is PASS. `info` describes
 * the target that sent it. An END that lacks a record which the program requires is INVALID. Errors: INVALID, LIMIT,
 * NOMEM, with `path`. */
enum ndp_status ndp_wire_read_end(struct ndp_arena *arena, const struct ndp_frame *frame,
                                  const struct ndp_target_info *info, const struct ndp_program *program,
                                  struct ndp_outcome *out, struct ndp_error *error) NDP_MUST_USE;

/* Appends one HELLO frame. Errors: LIMIT, NOMEM. */
enum ndp_status ndp_wire_add_hello(struct ndp_buffer *out, const struct ndp_target_info *info) NDP_MUST_USE;

/* Fills the programs of a BATCH frame, in `arena`; their bytes borrow from the frame. Errors: INVALID, LIMIT, NOMEM,
 * with `path`. */
enum ndp_status ndp_wire_read_batch(struct ndp_arena *arena, const struct ndp_frame *frame,
                                    struct ndp_program **programs, uint32_t *count,
                                    struct ndp_error *error) NDP_MUST_USE;

/* Appends one BEGIN frame. Errors: LIMIT, NOMEM. */
enum ndp_status ndp_wire_add_begin(struct ndp_buffer *out, uint32_t sequence, uint16_t index) NDP_MUST_USE;

/* Appends one END frame with the slots of `outcome` that are not ABSENT. Errors: LIMIT, NOMEM. */
enum ndp_status ndp_wire_add_end(struct ndp_buffer *out, uint32_t sequence, uint16_t index,
                                 const struct ndp_outcome *outcome) NDP_MUST_USE;

#endif
