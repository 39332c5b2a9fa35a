/* json_words.h: words in a text, found by other code than the parser's. */
#ifndef NDP_FUZZ_JSON_WORDS_H
#define NDP_FUZZ_JSON_WORDS_H

#include "base/bytes.h"

/* Whether every word of the text, a string that is no key and no type, is one of the canonical text, where it is not
 * what a reader takes where nothing is said: none was lost by reading. Hexadecimal digits are the same in either case.
 * True where there are escapes, which may hide one. Both are JSON. Source: RFC 8259, 7. */
bool fuzz_has_words_of(struct ndp_bytes text, struct ndp_bytes canonical);

#endif
