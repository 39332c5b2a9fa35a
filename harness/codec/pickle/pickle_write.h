/* pickle_write.h: objects (codec/pickle/object.h) into a pickle of any protocol, byte for byte as CPython's own pickler
 * in C writes them: opcodes, memo, batches of 1000, frames of 64 KiB with large payloads between them. Keyword
 * arguments of a class, for which protocols 2 and 3 have no opcode, are a call of copyreg.__newobj_ex__ there.
 *
 * Identity decides what the memo refers back to: an object that comes twice is written once. As CPython has one object
 * for each text and byte string of at most one character, those are one whatever their nodes. Objects nested more
 * than NDP_PICKLE_DEPTH_MAX deep are LIMIT.
 * Source: CPython 3.8 to 3.13, Modules/_pickle.c and Lib/pickle.py.
 */
#ifndef NDP_PICKLE_WRITE_H
#define NDP_PICKLE_WRITE_H

#include "codec/pickle/object.h"
#include "codec/strided.h"

enum { NDP_PICKLE_DEPTH_MAX = 1000 };

/* Writes what stands behind a RAW object's wrapper, which ends at `offset_bytes` of the pickle; its frame, too. Adds
 * to `*offset_bytes` what it wrote. Without it RAW bytes are written as they are. */
typedef enum ndp_status ndp_pickle_raw(void *context, const struct ndp_raw *raw, uint64_t *offset_bytes,
                                       ndp_write_bytes *write, void *sink);

struct ndp_pickle_form {
    uint32_t protocol; /* 0 to 5 */
    bool is_python;    /* as the pickler in Python, on which joblib's stands, not the one in C: in protocol 0 it forgets
                          texts that it had to escape */
    ndp_pickle_raw *raw;
    void *context;
};

/* Writes the pickle of `root` through `write`, in pieces of any size. `objects` is the space that made it. Errors:
 * UNSUPPORTED (what the protocol has no opcodes for), LIMIT, INVALID (an object that is half made), NOMEM, what
 * `write` gives. On an error a part may have been written. */
enum ndp_status ndp_pickle_write(struct ndp_objects *objects, const struct ndp_object *root,
                                 const struct ndp_pickle_form *form, ndp_write_bytes *write, void *sink,
                                 struct ndp_error *error) NDP_MUST_USE;

#endif
