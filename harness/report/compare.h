/* compare.h: the changes between two reports, by signature. */
#ifndef NDP_COMPARE_H
#define NDP_COMPARE_H

#include "report/report.h"

/* enum name, word, meaning */
#define NDP_CHANGE_LIST(X)                                                                                             \
    X(NEW, "new", "in the new report only")                                                                            \
    X(FIXED, "fixed", "in the old report only; the new run covers its route")                                          \
    X(STILL, "still there", "in both")                                                                                 \
    X(UNTESTED, "not tested", "in the old report only; the new run does not cover its route")

#define NDP_CHANGE_ENUM(name, word, text) NDP_CHANGE_##name,
enum ndp_change { NDP_CHANGE_LIST(NDP_CHANGE_ENUM) NDP_CHANGE_COUNT };

struct ndp_compared {
    enum ndp_change change;
    const struct ndp_report_finding *finding; /* from the new report if it is there, else from the old one; borrowed */
};

struct ndp_compare {
    struct ndp_compared *items; /* owned: ndp_compare_clear; sorted by change, then in report order */
    uint32_t count;
    uint32_t counts[NDP_CHANGE_COUNT];
};

/* Fills *out, which borrows both reports. Errors: NOMEM. */
enum ndp_status ndp_compare_reports(const struct ndp_report *old_report, const struct ndp_report *new_report,
                                    struct ndp_compare *out) NDP_MUST_USE;
void ndp_compare_clear(struct ndp_compare *compare);

const char *ndp_compare_change_word(enum ndp_change change);

#endif
