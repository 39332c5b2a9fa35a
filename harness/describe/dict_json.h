/* dict_json.h: a dict and its schedule as JSON, in descriptors and in messages of the testee protocol.
 *
 * {"key": "int64", "item": "int64", "initial": 100, "rounds": 8, "threads": [[["set", 100, 50], ["read", 0, 100]],
 * ...]}
 */
#ifndef NDP_DICT_JSON_H
#define NDP_DICT_JSON_H

#include "describe/json_read.h"
#include "model/dict.h"

/* Gives a value in the reader's arena. Missing members get the smallest value. Errors: INVALID, LIMIT, NOMEM. */
enum ndp_status ndp_dict_read_json(struct ndp_json_reader *reader, const cJSON *item,
                                   const struct ndp_dict_value **out) NDP_MUST_USE;

/* Gives a new tree, or NULL if out of memory. */
cJSON *ndp_dict_to_json(const struct ndp_dict_value *value);

#endif
