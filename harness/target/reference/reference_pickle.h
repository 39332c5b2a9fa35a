/* reference_pickle.h: the pickle codec as ways in and out of the reference plugin. */
#ifndef NDP_REFERENCE_PICKLE_H
#define NDP_REFERENCE_PICKLE_H

#include "codec/pickle/pickle_dtype.h"
#include "codec/strided.h"
#include "target/reference/reference_array.h"

/* The rows of the reference's table that are pickles, and a table of them alone. */
#define NDP_PICKLE_ENTRIES                                                                                             \
    {"pickle:0", "c", true, true}, {"pickle:0", "python", true, true}, {"pickle:1", "c", true, true},                  \
        {"pickle:1", "python", true, true}, {"pickle:2", "c", true, true}, {"pickle:2", "python", true, true},         \
        {"pickle:3", "c", true, true}, {"pickle:3", "python", true, true}, {"pickle:4", "c", true, true},              \
        {"pickle:4", "python", true, true}, {"pickle:5:in-band", "c", true, true}, {                                   \
        "pickle:5:in-band", "python", true, true                                                                       \
    }
extern const struct ndp_plugin_entry ndp_reference_pickle_entries[];

/* The rows with buffers beside the pickle; ndp_reference_pickle_entries has them not. */
#define NDP_PICKLE_APART_ENTRIES                                                                                       \
    {"pickle:5:out-of-band", "c", true, true}, {                                                                       \
        "pickle:5:out-of-band", "python", true, true                                                                   \
    }

/* The protocol that a format like "pickle:4" names, or -1 when it is no pickle. */
int ndp_reference_pickle_protocol(const char *format);

/* The release of NumPy that an entry writes as. */
enum ndp_numpy_release ndp_reference_pickle_release(const char *entry);

/* With buffers beside the pickle: of one array at most one, `*buffer`, in memory that is freed as ndp_pickle_encode
 * says, and empty where NumPy exports none. Errors: as ndp_pickle_encode and ndp_pickle_decode_memory. */
enum ndp_status ndp_reference_pickle_encode_apart(const char *entry, const struct ndp_elements *elements,
                                                  bool is_readonly, ndp_write_bytes *write, void *sink,
                                                  struct ndp_blob *buffer, struct ndp_error *error) NDP_MUST_USE;
enum ndp_status ndp_reference_pickle_decode_apart(struct ndp_reference_token *token, struct ndp_bytes bytes,
                                                  const struct ndp_plugin_buffer *buffers, uint32_t buffer_count,
                                                  struct ndp_error *error) NDP_MUST_USE;

/* Entry "c" writes as NumPy 2.3 does, "python" as NumPy 1.26. Errors: as ndp_pickle_encode. */
enum ndp_status ndp_reference_pickle_encode(int protocol, const char *entry, const struct ndp_elements *elements,
                                            bool is_readonly, ndp_write_bytes *write, void *sink,
                                            struct ndp_error *error) NDP_MUST_USE;

/* Entry "c" streams the file at `path`, "python" reads it whole; where `path` is NULL, `bytes` are the pickle. Fills
 * token->array and its is_readonly. Errors: as ndp_pickle_decode_memory; IO. */
enum ndp_status ndp_reference_pickle_decode(struct ndp_reference_token *token, const char *entry,
                                            struct ndp_bytes bytes, const char *path,
                                            struct ndp_error *error) NDP_MUST_USE;

#endif
