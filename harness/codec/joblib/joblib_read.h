/* joblib_read.h: what joblib.dump wrote, from 0.10 on: objects (codec/pickle/object.h), or the one array that a file
 * is.
 *
 * The current form (joblib 0.10 and later): a pickle with the bytes of arrays behind their wrappers, aligned (1.2 and
 * later) or not, and arrays of objects as pickles of their own; plain or compressed, told apart by the first bytes
 * as joblib does. Dumps from before 0.10 (arrays in files beside the dump, z-files) are UNSUPPORTED. Nothing is
 * executed.
 *
 * Stricter than joblib: a compressed stream is read to its end, so that its checksum holds for everything; a wrapper's
 * state must be whole; the frame must end before raw bytes. Byte order is kept as it is in the file.
 * Source: joblib 0.10 to 1.5, numpy_pickle.py, numpy_pickle_compat.py, numpy_pickle_utils.py.
 */
#ifndef NDP_JOBLIB_READ_H
#define NDP_JOBLIB_READ_H

#include "codec/compress/compress.h"
#include "codec/joblib/joblib_wrapper.h"
#include "codec/npy/npy_decode.h"
#include "codec/pickle/pickle_read.h"

/* Zeroed is the default of each. */
struct ndp_joblib_options {
    struct ndp_compress_limits compress;
    uint64_t known_bytes; /* of a stream: what surely is there, as in source.h; 0 is not known */
};

struct ndp_joblib {
    struct ndp_object *root; /* arrays are RAW (ndp_joblib_array_read), or as pickle.dump writes them */
    struct ndp_pickle pickle;
    enum ndp_compress_method method;
};

/* Bytes of arrays borrow from `bytes` where they can. `options` may be NULL. Errors: as ndp_pickle_read,
 * ndp_joblib_wrapper_read, ndp_decompress_read; UNSUPPORTED for dumps from before 0.10. */
enum ndp_status ndp_joblib_read_memory(struct ndp_objects *objects, struct ndp_bytes bytes,
                                       const struct ndp_joblib_options *options, struct ndp_joblib *out,
                                       struct ndp_error *error) NDP_MUST_USE;

/* The bytes of an array are read straight into the memory that keeps them. */
enum ndp_status ndp_joblib_read_stream(struct ndp_objects *objects, ndp_read_bytes *read, void *from,
                                       const struct ndp_joblib_options *options, struct ndp_joblib *out,
                                       struct ndp_error *error) NDP_MUST_USE;

/* The regular file at `path`. Never waits. Errors: also IO. */
enum ndp_status ndp_joblib_read_file(struct ndp_objects *objects, const char *path,
                                     const struct ndp_joblib_options *options, struct ndp_joblib *out,
                                     struct ndp_error *error) NDP_MUST_USE;

/* The one array that a dump is, in heap memory; `header.major` is 0. Errors: also UNSUPPORTED (another object, or
 * objects inside). */
enum ndp_status ndp_joblib_decode_memory(struct ndp_arena *arena, struct ndp_bytes bytes,
                                         const struct ndp_joblib_options *options, struct ndp_npy_array *out,
                                         struct ndp_error *error) NDP_MUST_USE;
enum ndp_status ndp_joblib_decode_stream(struct ndp_arena *arena, ndp_read_bytes *read, void *from,
                                         const struct ndp_joblib_options *options, struct ndp_npy_array *out,
                                         struct ndp_error *error) NDP_MUST_USE;

/* As ndp_joblib_read_file. */
enum ndp_status ndp_joblib_decode_file(struct ndp_arena *arena, const char *path,
                                       const struct ndp_joblib_options *options, struct ndp_npy_array *out,
                                       struct ndp_error *error) NDP_MUST_USE;

/* Maps the elements in the file; `mode` is not WRITE. What joblib would not map is read: compressed files.
 * Then the array is not mapped. */
enum ndp_status ndp_joblib_decode_mapped(struct ndp_arena *arena, const char *path, enum ndp_map_mode mode,
                                         const struct ndp_joblib_options *options, struct ndp_npy_array *out,
                                         struct ndp_error *error) NDP_MUST_USE;

#endif
