/* gate.h: the verdict on a run, as one exit code. */
#ifndef NDP_GATE_H
#define NDP_GATE_H

#include "report/baseline.h"

/* enum name, code, meaning */
#define NDP_EXIT_LIST(X)                                                                                               \
    X(CLEAN, 0, "clean")                                                                                               \
    X(DIVERGES, 1, "new divergence or crash")                                                                          \
    X(USAGE, 2, "usage or bad input file")                                                                             \
    X(FAULT, 3, "ndproof or a testee could not do its work")                                                           \
    X(STALE, 4, "baseline stale or expired")                                                                           \
    X(VACUOUS, 5, "too little was compared, or something expected was not tested")                                     \
    X(FLAKY, 6, "only flaky findings")

#define NDP_EXIT_ENUM(name, code, text) NDP_EXIT_##name = code,
enum ndp_exit { NDP_EXIT_LIST(NDP_EXIT_ENUM) };

/* A verdict with its reasons: one sentence for each obstacle. */
enum { NDP_MAX_REASONS = 32, NDP_REASON_BYTES = 320 };
struct ndp_gate {
    enum ndp_exit exit;
    char reasons[NDP_MAX_REASONS][NDP_REASON_BYTES];
    bool is_of_cause[NDP_MAX_REASONS]; /* the reason is a cause of the report */
    uint32_t reason_count;
    uint64_t reasons_left_out;
};

/* Judges a report after ndp_report_fill_floors. Findings count by their status, which ndp_baseline_apply sets; without
 * a baseline (NULL) they are new or flaky. If several codes apply, the first of 3, 1, 4, 5, 6 wins. Only defects gate;
 * documented losses and hazards never do. */
void ndp_gate_judge(const struct ndp_report *report, const struct ndp_baseline *baseline, struct ndp_gate *out);

/* "clean" "diverges" "usage" "fault" "stale" "vacuous" "flaky". */
const char *ndp_gate_status_word(enum ndp_exit code);

#endif
