/* compare.h: two reports beside each other, by signature. */
#ifndef NDP_COMPARE_H
#define NDP_COMPARE_H

#include "report/report.h"

/* enum name, word, what it says */
#define NDP_CHANGE_LIST(X)                                                                                             \
    X(NEW, "new", "in the new report only")                                                                            \
    X(FIXED, "fixed", "in the old report only, and the new run would have shown it")                                   \
    X(STILL, "still there", "in both")                                                                                 \
    X(UNTESTED, "not tested", "in the old report only, but the new run had no such route")

enum ndp_change {
#define NDP_CHANGE_ENUM(name, word, text) NDP_CHANGE_##name,
    NDP_CHANGE_LIST(NDP_CHANGE_ENUM)
#undef NDP_CHANGE_ENUM
        NDP_CHANGE_COUNT
};

struct ndp_compared {
    enum ndp_change change;
    const struct ndp_report_finding *finding; /* of the new report where it is there, else of the old one; borrowed */
};

struct ndp_compare {
    struct ndp_compared *items; /* owned: clear with ndp_compare_clear; by change, then in the order of the reports */
    uint32_t count;
    uint32_t counts[NDP_CHANGE_COUNT];
};

/* Fills *out, which borrows both reports. Errors: NOMEM. */
enum ndp_status ndp_compare_reports(const struct ndp_report *old_report, const struct ndp_report *new_report,
                                    struct ndp_compare *out) NDP_MUST_USE;
void ndp_compare_clear(struct ndp_compare *compare);

const char *ndp_change_word(enum ndp_change change);

#endif
