/* json_read.h: from JSON text to checked values, with the place of every error.
 *
 * Readers take a cJSON node and fill plain structs. The node that is wrong is remembered in the reader, and
 * ndp_json_locate() turns it into a JSON pointer and a byte offset once, at the end.
 */
#ifndef NDP_JSON_READ_H
#define NDP_JSON_READ_H

#include <cjson/cJSON.h>

#include "describe/descriptor.h"

/* What a tree of readers shares. Everything is borrowed. */
struct ndp_json_reader {
    struct ndp_arena *arena;
    const struct ndp_describe_limits *limits;
    struct ndp_error *error; /* may be NULL */
    const cJSON *culprit;    /* the node that is wrong, or NULL */
    bool at_key;             /* it is its key that is wrong */
};

/* Gives a tree (free it with cJSON_Delete) from text that passes ndp_json_scan. Errors: INVALID, LIMIT with the
 * byte offset; NOMEM. */
enum ndp_status ndp_json_parse(struct ndp_bytes text, const struct ndp_describe_limits *limits, cJSON **out,
                               struct ndp_error *error) NDP_MUST_USE;

/* Sets the error of `reader` and remembers `item` (may be NULL) as the culprit; returns `status`. */
enum ndp_status ndp_json_blame(struct ndp_json_reader *reader, const cJSON *item, enum ndp_status status,
                               const char *format, ...) NDP_PRINTF(4, 5) NDP_MUST_USE;

/* Remembers `item` as the culprit of a failed `status` when none is remembered yet; returns `status`. */
enum ndp_status ndp_json_at(struct ndp_json_reader *reader, const cJSON *item, enum ndp_status status) NDP_MUST_USE;

/* Fills path (a JSON pointer below `root`) and, with a `text` that `root` came from, the byte offset of the
 * reader's error. A text of size 0 leaves the offset at NDP_NO_OFFSET. */
void ndp_json_locate(struct ndp_json_reader *reader, const cJSON *root, struct ndp_bytes text);

/* The node that a JSON pointer leads to from `root`; where it leads nowhere, the last one on its way. Borrows `root`.
 */
const cJSON *ndp_json_resolve(const cJSON *root, const char *pointer);

/* Fills members[i] with the member of `object` named keys[i], or NULL when it is missing. Errors: INVALID when
 * it is no object, has another key, or the same key twice. */
enum ndp_status ndp_json_members(struct ndp_json_reader *reader, const cJSON *object, const char *const *keys,
                                 uint32_t count, const cJSON **members) NDP_MUST_USE;

/* Integers: a JSON number that is a whole number of magnitude up to 2^53 - 1, or a string of decimal digits in
 * the shortest form. `error` (may be NULL) gets the text only. Errors: INVALID. */
enum ndp_status ndp_json_i64(const cJSON *item, int64_t *out, struct ndp_error *error) NDP_MUST_USE;
enum ndp_status ndp_json_u64(const cJSON *item, uint64_t *out, struct ndp_error *error) NDP_MUST_USE;

/* As above, and refuses what is over `max` (INVALID). */
enum ndp_status ndp_json_u32(const cJSON *item, uint32_t max, uint32_t *out, struct ndp_error *error) NDP_MUST_USE;

/* Fills *out with a text in generalised UTF-8 (base/text.h) from a string or {"codepoints": [...]}. Memory is of
 * `arena`. Errors: INVALID, NOMEM. */
enum ndp_status ndp_json_text(struct ndp_arena *arena, const cJSON *item, struct ndp_bytes *out,
                              struct ndp_error *error) NDP_MUST_USE;

/* Fills *out with true or false. Errors: INVALID. */
enum ndp_status ndp_json_bool(const cJSON *item, bool *out, struct ndp_error *error) NDP_MUST_USE;

/* Copies a word ([a-z0-9_.+:-]*, shorter than NDP_WORD_BYTES) into `out`. Capitals are words too, for the names of
 * targets and transports. Errors: INVALID. */
enum ndp_status ndp_json_word(const cJSON *item, char *out, struct ndp_error *error) NDP_MUST_USE;

/* Fills `*out` with the items (arena) of an array of at most `max` integers, each >= `least`. */
enum ndp_status ndp_json_extents(struct ndp_json_reader *reader, const cJSON *array, int64_t least, uint32_t max,
                                 const int64_t **out, uint32_t *count) NDP_MUST_USE;

#endif
