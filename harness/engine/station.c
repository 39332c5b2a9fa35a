#include "engine/station.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "engine/case.h"

#define BATCH_ARENA_BYTES (UINT64_C(512) << 20)

enum ndp_status ndp_station_init(struct ndp_station *station, const struct ndp_bench *bench,
                                 const struct ndp_schedule *schedule, const struct ndp_sweep_events *events) {
    *station = (struct ndp_station){.bench = bench, .schedule = schedule, .events = events};
    /* Leak watching needs the default property set, and somebody who wants findings. */
    station->is_watched = ndp_property_set_is_empty(schedule->options->properties) && events->on_finding != NULL;
    station->watches = calloc(schedule->routes.count + 1, sizeof *station->watches);
    if (station->watches == NULL) return NDP_NOMEM;
    NDP_TRY(ndp_find_init(&station->find, bench));
    station->find.stop = schedule->options->stop;
    const enum ndp_status status = ndp_batch_new(bench, BATCH_ARENA_BYTES, &station->batch);
    if (status != NDP_OK) ndp_find_clear(&station->find);
    return status;
}

void ndp_station_clear(struct ndp_station *station) {
    ndp_batch_free(station->batch);
    ndp_find_clear(&station->find);
    free(station->watches);
    *station = (struct ndp_station){.bench = NULL};
}

/* ---- running a unit ---- */

static enum ndp_status add_case(const struct ndp_station *station, uint32_t index, struct ndp_buffer *answer) {
    const struct ndp_descriptor *descriptor = ndp_batch_descriptor(station->batch, index);
    const struct ndp_result *result = ndp_batch_result(station->batch, index);
    struct ndp_case_record record;
    /* Padding, too, so that no byte is undefined. */
    memset(&record, 0, sizeof record);
    record.id = ndp_batch_case_id(station->batch, index);
    record.kind = descriptor->kind;
    record.route = descriptor->route;
    record.verdict = result->verdict;
    record.comparisons = result->comparisons;
    memcpy(record.by_property, result->by_property, sizeof record.by_property);
    if (result->verdict == NDP_VERDICT_FAULT || result->verdict == NDP_VERDICT_UNSUPPORTED)
        memcpy(record.detail, result->detail, sizeof record.detail);
    record.features = station->features[index];
    return ndp_buffer_add(answer, &record, sizeof record);
}

static enum ndp_status add_divergence(uint64_t case_id, const struct ndp_divergence *divergence,
                                      struct ndp_buffer *answer, uint32_t *count) {
    struct ndp_divergence_record *record;
    uint8_t *room;
    NDP_TRY(ndp_buffer_extend(answer, sizeof *record, &room));
    memset(room, 0, sizeof *record);
    memcpy(room + offsetof(struct ndp_divergence_record, case_id), &case_id, sizeof case_id);
    memcpy(room + offsetof(struct ndp_divergence_record, divergence), divergence, sizeof *divergence);
    (*count)++;
    return NDP_OK;
}

/* ---- leaks ---- */

/* Adds the samples to the result of the last supported case, for every property that is judged by repetition. A batch
 * without such a case did nothing, so its samples compare nothing. */
static void count_samples(struct ndp_batch *batch, uint64_t compared) {
    const struct ndp_property_set repeated = ndp_property_set_all(true);
    struct ndp_result *result = NULL;
    for (uint32_t i = batch->count; i > 0 && result == NULL; i--)
        if (batch->cases[i - 1].result.verdict != NDP_VERDICT_UNSUPPORTED) result = &batch->cases[i - 1].result;
    if (compared == 0 || result == NULL) return;
    for (uint32_t at = 0; ndp_property_set_next(repeated, &at) != NULL; at++) {
        result->comparisons += compared;
        result->by_property[at].is_judged = true;
        result->by_property[at].comparisons += compared;
    }
}

