/* descriptor_text.h: round trip of the canonical text of a descriptor. */
#ifndef NDP_FUZZ_DESCRIPTOR_TEXT_H
#define NDP_FUZZ_DESCRIPTOR_TEXT_H

#include "describe/descriptor.h"

/* Checks that the text printed for a descriptor (both borrowed) reads as the same descriptor, prints as the same text
 * and has the same build status `built` (of ndp_descriptor_check()). If it is due, an allocation of the reader and
 * builder fails. */
void fuzz_check_descriptor_text(const struct ndp_descriptor *descriptor, struct ndp_bytes text, enum ndp_status built);

#endif
