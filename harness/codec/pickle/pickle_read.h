/* pickle_read.h: reads a pickle of protocol 0 to 5 into objects (codec/pickle/object.h). Nothing is executed.
 *
 * Opcodes of every protocol are accepted regardless of PROTO, as in CPython. Bytes, byte arrays and sets that lower
 * protocols encode as calls become values; every other call stays a symbol. The reader is stricter than CPython if
 * CPython's two readers differ or silently drop data: an argument across the end of a frame, a frame that continues
 * after STOP, values left on the stack, an open mark, unused out-of-band buffers, an index of the memo over 2^32 - 1.
 * Time and memory are linear in the input; a length allocates nothing before its bytes arrive. Source: CPython 3.8 to
 * 3.13, Lib/pickle.py, Modules/_pickle.c.
 */
#ifndef NDP_PICKLE_READ_H
#define NDP_PICKLE_READ_H

#include "codec/pickle/object.h"

/* Called after BUILD set the state of `*top`, a CALL. May read the following bytes from `source` and replace `*top`;
 * the memo keeps the old object. Bytes must not be read inside a frame. */
typedef enum ndp_status ndp_pickle_read_hook(void *context, struct ndp_objects *objects, struct ndp_source *source,
                                             struct ndp_object **top, struct ndp_error *error);

/* Zero selects the default of each. */
struct ndp_pickle_options {
    uint64_t opcodes_max;      /* 0 means 2^32 */
    uint64_t memo_entries_max; /* 0 means 2^26 */
    uint64_t elements_max;     /* items of all containers; 0 means 2^28 */
    uint64_t buffer_count;     /* available out-of-band buffers; the pickle must use all */
    ndp_pickle_read_hook *after_build;
    void *context;
};

struct ndp_pickle {
    struct ndp_object *root;
    uint32_t protocol;       /* argument of the last PROTO; 0 without */
    uint64_t consumed_bytes; /* including STOP */
    uint64_t opcodes;
    uint64_t buffer_count; /* number of buffers used */
    uint64_t operations;   /* measure of time: opcodes, bytes and items processed */
};

/* Reads one pickle from `source` and leaves it after STOP. `options` may be NULL. Errors: TRUNCATED, INVALID,
 * LIMIT, UNSUPPORTED (persistent ids, extension codes, protocols over 5, forms that no pickler writes), NOMEM, errors
 * of a stream, with the offset of the opcode. */
enum ndp_status ndp_pickle_read(struct ndp_objects *objects, struct ndp_source *source,
                                const struct ndp_pickle_options *options, struct ndp_pickle *out,
                                struct ndp_error *error) NDP_MUST_USE;

#endif
