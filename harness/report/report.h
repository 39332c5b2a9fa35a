/* report.h: what a run did and found, as a struct that grows while it runs and reads back from its file.
 *
 * The report knows nothing of how cases are run: it is told of targets, results and findings. What it says is
 * the same for the same seed, targets and cases, times and paths apart.
 */
#ifndef NDP_REPORT_H
#define NDP_REPORT_H

#include "model/array_class.h"
#include "report/report_finding.h"

#define NDP_REPORT_SCHEMA 1

/* enum name, word, what it says */
#define NDP_REPORT_STOP_LIST(X)                                                                                        \
    X(RUNNING, "running", "the run goes on, or was killed")                                                            \
    X(CASES, "cases", "all cases are done")                                                                            \
    X(DURATION, "duration", "the time is over")                                                                        \
    X(SIGNAL, "signal", "somebody stopped it")                                                                         \
    X(NO_ROUTES, "no-routes", "no target offers a route")                                                              \
    X(FAULT, "fault", "ndproof or a target could not go on")

enum ndp_report_stop {
#define NDP_REPORT_STOP_ENUM(name, word, text) NDP_REPORT_STOP_##name,
    NDP_REPORT_STOP_LIST(NDP_REPORT_STOP_ENUM)
#undef NDP_REPORT_STOP_ENUM
        NDP_REPORT_STOP_COUNT
};

struct ndp_report_target {
    char name[NDP_WORD_BYTES];
    char implementation[NDP_WORD_BYTES];
    char version[NDP_WORD_BYTES];
    char language[NDP_WORD_BYTES];
    char environment[NDP_WORD_BYTES];
    struct ndp_library libraries[NDP_MAX_LIBRARIES]; /* the main one among them */
    uint32_t library_count;
    bool lacks_class[NDP_CLASS_COUNT]; /* for want of a library; another class stands in (model/graph.h) */
    uint64_t restarts;
    uint64_t crashes;
    uint64_t timeouts;
    char unavailable[240]; /* why it could not be had; "" when it ran */
};

/* One property on one route. */
struct ndp_cell {
    uint64_t pass;
    uint64_t diverges;
    uint64_t rejects;
    uint64_t unsupported;
    uint64_t comparisons; /* not in the file */
};

struct ndp_route_cells {
    char route[NDP_WAY_TEXT_BYTES];
    char format[NDP_WORD_BYTES];
    struct ndp_cell cells[NDP_MAX_PROPERTIES]; /* by property */
};

/* enum name, word: what must have been compared at least so often */
#define NDP_FLOOR_LIST(X)                                                                                              \
    X(CASES, "cases")                                                                                                  \
    X(PROPERTY, "property")                                                                                            \
    X(FORMAT, "format")

enum ndp_floor_kind {
#define NDP_FLOOR_ENUM(name, word) NDP_FLOOR_##name,
    NDP_FLOOR_LIST(NDP_FLOOR_ENUM)
#undef NDP_FLOOR_ENUM
        NDP_FLOOR_COUNT
};

struct ndp_floor {
    enum ndp_floor_kind kind;
    char name[NDP_WORD_BYTES]; /* of the property or format; "" for CASES */
    uint64_t least;            /* cases, or single comparisons */
    uint64_t done;
};

enum {
    NDP_MAX_REPORT_TARGETS = 48,
    NDP_MAX_REPORT_ROUTES = 4096,
    NDP_MAX_FLOORS = 64,
    NDP_MAX_REPORT_ARGUMENTS = 256,
    NDP_TIME_TEXT_BYTES = 24
};

struct ndp_report {
    struct ndp_arena arena; /* of texts */
    char version[NDP_WORD_BYTES];
    char commit[64];
    uint64_t seed;
    struct ndp_bytes argv[NDP_MAX_REPORT_ARGUMENTS];
    uint32_t argc;
    char started[NDP_TIME_TEXT_BYTES]; /* "2026-01-31T23:59:59Z" */
    char ended[NDP_TIME_TEXT_BYTES];   /* of the last writing; "" before it */
    enum ndp_report_stop stop;
    struct ndp_report_target targets[NDP_MAX_REPORT_TARGETS];
    uint32_t target_count;
    uint64_t cases;
    uint64_t comparisons;
    uint64_t faults; /* cases in which ndproof or a testee failed at its own work */
    char properties[NDP_MAX_PROPERTIES][NDP_WORD_BYTES];
    uint32_t property_count;
    struct ndp_route_cells *routes; /* owned; in the order of first use */
    uint32_t route_count;
    uint32_t route_capacity;
    uint32_t last_route; /* the row used last: cases of one route come in rows */
    struct ndp_floor floors[NDP_MAX_FLOORS];
    uint32_t floor_count;
    bool is_read; /* from a file, which holds no comparisons of single cells */
    struct ndp_report_findings findings;
};

/* What is known before the first case. All borrowed for the call. */
struct ndp_report_run {
    const char *version;
    const char *commit;
    uint64_t seed;
    int argc;
    char *const *argv;
    int64_t started_s; /* since 1970, UTC */
};

/* Fills the caller's storage; the properties are those of ndp_properties(). Errors: NOMEM. */
enum ndp_status ndp_report_init(struct ndp_report *report, const struct ndp_report_run *run) NDP_MUST_USE;
void ndp_report_clear(struct ndp_report *report);

/* Says who a target is and how it fared so far; the name decides whether it is a new one. Past the bound nothing
 * happens. */
void ndp_report_target(struct ndp_report *report, const struct ndp_target *target);

/* Says that a target could not be had, and why. */
void ndp_report_missing(struct ndp_report *report, const char *name, const char *reason);

/* Demands that `least` cases, or comparisons of the property or format `name`, are done; less is a run that
 * concludes nothing. Past the bound nothing happens. */
void ndp_report_floor(struct ndp_report *report, enum ndp_floor_kind kind, const char *name, uint64_t least);

/* Counts one case on a complete route. Errors: NOMEM. */
enum ndp_status ndp_report_result(struct ndp_report *report, const struct ndp_route *route,
                                  const struct ndp_result *result) NDP_MUST_USE;

/* Adds a finding that `count` cases showed; to one with the same signature only the count. `replay` is the command that
 * shows it. Errors: NOMEM. */
enum ndp_status ndp_report_add_finding(struct ndp_report *report, const struct ndp_finding *finding, uint64_t count,
                                       const char *replay) NDP_MUST_USE;

/* Counts one more case of the finding with this signature. */
void ndp_report_duplicate(struct ndp_report *report, const struct ndp_signature *signature);

/* Says why the run ended, and when. */
void ndp_report_stop(struct ndp_report *report, enum ndp_report_stop stop, int64_t ended_s);

/* Fills `done` of every floor from what was counted. A report that was read keeps what its file says. */
void ndp_report_settle(struct ndp_report *report);

/* Whether the run had every target that `route` names and compared something in its format
 * (by `property`; "" is any): only then does the
 * absence of a finding mean anything. */
bool ndp_report_covers(const struct ndp_report *report, const struct ndp_route *route, const char *property);

/* "running" */
const char *ndp_report_stop_word(enum ndp_report_stop stop);
const char *ndp_floor_word(enum ndp_floor_kind kind);

#endif
