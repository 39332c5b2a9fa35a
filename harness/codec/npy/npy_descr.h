/* npy_descr.h: the `descr` of an NPY header, both ways between literal and dtype. Source:
 * NumPy 1.24 to 2.4: lib/format.py, descr_to_dtype and dtype_to_descr; core/_internal.py, _array_descr. */
#ifndef NDP_NPY_DESCR_H
#define NDP_NPY_DESCR_H

#include "codec/npy/py_literal.h"
#include "model/dtype.h"

/* Gives the dtype of a descr. Offsets of fields are cumulative; fields with an empty name (and no title) of
 * type void or sub-array are padding. Strict: the typestrs that writers emit. What NumPy reads beyond that
 * (names, C codes, '=', a wrong or missing order character, a top-level sub-array) is UNSUPPORTED, or, when
 * `is_lenient`, read as NumPy does; lists of types in one string and a sub-array at the top are UNSUPPORTED always.
 * Errors: INVALID, LIMIT (itemsize, fields, depth), UNSUPPORTED, NOMEM, with the offset of the literal. */
enum ndp_status ndp_descr_read(struct ndp_arena *arena, const struct ndp_literal *descr, bool is_lenient,
                               const struct ndp_dtype **out, struct ndp_error *error) NDP_MUST_USE;

/* Appends the text of descr as NumPy's repr() gives it, in generalised UTF-8; raises `*highest` to the highest
 * code point. Metadata and the aligned flag are left out: NPY has no place for them (the caller reports the
 * loss). Errors: UNSUPPORTED for what NPY cannot say: overlapping fields or fields out of offset order, a
 * sub-array at the top, a field that would be read back as padding, objects. */
enum ndp_status ndp_descr_add(struct ndp_buffer *buffer, const struct ndp_dtype *dtype, uint32_t *highest,
                              struct ndp_error *error) NDP_MUST_USE;

/* As ndp_typestr_read, and what NumPy takes beyond it. `*is_canonical` says whether a writer emits it: then and
 * only then the strict mode takes it. `dtype` is filled. */
enum ndp_status ndp_npy_typestr_read(struct ndp_bytes text, struct ndp_dtype *dtype, bool *is_canonical,
                                     struct ndp_error *error) NDP_MUST_USE;

#endif
