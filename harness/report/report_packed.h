/* report_packed.h: a finding as bytes, so that the process that made it can give it to the one that has the report. */
#ifndef NDP_REPORT_PACKED_H
#define NDP_REPORT_PACKED_H

#include "report/report.h"

/* A finding with its cause and its evidence for people. Texts point into the report's arena or the bytes. */
struct ndp_report_packed {
    struct ndp_report_finding finding;           /* its cause is not set */
    struct ndp_report_cause cause;               /* without drawing, script and routes */
    char generated[NDP_REPORT_ROUTE_TEXT_BYTES]; /* the route of the first case before it was minimised; or "" */
    struct ndp_bytes evidence;
};

/* Appends a finding of `count` cases. `replay` is the command that reproduces it, `evidence` its text for people. All
 * borrowed. Errors: NOMEM, LIMIT. */
enum ndp_status ndp_report_pack(const struct ndp_finding *finding, uint64_t count, const char *replay,
                                struct ndp_bytes evidence, struct ndp_buffer *out) NDP_MUST_USE;

/* Fills *out from such bytes of the same program (borrowed). Errors: INVALID. */
enum ndp_status ndp_report_unpack(struct ndp_bytes packed, struct ndp_report_packed *out) NDP_MUST_USE;

/* Adds the finding with its cause to the report, or its count to the finding with the same signature. Copies texts.
 * `after_ns` is the time since the start of the run; 0 if unknown. Errors: NOMEM. */
enum ndp_status ndp_report_add_packed(struct ndp_report *report, const struct ndp_report_packed *packed,
                                      uint64_t after_ns) NDP_MUST_USE;

#endif
