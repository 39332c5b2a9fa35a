/* dtype_json.h: a dtype as JSON, in descriptors and in messages of the testee protocol (harness/testees/README.md).
 *
 *     "<f8"
 *     {"type": "<f8", "metadata": {...}}
 *     {"type": "|V2", "registered": "package.module:name"}
 *     {"fields": [{"name": "a", "title": "T", "offset": 0, "dtype": ...}], "itemsize": 16, "aligned": true,
 *      "metadata": {...}}
 *     {"base": ..., "shape": [2, 3], "metadata": {...}}
 *
 * Optional members: title; aligned (default false); metadata; offset (default: the end of the previous field, aligned
 * if the structure is); itemsize (default: the end of the last field, aligned likewise).
 */
#ifndef NDP_DTYPE_JSON_H
#define NDP_DTYPE_JSON_H

#include "describe/json_read.h"

/* Gives a dtype that passes ndp_dtype_check. `path` of the error is a JSON pointer below `item`. Errors: INVALID,
 * LIMIT, NOMEM. */
enum ndp_status ndp_dtype_from_json(struct ndp_arena *arena, const cJSON *item,
                                    const struct ndp_describe_limits *limits, const struct ndp_dtype **out,
                                    struct ndp_error *error) NDP_MUST_USE;

/* As above, with the reader of an enclosing value. */
enum ndp_status ndp_dtype_read_json(struct ndp_json_reader *reader, const cJSON *item,
                                    const struct ndp_dtype **out) NDP_MUST_USE;

/* Gives a new tree, or NULL if out of memory. Always contains offsets and itemsize. */
cJSON *ndp_dtype_to_json(const struct ndp_dtype *dtype);

/* Appends the text of that tree on one line, without building the tree. Errors: NOMEM, LIMIT. */
enum ndp_status ndp_dtype_print(struct ndp_buffer *buffer, const struct ndp_dtype *dtype) NDP_MUST_USE;

/* Gives the dtype of a text (borrowed) in `arena`. Accepts and refuses the same texts as ndp_json_parse with
 * ndp_dtype_from_json. Errors: INVALID, LIMIT, NOMEM. */
enum ndp_status ndp_dtype_parse(struct ndp_arena *arena, struct ndp_bytes text,
                                const struct ndp_describe_limits *limits, const struct ndp_dtype **out,
                                struct ndp_error *error) NDP_MUST_USE;

#endif
