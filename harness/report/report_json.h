/* report_json.h: a report as JSON, both ways. The schema is reports/schema.json. */
#ifndef NDP_REPORT_JSON_H
#define NDP_REPORT_JSON_H

#include "report/gate.h"

/* Appends the whole report, ended by a newline. `baseline` may be NULL. Errors: NOMEM, LIMIT. */
enum ndp_status ndp_report_print(struct ndp_buffer *buffer, const struct ndp_report *report,
                                 const struct ndp_baseline *baseline, const struct ndp_gate *gate) NDP_MUST_USE;

/* Puts the report in place of the file at `path`, whole or not at all: through a temporary file in the same folder
 * and a rename. Errors: IO (the text names the operation), NOMEM, LIMIT. */
enum ndp_status ndp_report_write(const char *path, const struct ndp_report *report, const struct ndp_baseline *baseline,
                                 const struct ndp_gate *gate, struct ndp_error *error) NDP_MUST_USE;

/* Fills *out (clear it with ndp_report_clear, also after an error) from the text of a report. What it says of baseline
 * and gate is checked in form only: both are judged anew. Errors: INVALID, LIMIT with path and offset; NOMEM. */
enum ndp_status ndp_report_read(struct ndp_bytes text, struct ndp_report *out, struct ndp_error *error) NDP_MUST_USE;

#endif
