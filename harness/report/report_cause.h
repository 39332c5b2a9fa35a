/* report_cause.h: the causes of a report. A finding is the evidence of one cause on one route. */
#ifndef NDP_REPORT_CAUSE_H
#define NDP_REPORT_CAUSE_H

#include "engine/cause.h"
#include "report/report_finding.h"

/* The record of earlier nights. */
struct ndp_cause_history {
    char first_seen[11]; /* "2026-01-31"; "" without a history */
    char last_seen[11];
    uint64_t nights;
};

/* A route on which a cause shows: "numpy>reference npy:file>mmap:r". */
enum { NDP_MAX_CAUSE_ROUTES = 500 };
struct ndp_cause_route {
    char text[NDP_REPORT_ROUTE_TEXT_BYTES];
    struct ndp_cause_route *next; /* NULL after the last */
};

/* Texts are UTF-8. Views point into the report's arena. */
struct ndp_report_cause {
    struct ndp_cause cause;
    char library[NDP_WORD_BYTES];
    char evidence[NDP_BLAME_EVIDENCE_BYTES];
    struct ndp_bytes drawing; /* of the value of the smallest descriptor; empty if there is none */
    struct ndp_bytes script;  /* Python source; empty if there is none */
    struct ndp_cause_history history;
    struct ndp_cause_route *routes; /* in the arena; the first NDP_MAX_CAUSE_ROUTES that show it */
    uint32_t route_count;
};

struct ndp_report_causes {
    struct ndp_report_cause *items; /* owned; in the order of discovery */
    uint32_t count;
    uint32_t capacity;
};

void ndp_report_causes_clear(struct ndp_report_causes *causes);

/* The index of the cause with this id; the count if none has it. */
uint32_t ndp_report_causes_find(const struct ndp_report_causes *causes, const char *id);

/* Adds a copy of `cause` (borrowed) unless its id is there; *index is its place. Errors: NOMEM. */
enum ndp_status ndp_report_causes_add(struct ndp_report_causes *causes, const struct ndp_report_cause *cause,
                                      uint32_t *index) NDP_MUST_USE;

/* Fills *out from a finding of the engine, without routes; cleans its texts with the help of `arena`. Errors: NOMEM. */
enum ndp_status ndp_report_cause_fill(struct ndp_arena *arena, const struct ndp_finding *finding,
                                      struct ndp_report_cause *out) NDP_MUST_USE;

/* Adds a route unless it is there. Errors: NOMEM. */
enum ndp_status ndp_report_cause_add_route(struct ndp_arena *arena, struct ndp_report_cause *cause,
                                           const char *text) NDP_MUST_USE;

/* A cause with what follows from its findings. All borrowed. */
struct ndp_cause_view {
    const struct ndp_report_cause *cause;
    const struct ndp_report_finding *smallest; /* the finding with the smallest descriptor */
    enum ndp_severity severity;                /* DEFECT if that of any finding is */
    enum ndp_finding_status status;
    const struct ndp_report_finding *first; /* the finding with the lowest number of a case in its group */
    uint64_t count;
    uint64_t found_after_ns; /* the shortest; 0 if none is known */
    uint32_t finding_count;
};

/* Whether the first case of `a` has the lower number. Does not depend on time. */
bool ndp_report_finding_is_before(const struct ndp_report_finding *a, const struct ndp_report_finding *b);

/* Fills *out for the cause at `index`. Every cause has a finding. */
void ndp_report_cause_view(const struct ndp_report_causes *causes, const struct ndp_report_findings *findings,
                           uint32_t index, struct ndp_cause_view *out);

/* The place of a cause in summaries: crashes first, then wrong values, losses of attributes, refusals. */
enum ndp_cause_rank { NDP_CAUSE_CRASH, NDP_CAUSE_WRONG_VALUE, NDP_CAUSE_LOST_ATTRIBUTE, NDP_CAUSE_REFUSAL };
enum ndp_cause_rank ndp_report_cause_rank(const struct ndp_cause_view *view);

#endif
