/* station.h: does the work of a sweep on its own targets: runs units of cases, and finds divergences. Private to this
 * folder.
 *
 * A station takes an order and gives an answer. Both are bytes that only copies of the same process can read: they
 * contain addresses of constants and of the targets. A worker process serves one station (crew.h).
 */
#ifndef NDP_STATION_H
#define NDP_STATION_H

#include "engine/find.h"
#include "engine/leak_watch.h"
#include "engine/schedule.h"

enum ndp_order_kind { NDP_ORDER_RUN, NDP_ORDER_FIND };
enum { NDP_ORDER_DEATHS = 8, NDP_ORDER_KNOWN = 32 };

struct ndp_order {
    enum ndp_order_kind kind;
    uint64_t number;           /* of the order in the run */
    struct ndp_work_unit unit; /* RUN; FIND: the unit of one case */
    /* RUN: cases with these features are seldom run, because they would end the process like known cases. */
    struct ndp_covering_row deaths[NDP_ORDER_DEATHS];
    uint32_t death_count;
    /* FIND */
    uint32_t find;
    struct ndp_divergence divergence;
    uint64_t until_ns;
    uint64_t known[NDP_ORDER_KNOWN];
    uint32_t known_count;
};

/* The result of a case that was run. */
struct ndp_case_record {
    uint64_t id;
    enum ndp_case_kind kind;
    struct ndp_route route;
    enum ndp_verdict verdict;
    uint64_t comparisons;
    struct ndp_property_counts by_property[NDP_MAX_PROPERTIES];
    char detail[256];
    struct ndp_covering_row features;
};

struct ndp_divergence_record {
    uint64_t case_id;
    struct ndp_divergence divergence;
};

struct ndp_answer {
    uint64_t number;
    enum ndp_status status; /* of the station; an error ends the run */
    struct ndp_error error;
    uint64_t spent_ns;
    struct ndp_target_counts counts[NDP_MAX_TARGETS]; /* RUN: what the order added */
    uint32_t case_count;
    uint32_t divergence_count;
    enum ndp_find_outcome outcome;  /* FIND */
    struct ndp_signature signature; /* FIND, unless nothing was found */
    uint64_t packed_bytes;
    uint64_t descriptor_bytes; /* the minimal case of a process death */
};

/* An answer in a buffer, and its parts. Borrows the buffer. */
struct ndp_answer_view {
    const struct ndp_answer *head;
    const struct ndp_case_record *cases;
    const struct ndp_divergence_record *divergences;
    struct ndp_bytes packed;
    struct ndp_bytes descriptor;
};

struct ndp_station {
    const struct ndp_bench *bench; /* borrowed, as the next two */
    const struct ndp_schedule *schedule;
    const struct ndp_sweep_events *events; /* packs findings */
    bool is_watched;                       /* targets are watched for leaks */
    struct ndp_batch *batch;
    struct ndp_find find;
    struct ndp_leak_watch *watches;                    /* owned; for each group of the schedule */
    uint32_t searches;                                 /* for leaks, so far */
    struct ndp_covering_row features[NDP_BATCH_CASES]; /* of the cases of the batch */
};

/* Errors: NOMEM (nothing to clear). */
enum ndp_status ndp_station_init(struct ndp_station *station, const struct ndp_bench *bench,
                                 const struct ndp_schedule *schedule,
                                 const struct ndp_sweep_events *events) NDP_MUST_USE;
void ndp_station_clear(struct ndp_station *station);

/* Executes the order and replaces the content of `answer`. An error of the engine or a target is part of the answer.
 * Errors: NOMEM, LIMIT (the answer). */
enum ndp_status ndp_station_serve(struct ndp_station *station, const struct ndp_order *order,
                                  struct ndp_buffer *answer) NDP_MUST_USE;

/* Finds the parts of an answer. False if its size is wrong. */
bool ndp_answer_view(struct ndp_bytes bytes, struct ndp_answer_view *out);

#endif
