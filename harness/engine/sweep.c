/* sweep.c: the coordinator of a run.
 *
 * Problem. Some routes compute, others wait for pools, compilers or time limits. Minimising one divergence takes as
 * long as hundreds of cases. Neither may stop the other cases, and a bounded run must always have the same result.
 *
 * Method. Workers (crew.h) execute orders: run a unit of cases, or find a divergence. Routes that compute and routes
 * that wait have workers of their own. In each lane, finds take a quarter of the time until the run is nearly over. The
 * coordinator owns the schedule, the ledger of finds, and the clock. A bounded run judges the units in the order of the
 * schedule, and its finds depend on the divergences alone (dedup.h), so its events do not depend on the workers. A run
 * with a time limit takes answers as they come, avoids cases that would end a process in a known way, and ends when its
 * time is over: divergences that are not confirmed by then are reported as they were seen.
 *
 * Limits. A worker that dies twice of one order loses the order; the run reports that.
 */
#include "engine/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "engine/crew.h"
#include "engine/ledger.h"

#define SECOND_NS        UINT64_C(1000000000)
#define LATE_NS          (5 * SECOND_NS)
#define TICK_NS          (SECOND_NS / 10)
#define MOST_MINIMISE_NS (10 * SECOND_NS)
#define TEXT_BYTES       (UINT64_C(16) << 20)
enum { WAITING_WORKERS = 2, MAX_ATTEMPTS = 2, MOST_DEATHS = 256, MOST_DEAD_WORKERS = 32 };

/* A find or a unit that waits for a worker. */
struct waiting_order {
    struct ndp_order order;
    enum ndp_lane lane;
    uint32_t attempts;
    uint32_t rank; /* of a find: lower ones come first */
};

/* Ranks of finds. A core is the property, the format, the field and the failure. */
enum { RANK_AGAIN, RANK_DEFECT_OF_NEW_CORE, RANK_DEFECT, RANK_LOSS };

/* Answers of a bounded run that came before their turn. */
struct early_answer {
    uint64_t number;
    uint8_t *data;
    uint64_t size_bytes;
};

/* The features of a minimal case that ends a process, in a group where that was seen. */
struct death {
    uint32_t group;
    struct ndp_covering_row features;
};

struct lane_times {
    uint64_t run_ns;
    uint64_t find_ns;
};

struct sweep {
    const struct ndp_bench *bench;
    const struct ndp_sweep_options *options;
    const struct ndp_sweep_events *events;
    struct ndp_schedule schedule;
    struct ndp_crew crew;
    struct ndp_ledger ledger;
    struct ndp_coverage **coverage; /* owned; for each group */
    struct waiting_order *waiting;  /* owned; oldest first */
    uint32_t waiting_count;
    uint32_t waiting_capacity;
    struct early_answer *early; /* owned */
    uint32_t early_count;
    uint32_t early_capacity;
    struct death deaths[MOST_DEATHS];
    uint32_t death_count;
    struct lane_times times[NDP_LANE_COUNT];
    uint64_t orders;  /* RUN orders so far */
    uint64_t judged;  /* RUN answers that were judged, in a bounded run */
    uint32_t running; /* orders that workers have */
    uint32_t dead_workers;
    uint32_t ticks;
    bool is_dry;     /* the schedule has no more units */
    bool is_bounded; /* by cases alone, so that the result must not depend on time */
    uint64_t start_ns;
    uint64_t end_ns; /* UINT64_MAX: none */
};

static void *grow(void *list, uint32_t count, uint32_t *capacity, size_t one_bytes) {
    if (count < *capacity) return list;
    const uint32_t wanted = *capacity == 0 ? 16 : 2 * *capacity;
    void *grown = realloc(list, wanted * one_bytes);
    if (grown != NULL) *capacity = wanted;
    return grown;
}

/* ---- orders ---- */

static enum ndp_lane lane_of(const struct sweep *sweep, const struct ndp_order *order) {
    return sweep->schedule.groups[order->unit.group].lane;
}

