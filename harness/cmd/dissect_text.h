/* dissect_text.h: prints the smallest parts of a dissected file: texts, errors with their place, and dtypes. */
#ifndef NDP_DISSECT_TEXT_H
#define NDP_DISSECT_TEXT_H

#include <stdio.h>

#include "model/dtype.h"

/* Prints bytes as text: visible ASCII and blanks unchanged, other bytes as \x and two digits; after `max_bytes` bytes
 * the number of all. */
void ndp_dissect_text(FILE *out, struct ndp_bytes text, uint64_t max_bytes);

/* Prints "error at byte 12 (malformed input): the magic of NPY is missing" after `indent` blanks. `base_bytes` is added
 * to the offset. */
void ndp_dissect_error(FILE *out, uint32_t indent, uint64_t base_bytes, const struct ndp_error *error);

/* Prints the type of an element. A structure is a line for each field and each gap: offset in the item, size, type,
 * name, title. The number of lines is limited. */
void ndp_dissect_dtype(FILE *out, uint32_t indent, const struct ndp_dtype *dtype);

/* Prints "(3, 4)". */
void ndp_dissect_shape(FILE *out, const int64_t *shape, uint32_t ndim);

#endif
