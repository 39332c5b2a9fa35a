/* summary.h: a report as a table for a person. */
#ifndef NDP_SUMMARY_H
#define NDP_SUMMARY_H

#include <stdio.h>

#include "report/gate.h"

/* Prints the counts of each property, the findings, and the verdict with its reasons. */
void ndp_summary_print(FILE *out, const struct ndp_report *report, const struct ndp_gate *gate);

#endif