static enum ndp_status add_waiting(struct sweep *sweep, const struct ndp_order *order, uint32_t attempts,
                                   uint32_t rank) {
    struct waiting_order *grown =
        grow(sweep->waiting, sweep->waiting_count, &sweep->waiting_capacity, sizeof *sweep->waiting);
    if (grown == NULL) return NDP_NOMEM;
    sweep->waiting = grown;
    sweep->waiting[sweep->waiting_count++] =
        (struct waiting_order){.order = *order, .lane = lane_of(sweep, order), .attempts = attempts, .rank = rank};
    return NDP_OK;
}

static void take_waiting(struct sweep *sweep, uint32_t at, struct waiting_order *out) {
    *out = sweep->waiting[at];
    sweep->waiting_count--;
    memmove(&sweep->waiting[at], &sweep->waiting[at + 1], (sweep->waiting_count - at) * sizeof *out);
}

/* The place of the next waiting order of the lane: a unit, or the find with the lowest rank; their count if there is
 * none. */
static uint32_t find_waiting(const struct sweep *sweep, enum ndp_lane lane, enum ndp_order_kind kind) {
    uint32_t first = sweep->waiting_count;
    for (uint32_t i = 0; i < sweep->waiting_count; i++) {
        const struct waiting_order *one = &sweep->waiting[i];
        if ((one->lane != lane && sweep->crew.here == NULL) || one->order.kind != kind) continue;
        if (first == sweep->waiting_count || one->rank < sweep->waiting[first].rank) first = i;
    }
    return first;
}

static void start_unit(struct sweep *sweep, const struct ndp_work_unit *unit, struct ndp_order *order) {
    order->kind = NDP_ORDER_RUN;
    order->number = sweep->orders++;
    order->unit = *unit;
    order->death_count = 0;
    for (uint32_t i = 0; i < sweep->death_count && order->death_count < NDP_ORDER_DEATHS; i++)
        if (sweep->deaths[i].group == unit->group) order->deaths[order->death_count++] = sweep->deaths[i].features;
}

/* The next unit of the lane. A bounded run has one order of units for all lanes, so units of the other lane wait. */
static enum ndp_status next_unit(struct sweep *sweep, enum ndp_lane lane, struct waiting_order *out, bool *has_one) {
    const uint32_t at = find_waiting(sweep, lane, NDP_ORDER_RUN);
    *has_one = at < sweep->waiting_count;
    if (*has_one) take_waiting(sweep, at, out);
    while (!*has_one && !sweep->is_dry) {
        const bool is_one_order = sweep->options->cases != 0 || sweep->crew.here != NULL;
        struct ndp_work_unit unit;
        if (!ndp_schedule_next(&sweep->schedule, is_one_order ? NDP_LANE_COUNT : lane, &unit)) {
            sweep->is_dry = is_one_order;
            return NDP_OK;
        }
        *out = (struct waiting_order){.attempts = 0};
        start_unit(sweep, &unit, &out->order);
        *has_one = sweep->crew.here != NULL || lane_of(sweep, &out->order) == lane;
        if (!*has_one) NDP_TRY(add_waiting(sweep, &out->order, 0, RANK_AGAIN));
    }
    return NDP_OK;
}

static bool is_near_end(const struct sweep *sweep) {
    enum { LAST_PART = 5 };
    const uint64_t now_ns = ndp_clock_ns();
    return sweep->end_ns != UINT64_MAX && now_ns < sweep->end_ns &&
           (sweep->end_ns - now_ns) * LAST_PART < sweep->end_ns - sweep->start_ns;
}

/* Whether too many defects wait to be found for all of them to be minimised in the rest of the run. */
static bool is_hurried(const struct sweep *sweep, uint64_t left_ns) {
    enum { SECONDS_PER_FIND = 4 };
    uint64_t finds = 1;
    for (uint32_t i = 0; i < sweep->waiting_count; i++)
        finds += sweep->waiting[i].order.kind == NDP_ORDER_FIND && sweep->waiting[i].rank < RANK_LOSS;
    const uint32_t jobs = sweep->options->jobs > 0 ? sweep->options->jobs : 1;
    return is_near_end(sweep) && left_ns / finds * jobs < SECONDS_PER_FIND * SECOND_NS;
}

