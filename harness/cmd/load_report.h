/* load_report.h: a report file from the command line. */
#ifndef NDP_LOAD_REPORT_H
#define NDP_LOAD_REPORT_H

#include "report/report_json.h"

/* Fills *out (clear it with ndp_report_clear). What is wrong is printed with its place. Whether it could be read. */
bool ndp_report_load(const char *path, struct ndp_report *out);

#endif
