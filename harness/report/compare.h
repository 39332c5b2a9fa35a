/* compare.h: the changes between two reports, by cause. */
#ifndef NDP_COMPARE_H
#define NDP_COMPARE_H

#include "report/report.h"

/* enum name, word, meaning */
#define NDP_CHANGE_LIST(X)                                                                                             \
    X(NEW, "new", "in the new report only")                                                                            \
    X(STILL, "still there", "in both, or shown by a replay")                                                           \
    X(FIXED, "fixed", "a replay was compared and does not show it")                                                    \
    X(NOT_GENERATED, "not generated in this run", "in the old report only; nothing more is known")                     \
    X(UNTESTED, "not tested", "a replay compared nothing")

#define NDP_CHANGE_ENUM(name, word, text) NDP_CHANGE_##name,
enum ndp_change { NDP_CHANGE_LIST(NDP_CHANGE_ENUM) NDP_CHANGE_COUNT };

struct ndp_compared {
    enum ndp_change change;
    struct ndp_cause_view view; /* from the new report if it is there, else from the old one; borrowed */
};

struct ndp_compare {
    struct ndp_compared *items; /* owned: ndp_compare_clear; new, then still there, then not generated */
    uint32_t count;
};

/* Fills *out, which borrows both reports, with the changes NEW, STILL and NOT_GENERATED. Errors: NOMEM. */
enum ndp_status ndp_compare_reports(const struct ndp_report *old_report, const struct ndp_report *new_report,
                                    struct ndp_compare *out) NDP_MUST_USE;
void ndp_compare_clear(struct ndp_compare *compare);

const char *ndp_compare_change_word(enum ndp_change change);

#endif
