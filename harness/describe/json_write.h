/* json_write.h: construction of cJSON trees under allocation failures.
 *
 * A maker gives a node or NULL (out of memory). An adder takes a node that may be NULL, frees it if it cannot be added,
 * and reports whether it was added. Calls can therefore be joined with &&, and one cJSON_Delete of the object frees
 * everything.
 */
#ifndef NDP_JSON_WRITE_H
#define NDP_JSON_WRITE_H

#include <cjson/cJSON.h>

#include "base/bytes.h"

/* Takes `item`. Borrows `key` for the lifetime of the object: pass literals or words of a table. */
bool ndp_json_put(cJSON *object, const char *key, cJSON *item);

/* Takes `item` and appends it to `array`. */
bool ndp_json_push(cJSON *array, cJSON *item);

/* Ends a chain of adders: gives `tree` if it is whole, otherwise frees it and gives NULL. */
cJSON *ndp_json_finish(cJSON *tree, bool is_whole);

/* A JSON number for magnitudes up to 2^53 - 1, written in digits only; otherwise a decimal string. */
cJSON *ndp_json_from_i64(int64_t number);
cJSON *ndp_json_from_u64(uint64_t number);

/* A string, or {"codepoints": [...]} for text (generalised UTF-8) with NUL or surrogates. */
cJSON *ndp_json_from_text(struct ndp_bytes text);

/* A string with two lower-case hexadecimal digits per byte. */
cJSON *ndp_json_from_hex(struct ndp_bytes bytes);

/* An array of integers. */
cJSON *ndp_json_from_extents(const int64_t *items, uint32_t count);

/* Rewrites every number of the tree with enough digits to identify its double: cJSON's 15 digits can be off by one part
 * in 2^52. Returns false if out of memory. Recursion is as deep as the tree. */
bool ndp_json_exact_numbers(cJSON *tree);

/* Gives the text of the (borrowed) tree on one line with exact numbers, to be freed with cJSON_free, or NULL if out of
 * memory. */
char *ndp_json_print_exact(const cJSON *tree);

/* Takes `tree` (NULL: out of memory) and appends its text on one line with exact numbers. Errors: NOMEM, LIMIT. */
enum ndp_status ndp_json_print(struct ndp_buffer *buffer, cJSON *tree) NDP_MUST_USE;

/* Append the text of the maker of the same name, without a node. Errors: NOMEM, LIMIT. */
enum ndp_status ndp_json_add_u64(struct ndp_buffer *buffer, uint64_t number) NDP_MUST_USE;
enum ndp_status ndp_json_add_i64(struct ndp_buffer *buffer, int64_t number) NDP_MUST_USE;
enum ndp_status ndp_json_add_text(struct ndp_buffer *buffer, struct ndp_bytes text) NDP_MUST_USE;

#endif