/* When a find stops minimising: it gets a part of the rest of the run, or in a hurry nothing. */
static uint64_t minimise_until_ns(const struct sweep *sweep, uint64_t now_ns) {
    enum { PART_OF_REST = 16 };
    if (sweep->end_ns == UINT64_MAX) return now_ns + MOST_MINIMISE_NS;
    const uint64_t left_ns = sweep->end_ns > now_ns ? sweep->end_ns - now_ns : 0;
    if (is_hurried(sweep, left_ns)) return now_ns;
    uint64_t most_ns = left_ns / PART_OF_REST;
    if (most_ns < SECOND_NS) most_ns = SECOND_NS;
    if (most_ns > MOST_MINIMISE_NS) most_ns = MOST_MINIMISE_NS;
    return now_ns + (most_ns < left_ns ? most_ns : left_ns);
}

static void prepare_find(const struct sweep *sweep, struct ndp_order *order) {
    order->until_ns = minimise_until_ns(sweep, ndp_clock_ns());
    order->known_count = sweep->is_bounded ? 0 : ndp_ledger_known(&sweep->ledger, order->known, NDP_ORDER_KNOWN);
}

/* Whether the lane should find rather than run: finds of defects take a quarter of the time, and all of it near the
 * end, so that cases come first; finds of documented losses take a smaller part. */
static bool prefers_finds(const struct sweep *sweep, enum ndp_lane lane, bool is_defect) {
    enum { RUNS_PER_FIND = 3, RUNS_PER_LOSS = 12 };
    const struct lane_times *times = &sweep->times[lane];
    if (!is_defect) return times->find_ns * RUNS_PER_LOSS <= times->run_ns;
    return times->find_ns * RUNS_PER_FIND <= times->run_ns || is_near_end(sweep);
}

/* The place of the next find of the lane. Near the end a lane without a defect to find helps the other one. */
static uint32_t next_find(const struct sweep *sweep, enum ndp_lane lane) {
    const uint32_t own = find_waiting(sweep, lane, NDP_ORDER_FIND);
    if ((own < sweep->waiting_count && sweep->waiting[own].rank < RANK_LOSS) || !is_near_end(sweep)) return own;
    const uint32_t other =
        find_waiting(sweep, lane == NDP_LANE_WAIT ? NDP_LANE_COMPUTE : NDP_LANE_WAIT, NDP_ORDER_FIND);
    return other < sweep->waiting_count && sweep->waiting[other].rank < RANK_LOSS ? other : own;
}

static enum ndp_status choose_order(struct sweep *sweep, enum ndp_lane lane, struct waiting_order *out, bool *has_one) {
    const uint32_t at = next_find(sweep, lane);
    const bool has_find = at < sweep->waiting_count;
    *has_one = false;
    if (!has_find || !prefers_finds(sweep, lane, sweep->waiting[at].rank < RANK_LOSS))
        NDP_TRY(next_unit(sweep, lane, out, has_one));
    if (*has_one || !has_find) return NDP_OK;
    take_waiting(sweep, at, out);
    prepare_find(sweep, &out->order);
    *has_one = true;
    return NDP_OK;
}

/* Gives orders to all workers that have none. */
static enum ndp_status give_orders(struct sweep *sweep) {
    for (uint32_t i = 0; i < NDP_LANE_COUNT; i++) {
        const enum ndp_lane lane = (enum ndp_lane)i;
        struct ndp_worker *worker;
        while ((worker = ndp_crew_idle(&sweep->crew, lane)) != NULL) {
            struct waiting_order next;
            bool has_one;
            NDP_TRY(choose_order(sweep, lane, &next, &has_one));
            if (!has_one) break;
            worker->order = next.order;
            worker->attempts = next.attempts + 1;
            sweep->running++;
            NDP_TRY(ndp_crew_order(&sweep->crew, worker));
        }
    }
    return NDP_OK;
}

