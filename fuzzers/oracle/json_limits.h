/* json_limits.h: checks the limits of the reader of descriptors at their exact values. */
#ifndef NDP_FUZZ_JSON_LIMITS_H
#define NDP_FUZZ_JSON_LIMITS_H

#include "describe/descriptor.h"

/* The bytes, the levels and the values of a JSON text that is well formed, counted by other code than the reader's. */
struct ndp_describe_limits fuzz_json_counts(struct ndp_bytes text);

/* Reads a text (borrowed), which is a descriptor, within limits that it just meets, and with one of them, selected by
 * `pick`, lower by one; files it if the first is refused or the second accepted. */
void fuzz_check_json_limits(struct ndp_bytes text, uint64_t pick);

#endif
