/* fault_apply.h: right bytes into faulty ones, as a row of describe/fault.h says. */
#ifndef NDP_FAULT_APPLY_H
#define NDP_FAULT_APPLY_H

#include "base/bytes.h"
#include "describe/fault.h"

/* Appends the spoilt form of `right` (borrowed) to `out`: the encoding of an array, in `format` ("npy" or "raw").
 * `item_bytes` is the itemsize and `data_bytes` the size of the data, which end the right bytes. `fault.name` ""
 * copies. Errors: INVALID (no such fault, or `right` is not what the format says), LIMIT (a header that its
 * version cannot hold), NOMEM. */
enum ndp_status ndp_fault_apply(const struct ndp_fault *fault, const char *format, struct ndp_bytes right,
                                uint64_t item_bytes, uint64_t data_bytes, struct ndp_buffer *out,
                                struct ndp_error *error) NDP_MUST_USE;

#endif