/* ---- answers ---- */

static enum ndp_status make_case(const struct sweep *sweep, struct ndp_arena *arena, uint64_t case_id,
                                 struct ndp_group_case *out) {
    struct ndp_group_cases *cases = sweep->schedule.groups[ndp_case_group(case_id)].cases;
    return ndp_group_cases_make(cases, arena, ndp_case_number(case_id), out);
}

/* Copies the divergences of a case to its result. */
static void fill_divergences(const struct ndp_answer_view *answer, uint64_t case_id, struct ndp_result *result) {
    result->divergence_count = 0;
    for (uint32_t i = 0; i < answer->head->divergence_count; i++) {
        const struct ndp_divergence_record *record = &answer->divergences[i];
        if (record->case_id == case_id && result->divergence_count < NDP_MAX_DIVERGENCES)
            result->divergences[result->divergence_count++] = record->divergence;
    }
}

static enum ndp_status report_case(struct sweep *sweep, const struct ndp_answer_view *answer,
                                   const struct ndp_case_record *record) {
    static struct ndp_result result; /* large; its other members stay zero */
    struct ndp_group_case made = {.descriptor = {.kind = record->kind, .route = record->route}};
    const struct ndp_sweep_events *events = sweep->events;
    ndp_coverage_add(sweep->coverage[ndp_case_group(record->id)], &record->features);
    if (events->on_case == NULL) return NDP_OK;
    NDP_ARENA_SCOPED(arena, TEXT_BYTES * 16);
    if (record->verdict == NDP_VERDICT_FAULT) NDP_TRY(make_case(sweep, &arena, record->id, &made));
    result.verdict = record->verdict;
    result.comparisons = record->comparisons;
    memcpy(result.by_property, record->by_property, sizeof result.by_property);
    memcpy(result.detail, record->detail, sizeof result.detail);
    fill_divergences(answer, record->id, &result);
    events->on_case(events->context, &made.descriptor, &result);
    return NDP_OK;
}

/* Notes that the group has shown the death of a find, so that its other cases can avoid it. */
static void note_death(struct sweep *sweep, uint32_t group, const struct ndp_descriptor *minimal) {
    struct death death = {.group = group};
    ndp_group_cases_features(sweep->schedule.groups[group].cases, minimal, &death.features);
    if (sweep->death_count < MOST_DEATHS) sweep->deaths[sweep->death_count++] = death;
}

static enum ndp_status offer(struct sweep *sweep, const struct ndp_divergence_record *record) {
    const struct ndp_divergence *divergence = &record->divergence;
    uint32_t find;
    bool is_new;
    NDP_TRY(ndp_ledger_offer(&sweep->ledger, divergence, record->case_id, &find, &is_new));
    if (!is_new) return NDP_OK;
    struct ndp_order order = {
        .kind = NDP_ORDER_FIND,
        .unit = {.group = ndp_case_group(record->case_id), .first = ndp_case_number(record->case_id), .count = 1},
        .find = find,
        .divergence = *divergence,
    };
    const bool is_defect = divergence->verdict != NDP_VERDICT_DIVERGES || ndp_result_is_defect(divergence);
    const bool is_new_core = ndp_ledger_is_first(&sweep->ledger, find);
    return add_waiting(sweep, &order, 0, !is_defect ? RANK_LOSS : !is_new_core ? RANK_DEFECT : RANK_DEFECT_OF_NEW_CORE);
}

static enum ndp_status judge_unit(struct sweep *sweep, const struct ndp_answer_view *answer) {
    for (uint32_t i = 0; i < answer->head->case_count; i++) NDP_TRY(report_case(sweep, answer, &answer->cases[i]));
    for (uint32_t i = 0; i < answer->head->divergence_count; i++) NDP_TRY(offer(sweep, &answer->divergences[i]));
    return NDP_OK;
}

