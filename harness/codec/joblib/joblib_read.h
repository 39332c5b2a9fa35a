/* joblib_read.h: reads dumps of joblib 0.10 and later as objects (codec/pickle/object.h), or as one array.
 *
 * A dump is a pickle in which the bytes of arrays follow their wrappers, aligned (1.2 and later) or not, and object
 * arrays are nested pickles; plain or compressed, distinguished by the first bytes as in joblib. Dumps of earlier
 * versions (arrays in separate files, z-files) are UNSUPPORTED. Nothing is executed.
 *
 * The reader is stricter than joblib: it reads a compressed stream to its end, so that the checksum covers everything;
 * a wrapper's state must be complete; the frame must end before raw bytes. It preserves byte order. Source: joblib 0.10
 * to 1.5, numpy_pickle.py, numpy_pickle_compat.py, numpy_pickle_utils.py.
 */
#ifndef NDP_JOBLIB_READ_H
#define NDP_JOBLIB_READ_H

#include "codec/compress/compress.h"
#include "codec/joblib/joblib_wrapper.h"
#include "codec/npy/npy_decode.h"
#include "codec/pickle/pickle_read.h"

/* Zero selects the default of each. */
struct ndp_joblib_options {
    struct ndp_compress_limits compress;
    uint64_t known_bytes; /* lower bound of a stream's size, as in source.h; 0 for unknown */
};

struct ndp_joblib {
    struct ndp_object *root; /* arrays are RAW (ndp_joblib_wrapper_read_array), or CALL as pickle.dump writes them */
    struct ndp_pickle pickle;
    enum ndp_compress_method method;
};

/* Reads a dump from memory. Bytes of arrays borrow from `bytes` when possible. `options` may be NULL. Errors: as
 * ndp_pickle_read, ndp_joblib_wrapper_read, ndp_decompress_read; UNSUPPORTED for dumps from before 0.10. */
enum ndp_status ndp_joblib_read_memory(struct ndp_objects *objects, struct ndp_bytes bytes,
                                       const struct ndp_joblib_options *options, struct ndp_joblib *out,
                                       struct ndp_error *error) NDP_MUST_USE;

/* Reads a stream; the bytes of an array go directly into their final memory. */
enum ndp_status ndp_joblib_read_stream(struct ndp_objects *objects, ndp_read_bytes *read, void *from,
                                       const struct ndp_joblib_options *options, struct ndp_joblib *out,
                                       struct ndp_error *error) NDP_MUST_USE;

/* Reads the regular file at `path`. Never blocks. Errors: also IO. */
enum ndp_status ndp_joblib_read_file(struct ndp_objects *objects, const char *path,
                                     const struct ndp_joblib_options *options, struct ndp_joblib *out,
                                     struct ndp_error *error) NDP_MUST_USE;

/* Decodes a dump of one array into heap memory; `header.major` is 0. Errors: also UNSUPPORTED (another object, or
 * objects inside). */
enum ndp_status ndp_joblib_read_array_memory(struct ndp_arena *arena, struct ndp_bytes bytes,
                                             const struct ndp_joblib_options *options, struct ndp_npy_array *out,
                                             struct ndp_error *error) NDP_MUST_USE;
enum ndp_status ndp_joblib_read_array_stream(struct ndp_arena *arena, ndp_read_bytes *read, void *from,
                                             const struct ndp_joblib_options *options, struct ndp_npy_array *out,
                                             struct ndp_error *error) NDP_MUST_USE;

/* As ndp_joblib_read_file. */
enum ndp_status ndp_joblib_read_array_file(struct ndp_arena *arena, const char *path,
                                           const struct ndp_joblib_options *options, struct ndp_npy_array *out,
                                           struct ndp_error *error) NDP_MUST_USE;

/* Maps the elements in the file; `mode` is not WRITE. A compressed file, which joblib would not map, is read; the array
 * is then not mapped. */
enum ndp_status ndp_joblib_read_array_mapped(struct ndp_arena *arena, const char *path, enum ndp_map_mode mode,
                                             const struct ndp_joblib_options *options, struct ndp_npy_array *out,
                                             struct ndp_error *error) NDP_MUST_USE;

#endif
