/* json_limits.h: limits of the reader of descriptors, held against what a text has. */
#ifndef NDP_FUZZ_JSON_LIMITS_H
#define NDP_FUZZ_JSON_LIMITS_H

#include "describe/descriptor.h"

/* The bytes, the levels and the values of a JSON text that is well formed, counted by other code than the reader's. */
struct ndp_describe_limits fuzz_json_counts(struct ndp_bytes text);

/* A descriptor that is read (borrowed) is read within limits that it just meets, and is refused for its limit where, as
 * `pick` says, one of them is less by one. One in four is tried. */
void fuzz_check_json_limits(struct ndp_bytes text, uint64_t pick);

#endif
