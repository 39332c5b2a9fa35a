/* json_write.h: building cJSON trees when any allocation may fail.
 *
 * A maker gives a node or NULL (out of memory). The adders take a node that may be NULL, free it when it cannot
 * be added, and answer whether it is in; so a row of them can be joined with && and one cJSON_Delete of the
 * object frees everything.
 */
#ifndef NDP_JSON_WRITE_H
#define NDP_JSON_WRITE_H

#include <cjson/cJSON.h>

#include "base/bytes.h"

/* Takes `item`. `key` is borrowed for as long as the object lives: pass literals or words of a table. */
bool ndp_json_put(cJSON *object, const char *key, cJSON *item);

/* Takes `item`; adds at the end of `array`. */
bool ndp_json_push(cJSON *array, cJSON *item);

/* A JSON number up to 2^53 - 1 in magnitude, written in digits only, and a decimal string beyond. */
cJSON *ndp_json_from_i64(int64_t number);
cJSON *ndp_json_from_u64(uint64_t number);

/* A string, or {"codepoints": [...]} for a text (generalised UTF-8) with NUL or surrogates. */
cJSON *ndp_json_from_text(struct ndp_bytes text);

/* A string of two lower-case hexadecimal digits a byte. */
cJSON *ndp_json_from_hex(struct ndp_bytes bytes);

/* An array of integers. */
cJSON *ndp_json_from_extents(const int64_t *items, uint32_t count);

/* Writes every number of the tree with as many digits as say which double it is: cJSON takes 15 for enough where they
 * miss by one part in 2^52. Answers false when it is out of memory. Recursion is as deep as the tree. */
bool ndp_json_spell_numbers(cJSON *tree);

/* Gives the tree's (borrowed) text on one line, its numbers spelt so, to be freed with cJSON_free; NULL is out of
 * memory. */
char *ndp_json_print_same(const cJSON *tree);

/* Takes `tree` (NULL is out of memory) and appends its text on one line, numbers spelt so. Errors: NOMEM, LIMIT. */
enum ndp_status ndp_json_print(struct ndp_buffer *buffer, cJSON *tree) NDP_MUST_USE;

/* Append what the makers of the same names make, without a node. Errors: NOMEM, LIMIT. */
enum ndp_status ndp_json_add_u64(struct ndp_buffer *buffer, uint64_t number) NDP_MUST_USE;
enum ndp_status ndp_json_add_i64(struct ndp_buffer *buffer, int64_t number) NDP_MUST_USE;
enum ndp_status ndp_json_add_text(struct ndp_buffer *buffer, struct ndp_bytes text) NDP_MUST_USE;

#endif
