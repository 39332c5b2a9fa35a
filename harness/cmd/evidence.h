/* evidence.h: a divergence as text for people. */
#ifndef NDP_EVIDENCE_H
#define NDP_EVIDENCE_H

#include <stdio.h>

#include "engine/batch.h"

/* Prints what was promised, by whom, and the first differences. `indent` is how many spaces stand before. */
void ndp_evidence_print(FILE *out, const struct ndp_divergence *divergence, int indent);

#endif