static enum ndp_status judge_early(struct sweep *sweep) {
    for (uint32_t i = 0; i < sweep->early_count;) {
        struct early_answer *one = &sweep->early[i];
        struct ndp_answer_view view;
        if (one->number != sweep->judged) {
            i++;
            continue;
        }
        sweep->judged++;
        if (!ndp_answer_view((struct ndp_bytes){one->data, one->size_bytes}, &view)) return NDP_FAULT;
        const enum ndp_status status = judge_unit(sweep, &view);
        free(one->data);
        *one = sweep->early[--sweep->early_count];
        if (status != NDP_OK) return status;
        i = 0;
    }
    return NDP_OK;
}

/* Judges the answer to a unit, in a bounded run when all units before it were judged. */
static enum ndp_status take_unit(struct sweep *sweep, struct ndp_bytes bytes, const struct ndp_answer_view *answer) {
    for (uint32_t i = 0; i < sweep->bench->count; i++)
        ndp_target_counts_add(&sweep->bench->targets[i]->counts, &answer->head->counts[i]);
    if (!sweep->is_bounded) return judge_unit(sweep, answer);
    struct early_answer *grown = grow(sweep->early, sweep->early_count, &sweep->early_capacity, sizeof *sweep->early);
    uint8_t *copy = malloc(bytes.size_bytes);
    if (grown != NULL) sweep->early = grown;
    if (grown == NULL || copy == NULL) {
        free(copy);
        return NDP_NOMEM;
    }
    memcpy(copy, bytes.data, bytes.size_bytes);
    sweep->early[sweep->early_count++] = (struct early_answer){answer->head->number, copy, bytes.size_bytes};
    return judge_early(sweep);
}

static enum ndp_status take_find(struct sweep *sweep, const struct ndp_order *order,
                                 const struct ndp_answer_view *answer) {
    const struct ndp_answer *head = answer->head;
    const bool is_nothing = head->outcome == NDP_FIND_NOTHING;
    if (answer->descriptor.size_bytes > 0 && !sweep->is_bounded) {
        struct ndp_descriptor minimal;
        struct ndp_error ignored;
        NDP_ARENA_SCOPED(arena, TEXT_BYTES * 16);
        if (ndp_descriptor_read(&arena, answer->descriptor, &ndp_describe_default_limits, &minimal, &ignored) == NDP_OK)
            note_death(sweep, order->unit.group, &minimal);
    }
    return ndp_ledger_settle(&sweep->ledger, order->find, is_nothing ? NULL : &head->signature, answer->packed);
}

static enum ndp_status take_answer(struct sweep *sweep, const struct ndp_worker *worker, struct ndp_error *error) {
    const struct ndp_order *order = &worker->order;
    struct lane_times *times = &sweep->times[lane_of(sweep, order)];
    struct ndp_answer_view answer;
    if (!ndp_answer_view(ndp_worker_answer(worker), &answer))
        return ndp_error_set(error, NDP_FAULT, NDP_NO_OFFSET, "%s gave an answer of a wrong size", worker->name);
    if (answer.head->status != NDP_OK) {
        if (error != NULL) *error = answer.head->error;
        return answer.head->status;
    }

    *(order->kind == NDP_ORDER_RUN ? &times->run_ns : &times->find_ns) += answer.head->spent_ns;
    if (order->kind == NDP_ORDER_RUN) ndp_schedule_spend(&sweep->schedule, &order->unit, answer.head->spent_ns);
    return order->kind == NDP_ORDER_RUN ? take_unit(sweep, ndp_worker_answer(worker), &answer)
                                        : take_find(sweep, order, &answer);
}

/* ---- dead workers ---- */

/* Whether the coordinator may run the encoder itself after the end of the run: for a moment, and if it starts fast. */
static bool has_time_to_encode(const struct sweep *sweep, const struct ndp_route *route) {
    const struct ndp_target *encoder = ndp_bench_find(sweep->bench, route->encoder);
    if (encoder == NULL || encoder->info.forks) return false;
    const bool is_stopped = sweep->options->stop != NULL && *sweep->options->stop != 0;
    return !is_stopped && (sweep->end_ns == UINT64_MAX || ndp_clock_ns() < sweep->end_ns + LATE_NS);
}

