/* json_read.h: conversion of JSON to checked values, with the position of each error.
 *
 * Readers take a cJSON node and fill plain structs. On an error the reader remembers the offending node, and
 * ndp_json_locate() finally converts it to a JSON pointer and a byte offset.
 */
#ifndef NDP_JSON_READ_H
#define NDP_JSON_READ_H

#include <cjson/cJSON.h>

#include "describe/descriptor.h"

/* State shared by a tree of readers. Borrows everything. */
struct ndp_json_reader {
    struct ndp_arena *arena;
    const struct ndp_describe_limits *limits;
    struct ndp_error *error; /* may be NULL */
    const cJSON *culprit;    /* the offending node, or NULL */
    bool at_key;             /* the error refers to the node's key */
};

/* Gives a tree (free with cJSON_Delete) from a text that passes ndp_json_scan. Errors: INVALID, LIMIT with the byte
 * offset; NOMEM. */
enum ndp_status ndp_json_parse(struct ndp_bytes text, const struct ndp_describe_limits *limits, cJSON **out,
                               struct ndp_error *error) NDP_MUST_USE;

/* Sets the error of `reader` with `item` (may be NULL) as the offending node. Returns `status`. */
enum ndp_status ndp_json_blame(struct ndp_json_reader *reader, const cJSON *item, enum ndp_status status,
                               const char *format, ...) NDP_PRINTF(4, 5) NDP_MUST_USE;

/* If `status` is an error without an offending node, sets `item` as this node. Returns `status`. */
enum ndp_status ndp_json_at(struct ndp_json_reader *reader, const cJSON *item, enum ndp_status status) NDP_MUST_USE;

/* Fills the path (a JSON pointer below `root`) and the byte offset of the reader's error. `text` is the source of
 * `root`; if its size is 0, the offset stays NDP_NO_OFFSET. */
void ndp_json_locate(struct ndp_json_reader *reader, const cJSON *root, struct ndp_bytes text);

/* Returns the node at a JSON pointer below `root`, or the last existing node on the way to it. Borrows `root`. */
const cJSON *ndp_json_resolve(const cJSON *root, const char *pointer);

/* Fills members[i] with the member of `object` named keys[i], or NULL. Errors: INVALID if `object` is not an object,
 * has an unknown key, or a duplicate key. */
enum ndp_status ndp_json_members(struct ndp_json_reader *reader, const cJSON *object, const char *const *keys,
                                 uint32_t count, const cJSON **members) NDP_MUST_USE;

/* Integers: a JSON number that is an integer of magnitude up to 2^53 - 1, or a string of canonical decimal digits.
 * `error` (may be NULL) receives only the text. Errors: INVALID. */
enum ndp_status ndp_json_i64(const cJSON *item, int64_t *out, struct ndp_error *error) NDP_MUST_USE;
enum ndp_status ndp_json_u64(const cJSON *item, uint64_t *out, struct ndp_error *error) NDP_MUST_USE;

/* As above, and refuses numbers above `max` (INVALID). */
enum ndp_status ndp_json_u32(const cJSON *item, uint32_t max, uint32_t *out, struct ndp_error *error) NDP_MUST_USE;

/* Fills *out with text in generalised UTF-8 (base/text.h) from a string or {"codepoints": [...]}. Memory comes from
 * `arena`. Errors: INVALID, NOMEM. */
enum ndp_status ndp_json_text(struct ndp_arena *arena, const cJSON *item, struct ndp_bytes *out,
                              struct ndp_error *error) NDP_MUST_USE;

/* Fills *out with a boolean. Errors: INVALID. */
enum ndp_status ndp_json_bool(const cJSON *item, bool *out, struct ndp_error *error) NDP_MUST_USE;

/* Copies a word ([a-z0-9_.+:-]*, shorter than NDP_WORD_BYTES; capitals are allowed for names of targets and transports)
 * to `out`. Errors: INVALID. */
enum ndp_status ndp_json_word(const cJSON *item, char *out, struct ndp_error *error) NDP_MUST_USE;

/* Fills `*out` with the items (in the arena) of an array of at most `max` integers, each >= `least`. */
enum ndp_status ndp_json_extents(struct ndp_json_reader *reader, const cJSON *array, int64_t least, uint32_t max,
                                 const int64_t **out, uint32_t *count) NDP_MUST_USE;

#endif
