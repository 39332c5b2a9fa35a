/* joblib_wrapper.h: the objects that joblib pickles instead of arrays, and their state. ARRAY is NumpyArrayWrapper
 * (joblib 0.10 and later): the bytes follow in the stream. OLD is a wrapper of joblib before 0.10, whose bytes are in a
 * separate file: no decoder here reads it. Source: joblib 0.10 to 1.5, numpy_pickle.py and numpy_pickle_compat.py. */
#ifndef NDP_JOBLIB_WRAPPER_H
#define NDP_JOBLIB_WRAPPER_H

#include "codec/pickle/pickle_array.h"

enum ndp_joblib_wrapper_kind { NDP_JOBLIB_OTHER, NDP_JOBLIB_ARRAY, NDP_JOBLIB_OLD };

/* The kind of wrapper of an object with a state, in joblib's module or a copy of it in another package. */
enum ndp_joblib_wrapper_kind ndp_joblib_wrapper_kind(const struct ndp_object *object);

/* The state of a NumpyArrayWrapper. */
struct ndp_joblib_wrapper {
    const struct ndp_dtype *dtype;
    struct ndp_object *dtype_object; /* may be shared with other wrappers */
    struct ndp_layout layout;        /* contiguous, offset 0 */
    uint64_t count_elems;
    uint64_t size_bytes;
    bool has_objects; /* a nested pickle follows */
    bool has_padding; /* a length byte and that many bytes precede the elements */
    bool allow_mmap;
    const struct ndp_object *class; /* GLOBAL */
};

/* Reads an object of the kind ARRAY. Errors: INVALID, LIMIT, UNSUPPORTED, NOMEM, with its offset. */
enum ndp_status ndp_joblib_wrapper_read(struct ndp_pickle_dtype_reader *reader, const struct ndp_object *object,
                                        struct ndp_joblib_wrapper *out) NDP_MUST_USE;

/* Reads a RAW object of any kind as an array; its `bytes` borrow from the object's. Errors: as above; UNSUPPORTED for
 * an array of objects, whose `nested` is to be read instead. */
enum ndp_status ndp_joblib_wrapper_read_array(struct ndp_array_reader *reader, const struct ndp_object *object,
                                              struct ndp_pickled_array *out) NDP_MUST_USE;

/* How to make the wrapper of an array. */
struct ndp_joblib_form {
    uint32_t protocol;        /* 0 to 5 */
    uint32_t alignment_bytes; /* of the data in the stream: 16 since joblib 1.2, 0 for none, as before */
    bool is_unmappable;       /* joblib's own compressor object compresses the stream */
    const char *class_name;   /* class of numpy: "matrix", "memmap"; NULL for "ndarray" */
};

/* Makes a RAW object with a wrapper of the kind ARRAY and the bytes of `elements` (borrowed). Errors: as
 * ndp_pickle_dtype_make. */
enum ndp_status ndp_joblib_wrapper_make(struct ndp_pickle_maker *maker, const struct ndp_elements *elements,
                                        const struct ndp_joblib_form *form, struct ndp_object **out) NDP_MUST_USE;

#endif
