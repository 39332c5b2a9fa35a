/* pickle_read.h: a pickle of protocol 0 to 5 into objects (codec/pickle/object.h). Nothing is executed.
 *
 * Opcodes of every protocol are taken whatever PROTO says, as CPython does. Bytes, byte arrays and sets that lower
 * protocols spell as calls come out as what they are; every other call stays a symbol. Stricter than CPython where
 * its two readers differ or silently drop something: an argument across the end of a frame, a frame that goes on
 * behind STOP, values left on the stack, a mark left open, out-of-band buffers left over, an index of the memo over
 * 2^32 - 1.
 * Time is linear in the input; memory too, and nothing is allocated for a length that is only claimed.
 * Source: CPython 3.8 to 3.13, Lib/pickle.py, Modules/_pickle.c.
 */
#ifndef NDP_PICKLE_READ_H
#define NDP_PICKLE_READ_H

#include "codec/pickle/object.h"

/* Called after BUILD gave its state to `*top`, a CALL. May read what follows in `source` and put another object in
 * place of `*top`; what the memo holds stays. A frame must have ended before bytes are read. */
typedef enum ndp_status ndp_pickle_hook(void *context, struct ndp_objects *objects, struct ndp_source *source,
                                        struct ndp_object **top, struct ndp_error *error);

/* Zeroed is the default of each. */
struct ndp_pickle_options {
    uint64_t opcodes_max;      /* 0 is 2^32 */
    uint64_t memo_entries_max; /* 0 is 2^26 */
    uint64_t elements_max;     /* items of all containers; 0 is 2^28 */
    uint64_t buffer_count;     /* out-of-band buffers that there are; every one must be asked for */
    ndp_pickle_hook *after_build;
    void *context;
};

struct ndp_pickle {
    struct ndp_object *root;
    uint32_t protocol;       /* what the last PROTO says; 0 without */
    uint64_t consumed_bytes; /* up to and with STOP */
    uint64_t opcodes;
    uint64_t buffer_count; /* asked for */
    uint64_t operations;   /* opcodes, bytes and items touched: the measure of its time */
};

/* Reads one pickle from `source`; what stands behind STOP stays there. `options` may be NULL. Errors: TRUNCATED,
 * INVALID, LIMIT, UNSUPPORTED (persistent ids, extension codes, protocols over 5, spellings that no pickler writes),
 * NOMEM, what a stream gives; each with the offset of the opcode. */
enum ndp_status ndp_pickle_read(struct ndp_objects *objects, struct ndp_source *source,
                                const struct ndp_pickle_options *options, struct ndp_pickle *out,
                                struct ndp_error *error) NDP_MUST_USE;

#endif
