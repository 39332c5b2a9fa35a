/* json_strict.h: keys and values that no descriptor has. */
#ifndef NDP_FUZZ_JSON_STRICT_H
#define NDP_FUZZ_JSON_STRICT_H

#include "describe/descriptor.h"

/* Of a text that is read, for one input in several, by `pick`: with a key in one of its objects that nobody knows, or
 * with one that is there already, it is refused. Objects whose keys are anybody's are left out: metadata and, where
 * `has_graph`, all but for keys that come twice. */
void fuzz_check_json_keys(struct ndp_bytes text, bool has_graph, uint64_t pick);

/* Of others: with another value in the place of one, or with words that contradict what it says, it is refused.
 * Metadata, where much may stand, are left out; of graphs, all but keys that a node of its kind does not have. */
void fuzz_check_json_values(struct ndp_bytes text, bool has_graph, uint64_t pick);

#endif
