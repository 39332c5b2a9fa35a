/* json_scan.h: strict check of the grammar of RFC 8259 before cJSON parses a text, and positions in the text.
 *
 * cJSON accepts malformed texts (raw control characters, broken UTF-8, "01", NUL escapes that truncate a string) and
 * keeps no positions. The scanner refuses such texts and finds the position of a value.
 */
#ifndef NDP_JSON_SCAN_H
#define NDP_JSON_SCAN_H

#include "describe/descriptor.h"

/* Default limits of one text. The number of values bounds the memory of the tree. */
enum { NDP_JSON_MAX_VALUES = 1 << 20, NDP_JSON_MAX_DEPTH = 512 };

/* Checks one JSON text. Also refuses "\u0000" and lone surrogates in strings (such a text is written as {"codepoints":
 * [...]}), numbers that are not finite as a double, and a byte order mark. Borrows all arguments. Errors: INVALID and
 * LIMIT (size, depth, number of values) with the byte offset. */
enum ndp_status ndp_json_scan(struct ndp_bytes text, const struct ndp_describe_limits *limits,
                              struct ndp_error *error) NDP_MUST_USE;

/* Returns the byte offset of value number `ordinal` in document order (the document is 0), or with `at_key` of its key,
 * if any. Returns NDP_NO_OFFSET if there is no such value or the text is malformed. */
uint64_t ndp_json_offset(struct ndp_bytes text, uint64_t ordinal, bool at_key);

#endif
