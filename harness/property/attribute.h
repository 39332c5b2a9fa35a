/* attribute.h: which library is wrong. Every divergence gets its library here, and nowhere else. */
#ifndef NDP_ATTRIBUTE_H
#define NDP_ATTRIBUTE_H

#include "property/property.h"

/* The library behind a broken promise of the trial. Borrows the trial. */
const char *ndp_attribute_divergence(const struct ndp_trial *trial);

/* The library behind a process death, or behind a source that its own memory map built wrong: that of the entry point
 * which the process worked for. A case that only decodes has no encoder. Borrows `info`. */
const char *ndp_attribute_process(const struct ndp_target_info *info, const struct ndp_route *route, enum ndp_end end);

#endif
