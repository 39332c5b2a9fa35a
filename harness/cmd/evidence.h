/* evidence.h: a divergence as text for people. */
#ifndef NDP_EVIDENCE_H
#define NDP_EVIDENCE_H

#include <stdio.h>

#include "engine/batch.h"

/* Prints the divergence: property and route, promise and source, the first differences, or how the process ended. Lines
 * begin with `indent` spaces. */
void ndp_evidence_print(FILE *out, const struct ndp_divergence *divergence, int indent);

/* The parts of that text: its first line without indent and line end, up to the route; the route with its targets; and
 * the lines below. */
void ndp_evidence_print_title(FILE *out, const struct ndp_divergence *divergence);
void ndp_evidence_print_route(FILE *out, const struct ndp_route *route);
void ndp_evidence_print_details(FILE *out, const struct ndp_divergence *divergence, int indent);

#endif
