/* attribute.h: decides which library is wrong. This is the only place that does. */
#ifndef NDP_ATTRIBUTE_H
#define NDP_ATTRIBUTE_H

#include "property/property.h"

/* The library that broke a promise of the trial. Borrows the trial. */
const char *ndp_attribute_divergence(const struct ndp_trial *trial);

/* The library of a process death, or of a memory map that is wrong in the source: that of the route's entry point at
 * `end`. A decode case has only a decoder. Borrows `info`. */
const char *ndp_attribute_process(const struct ndp_target_info *info, const struct ndp_route *route, enum ndp_end end);

#endif
