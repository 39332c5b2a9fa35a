/* descriptor_again.h: the canonical text of a descriptor, read again. */
#ifndef NDP_FUZZ_DESCRIPTOR_AGAIN_H
#define NDP_FUZZ_DESCRIPTOR_AGAIN_H

#include "describe/descriptor.h"

/* Holds that the text which was printed of a descriptor (both borrowed) reads as the same, prints as the same, and can
 * be built as it was found: `built` is what ndp_descriptor_check() says. */
void fuzz_check_descriptor_again(const struct ndp_descriptor *descriptor, struct ndp_bytes text, enum ndp_status built);

#endif
