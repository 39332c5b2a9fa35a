/* cause_line.h: one line of text for a cause. */
#ifndef NDP_CAUSE_LINE_H
#define NDP_CAUSE_LINE_H

#include <stdio.h>

#include "report/report.h"

/* Prints "  new   3f9a12bc numpy: an array comes back with other values [npy, npz; 4 routes, 40 cases], SCRIPT". A
 * refusal is printed with the original text of its error. Borrows. */
void ndp_cause_line_print(FILE *out, const char *word, const struct ndp_cause_view *view);

/* Prints all causes of `severity` and `status` in the order of ndp_report_cause_rank, at most `most`, and returns how
 * many there are. */
uint32_t ndp_cause_line_print_all(FILE *out, const struct ndp_report *report, enum ndp_severity severity,
                                  enum ndp_finding_status status, uint32_t most);

#endif
