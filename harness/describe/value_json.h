/* value_json.h: a value as JSON, in descriptors and in messages of the testee protocol (harness/testees/README.md).
 *
 * In the protocol, "data" is omitted: the bytes follow in a binary part.
 */
#ifndef NDP_VALUE_JSON_H
#define NDP_VALUE_JSON_H

#include "describe/dtype_json.h"

/* Gives a value from {"array": {...}}, {"graph": {...}} or {"dict": {...}}. `{}` and NULL are the smallest value, a 0-d
 * array of one zero byte. Without "data" the pattern is ZEROS. Errors: INVALID, LIMIT (a base over
 * limits->value_bytes), NOMEM. */
enum ndp_status ndp_value_read_json(struct ndp_json_reader *reader, const cJSON *item,
                                    struct ndp_value *out) NDP_MUST_USE;

/* Gives a new tree, or NULL if out of memory. Always contains dtype and shape, and never other defaults. */
cJSON *ndp_value_to_json(const struct ndp_value *value, bool with_data);

/* As above, for the object behind "array" only, as in a node of a graph. `item` may be NULL. */
enum ndp_status ndp_value_array_read_json(struct ndp_json_reader *reader, const cJSON *item,
                                          struct ndp_array_value *out) NDP_MUST_USE;
cJSON *ndp_value_array_to_json(const struct ndp_array_value *array, bool with_data);

/* As above, for the list of views only. */
enum ndp_status ndp_value_views_read_json(struct ndp_json_reader *reader, const cJSON *list,
                                          struct ndp_array_value *array) NDP_MUST_USE;
bool ndp_value_views_put_json(cJSON *object, const struct ndp_array_value *array);

/* Read and print one view operation (describe/view_json.c). */
enum ndp_status ndp_value_view_read_json(struct ndp_json_reader *reader, const cJSON *item,
                                         struct ndp_view *out) NDP_MUST_USE;
cJSON *ndp_value_view_to_json(const struct ndp_view *view);

/* "C" or "F". */
enum ndp_status ndp_value_memory_order_read_json(struct ndp_json_reader *reader, const cJSON *item,
                                                 enum ndp_memory_order *out) NDP_MUST_USE;
const char *ndp_value_memory_order_word(enum ndp_memory_order order);

#endif
