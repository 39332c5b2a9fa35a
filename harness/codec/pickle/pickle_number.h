/* pickle_number.h: numbers as protocol 0 spells them, both ways. No locale plays a part.
 * Source: CPython 3.8 to 3.13: pickle.py, load_int, load_long, load_float and their save_ counterparts. */
#ifndef NDP_PICKLE_NUMBER_H
#define NDP_PICKLE_NUMBER_H

#include "codec/pickle/object.h"

/* As many digits as CPython turns into an integer and back (sys.int_info.default_max_str_digits). */
enum { NDP_INT_DIGITS_MAX = 4300 };

/* An index of the memo: digits alone. Errors: INVALID, LIMIT past 2^64 - 1. */
enum ndp_status ndp_index_read(struct ndp_bytes line, uint64_t *out) NDP_MUST_USE;

/* An INT from a sign and digits. Errors: INVALID; UNSUPPORTED for what only int() takes (spaces, underscores, other
 * bases) and for leading zeros, which one of CPython's readers takes for octal; LIMIT; NOMEM. */
enum ndp_status ndp_decimal_read(struct ndp_objects *objects, struct ndp_bytes line,
                                 struct ndp_object **out) NDP_MUST_USE;

/* A double as repr() writes it, or in any form that float() takes without spaces and underscores. Errors: INVALID
 * (a finite number that no double holds, too), UNSUPPORTED (with those), LIMIT (over 4096 characters). */
enum ndp_status ndp_real_read(struct ndp_bytes line, double *out) NDP_MUST_USE;

/* Appends an INT in decimal. Errors: LIMIT for more than NDP_INT_DIGITS_MAX digits; as ndp_buffer_add. */
enum ndp_status ndp_decimal_add(struct ndp_buffer *buffer, const struct ndp_object *object) NDP_MUST_USE;

/* Appends the shortest text that reads as the same double, as repr() does. */
enum ndp_status ndp_real_add(struct ndp_buffer *buffer, double real) NDP_MUST_USE;

#endif
