/* export_report.h: a report as a page for people and as files for other programs.
 *
 * The renderers are Python (reports/export). They read the JSON report, and get from here only the statement of each
 * property, which SARIF shows as the help of a rule.
 */
#ifndef NDP_EXPORT_REPORT_H
#define NDP_EXPORT_REPORT_H

#include "cmd/settings.h"
#include "report/gate.h"

/* Writes the report in the file at `path` to the outputs that `settings` names (html, markdown, junit, sarif, ctrf),
 * and whatever the environment variables of a job on GitHub request. Prints the reason of a failure. Gives CLEAN; USAGE
 * for a report that cannot be used; FAULT if Python or a package is missing, or an output cannot be written. */
enum ndp_exit ndp_export_report(const char *path, const struct ndp_settings *settings);

#endif
