/* npy_descr.h: conversion between the `descr` of an NPY header, as a literal, and a dtype. Source: NumPy 1.24 to 2.4:
 * lib/format.py, descr_to_dtype and dtype_to_descr; core/_internal.py, _array_descr. */
#ifndef NDP_NPY_DESCR_H
#define NDP_NPY_DESCR_H

#include "codec/npy/py_literal.h"
#include "model/dtype.h"

/* Gives the dtype of a descr. Field offsets are cumulative; fields of type void or sub-array with an empty name (and no
 * title) are padding. Strict mode accepts the typestrs that writers emit. Other forms that NumPy reads (names, C codes,
 * '=', a wrong or missing order character, a top-level sub-array) are UNSUPPORTED, or with `is_lenient` interpreted
 * like NumPy; lists of types in one string and a top-level sub-array are always UNSUPPORTED. Errors: INVALID, LIMIT
 * (itemsize, fields, depth), UNSUPPORTED, NOMEM, with the offset of the literal. */
enum ndp_status ndp_npy_descr_read(struct ndp_arena *arena, const struct ndp_literal *descr, bool is_lenient,
                                   const struct ndp_dtype **out, struct ndp_error *error) NDP_MUST_USE;

/* Appends the text of descr like NumPy's repr(), in generalised UTF-8. Raises `*highest` to the highest code point.
 * Omits metadata and the aligned flag, which NPY cannot represent (the caller reports the loss). Errors: UNSUPPORTED if
 * NPY cannot represent the dtype: fields that overlap or are out of offset order, a top-level sub-array, a field that
 * would be read as padding, objects. */
enum ndp_status ndp_npy_descr_add(struct ndp_buffer *buffer, const struct ndp_dtype *dtype, uint32_t *highest,
                                  struct ndp_error *error) NDP_MUST_USE;

/* As ndp_dtype_read_typestr, and additional forms that NumPy accepts. Fills `*is_canonical`: whether a writer emits
 * this form, which strict mode requires. Fills `dtype`. */
enum ndp_status ndp_npy_typestr_read(struct ndp_bytes text, struct ndp_dtype *dtype, bool *is_canonical,
                                     struct ndp_error *error) NDP_MUST_USE;

#endif
