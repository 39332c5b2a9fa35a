/* observation_json.h: what a target was seen to hold, as JSON for a report. */
#ifndef NDP_OBSERVATION_JSON_H
#define NDP_OBSERVATION_JSON_H

#include <cjson/cJSON.h>

#include "engine/result.h"

/* How many bytes of elements a report shows. */
enum { NDP_REPORT_ELEMENT_BYTES = 256 };

/* Gives {"class", "dtype", "shape", "strides", "flags", "elements", "elements_bytes", "backing"}, or NULL when out of
 * memory. `elements` is hex of the first bytes; `backing` is there when the array is a map or claims to be one. */
cJSON *ndp_observation_to_json(const struct ndp_observation *observation);

/* Gives {"promised", "source", "result", "death"} of one divergence: the promise with its source in words, what was
 * seen where it was seen, and how the target ended where it did. NULL when out of memory. */
cJSON *ndp_evidence_to_json(const struct ndp_divergence *divergence, const struct ndp_result *result);

#endif
