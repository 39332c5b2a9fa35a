/* report_finding.h: findings as a report keeps them, one for each signature, bounded. */
#ifndef NDP_REPORT_FINDING_H
#define NDP_REPORT_FINDING_H

#include "engine/finding.h"

/* enum name, word in a report, what it says */
#define NDP_FINDING_STATUS_LIST(X)                                                                                     \
    X(NEW, "new", "in no baseline")                                                                                    \
    X(KNOWN, "known", "accepted in the baseline")                                                                      \
    X(FLAKY, "flaky", "not seen in every confirmation")

enum ndp_finding_status {
#define NDP_FINDING_STATUS_ENUM(name, word, text) NDP_FINDING_##name,
    NDP_FINDING_STATUS_LIST(NDP_FINDING_STATUS_ENUM)
#undef NDP_FINDING_STATUS_ENUM
        NDP_FINDING_STATUS_COUNT
};

/* "numpy>reference npy:file>mmap:r" */
enum { NDP_MAX_FINDINGS = 1000, NDP_WAY_TEXT_BYTES = NDP_ROUTE_TEXT_BYTES + 2 * NDP_WORD_BYTES + 2 };

/* Texts are UTF-8, as they stand in the file of the report. The views point into the arena of the report. */
struct ndp_report_finding {
    char signature[NDP_SIGNATURE_BYTES];
    enum ndp_verdict kind; /* DIVERGES, CRASH, TIMEOUT, OOM */
    enum ndp_severity severity;
    enum ndp_finding_status status;
    char property[NDP_WORD_BYTES]; /* "" for a death */
    char route[NDP_WAY_TEXT_BYTES];
    char field[NDP_WORD_BYTES];
    char outlier[NDP_WORD_BYTES];
    uint64_t count; /* how many cases showed it */
    uint64_t first_case;
    uint32_t confirm_runs;
    uint32_t confirm_hits;
    struct ndp_bytes descriptor;   /* canonical text of the minimal case */
    struct ndp_bytes observations; /* a JSON object on one line */
    struct ndp_difference differences[NDP_MAX_DIFFERENCES];
    uint32_t difference_count;
    struct ndp_bytes stderr_tail; /* text, what is not UTF-8 replaced */
    struct ndp_bytes replay;      /* a command that works as typed */
};

struct ndp_report_findings {
    struct ndp_report_finding *items; /* owned; in the order of discovery */
    uint32_t count;
    uint32_t capacity;
    uint64_t dropped; /* divergences past NDP_MAX_FINDINGS signatures */
};

void ndp_report_findings_clear(struct ndp_report_findings *findings);

/* By signature; NULL when there is none. Borrows `findings` until its next change. */
struct ndp_report_finding *ndp_report_findings_find(const struct ndp_report_findings *findings, const char *signature);

/* Adds a copy of `finding` (borrowed) under a signature that is new. Past NDP_MAX_FINDINGS it is only counted in
 * `dropped`. Errors: NOMEM, INVALID (the signature is there already). */
enum ndp_status ndp_report_findings_add(struct ndp_report_findings *findings,
                                        const struct ndp_report_finding *finding) NDP_MUST_USE;

/* Fills *out from a finding of the engine; texts are copied into `arena`. `replay` is the command for it. Errors:
 * NOMEM. */
enum ndp_status ndp_report_finding_fill(struct ndp_arena *arena, const struct ndp_finding *finding, const char *replay,
                                        struct ndp_report_finding *out) NDP_MUST_USE;

/* Prints "numpy>reference npy:file>mmap:r"; `out` has NDP_WAY_TEXT_BYTES. The offset is left out: it varies from case
 * to case. */
void ndp_way_print(const struct ndp_route *route, char *out);

/* Gives a copy in which what is not UTF-8, and NUL, is '?'. Errors: NOMEM. */
enum ndp_status ndp_text_clean(struct ndp_arena *arena, struct ndp_bytes text, struct ndp_bytes *out) NDP_MUST_USE;

/* "new". Never NULL. */
const char *ndp_finding_status_word(enum ndp_finding_status status);

#endif
