/* report.h: the work and the findings of a run, as a struct that grows during the run.
 *
 * The caller adds targets, results and findings. The same seed, targets and cases give the same report, except for
 * times and paths.
 */
#ifndef NDP_REPORT_H
#define NDP_REPORT_H

#include "model/graph/array_class.h"
#include "report/report_cause.h"
#include "report/report_coverage.h"
#include "report/untested.h"

#define NDP_REPORT_SCHEMA 2

/* enum name, word, meaning */
#define NDP_REPORT_STOP_LIST(X)                                                                                        \
    X(RUNNING, "running", "the run goes on, or it was killed")                                                         \
    X(CASES, "cases", "all cases were run")                                                                            \
    X(DURATION, "duration", "the time ran out")                                                                        \
    X(SIGNAL, "signal", "a signal stopped it")                                                                         \
    X(NO_ROUTES, "no-routes", "no target offers a route")                                                              \
    X(FAULT, "fault", "ndproof or a target stopped on an internal error")

enum { NDP_LOST_TEXT_BYTES = 160 };

#define NDP_REPORT_STOP_ENUM(name, word, text) NDP_REPORT_STOP_##name,
enum ndp_report_stop { NDP_REPORT_STOP_LIST(NDP_REPORT_STOP_ENUM) NDP_REPORT_STOP_COUNT };

struct ndp_report_target {
    char name[NDP_WORD_BYTES];
    char implementation[NDP_WORD_BYTES];
    char version[NDP_WORD_BYTES];
    char language[NDP_WORD_BYTES];
    char environment[NDP_WORD_BYTES];
    struct ndp_library libraries[NDP_MAX_LIBRARIES]; /* including the main one */
    uint32_t library_count;
    bool lacks_class[NDP_CLASS_COUNT]; /* its library is missing; another class replaces it (model/graph/graph.h) */
    uint64_t restarts;
    uint64_t crashes;
    uint64_t timeouts;
    uint64_t cases;        /* not in the file */
    uint64_t comparisons;  /* of cases that it supported, and divergences */
    char unavailable[240]; /* why it did not start; "" if it ran */
};

/* The counts of one property on one route. */
struct ndp_cell {
    uint64_t pass;
    uint64_t diverges;
    uint64_t rejects;
    uint64_t unsupported;
    uint64_t comparisons; /* not in the file */
};

struct ndp_route_cells {
    char route[NDP_REPORT_ROUTE_TEXT_BYTES];
    char format[NDP_WORD_BYTES];
    struct ndp_cell cells[NDP_MAX_PROPERTIES]; /* by property */
};

/* enum name, word: the kinds of minimum work */
#define NDP_FLOOR_LIST(X)                                                                                              \
    X(CASES, "cases")                                                                                                  \
    X(PROPERTY, "property")                                                                                            \
    X(FORMAT, "format")                                                                                                \
    X(PAIRS, "pairs")     /* percent of the possible ones, in every group of routes */                                 \
    X(TRIPLES, "triples") /* the same */

#define NDP_FLOOR_ENUM(name, word) NDP_FLOOR_##name,
enum ndp_floor_kind { NDP_FLOOR_LIST(NDP_FLOOR_ENUM) NDP_FLOOR_COUNT };

struct ndp_floor {
    enum ndp_floor_kind kind;
    char name[NDP_WORD_BYTES]; /* the property or format; otherwise "" */
    uint64_t least;            /* cases, single comparisons, or percent */
    uint64_t done;             /* PAIRS, TRIPLES: of the group with the lowest share */
};

/* A worker process that died. */
struct ndp_lost_worker {
    char worker[NDP_WORD_BYTES];
    char unit[NDP_LOST_TEXT_BYTES];   /* the work that it had: "numpy>reference npy 128..191" */
    char ending[NDP_LOST_TEXT_BYTES]; /* "signal 9" */
    bool is_repeated;                 /* another worker did the work */
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
    uint32_t jobs;        /* worker processes; 0: the work was done in the process of the run */
    uint32_t shard;       /* from 0 */
    uint32_t shard_count; /* 0: a whole run */
    struct ndp_bytes argv[NDP_MAX_REPORT_ARGUMENTS];
    uint32_t argc;
    char started[NDP_TIME_TEXT_BYTES]; /* "2026-01-31T23:59:59Z" */
    char ended[NDP_TIME_TEXT_BYTES];   /* the time of the last write; "" before it */
    enum ndp_report_stop stop;
    struct ndp_report_target targets[NDP_MAX_REPORT_TARGETS];
    uint32_t target_count;
    uint64_t cases;
    uint64_t comparisons;
    uint64_t faults; /* cases that failed inside ndproof or a testee */
    char properties[NDP_MAX_PROPERTIES][NDP_WORD_BYTES];
    uint32_t property_count;
    struct ndp_route_cells *routes; /* owned; in the order of first use */
    uint32_t route_count;
    uint32_t route_capacity;
    uint32_t last_route; /* the last row used: consecutive cases share a route */
    struct ndp_floor floors[NDP_MAX_FLOORS];
    uint32_t floor_count;
    struct ndp_report_coverage coverage;  /* of each group of routes */
    struct ndp_lost_worker *lost_workers; /* owned */
    uint32_t lost_worker_count;
    bool is_read; /* from a file, which has no comparisons per cell */
    struct ndp_report_findings findings;
    struct ndp_report_causes causes; /* each has a finding */
    struct ndp_untested_list untested;
};

