/* pickle_machine.h: internals shared by the files of the pickle reader. pickle_read.c runs the machine: stack, memo,
 * frames. pickle_atoms.c handles opcodes that push one value. pickle_calls.c simplifies calls. */
#ifndef NDP_PICKLE_MACHINE_H
#define NDP_PICKLE_MACHINE_H

#include "codec/pickle/pickle_interned.h"
#include "codec/pickle/pickle_memo.h"
#include "codec/pickle/pickle_read.h"

enum { NDP_FIRST_STACK = 32 };

/* The argument of an opcode. Zero for opcodes without one. */
struct ndp_pickle_operand {
    enum ndp_object_kind kind; /* of the object that the opcode pushes */
    uint32_t size_bytes;       /* of the number, index or length; for TUPLE1 to TUPLE3 the number of items */
    bool is_signed;
    bool is_true; /* NEWTRUE */
};

struct ndp_pickle_machine {
    struct ndp_objects *objects;
    struct ndp_source *source;
    struct ndp_error *error;
    struct ndp_pickle_options options; /* defaults filled in */
    struct ndp_pickle result;
    struct ndp_object_list stack; /* starts in `first_stack`, enough for small pickles */
    struct ndp_object *first_stack[NDP_FIRST_STACK];
    uint64_t *marks; /* heights of the stack */
    uint64_t mark_count;
    uint64_t mark_capacity;
    uint64_t floor; /* the topmost mark, or 0: values below are out of reach */
    struct ndp_pickle_memo memo;
    struct ndp_pickle_operand operand; /* of the current opcode */
    uint64_t elements;
    uint64_t at_bytes;        /* offset of the current opcode */
    uint64_t frame_end_bytes; /* 0 outside of frames */
    bool is_stopped;
    enum ndp_status failed; /* why the last fetch failed */
    struct ndp_pickle_interned names;
};

/* Sets the error at the current opcode. */
enum ndp_status ndp_pickle_machine_fail(struct ndp_pickle_machine *m, enum ndp_status status, const char *text);

/* Fails unless every `step`-th item is hashable and the count is a multiple of `step`. Source: CPython 3.11,
 * "TypeError: unhashable type". */
enum ndp_status ndp_pickle_machine_check_keys(struct ndp_pickle_machine *m, struct ndp_object *const *items,
                                              uint64_t count, uint64_t step);

/* Checks that an argument of that size does not overflow and stays within the frame. */
enum ndp_status ndp_pickle_machine_check_size(struct ndp_pickle_machine *m, uint64_t size_bytes) NDP_MUST_USE;

/* The bytes of an argument, borrowed until the next call, or NULL with `failed` set; or a line without its newline.
 * Neither crosses the end of a frame. */
const uint8_t *ndp_pickle_machine_fetch(struct ndp_pickle_machine *m, uint64_t size_bytes) NDP_MUST_USE;
enum ndp_status ndp_pickle_machine_take_line(struct ndp_pickle_machine *m, struct ndp_bytes *out) NDP_MUST_USE;

/* ndp_pickle_machine_fetch with a fast path for bytes in memory and within the frame. */
static inline const uint8_t *ndp_pickle_machine_take(struct ndp_pickle_machine *m, uint64_t size_bytes) {
    struct ndp_source *source = m->source;
    const uint64_t at = source->at_bytes;
    if (size_bytes == 0 || size_bytes > source->size_bytes - at ||
        (m->frame_end_bytes != 0 && size_bytes > m->frame_end_bytes - source->passed_bytes - at))
        return ndp_pickle_machine_fetch(m, size_bytes);
    source->at_bytes = at + size_bytes;
    m->result.operations += size_bytes;
    return source->data + at;
}

/* An unsigned little-endian argument of `size_bytes` bytes; false with `failed` set. */
static inline bool ndp_pickle_machine_take_number(struct ndp_pickle_machine *m, uint32_t size_bytes, uint64_t *out) {
    const uint8_t *bytes = ndp_pickle_machine_take(m, size_bytes);
    uint64_t value = 0;
    if (bytes == NULL) return false;
    for (uint32_t i = size_bytes; i > 0; i--) value = value << 8 | bytes[i - 1];
    *out = value;
    return true;
}

/* Pushes; NULL is NOMEM. */
enum ndp_status ndp_pickle_machine_push(struct ndp_pickle_machine *m, struct ndp_object *object) NDP_MUST_USE;

/* Opcodes that push the value of their argument, which m->operand describes. */
typedef enum ndp_status ndp_pickle_machine_handler(struct ndp_pickle_machine *m);
ndp_pickle_machine_handler ndp_pickle_machine_float, ndp_pickle_machine_int, ndp_pickle_machine_long,
    ndp_pickle_machine_string, ndp_pickle_machine_unicode, ndp_pickle_machine_binfloat, ndp_pickle_machine_binint,
    ndp_pickle_machine_binlong, ndp_pickle_machine_bytes;

/* A name on a line; equal names are one object. */
enum ndp_status ndp_pickle_machine_take_name(struct ndp_pickle_machine *m, struct ndp_object **out) NDP_MUST_USE;

/* Fills the result of calling `callable` with `args`: bytes, a byte array, a set, a nested global, or a CALL. */
enum ndp_status ndp_pickle_machine_call(struct ndp_pickle_machine *m, struct ndp_object *callable,
                                        struct ndp_object *args, struct ndp_object **out) NDP_MUST_USE;

/* Fills a GLOBAL; protocols below 3 map names of Python 2 to Python 3. */
enum ndp_status ndp_pickle_machine_global(struct ndp_pickle_machine *m, struct ndp_object *module,
                                          struct ndp_object *name, struct ndp_object **out) NDP_MUST_USE;

#endif
