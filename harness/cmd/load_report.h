/* load_report.h: reads a report of the command line. */
#ifndef NDP_LOAD_REPORT_H
#define NDP_LOAD_REPORT_H

#include "report/report_json.h"

/* Fills *out (clear it with ndp_report_clear), prints an error with its line, and returns whether it succeeded. */
bool ndp_load_report(const char *path, struct ndp_report *out);

#endif
