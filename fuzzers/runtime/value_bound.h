/* large.h: whether a value may need more than a limit allows, by multiplying its shapes. */
#ifndef NDP_FUZZ_VALUE_BOUND_H
#define NDP_FUZZ_VALUE_BOUND_H

#include "describe/descriptor.h"

/* Whether the bases and what its views make of them may have more than so many bytes together: a refusal for want of
 * memory is right then, and never otherwise. Names more than there are, and never less. */
bool fuzz_value_may_exceed(const struct ndp_value *value, uint64_t most_bytes);

#endif
