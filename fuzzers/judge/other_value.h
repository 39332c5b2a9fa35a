/* other_value.h: what is promised of the word on a value: where its elements lie, that it is another one, that nobody
 * can build it, and what there is in it. */
#ifndef NDP_FUZZ_OTHER_VALUE_H
#define NDP_FUZZ_OTHER_VALUE_H

#include "model/graph.h"

/* Holds for a value that can be built, in one pick of several: elements lie where views lead (view_again.h), and views
 * apply to their limits (view_spoilt.h). Its features are those of a second count; what is changed in a graph is told,
 * there; what is spoilt in it is refused. Time is in proportion to what building it takes. */
void fuzz_check_value(const struct ndp_value *value, uint64_t pick);

#endif