/* The facts known before the first case. Borrowed for the call. */
struct ndp_report_run {
    const char *version;
    const char *commit;
    uint64_t seed;
    uint32_t jobs;
    uint32_t shard;       /* from 0 */
    uint32_t shard_count; /* 0: a whole run */
    int argc;
    char *const *argv;
    int64_t started_s; /* seconds since 1970, UTC */
};

/* Fills the caller's storage; the properties are those of ndp_property_all(). Errors: NOMEM. */
enum ndp_status ndp_report_init(struct ndp_report *report, const struct ndp_report_run *run) NDP_MUST_USE;
void ndp_report_clear(struct ndp_report *report);

/* Adds a target, or updates the one of that name, with its libraries and counts. Ignored past NDP_MAX_REPORT_TARGETS.
 */
void ndp_report_target(struct ndp_report *report, const struct ndp_target *target);

/* Records that the target `name` is not available, with the reason. */
void ndp_report_add_missing_target(struct ndp_report *report, const char *name, const char *reason);

/* Requires at least `least` cases, or comparisons of the property or format `name`; with less work, the run is vacuous.
 * Ignored past NDP_MAX_FLOORS. */
void ndp_report_add_floor(struct ndp_report *report, enum ndp_floor_kind kind, const char *name, uint64_t least);

/* Counts one case on a complete route. Errors: NOMEM. */
enum ndp_status ndp_report_add_result(struct ndp_report *report, const struct ndp_route *route,
                                      const struct ndp_result *result) NDP_MUST_USE;

/* Adds a finding of `count` cases with its cause, or adds the count to the finding with the same signature. `replay` is
 * the command that reproduces it. Errors: NOMEM. */
enum ndp_status ndp_report_add_finding(struct ndp_report *report, const struct ndp_finding *finding, uint64_t count,
                                       const char *replay) NDP_MUST_USE;

/* Adds a finding with a new signature and its cause; names its first case. Its texts are in the report's arena.
 * `generated` is the route of that case, or "". Errors: NOMEM. */
enum ndp_status ndp_report_keep_finding(struct ndp_report *report, struct ndp_report_finding *kept,
                                        const struct ndp_report_cause *cause, const char *generated) NDP_MUST_USE;

/* Counts a duplicate of the finding with this signature, and adds its route to those of the cause (NULL: unknown).
 * Errors: NOMEM. */
enum ndp_status ndp_report_count_duplicate(struct ndp_report *report, const struct ndp_signature *signature,
                                           const struct ndp_route *route) NDP_MUST_USE;

/* Sets the coverage of a group of routes. The first calls name the groups in the order of their numbers, which are in
 * the numbers of cases (engine/finding.h): make them before the first finding, with counts of zero. A report of a
 * shard keeps `bits` (borrowed): pairs in the first `pair_bits` bits, then triples; bit i is bit i % 8 of byte i / 8.
 * Errors: NOMEM, LIMIT. */
enum ndp_status ndp_report_set_coverage(struct ndp_report *report, const char *group,
                                        const struct ndp_coverage_counts *counts, struct ndp_bytes bits,
                                        uint64_t pair_bits) NDP_MUST_USE;

/* Records the death of a worker process while it had a unit of work (texts are cut). The gate fails until
 * ndp_report_repeat_unit. Errors: NOMEM. */
enum ndp_status ndp_report_add_lost_worker(struct ndp_report *report, const char *worker, const char *unit,
                                           const char *ending) NDP_MUST_USE;

/* Records that another worker did the unit, for every worker that died with it. */
void ndp_report_repeat_unit(struct ndp_report *report, const char *unit);

/* The group of a case that no group contains, such as a replay of the baseline. */
#define NDP_REPORT_CASE_WITHOUT_GROUP (UINT64_C(0xffffff) << 40)

/* Gives the finding its group: the number of a case in a run (engine/finding.h) becomes the name of the group and the
 * number in it. Nothing changes in a report without groups. */
void ndp_report_name_case(const struct ndp_report *report, struct ndp_report_finding *finding);

/* Finds or adds the row of a route, as printed, and that of a target; NULL if there is no room or memory. */
struct ndp_route_cells *ndp_report_route_row(struct ndp_report *report, const char *route, const char *format);
struct ndp_report_target *ndp_report_target_row(struct ndp_report *report, const char *name);

/* Records why and when the run ended. */
void ndp_report_stop(struct ndp_report *report, enum ndp_report_stop stop, int64_t ended_s);

/* Fills `done` of every floor from the counts. A report read from a file keeps its values, except of PAIRS and TRIPLES.
 */
void ndp_report_fill_floors(struct ndp_report *report);

/* "running" */
const char *ndp_report_stop_word(enum ndp_report_stop stop);
const char *ndp_report_floor_word(enum ndp_floor_kind kind);

#endif
