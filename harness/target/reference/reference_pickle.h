/* reference_pickle.h: the entry points of the pickle codec in the reference plugin. */
#ifndef NDP_REFERENCE_PICKLE_H
#define NDP_REFERENCE_PICKLE_H

#include "codec/pickle/pickle_dtype.h"
#include "codec/strided.h"
#include "target/reference/reference_array.h"

/* The rows for pickles, and a table that contains only these. */
#define NDP_PICKLE_ENTRIES                                                                                             \
    {"pickle:0", "c", true, true}, {"pickle:0", "python", true, true}, {"pickle:1", "c", true, true},                  \
        {"pickle:1", "python", true, true}, {"pickle:2", "c", true, true}, {"pickle:2", "python", true, true},         \
        {"pickle:3", "c", true, true}, {"pickle:3", "python", true, true}, {"pickle:4", "c", true, true},              \
        {"pickle:4", "python", true, true}, {"pickle:5:in-band", "c", true, true}, {                                   \
        "pickle:5:in-band", "python", true, true                                                                       \
    }
extern const struct ndp_plugin_entry ndp_reference_pickle_entries[];

/* The rows with out-of-band buffers; ndp_reference_pickle_entries does not contain them. */
#define NDP_PICKLE_APART_ENTRIES                                                                                       \
    {"pickle:5:out-of-band", "c", true, true}, {                                                                       \
        "pickle:5:out-of-band", "python", true, true                                                                   \
    }

/* The protocol of a format like "pickle:4", or -1 for another format. */
int ndp_reference_pickle_protocol(const char *format);

/* The release of NumPy whose encoding an entry point writes. */
enum ndp_numpy_release ndp_reference_pickle_release(const char *entry);

/* Encodes and decodes with out-of-band buffers. An array has at most one, `*buffer`, which is freed as
 * ndp_pickle_codec_encode specifies, and is empty when NumPy exports none. Errors: as ndp_pickle_codec_encode and
 * ndp_pickle_codec_decode_memory. */
enum ndp_status ndp_reference_pickle_encode_out_of_band(const char *entry, const struct ndp_elements *elements,
                                                        bool is_readonly, ndp_write_bytes *write, void *sink,
                                                        struct ndp_blob *buffer, struct ndp_error *error) NDP_MUST_USE;
enum ndp_status ndp_reference_pickle_decode_out_of_band(struct ndp_reference_token *token, struct ndp_bytes bytes,
                                                        const struct ndp_plugin_buffer *buffers, uint32_t buffer_count,
                                                        struct ndp_error *error) NDP_MUST_USE;

/* Entry point "c" writes like NumPy 2.3, "python" like NumPy 1.26. Errors: as ndp_pickle_codec_encode. */
enum ndp_status ndp_reference_pickle_encode(int protocol, const char *entry, const struct ndp_elements *elements,
                                            bool is_readonly, ndp_write_bytes *write, void *sink,
                                            struct ndp_error *error) NDP_MUST_USE;

/* Entry point "c" streams the file at `path`, "python" reads it whole; `bytes` are the pickle when `path` is NULL.
 * Fills token->array and its is_readonly. Errors: as ndp_pickle_codec_decode_memory; IO. */
enum ndp_status ndp_reference_pickle_decode(struct ndp_reference_token *token, const char *entry,
                                            struct ndp_bytes bytes, const char *path,
                                            struct ndp_error *error) NDP_MUST_USE;

#endif
