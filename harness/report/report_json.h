/* report_json.h: prints, writes and reads a report as JSON (reports/schema.json). */
#ifndef NDP_REPORT_JSON_H
#define NDP_REPORT_JSON_H

#include "report/gate.h"

/* Appends the report and a newline. `baseline` may be NULL. Errors: NOMEM, LIMIT. */
enum ndp_status ndp_report_print(struct ndp_buffer *buffer, const struct ndp_report *report,
                                 const struct ndp_baseline *baseline, const struct ndp_gate *gate) NDP_MUST_USE;

/* Replaces the file at `path` atomically: writes a temporary file in the same folder, then renames it. Errors: IO (the
 * text names the operation), NOMEM, LIMIT. */
enum ndp_status ndp_report_write(const char *path, const struct ndp_report *report, const struct ndp_baseline *baseline,
                                 const struct ndp_gate *gate, struct ndp_error *error) NDP_MUST_USE;

/* Fills *out from the text of a report; call ndp_report_clear also after an error. Checks only the form of the members
 * baseline and gate, which callers compute again. Errors: INVALID, UNSUPPORTED, LIMIT with path and offset; NOMEM. */
enum ndp_status ndp_report_read(struct ndp_bytes text, struct ndp_report *out, struct ndp_error *error) NDP_MUST_USE;

/* Replaces a regular file through a temporary file and a rename. Errors: IO, LIMIT; the old file stays. */
enum ndp_status ndp_report_replace_file(const char *path, struct ndp_bytes text, struct ndp_error *error) NDP_MUST_USE;

#endif
