/* pickle_dtype.h: dtypes as NumPy pickles them, both ways: numpy.dtype(word, align, copy) and a state of 5 to 9 items.
 *
 * What NumPy takes unseen is checked: offsets and sizes, names against fields, sub-array shapes, flags against what
 * the fields say, characters of byte order. Depth is bounded and so is the number of dtypes that one pickle makes, so
 * that a dtype that contains itself, or the same one twice at each of many levels, is LIMIT.
 * Source: NumPy 1.19 to 2.4, multiarray/descriptor.c, arraydescr_reduce and arraydescr_setstate.
 */
#ifndef NDP_PICKLE_DTYPE_H
#define NDP_PICKLE_DTYPE_H

#include "codec/pickle/object.h"
#include "model/dtype.h"

/* Reads dtypes of one pickle, each object once. Zeroed but for the first two. */
struct ndp_dtype_reader {
    struct ndp_arena *arena;
    const struct ndp_objects *objects;
    const struct ndp_dtype **known; /* by the object's number; made when needed, and anew when there are more objects */
    uint32_t known_count;
    uint64_t node_count;
    struct ndp_error *error;
};

/* The dtype that `object` is. Errors: INVALID, LIMIT, UNSUPPORTED (not a dtype of the model: user types, titles that
 * are no text, metadata that JSON has no word for), NOMEM. */
enum ndp_status ndp_pickle_dtype_read(struct ndp_dtype_reader *reader, const struct ndp_object *object,
                                      const struct ndp_dtype **out) NDP_MUST_USE;

/* Takes what another reader has read the object as; gives an equal one (both borrowed) where this one has read it, too,
 * as an object is one dtype. Errors: NOMEM. */
enum ndp_status ndp_pickle_dtype_know(struct ndp_dtype_reader *reader, const struct ndp_object *object,
                                      const struct ndp_dtype **dtype) NDP_MUST_USE;

/* Whether the object is numpy.dtype(numpy.record, ...). */
bool ndp_pickle_dtype_is_record(const struct ndp_object *object);

/* What differs among the releases that write. Later ones read what earlier ones wrote. */
enum ndp_numpy_release { NDP_NUMPY_1, NDP_NUMPY_2_0, NDP_NUMPY_2_3 };

struct ndp_known_dtype {
    const struct ndp_dtype *dtype;
    bool is_record;
    struct ndp_object *object;
};

/* Makes the objects that NumPy's pickling gives; names and dtypes that are one object there are one here:
 * dtypes when their address is the same. Zeroed but
 * for the first two. */
struct ndp_pickle_maker {
    struct ndp_objects *objects;
    enum ndp_numpy_release release;
    struct ndp_object_list words;   /* TEXT: names, each once */
    struct ndp_object_list globals; /* GLOBAL, each once */
    struct ndp_known_dtype *known;  /* those of which a NumPy may have many */
    uint32_t known_count;
    struct ndp_object *built_in[NDP_KIND_COUNT][6]; /* dtypes that NumPy has once, by log2 of the size */
    struct ndp_error *error;
};

/* Gives the objects of `dtype`; `is_record` makes its scalars numpy.record. Errors: UNSUPPORTED (metadata that is no
 * JSON), LIMIT, NOMEM. */
enum ndp_status ndp_pickle_dtype_make(struct ndp_pickle_maker *maker, const struct ndp_dtype *dtype, bool is_record,
                                      struct ndp_object **out) NDP_MUST_USE;

/* A name as a TEXT, module.name, and numpy.name: the same object each time, as Python interns names and has a class or
 * function once. The bytes are borrowed. NULL without memory. */
struct ndp_object *ndp_pickle_word(struct ndp_pickle_maker *maker, struct ndp_bytes name) NDP_MUST_USE;
struct ndp_object *ndp_pickle_global(struct ndp_pickle_maker *maker, const char *module, const char *name) NDP_MUST_USE;
struct ndp_object *ndp_pickle_numpy_global(struct ndp_pickle_maker *maker, const char *name) NDP_MUST_USE;

#endif
