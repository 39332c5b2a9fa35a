/* pickle_dtype.h: reader and maker of NumPy's pickled dtypes: numpy.dtype(word, align, copy) with a state of 5 to 9
 * items.
 *
 * The reader checks the parts that NumPy accepts unchecked: offsets and sizes, names against fields, sub-array shapes,
 * flags against fields, byte order characters. It limits depth and the number of dtypes per pickle, so that a dtype
 * that contains itself, or the same dtype twice at each of many levels, is LIMIT. Source: NumPy 1.19 to 2.4,
 * multiarray/descriptor.c, arraydescr_reduce and arraydescr_setstate.
 */
#ifndef NDP_PICKLE_DTYPE_H
#define NDP_PICKLE_DTYPE_H

#include "codec/pickle/object.h"
#include "model/dtype.h"

/* Reads each dtype object of one pickle once. Initialise the first two members, zero the rest. */
struct ndp_pickle_dtype_reader {
    struct ndp_arena *arena;
    const struct ndp_objects *objects;
    const struct ndp_dtype **known; /* by object number; allocated on demand and replaced as objects are added */
    uint32_t known_count;
    uint64_t node_count;
    struct ndp_error *error;
};

/* Reads the dtype of `object`. Errors: INVALID, LIMIT, UNSUPPORTED (not representable: user types, titles that are not
 * text, metadata that JSON cannot represent), NOMEM. */
enum ndp_status ndp_pickle_dtype_read(struct ndp_pickle_dtype_reader *reader, const struct ndp_object *object,
                                      const struct ndp_dtype **out) NDP_MUST_USE;

/* Records the dtype of an object that another reader has read; replaces `*dtype` by an equal dtype that this reader
 * already has (both borrowed). Errors: NOMEM. */
enum ndp_status ndp_pickle_dtype_record(struct ndp_pickle_dtype_reader *reader, const struct ndp_object *object,
                                        const struct ndp_dtype **dtype) NDP_MUST_USE;

/* Whether the object is numpy.dtype(numpy.record, ...). */
bool ndp_pickle_dtype_is_record(const struct ndp_object *object);

/* Releases whose pickles differ. Later releases read pickles of earlier ones. */
enum ndp_numpy_release { NDP_NUMPY_1, NDP_NUMPY_2_0, NDP_NUMPY_2_3 };

struct ndp_pickle_known_dtype {
    const struct ndp_dtype *dtype;
    bool is_record;
    struct ndp_object *object;
};

/* Makes the objects that NumPy pickles. Names and dtypes that are one object in NumPy are one object here; dtypes are
 * identified by address. Initialise the first two members, zero the rest. */
struct ndp_pickle_maker {
    struct ndp_objects *objects;
    enum ndp_numpy_release release;
    struct ndp_object_list words;         /* TEXT: names, without duplicates */
    struct ndp_object_list globals;       /* GLOBAL, without duplicates */
    struct ndp_pickle_known_dtype *known; /* dtypes that are not singletons in NumPy */
    uint32_t known_count;
    struct ndp_object *built_in[NDP_KIND_COUNT][6]; /* singleton dtypes of NumPy, by log2 of the size */
    struct ndp_error *error;
};

/* Makes the object of `dtype`; `is_record` makes its type numpy.record. Errors: UNSUPPORTED (metadata that is not
 * JSON), LIMIT, NOMEM. */
enum ndp_status ndp_pickle_dtype_make(struct ndp_pickle_maker *maker, const struct ndp_dtype *dtype, bool is_record,
                                      struct ndp_object **out) NDP_MUST_USE;

/* A name as a TEXT, module.name, and numpy.name. Repeated calls return the same object, like interned names, classes
 * and functions in Python. The bytes are borrowed. NULL when out of memory. */
struct ndp_object *ndp_pickle_maker_name(struct ndp_pickle_maker *maker, struct ndp_bytes name) NDP_MUST_USE;
struct ndp_object *ndp_pickle_maker_global(struct ndp_pickle_maker *maker, const char *module,
                                           const char *name) NDP_MUST_USE;
struct ndp_object *ndp_pickle_maker_numpy_global(struct ndp_pickle_maker *maker, const char *name) NDP_MUST_USE;

#endif
