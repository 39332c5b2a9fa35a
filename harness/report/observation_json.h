/* observation_json.h: an observed value, as JSON for a report. */
#ifndef NDP_OBSERVATION_JSON_H
#define NDP_OBSERVATION_JSON_H

#include <cjson/cJSON.h>

#include "engine/result.h"

/* The number of element bytes in a report. */
enum { NDP_REPORT_ELEMENT_BYTES = 256 };

/* Gives {"class", "dtype", "shape", "strides", "flags", "elements", "elements_bytes", "backing"}, or NULL when out of
 * memory. `elements` is the hex of the first bytes; `backing` is present if the array is a map or claims to be one. */
cJSON *ndp_observation_json_of(const struct ndp_observation *observation);

/* Gives {"promised", "source", "result", "death"} of one divergence: the promise in words with its source, the
 * observations before and after the route, and the process death. Unknown members are left out. NULL when out of
 * memory. */
cJSON *ndp_observation_json_evidence(const struct ndp_divergence *divergence, const struct ndp_result *result);

#endif
