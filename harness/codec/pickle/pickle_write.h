/* pickle_write.h: writes objects (codec/pickle/object.h) as a pickle of any protocol, byte for byte like CPython's C
 * pickler: opcodes, memo, batches of 1000, frames of 64 KiB with large payloads between them. Protocols 2 and 3 lack an
 * opcode for keyword arguments of a class and call copyreg.__newobj_ex__ instead.
 *
 * The memo refers to objects by identity: a repeated object is written once. Texts and byte strings of at most one
 * character are singletons in CPython and count as one object here, regardless of their nodes. Objects nested deeper
 * than NDP_PICKLE_DEPTH_MAX are LIMIT. Source: CPython 3.8 to 3.13, Modules/_pickle.c and Lib/pickle.py.
 */
#ifndef NDP_PICKLE_WRITE_H
#define NDP_PICKLE_WRITE_H

#include "codec/pickle/object.h"
#include "codec/strided.h"

enum { NDP_PICKLE_DEPTH_MAX = 1000 };

/* Writes the bytes after a RAW object's wrapper, which ends at `offset_bytes` of the pickle together with its frame.
 * Adds the number of bytes written to `*offset_bytes`. Without this callback RAW bytes are written unchanged. */
typedef enum ndp_status ndp_pickle_write_raw(void *context, const struct ndp_raw *raw, uint64_t *offset_bytes,
                                             ndp_write_bytes *write, void *sink);

struct ndp_pickle_form {
    uint32_t protocol; /* 0 to 5 */
    bool is_python; /* emulates the Python pickler, the base of joblib's: protocol 0 does not memoize escaped texts */
    ndp_pickle_write_raw *raw;
    void *context;
};

/* Writes the pickle of `root` through `write`, in pieces of any size. `objects` is the space of `root`. Errors:
 * UNSUPPORTED (not encodable in the protocol), LIMIT, INVALID (an incomplete object), NOMEM, errors of `write`. After
 * an error some bytes may have been written. */
enum ndp_status ndp_pickle_write(struct ndp_objects *objects, const struct ndp_object *root,
                                 const struct ndp_pickle_form *form, ndp_write_bytes *write, void *sink,
                                 struct ndp_error *error) NDP_MUST_USE;

#endif
