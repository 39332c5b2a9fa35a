/* py_repr.h: Python's repr() of text and integers, used for names in NPY headers. */
#ifndef NDP_PY_REPR_H
#define NDP_PY_REPR_H

#include "base/bytes.h"

/* Reports whether str.isprintable() is true for this character. Unicode version: see unicode_printable.c. */
bool ndp_py_repr_is_printable(uint32_t code_point);

/* Appends repr(text); `text` is generalised UTF-8 (borrowed). Printable characters are appended as generalised UTF-8;
 * lone surrogates are escaped. Raises `*highest` to the highest code point written. Errors: INVALID (not generalised
 * UTF-8); as ndp_buffer_add. Source: CPython 3.11 unicodeobject.c, unicode_repr. */
enum ndp_status ndp_py_repr_text(struct ndp_buffer *buffer, struct ndp_bytes text, uint32_t *highest) NDP_MUST_USE;

/* Appends a decimal number. */
enum ndp_status ndp_py_repr_int(struct ndp_buffer *buffer, int64_t number) NDP_MUST_USE;

/* Appends the repr of a tuple of ints: "()", "(3,)", "(2, 3)". */
enum ndp_status ndp_py_repr_shape(struct ndp_buffer *buffer, const int64_t *shape, uint32_t ndim) NDP_MUST_USE;

#endif
