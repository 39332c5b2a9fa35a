/* descriptor_text.h: the canonical text of a descriptor, read again. */
#ifndef NDP_FUZZ_DESCRIPTOR_TEXT_H
#define NDP_FUZZ_DESCRIPTOR_TEXT_H

#include "describe/descriptor.h"

/* Checks that a text that was printed of a descriptor (both borrowed) reads as the same descriptor, prints as the same
 * text and can be built as before: `built` is the status of ndp_descriptor_check(). If it is due, an allocation of the
 * reader and builder fails, too. */
void fuzz_check_descriptor_text(const struct ndp_descriptor *descriptor, struct ndp_bytes text, enum ndp_status built);

#endif
