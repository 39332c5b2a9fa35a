/* report_packed.h: a finding as bytes, so that the process that made it can give it to the one that has the report. */
#ifndef NDP_REPORT_PACKED_H
#define NDP_REPORT_PACKED_H

#include "report/report.h"

/* A finding with its cause. Texts point into the report's arena or the bytes. */
struct ndp_report_packed {
    struct ndp_report_finding finding;           /* without its cause and the command that reproduces it */
    struct ndp_report_cause cause;               /* without drawing, script and routes */
    char generated[NDP_REPORT_ROUTE_TEXT_BYTES]; /* the route of the first case before it was minimised; or "" */
    struct ndp_bytes script;                     /* Python source; empty if there is none */
    struct ndp_bytes no_script;                  /* the reason */
    struct ndp_bytes evidence;                   /* for people, up to the command that reproduces it */
};

/* The texts of a finding beside those of ndp_finding. Borrowed. */
struct ndp_report_texts {
    struct ndp_bytes script, no_script, evidence;
};

/* Appends a finding of `count` cases. All borrowed. Errors: NOMEM, LIMIT. */
enum ndp_status ndp_report_pack(const struct ndp_finding *finding, uint64_t count, const struct ndp_report_texts *more,
                                struct ndp_buffer *out) NDP_MUST_USE;

/* Fills *out from such bytes of the same program (borrowed). Errors: INVALID. */
enum ndp_status ndp_report_unpack(struct ndp_bytes packed, struct ndp_report_packed *out) NDP_MUST_USE;

/* Adds the finding with its cause to the report, or its count to the finding with the same signature. Copies texts.
 * `after_ns` is the time since the start of the run; 0 if unknown. Errors: NOMEM. */
enum ndp_status ndp_report_add_packed(struct ndp_report *report, const struct ndp_report_packed *packed,
                                      uint64_t after_ns) NDP_MUST_USE;

#endif
