/* fault_apply.h: applies a fault of describe/fault.h to correct bytes. */
#ifndef NDP_FAULT_APPLY_H
#define NDP_FAULT_APPLY_H

#include "base/bytes.h"
#include "describe/fault.h"

/* Appends to `out` the corrupted form of `right` (borrowed), the encoding of an array in `format` ("npy" or "raw").
 * `right` ends with `data_bytes` of data in items of `item_bytes`. An empty `fault.name` copies. Errors: INVALID
 * (unknown fault, or `right` is not in the format), LIMIT (the header exceeds its version), NOMEM. */
enum ndp_status ndp_fault_apply(const struct ndp_fault *fault, const char *format, struct ndp_bytes right,
                                uint64_t item_bytes, uint64_t data_bytes, struct ndp_buffer *out,
                                struct ndp_error *error) NDP_MUST_USE;

#endif
