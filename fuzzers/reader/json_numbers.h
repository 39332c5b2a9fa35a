/* json_numbers.h: numbers in a text, found by other code than the parser's. */
#ifndef NDP_FUZZ_JSON_NUMBERS_H
#define NDP_FUZZ_JSON_NUMBERS_H

#include "base/bytes.h"

/* Whether every number of the canonical text is one of the other text, or stands behind a key that the other leaves out
 * (a version, where a field begins): none that is said was made another by reading. A string of digits is a number,
 * too, exactly as it stands where no double holds it; so is null. True where there are escapes, which may hide one.
 * Both are JSON. Source: RFC 8259, 6 and 7. */
bool fuzz_has_numbers_of(struct ndp_bytes text, struct ndp_bytes canonical);

#endif