/* Repeats case `index` of the batch. *leak is its divergence, or NULL; borrowed until the next use of `scratch`. */
static enum ndp_status repeat_case(struct ndp_batch *scratch, const struct ndp_batch *batch, uint32_t index,
                                   const struct ndp_divergence **leak, struct ndp_error *error) {
    const struct ndp_result *result;
    NDP_TRY(ndp_batch_run_one(scratch, ndp_batch_case_id(batch, index), ndp_batch_descriptor(batch, index),
                              ndp_property_set_all(true), &result, error));
    *leak = result->divergence_count > 0 ? &result->divergences[0] : NULL;
    return NDP_OK;
}

/* Samples the targets. If one is suspected, cases are judged by repetition until one leaks: *leaking is its index. */
static enum ndp_status search_leak(struct ndp_station *station, uint32_t group, uint32_t *leaking,
                                   const struct ndp_divergence **leak, struct ndp_error *error) {
    enum { CASES_APART = 16, CASES_PER_TURN = 4 };
    struct ndp_leak_watch *watch = &station->watches[group];
    struct ndp_batch *batch = station->batch;
    uint64_t compared;
    bool is_suspect;
    *leak = NULL;
    ndp_leak_watch_sample(watch, station->bench, batch, &compared, &is_suspect);
    station->searches += is_suspect;
    count_samples(batch, compared);
    uint32_t i = station->searches * CASES_PER_TURN % CASES_APART;
    for (; is_suspect && i < ndp_batch_count(batch) && *leak == NULL; i += CASES_APART) {
        const enum ndp_verdict verdict = ndp_batch_result(batch, i)->verdict;
        if (verdict == NDP_VERDICT_UNSUPPORTED || verdict == NDP_VERDICT_FAULT) continue;
        *leaking = i;
        NDP_TRY(repeat_case(station->find.scratch, batch, i, leak, error));
    }
    if (*leak != NULL) ndp_leak_watch_relax(watch, station->bench, batch);
    return NDP_OK;
}

/* ---- answers ---- */

static enum ndp_status add_results(struct ndp_station *station, const struct ndp_divergence *leak, uint32_t leaking,
                                   struct ndp_buffer *answer, struct ndp_answer *head) {
    const struct ndp_batch *batch = station->batch;
    head->case_count = ndp_batch_count(batch);
    for (uint32_t i = 0; i < head->case_count; i++) NDP_TRY(add_case(station, i, answer));
    for (uint32_t i = 0; i < head->case_count; i++) {
        const struct ndp_result *result = ndp_batch_result(batch, i);
        for (uint32_t k = 0; k < result->divergence_count; k++)
            NDP_TRY(
                add_divergence(ndp_batch_case_id(batch, i), &result->divergences[k], answer, &head->divergence_count));
    }
    if (leak == NULL) return NDP_OK;
    return add_divergence(ndp_batch_case_id(batch, leaking), leak, answer, &head->divergence_count);
}

static enum ndp_status run_unit(struct ndp_station *station, const struct ndp_order *order, struct ndp_buffer *answer,
                                struct ndp_answer *head) {
    const struct ndp_divergence *leak = NULL;
    uint32_t leaking = 0;
    const struct ndp_schedule_deaths deaths = {order->deaths, order->death_count};
    NDP_TRY(
        ndp_schedule_fill(station->schedule, &order->unit, deaths, station->batch, station->features, &head->error));
    if (ndp_batch_count(station->batch) == 0) return NDP_OK;
    if (station->is_watched) ndp_leak_watch_begin(&station->watches[order->unit.group], station->bench, station->batch);
    NDP_TRY(ndp_batch_start(station->batch, &head->error));
    NDP_TRY(ndp_batch_finish(station->batch, &head->error));
    if (station->is_watched) NDP_TRY(search_leak(station, order->unit.group, &leaking, &leak, &head->error));
    return add_results(station, leak, leaking, answer, head);
}

