/* pickle_array.h: arrays as NumPy pickles them, both ways.
 *
 * Read: ndarray._reconstruct with its state (version 0 and 1, with what subclasses add at its end or beside it),
 * _frombuffer of protocol 5 in band and out of band, scalars, masked arrays, in the module names of every release.
 * Made: what NumPy's own __reduce_ex__ gives for an array of the class ndarray.
 * Source: NumPy 1.19 to 2.4: multiarray/methods.c (array_reduce, array_reduce_ex_picklebuffer, array_setstate),
 * _core/numeric.py (_frombuffer), ma/core.py (__getstate__, _mareconstruct).
 */
#ifndef NDP_PICKLE_ARRAY_H
#define NDP_PICKLE_ARRAY_H

#include "codec/pickle/pickle_dtype.h"
#include "codec/strided.h"
#include "model/array.h"

/* What an object that is an array says. Borrows from the objects. */
struct ndp_pickled_array {
    const struct ndp_object *object;
    const struct ndp_object *class; /* GLOBAL; NULL is numpy.ndarray, or of a scalar its type */
    const struct ndp_dtype *dtype;
    bool is_scalar;
    bool is_record; /* the dtype's scalars are numpy.record */
    bool is_masked;
    bool is_writeable;
    struct ndp_layout layout; /* over `bytes`, offset 0; C order over `items` */
    uint64_t count_elems;
    struct ndp_bytes bytes;              /* the elements, when they hold no objects and are not out of band */
    const struct ndp_object *items;      /* LIST in C order, when they hold objects */
    const struct ndp_object *buffer;     /* BUFFER, when they are out of band: `bytes` is that buffer's */
    struct ndp_bytes mask;               /* masked: one byte a leaf, in the order of the elements */
    const struct ndp_object *fill_value; /* masked: an object, None for the default */
    const struct ndp_object *extra;      /* what a subclass keeps: a TUPLE of items behind the state, or the second of a
                                            pair whose first is the state; else NULL */
    bool is_pair;
};

/* Out-of-band buffers, borrowed. */
struct ndp_pickle_buffer {
    struct ndp_bytes bytes;
    bool is_readonly;
};

struct ndp_array_reader {
    struct ndp_dtype_reader dtypes;
    const struct ndp_pickle_buffer *buffers;
    uint64_t buffer_count;
};

/* Whether the object is made by a function that makes arrays or scalars: then ndp_pickle_array_read reads it. */
bool ndp_pickle_is_array(const struct ndp_object *object);

/* Whether such an object is a scalar, going by its name. */
bool ndp_pickle_is_scalar(const struct ndp_object *object);

/* Reads one. Errors: INVALID (sizes, shapes, orders that do not agree), LIMIT, UNSUPPORTED, NOMEM; with the offset of
 * the object. */
enum ndp_status ndp_pickle_array_read(struct ndp_array_reader *reader, const struct ndp_object *object,
                                      struct ndp_pickled_array *out) NDP_MUST_USE;

/* How an array is to be pickled. */
struct ndp_array_form {
    uint32_t protocol;
    bool is_out_of_band; /* protocol 5 */
    bool is_readonly;
    bool is_record;           /* the dtype's scalars are numpy.record */
    const char *class_module; /* NULL is numpy.ndarray */
    const char *class_name;
};

/* Gives the object of an array whose dtype has no objects inside. `*data` receives the elements as they go into the
 * pickle or, out of band, into a buffer: borrowed from the array when they lie behind one another, else gathered into
 * memory that the caller frees (codec/data_memory.h). Errors: UNSUPPORTED (objects), LIMIT, NOMEM. */
enum ndp_status ndp_pickle_array_make(struct ndp_pickle_maker *maker, const struct ndp_elements *elements,
                                      const struct ndp_array_form *form, struct ndp_object **out,
                                      struct ndp_blob *data) NDP_MUST_USE;

#endif
