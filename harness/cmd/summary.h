/* summary.h: the text at the end of a run. */
#ifndef NDP_SUMMARY_H
#define NDP_SUMMARY_H

#include <stdio.h>

#include "report/gate.h"

/* Prints the verdict on the first line, then a line for each cause of a defect: crashes, wrong values, losses of
 * attributes, refusals; then the number of losses and hazards, and the path of the report (NULL: none). */
void ndp_summary_print(FILE *out, const struct ndp_report *report, const struct ndp_gate *gate, const char *path);

#endif