static enum ndp_status find_divergence(struct ndp_station *station, const struct ndp_order *order,
                                       struct ndp_buffer *answer, struct ndp_answer *head) {
    struct ndp_group_cases *cases = station->schedule->groups[order->unit.group].cases;
    struct ndp_group_case made;
    struct ndp_finding finding;
    ndp_batch_clear(station->batch);
    NDP_TRY(ndp_group_cases_make(cases, ndp_batch_arena(station->batch), order->unit.first, &made));
    const struct ndp_find_request request = {.descriptor = &made.descriptor,
                                             .properties = made.properties,
                                             .divergence = &order->divergence,
                                             .case_id = ndp_case_id(order->unit.group, order->unit.first),
                                             .until_ns = order->until_ns,
                                             .known = order->known,
                                             .known_count = order->known_count};
    NDP_TRY(ndp_find_run(&station->find, &request, &finding, &head->outcome, &head->error));
    if (head->outcome == NDP_FIND_NOTHING) return NDP_OK;
    head->signature = finding.divergence->signature;
    const uint64_t start = answer->size_bytes;
    if (head->outcome == NDP_FIND_FINDING && station->events->pack_finding != NULL)
        NDP_TRY(station->events->pack_finding(station->events->context, &finding, answer));
    head->packed_bytes = answer->size_bytes - start;
    if (finding.divergence->verdict == NDP_VERDICT_DIVERGES) return NDP_OK;
    head->descriptor_bytes = finding.descriptor.size_bytes;
    return ndp_buffer_add(answer, finding.descriptor.data, finding.descriptor.size_bytes);
}

static void subtract_counts(struct ndp_target_counts *counts, const struct ndp_target_counts *before) {
    counts->cases -= before->cases;
    counts->restarts -= before->restarts;
    counts->crashes -= before->crashes;
    counts->timeouts -= before->timeouts;
    counts->ooms -= before->ooms;
    counts->faults -= before->faults;
    counts->orphans -= before->orphans;
}

enum ndp_status ndp_station_serve(struct ndp_station *station, const struct ndp_order *order,
                                  struct ndp_buffer *answer) {
    struct ndp_answer head;
    struct ndp_target_counts before[NDP_MAX_TARGETS];
    const struct ndp_bench *bench = station->bench;
    const uint64_t start_ns = ndp_clock_ns();
    memset(&head, 0, sizeof head);
    head.number = order->number;
    for (uint32_t i = 0; i < bench->count; i++) before[i] = bench->targets[i]->counts;
    answer->size_bytes = 0;
    NDP_TRY(ndp_buffer_add(answer, &head, sizeof head));
    head.status = order->kind == NDP_ORDER_RUN ? run_unit(station, order, answer, &head)
                                               : find_divergence(station, order, answer, &head);
    for (uint32_t i = 0; i < bench->count && order->kind == NDP_ORDER_RUN; i++) {
        head.counts[i] = bench->targets[i]->counts;
        subtract_counts(&head.counts[i], &before[i]);
    }
    head.spent_ns = ndp_clock_ns() - start_ns;
    if (head.status != NDP_OK) {
        head.case_count = head.divergence_count = 0;
        head.packed_bytes = head.descriptor_bytes = 0;
        answer->size_bytes = sizeof head;
    }
    memcpy(answer->data, &head, sizeof head);
    return NDP_OK;
}

bool ndp_answer_view(struct ndp_bytes bytes, struct ndp_answer_view *out) {
    const uint8_t *at = bytes.data;
    if (bytes.size_bytes < sizeof(struct ndp_answer)) return false;
    out->head = (const struct ndp_answer *)(const void *)at;
    at += sizeof *out->head;
    out->cases = (const struct ndp_case_record *)(const void *)at;
    at += out->head->case_count * sizeof *out->cases;
    out->divergences = (const struct ndp_divergence_record *)(const void *)at;
    at += out->head->divergence_count * sizeof *out->divergences;
    out->packed = (struct ndp_bytes){at, out->head->packed_bytes};
    at += out->head->packed_bytes;
    out->descriptor = (struct ndp_bytes){at, out->head->descriptor_bytes};
    return (uint64_t)(at - bytes.data) + out->head->descriptor_bytes == bytes.size_bytes;
}
