/* json_spoilt.h: texts that are no JSON, or no descriptor's. A reader that takes more than there is has nothing to
 * compare it with. */
#ifndef NDP_FUZZ_JSON_SPOILT_H
#define NDP_FUZZ_JSON_SPOILT_H

#include "base/bytes.h"

/* Appends the text to `out` with one token spoilt, something between two or behind them all, or its end cut off; `pick`
 * says which and how. The text is an object without blanks. Nothing when it has too many tokens. Errors: NOMEM, LIMIT
 * (of `out`). Source: RFC 8259; NUL and lone surrogates, which it leaves open, no text of a descriptor has. */
enum ndp_status fuzz_json_spoil(struct ndp_bytes text, uint64_t pick, struct ndp_buffer *out) NDP_MUST_USE;

/* Holds that a descriptor (its canonical text) is refused, spoilt so, and with a number in it beyond those that it may
 * hold. One in four is tried. */
void fuzz_check_json_spoilt(struct ndp_bytes text, uint64_t pick);

#endif
