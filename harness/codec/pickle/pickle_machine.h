/* pickle_machine.h: what the files of the reader share; nobody else includes it.
 *
 * pickle_read.c runs the machine: stack, memo, frames. pickle_atoms.c reads the arguments of opcodes that push one
 * thing. pickle_calls.c makes of calls what they are.
 */
#ifndef NDP_PICKLE_MACHINE_H
#define NDP_PICKLE_MACHINE_H

#include "codec/pickle/pickle_interned.h"
#include "codec/pickle/pickle_memo.h"
#include "codec/pickle/pickle_read.h"

enum { NDP_FIRST_STACK = 32 };

struct ndp_machine {
    struct ndp_objects *objects;
    struct ndp_source *source;
    struct ndp_error *error;
    struct ndp_pickle_options options; /* no zeros left */
    struct ndp_pickle result;
    struct ndp_object_list stack; /* starts in `first_stack`, so that small pickles need no other */
    struct ndp_object *first_stack[NDP_FIRST_STACK];
    uint64_t *marks; /* heights of the stack */
    uint64_t mark_count;
    uint64_t mark_capacity;
    uint64_t floor; /* the topmost mark, or 0: what lies below is out of reach */
    struct ndp_memo memo;
    uint64_t elements;
    uint64_t at_bytes;        /* of the opcode that runs */
    uint64_t frame_end_bytes; /* 0 outside of frames */
    bool is_stopped;
    enum ndp_status failed; /* why no bytes were given */
    struct ndp_interned names;
};

/* Sets the error at the opcode that runs. */
enum ndp_status ndp_machine_fail(struct ndp_machine *m, enum ndp_status status, const char *text);

/* Fails unless every `step`-th of these items, from the first on, may be a key of a dict or be in a set, and the last
 * has all of its step. Source: CPython 3.11, "TypeError: unhashable type". */
enum ndp_status ndp_machine_check_keys(struct ndp_machine *m, struct ndp_object *const *items, uint64_t count,
                                       uint64_t step);

/* Whether an argument of that size can be: a sum that fits, and within the frame. */
enum ndp_status ndp_machine_check(struct ndp_machine *m, uint64_t size_bytes) NDP_MUST_USE;

/* Bytes of the argument, borrowed until the next call, or NULL with `failed` set; or up to a newline. Neither crosses
 * the end of a frame. */
const uint8_t *ndp_machine_fetch(struct ndp_machine *m, uint64_t size_bytes) NDP_MUST_USE;
enum ndp_status ndp_machine_line(struct ndp_machine *m, struct ndp_bytes *out) NDP_MUST_USE;

/* The first of these for what is there already, and within its frame: nearly always. */
static inline const uint8_t *ndp_machine_take(struct ndp_machine *m, uint64_t size_bytes) {
    struct ndp_source *source = m->source;
    const uint64_t at = source->at_bytes;
    if (size_bytes == 0 || size_bytes > source->size_bytes - at ||
        (m->frame_end_bytes != 0 && size_bytes > m->frame_end_bytes - source->passed_bytes - at))
        return ndp_machine_fetch(m, size_bytes);
    source->at_bytes = at + size_bytes;
    m->result.operations += size_bytes;
    return source->data + at;
}

/* An unsigned argument of that many bytes, low one first; false with `failed` set. */
static inline bool ndp_machine_number(struct ndp_machine *m, uint32_t size_bytes, uint64_t *out) {
    const uint8_t *bytes = ndp_machine_take(m, size_bytes);
    uint64_t value = 0;
    if (bytes == NULL) return false;
    for (uint32_t i = size_bytes; i > 0; i--) value = value << 8 | bytes[i - 1];
    *out = value;
    return true;
}

/* Pushes; NULL is NOMEM. */
enum ndp_status ndp_machine_push(struct ndp_machine *m, struct ndp_object *object) NDP_MUST_USE;

/* The opcodes that push one thing which their argument says. */
typedef enum ndp_status ndp_opcode_handler(struct ndp_machine *m);
ndp_opcode_handler ndp_op_float, ndp_op_int, ndp_op_long, ndp_op_string, ndp_op_unicode, ndp_op_binfloat, ndp_op_binint,
    ndp_op_binint1, ndp_op_binint2, ndp_op_binstring, ndp_op_short_binstring, ndp_op_binunicode, ndp_op_long1,
    ndp_op_long4, ndp_op_binbytes, ndp_op_short_binbytes, ndp_op_short_binunicode, ndp_op_binunicode8, ndp_op_binbytes8,
    ndp_op_bytearray8;

/* A name on a line, as Python 3 has it; equal names are one object. */
enum ndp_status ndp_machine_name(struct ndp_machine *m, struct ndp_object **out) NDP_MUST_USE;

/* Gives what calling `callable` with `args` is: bytes, a byte array, a set, or a CALL. */
enum ndp_status ndp_machine_call(struct ndp_machine *m, struct ndp_object *callable, struct ndp_object *args,
                                 struct ndp_object **out) NDP_MUST_USE;

/* Gives a GLOBAL; below protocol 3 under the names that Python 3 has. */
enum ndp_status ndp_machine_global(struct ndp_machine *m, struct ndp_object *module, struct ndp_object *name,
                                   struct ndp_object **out) NDP_MUST_USE;

#endif
