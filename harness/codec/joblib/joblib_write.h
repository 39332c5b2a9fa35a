/* joblib_write.h: writes arrays, and objects with arrays, byte for byte like joblib.dump, in every protocol, plain and
 * compressed. Compressed files contain the same bytes; the same version of zlib, gzip, bz2, lzma or xz compresses them
 * identically. Source: joblib 1.2 to 1.5, numpy_pickle.py, compressor.py. */
#ifndef NDP_JOBLIB_WRITE_H
#define NDP_JOBLIB_WRITE_H

#include "codec/compress/compress.h"
#include "codec/joblib/joblib_wrapper.h"

/* joblib pickles objects after a wrapper with a fixed protocol. */
enum { NDP_JOBLIB_ALIGNMENT_BYTES = 16, NDP_JOBLIB_NESTED_PROTOCOL = 5 };

struct ndp_joblib_output {
    struct ndp_joblib_form form;
    enum ndp_numpy_release release;
    enum ndp_compress_method method;
    int level;
    struct ndp_block_pool *pool; /* borrowed; see ndp_compress_new */
};

/* Writes objects of the space `objects` whose arrays are RAW: each has its `elements`, borrowed until they are written,
 * or a pickle in `nested`. Errors: as ndp_pickle_write and ndp_compress_write; after an error some bytes may have been
 * written. */
enum ndp_status ndp_joblib_write(struct ndp_objects *objects, const struct ndp_object *root,
                                 const struct ndp_joblib_output *output, ndp_write_bytes *write, void *sink,
                                 struct ndp_error *error) NDP_MUST_USE;

/* Writes one array through `write`. Errors: UNSUPPORTED (objects), LIMIT, NOMEM, as ndp_pickle_write and
 * ndp_compress_write; after an error some bytes may have been written. */
enum ndp_status ndp_joblib_write_array(struct ndp_arena *arena, const struct ndp_elements *elements,
                                       const struct ndp_joblib_output *output, ndp_write_bytes *write, void *sink,
                                       struct ndp_error *error) NDP_MUST_USE;

#endif