/* Reports a divergence that no worker has found, as it was seen. */
static enum ndp_status report_unfound(struct sweep *sweep, uint32_t find) {
    static struct ndp_result empty; /* large, and zero */
    struct ndp_result *result = &empty;
    struct ndp_batch *batch = NULL;
    struct ndp_error ignored;
    const struct ndp_divergence *divergence = ndp_ledger_divergence(&sweep->ledger, find);
    const struct ndp_sweep_events *events = sweep->events;
    struct ndp_find printer = {.stop = NULL};
    struct ndp_group_case made;
    struct ndp_finding finding = {.divergence = divergence, .first_case = ndp_ledger_case(&sweep->ledger, find)};
    NDP_ARENA_SCOPED(arena, TEXT_BYTES * 16);
    NDP_BUFFER_SCOPED(packed, TEXT_BYTES * 4);
    NDP_TRY(make_case(sweep, &arena, finding.first_case, &made));
    const struct ndp_find_request request = {
        .descriptor = &made.descriptor, .properties = made.properties, .divergence = divergence};
    ndp_buffer_init(&printer.text, TEXT_BYTES);
    ndp_blame_assume(divergence, &finding.blame);
    NDP_TRY(ndp_batch_new(sweep->bench, TEXT_BYTES * 16, &batch));
    if (ndp_batch_predict(batch, finding.first_case, &made.descriptor, made.properties, &result, &ignored) != NDP_OK)
        result = &empty;
    /* Without the bytes, a finding between two targets has no script. */
    const bool needs_bytes = result != &empty && divergence->verdict == NDP_VERDICT_DIVERGES;
    if (needs_bytes && has_time_to_encode(sweep, &made.descriptor.route) && ndp_batch_encode(batch, &ignored) != NDP_OK)
        result->encoded = (struct ndp_bytes){NULL, 0};
    result->verdict = divergence->verdict;
    finding.result = result;
    enum ndp_status status = ndp_find_print(&printer, &request);
    finding.descriptor = ndp_buffer_view(&printer.text);
    if (status == NDP_OK && events->pack_finding != NULL)
        status = events->pack_finding(events->context, &finding, &packed);
    if (status == NDP_OK)
        status =
            ndp_ledger_settle(&sweep->ledger, find, divergence->signature.is_hazard ? NULL : &divergence->signature,
                              ndp_buffer_view(&packed));
    ndp_buffer_clear(&printer.text);
    ndp_batch_free(batch);
    return status;
}

static void report_dead_worker(const struct sweep *sweep, const struct ndp_worker *worker, const char *ending,
                               bool is_lost) {
    char unit[NDP_GROUP_NAME_BYTES + 32];
    const struct ndp_dead_worker dead = {.name = worker->name, .unit = unit, .ending = ending, .is_lost = is_lost};
    snprintf(unit, sizeof unit, "%s %llu", sweep->schedule.routes.groups[worker->order.unit.group].name,
             (unsigned long long)worker->order.unit.first);
    if (sweep->events->on_dead_worker != NULL) sweep->events->on_dead_worker(sweep->events->context, &dead);
}

/* An order that nobody can execute. */
static enum ndp_status lose_order(struct sweep *sweep, const struct ndp_order *order) {
    if (order->kind == NDP_ORDER_FIND) return report_unfound(sweep, order->find);
    struct ndp_answer empty;
    struct ndp_answer_view view;
    memset(&empty, 0, sizeof empty);
    empty.number = order->number;
    const struct ndp_bytes bytes = {(const uint8_t *)&empty, sizeof empty};
    return ndp_answer_view(bytes, &view) ? take_unit(sweep, bytes, &view) : NDP_FAULT;
}

/* Too many deaths end the run. */
static enum ndp_status count_death(struct sweep *sweep, const char *ending, struct ndp_error *error) {
    if (++sweep->dead_workers <= MOST_DEAD_WORKERS) return NDP_OK;
    return ndp_error_set(error, NDP_FAULT, NDP_NO_OFFSET, "%u worker processes died; the last %s",
                         (unsigned)sweep->dead_workers, ending);
}

