/* json_scan.h: the strict grammar of RFC 8259 over bytes, before cJSON sees them, and places in the text.
 *
 * cJSON forgives much (raw control characters, broken UTF-8, "01", NUL escapes that cut a string) and keeps no
 * positions. The scanner refuses what cJSON would bend and finds where in the text a value stands.
 */
#ifndef NDP_JSON_SCAN_H
#define NDP_JSON_SCAN_H

#include "describe/descriptor.h"

/* How many values one text may hold when its limits do not say: bounds what the tree takes in memory. */
enum { NDP_JSON_MAX_VALUES = 1 << 20, NDP_JSON_MAX_DEPTH = 512 };

/* Checks one JSON text. Refuses also: "\u0000" and lone surrogates in strings (a text with those is written as
 * {"codepoints": [...]}), numbers that a double cannot hold in finite form, a byte order mark. Borrows all.
 * Errors: INVALID with the byte offset of the offence; LIMIT (size, depth, number of values) likewise. */
enum ndp_status ndp_json_scan(struct ndp_bytes text, const struct ndp_describe_limits *limits,
                              struct ndp_error *error) NDP_MUST_USE;

/* The byte offset of value number `ordinal` (the document is 0, then in the order of the text), or of its key
 * when `at_key` and it has one. NDP_NO_OFFSET when there is no such value or the text is malformed. */
uint64_t ndp_json_offset(struct ndp_bytes text, uint64_t ordinal, bool at_key);

#endif
