/* pickle_number.h: numbers in the text form of protocol 0. Independent of the locale. Source: CPython 3.8 to 3.13:
 * pickle.py, load_int, load_long, load_float and their save_ counterparts. */
#ifndef NDP_PICKLE_NUMBER_H
#define NDP_PICKLE_NUMBER_H

#include "codec/pickle/object.h"

/* CPython's limit of integer conversions (sys.int_info.default_max_str_digits). */
enum { NDP_INT_DIGITS_MAX = 4300 };

/* Reads an index of the memo, digits only. Errors: INVALID, LIMIT beyond 2^64 - 1. */
enum ndp_status ndp_pickle_number_read_index(struct ndp_bytes line, uint64_t *out) NDP_MUST_USE;

/* Reads an INT from a sign and digits. Errors: INVALID; UNSUPPORTED for other forms of int() (spaces, underscores,
 * bases) and for leading zeros, which one reader of CPython parses as octal; LIMIT; NOMEM. */
enum ndp_status ndp_pickle_number_read_int(struct ndp_objects *objects, struct ndp_bytes line,
                                           struct ndp_object **out) NDP_MUST_USE;

/* Reads a double from repr() or any form of float() without spaces and underscores. Errors: INVALID (also a finite
 * number out of range), UNSUPPORTED (spaces, underscores), LIMIT (over 4096 characters). */
enum ndp_status ndp_pickle_number_read_float(struct ndp_bytes line, double *out) NDP_MUST_USE;

/* Appends an INT in decimal. Errors: LIMIT beyond NDP_INT_DIGITS_MAX digits; as ndp_buffer_add. */
enum ndp_status ndp_pickle_number_add_int(struct ndp_buffer *buffer, const struct ndp_object *object) NDP_MUST_USE;

/* Appends the shortest text that reads as the same double, like repr(). */
enum ndp_status ndp_pickle_number_add_float(struct ndp_buffer *buffer, double real) NDP_MUST_USE;

#endif