static enum ndp_status replace_worker(struct sweep *sweep, struct ndp_worker *worker, const char *ending,
                                      struct ndp_error *error) {
    const bool is_lost = worker->attempts >= MAX_ATTEMPTS;
    NDP_TRY(count_death(sweep, ending, error));
    report_dead_worker(sweep, worker, ending, is_lost);
    NDP_TRY(is_lost ? lose_order(sweep, &worker->order)
                    : add_waiting(sweep, &worker->order, worker->attempts, RANK_AGAIN));
    return ndp_crew_restart(&sweep->crew, worker, error);
}

static enum ndp_status take_news(struct sweep *sweep, const struct ndp_crew_news *news, struct ndp_error *error) {
    if (news->worker == NULL) return NDP_OK;
    sweep->running -= news->was_busy;
    if (!news->is_dead) return take_answer(sweep, news->worker, error);
    if (news->was_busy) return replace_worker(sweep, news->worker, news->ending, error);
    NDP_TRY(count_death(sweep, news->ending, error));
    return ndp_crew_restart(&sweep->crew, news->worker, error);
}

/* ---- the run ---- */

static bool is_run_over(const struct sweep *sweep, enum ndp_stop_reason *reason) {
    const struct ndp_sweep_options *options = sweep->options;
    if (options->stop != NULL && *options->stop != 0) {
        *reason = NDP_STOP_SIGNAL;
        return true;
    }
    if (ndp_clock_ns() >= sweep->end_ns) {
        *reason = NDP_STOP_DURATION;
        return true;
    }
    return false;
}

/* Reports the coverage of a group; without counting, its name alone, so that findings can refer to it. */
static void report_coverage(const struct sweep *sweep, uint32_t group, bool is_counted) {
    const struct ndp_sweep_events *events = sweep->events;
    struct ndp_group_coverage coverage = {.group = sweep->schedule.routes.groups[group].name,
                                          .bits = ndp_coverage_bits(sweep->coverage[group]),
                                          .pair_bits = ndp_coverage_pair_bits(sweep->coverage[group])};
    if (events->on_coverage == NULL) return;
    if (is_counted) ndp_coverage_count(sweep->coverage[group], &coverage.counts);
    events->on_coverage(events->context, &coverage);
}

/* The first count of a group takes some time, so each tick counts one group. */
static void tick(struct sweep *sweep) {
    report_coverage(sweep, sweep->ticks++ % sweep->schedule.routes.count, true);
    if (sweep->events->on_tick != NULL) sweep->events->on_tick(sweep->events->context);
}

/* Works until the time is over, or everything is done. */
static enum ndp_status work(struct sweep *sweep, enum ndp_stop_reason *reason, struct ndp_error *error) {
    uint64_t ticked_ns = 0;
    *reason = NDP_STOP_CASES;
    while (!is_run_over(sweep, reason)) {
        struct ndp_crew_news news;
        NDP_TRY(give_orders(sweep));
        if (sweep->running == 0) return NDP_OK;
        const uint64_t now_ns = ndp_clock_ns();
        const uint64_t left_ns = sweep->end_ns > now_ns ? sweep->end_ns - now_ns : 0;
        NDP_TRY(ndp_crew_wait(&sweep->crew, left_ns < TICK_NS ? left_ns : TICK_NS, &news));
        NDP_TRY(take_news(sweep, &news, error));
        if (ndp_clock_ns() - ticked_ns < TICK_NS) continue;
        ticked_ns = ndp_clock_ns();
        tick(sweep);
    }
    return NDP_OK;
}

/* Reports the divergences that were seen and not found. */
static enum ndp_status finish(struct sweep *sweep) {
    for (uint32_t i = 0; i < sweep->ledger.count; i++)
        if (!ndp_ledger_is_settled(&sweep->ledger, i)) NDP_TRY(report_unfound(sweep, i));
    for (uint32_t i = 0; i < sweep->schedule.routes.count; i++) report_coverage(sweep, i, true);
    if (sweep->events->on_tick != NULL) sweep->events->on_tick(sweep->events->context);
    return NDP_OK;
}

