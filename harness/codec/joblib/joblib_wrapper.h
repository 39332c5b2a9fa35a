/* joblib_wrapper.h: the objects that joblib pickles in the place of arrays, and what they say.
 *
 * ARRAY is NumpyArrayWrapper (joblib 0.10 and later): the bytes follow in the stream. OLD is a wrapper that joblib
 * wrote up to 0.9, whose bytes are in a file beside the dump: no decoder here reads it. Source: joblib 0.10 to 1.5,
 * numpy_pickle.py and numpy_pickle_compat.py.
 */
#ifndef NDP_JOBLIB_WRAPPER_H
#define NDP_JOBLIB_WRAPPER_H

#include "codec/pickle/pickle_array.h"

enum ndp_joblib_kind { NDP_JOBLIB_OTHER, NDP_JOBLIB_ARRAY, NDP_JOBLIB_OLD };

/* Which wrapper an object is, with a state; under joblib's own name or one of those who ship it inside theirs. */
enum ndp_joblib_kind ndp_joblib_kind(const struct ndp_object *object);

/* What a NumpyArrayWrapper says. */
struct ndp_joblib_wrapper {
    const struct ndp_dtype *dtype;
    struct ndp_object *dtype_object; /* which others may have, too */
    struct ndp_layout layout;        /* contiguous, offset 0 */
    uint64_t count_elems;
    uint64_t size_bytes;
    bool has_objects; /* a pickle of its own follows */
    bool has_padding; /* a byte and as many bytes as it says come first */
    bool allow_mmap;
    const struct ndp_object *class; /* GLOBAL */
};

/* Reads an object of the kind ARRAY. Errors: INVALID, LIMIT, UNSUPPORTED, NOMEM, with its offset. */
enum ndp_status ndp_joblib_wrapper_read(struct ndp_dtype_reader *reader, const struct ndp_object *object,
                                        struct ndp_joblib_wrapper *out) NDP_MUST_USE;

/* What a RAW object of any kind is, as an array: its `bytes` borrow from the object's. Errors: as above; UNSUPPORTED
 * for one with objects inside, whose `nested` is to be read by itself. */
enum ndp_status ndp_joblib_array_read(struct ndp_array_reader *reader, const struct ndp_object *object,
                                      struct ndp_pickled_array *out) NDP_MUST_USE;

/* How the wrapper of an array is to be made. */
struct ndp_joblib_form {
    uint32_t protocol;        /* 0 to 5 */
    uint32_t alignment_bytes; /* of the data in the stream: 16 from joblib 1.2 on, 0 is none, as before */
    bool is_unmappable;       /* the stream is compressed by an object of joblib's own */
    const char *class_name;   /* of numpy: "matrix", "memmap"; NULL is "ndarray" */
};

/* Gives a RAW object whose wrapper is of the kind ARRAY and which has `elements` (borrowed) for its bytes.
 * Errors: as ndp_pickle_dtype_make. */
enum ndp_status ndp_joblib_wrapper_make(struct ndp_pickle_maker *maker, const struct ndp_elements *elements,
                                        const struct ndp_joblib_form *form, struct ndp_object **out) NDP_MUST_USE;

#endif
