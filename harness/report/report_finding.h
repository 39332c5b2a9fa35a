/* report_finding.h: a bounded list of findings, one for each signature. */
#ifndef NDP_REPORT_FINDING_H
#define NDP_REPORT_FINDING_H

#include "engine/finding.h"
#include "engine/routes.h"

/* enum name, word in a report, meaning */
#define NDP_FINDING_STATUS_LIST(X)                                                                                     \
    X(NEW, "new", "not in the baseline")                                                                               \
    X(KNOWN, "known", "accepted in the baseline")                                                                      \
    X(FLAKY, "flaky", "not seen in every confirmation, or a late answer that was not confirmed")

#define NDP_FINDING_STATUS_ENUM(name, word, text) NDP_FINDING_##name,
enum ndp_finding_status { NDP_FINDING_STATUS_LIST(NDP_FINDING_STATUS_ENUM) NDP_FINDING_STATUS_COUNT };

/* "numpy>reference npy:file>mmap:r" */
enum { NDP_MAX_FINDINGS = 1000, NDP_REPORT_ROUTE_TEXT_BYTES = NDP_ROUTE_TEXT_BYTES + 2 * NDP_WORD_BYTES + 2 };

/* Texts are UTF-8, as in the report file. Views point into the report's arena. */
struct ndp_report_finding {
    uint32_t cause; /* place in the report's causes */
    char signature[NDP_SIGNATURE_BYTES];
    enum ndp_verdict kind; /* DIVERGES, CRASH, TIMEOUT, OOM */
    enum ndp_severity severity;
    enum ndp_finding_status status;
    char property[NDP_WORD_BYTES]; /* "" for a process death */
    char route[NDP_REPORT_ROUTE_TEXT_BYTES];
    char field[NDP_WORD_BYTES];
    char outlier[NDP_WORD_BYTES];
    char failure[NDP_FAILURE_BYTES]; /* engine/failure.h */
    char error[NDP_REFUSAL_TEXT_BYTES];
    struct ndp_blame blame;                 /* engine/blame.h; its evidence is that of the cause */
    uint64_t count;                         /* cases that showed it */
    char first_group[NDP_GROUP_NAME_BYTES]; /* the group of routes of the first case; "" without groups */
    uint64_t first_case;                    /* its number in the group, or in a run without groups */
    uint64_t found_after_ns;                /* since the start of the run; 0 if unknown */
    uint32_t confirm_runs;
    uint32_t confirm_hits;
    struct ndp_bytes descriptor;   /* canonical text of the minimised case */
    struct ndp_bytes observations; /* a JSON object on one line */
    struct ndp_difference differences[NDP_MAX_DIFFERENCES];
    uint32_t difference_count;
    struct ndp_bytes stderr_tail; /* invalid UTF-8 is replaced */
    struct ndp_bytes replay;      /* a shell command */
};

struct ndp_report_findings {
    struct ndp_report_finding *items; /* owned; in the order of discovery */
    uint32_t count;
    uint32_t capacity;
    uint64_t dropped; /* divergences past NDP_MAX_FINDINGS signatures */
};

void ndp_report_findings_clear(struct ndp_report_findings *findings);

/* Finds the finding with this signature; NULL if none has it. Valid until `findings` changes. */
struct ndp_report_finding *ndp_report_findings_find(const struct ndp_report_findings *findings, const char *signature);

/* Adds a copy of `finding` (borrowed). Past NDP_MAX_FINDINGS, only increments `dropped`. Errors: NOMEM, INVALID
 * (duplicate signature). */
enum ndp_status ndp_report_findings_add(struct ndp_report_findings *findings,
                                        const struct ndp_report_finding *finding) NDP_MUST_USE;

/* Fills *out from a finding of the engine; copies texts into `arena`. `replay` is the command that reproduces it.
 * Errors: NOMEM. */
enum ndp_status ndp_report_finding_fill(struct ndp_arena *arena, const struct ndp_finding *finding, const char *replay,
                                        struct ndp_report_finding *out) NDP_MUST_USE;

/* Whether the finding is no proof alone: it did not show in every fresh process, or an answer was late once and no
 * fresh process was asked, so that the load of the machine may be the reason. */
bool ndp_report_finding_is_flaky(const struct ndp_report_finding *finding);

/* Prints a route with its targets, "numpy>reference npy:file>mmap:r", without the offset, which varies between cases.
 * `out` has NDP_REPORT_ROUTE_TEXT_BYTES. */
void ndp_report_finding_print_route(const struct ndp_route *route, char *out);

/* Fills `format` (NDP_WORD_BYTES) from such a text: the format follows the targets, and the protocol follows the
 * format. No format name ends in a digit. */
void ndp_report_finding_format(const char *route, char *format);

/* Gives a copy in the arena with '?' for NUL and for each invalid UTF-8 byte. Errors: NOMEM. */
enum ndp_status ndp_report_finding_clean_text(struct ndp_arena *arena, struct ndp_bytes text,
                                              struct ndp_bytes *out) NDP_MUST_USE;

/* Does the same to a NUL-terminated text in place. */
enum ndp_status ndp_report_finding_clean_in_place(struct ndp_arena *arena, char *text) NDP_MUST_USE;

/* "new". Never NULL. */
const char *ndp_report_finding_status_word(enum ndp_finding_status status);

#endif
