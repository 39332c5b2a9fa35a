/* pickle_array.h: reader and maker of NumPy's pickled arrays.
 *
 * The reader accepts ndarray._reconstruct with its state (versions 0 and 1, with additions of subclasses at its end or
 * beside it), _frombuffer of protocol 5 in band and out of band, scalars and masked arrays, under the module names of
 * every release. The maker produces the result of NumPy's own __reduce_ex__ for an array of the class ndarray. Source:
 * NumPy 1.19 to 2.4: multiarray/methods.c (array_reduce, array_reduce_ex_picklebuffer, array_setstate),
 * _core/numeric.py (_frombuffer), ma/core.py (__getstate__, _mareconstruct).
 */
#ifndef NDP_PICKLE_ARRAY_H
#define NDP_PICKLE_ARRAY_H

#include "codec/pickle/pickle_dtype.h"
#include "codec/strided.h"
#include "model/array.h"

/* A pickled array. Borrows from the objects. */
struct ndp_pickled_array {
    const struct ndp_object *object;
    const struct ndp_object *class; /* GLOBAL; NULL for numpy.ndarray, or the type of a scalar */
    const struct ndp_dtype *dtype;
    bool is_scalar;
    bool is_record; /* dtype.type is numpy.record */
    bool is_masked;
    bool is_writeable;
    struct ndp_layout layout; /* over `bytes`, offset 0; C order over `items` */
    uint64_t count_elems;
    struct ndp_bytes bytes;              /* elements in band, without objects */
    const struct ndp_object *items;      /* LIST in C order of elements that are objects */
    const struct ndp_object *buffer;     /* BUFFER of elements out of band: `bytes` is its content */
    struct ndp_bytes mask;               /* masked: one byte per leaf, in the order of the elements */
    const struct ndp_object *fill_value; /* masked: an object, None for the default */
    const struct ndp_object *extra; /* state of a subclass: a TUPLE of the items after the array's state, or the second
                                       of a pair (state, extra); else NULL */
    bool is_pair;
};

/* Out-of-band buffers, borrowed. */
struct ndp_pickle_buffer {
    struct ndp_bytes bytes;
    bool is_readonly;
};

struct ndp_array_reader {
    struct ndp_pickle_dtype_reader dtypes;
    const struct ndp_pickle_buffer *buffers;
    uint64_t buffer_count;
};

/* Whether a function of NumPy for arrays or scalars creates the object, so that ndp_pickle_array_read accepts it. */
bool ndp_pickle_array_is_array(const struct ndp_object *object);

/* Whether such an object is a scalar, judged by the name of the function. */
bool ndp_pickle_array_is_scalar(const struct ndp_object *object);

/* Reads an array. Errors: INVALID (inconsistent sizes, shapes, orders), LIMIT, UNSUPPORTED, NOMEM, with the offset of
 * the object. */
enum ndp_status ndp_pickle_array_read(struct ndp_array_reader *reader, const struct ndp_object *object,
                                      struct ndp_pickled_array *out) NDP_MUST_USE;

/* How to pickle an array. */
struct ndp_array_form {
    uint32_t protocol;
    bool is_out_of_band; /* protocol 5 */
    bool is_readonly;
    bool is_record;           /* dtype.type is numpy.record */
    const char *class_module; /* NULL for numpy.ndarray */
    const char *class_name;
};

/* Makes the object of an array without objects. `*data` receives the elements for the pickle or the out-of-band buffer:
 * borrowed from a contiguous array, else gathered into memory that the caller frees (codec/data_memory.h). Errors:
 * UNSUPPORTED (objects), LIMIT, NOMEM. */
enum ndp_status ndp_pickle_array_make(struct ndp_pickle_maker *maker, const struct ndp_elements *elements,
                                      const struct ndp_array_form *form, struct ndp_object **out,
                                      struct ndp_blob *data) NDP_MUST_USE;

#endif