static enum ndp_status open_coverage(struct sweep *sweep) {
    const uint32_t count = sweep->schedule.routes.count;
    sweep->coverage = calloc(count + 1, sizeof(struct ndp_coverage *));
    if (sweep->coverage == NULL) return NDP_NOMEM;
    for (uint32_t i = 0; i < count; i++)
        NDP_TRY(ndp_coverage_new(ndp_group_cases_model(sweep->schedule.groups[i].cases), &sweep->coverage[i]));
    return NDP_OK;
}

static enum ndp_status open_crew(struct sweep *sweep, struct ndp_error *error) {
    uint32_t groups[NDP_LANE_COUNT] = {0}, per_lane[NDP_LANE_COUNT] = {0};
    const uint32_t jobs = sweep->options->jobs;
    for (uint32_t i = 0; i < sweep->schedule.routes.count; i++) groups[sweep->schedule.groups[i].lane]++;
    if (groups[NDP_LANE_COMPUTE] > 0) per_lane[NDP_LANE_COMPUTE] = jobs;
    per_lane[NDP_LANE_WAIT] = jobs > WAITING_WORKERS ? jobs : WAITING_WORKERS;
    if (per_lane[NDP_LANE_WAIT] > groups[NDP_LANE_WAIT]) per_lane[NDP_LANE_WAIT] = groups[NDP_LANE_WAIT];
    if (jobs == 0) per_lane[NDP_LANE_WAIT] = 0;
    return ndp_crew_init(&sweep->crew, sweep->bench, &sweep->schedule, sweep->events, per_lane, error);
}

static void clear_sweep(struct sweep *sweep) {
    ndp_crew_clear(&sweep->crew);
    ndp_ledger_clear(&sweep->ledger);
    for (uint32_t i = 0; i < sweep->schedule.routes.count && sweep->coverage != NULL; i++)
        ndp_coverage_free(sweep->coverage[i]);
    for (uint32_t i = 0; i < sweep->early_count; i++) free(sweep->early[i].data);
    free(sweep->early);
    free(sweep->coverage);
    free(sweep->waiting);
    ndp_schedule_clear(&sweep->schedule);
    free(sweep);
}

static enum ndp_status run(struct sweep *sweep, enum ndp_stop_reason *reason, struct ndp_error *error) {
    NDP_TRY(ndp_schedule_init(&sweep->schedule, sweep->bench, sweep->options));
    *reason = NDP_STOP_NO_ROUTES;
    if (sweep->schedule.routes.count == 0) return NDP_OK;
    NDP_TRY(open_coverage(sweep));
    NDP_TRY(open_crew(sweep, error));
    for (uint32_t i = 0; i < sweep->schedule.routes.count; i++) report_coverage(sweep, i, false);
    const enum ndp_status status = work(sweep, reason, error);
    const enum ndp_status finished = finish(sweep);
    return status != NDP_OK ? status : finished;
}

enum ndp_status ndp_sweep_run(const struct ndp_bench *bench, const struct ndp_sweep_options *options,
                              const struct ndp_sweep_events *events, enum ndp_stop_reason *reason,
                              struct ndp_error *error) {
    struct sweep *sweep = calloc(1, sizeof *sweep);
    if (sweep == NULL) return NDP_NOMEM;
    sweep->bench = bench;
    sweep->options = options;
    sweep->events = events;
    sweep->start_ns = ndp_clock_ns();
    sweep->end_ns = options->duration_ns != 0 ? sweep->start_ns + options->duration_ns : UINT64_MAX;
    sweep->is_bounded = options->cases != 0 && options->duration_ns == 0;
    ndp_ledger_init(&sweep->ledger, events, sweep->is_bounded, sweep->start_ns);
    const enum ndp_status status = run(sweep, reason, error);
    clear_sweep(sweep);
    return status;
}
