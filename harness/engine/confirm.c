/* confirm.c: turns a divergence into a finding.
 *
 * Problem. A divergence of a sweep may depend on state that earlier cases left in a process. A finding must show in
 * fresh processes, with a small case, and starting processes is the most expensive step of a run.
 *
 * Method. The case is minimised. If the minimal case has the signature of a known finding, that finding counts it.
 * Otherwise it becomes pending, and all pending cases are confirmed together: in each of NDP_CONFIRM_RUNS rounds, one
 * fresh process per pair of targets runs all pending cases of that pair, and every round starts with another case. A
 * case that does not reproduce in every round is confirmed separately, with processes for it alone; if the minimal case
 * does not reproduce there either, the generated case is confirmed instead. The finding is reported under the signature
 * of the confirmed case. Process deaths and divergences that are judged by repetition are confirmed separately from the
 * start, because a death loses the answers of the other cases. Hazards happen by chance: they are confirmed first, and
 * minimised only if they reproduce every time.
 *
 *     Example: seed 1 generates a [3,4] view of a big-endian array that diverges in dtype.order. Minimised, it is a
 * scalar with the signature "DIVERGES|byte_order|npy|dtype.order|numpy|npy:memory>memory|i|>|any|0", which three fresh
 *     processes reproduce: a finding, confirmed in 3 of 3.
 *
 * Cost. At most MINIMISE_RUNS cases per divergence, then three process starts for up to NDP_MAX_PENDING divergences.
 *
 * Limits. A divergence that needs the state of earlier cases is reported as flaky: fewer hits than runs.
 */
#include "engine/confirm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/minimise.h"

enum { MINIMISE_RUNS = 600, MINIMISE_RUNS_WHEN_FATAL = 80 };
#define SECOND_NS             UINT64_C(1000000000)
#define LEAST_MINIMISE_NS     SECOND_NS        /* per divergence, even after the end of the run */
#define MOST_MINIMISE_NS      (10 * SECOND_NS) /* per divergence; only slow targets reach it */
#define PART_OF_REST          16               /* a divergence gets at most this part of the rest of the run */
#define GRACE_NS              (3 * SECOND_NS)  /* after the end of the run; then minimising stops */
#define ARENA_BYTES           (UINT64_C(512) << 20)
#define DESCRIPTOR_TEXT_BYTES (UINT64_C(16) << 20)

/* A divergence to confirm: minimised, or as generated if it did not reproduce. */
struct ndp_pending {
    struct ndp_buffer text;
    struct ndp_buffer generated; /* empty if `text` is the generated case */
    struct ndp_route route;
    struct ndp_divergence divergence; /* of the generated case */
    struct ndp_signature signature;   /* of `text` */
    uint64_t first_case;
    uint32_t runs;
    uint32_t hits;
    uint32_t duplicates; /* further cases while it is pending */
    bool is_separate;    /* confirmed in processes for it alone */
};

enum ndp_status ndp_confirm_init(struct ndp_confirm *confirm, const struct ndp_bench *bench,
                                 const struct ndp_sweep_events *events) {
    *confirm = (struct ndp_confirm){.events = events};
    ndp_buffer_init(&confirm->text, DESCRIPTOR_TEXT_BYTES);
    ndp_buffer_init(&confirm->generated, DESCRIPTOR_TEXT_BYTES);
    confirm->pending = calloc(NDP_MAX_PENDING, sizeof *confirm->pending);
    enum ndp_status status = confirm->pending != NULL ? NDP_OK : NDP_NOMEM;
    if (status == NDP_OK) status = ndp_batch_new(bench, ARENA_BYTES, &confirm->scratch);
    if (status == NDP_OK) status = ndp_batch_new(bench, ARENA_BYTES, &confirm->fresh);
    if (status != NDP_OK) ndp_confirm_clear(confirm);
    return status;
}

static void clear_pending(struct ndp_confirm *confirm) {
    for (uint32_t i = 0; i < confirm->pending_count; i++) {
        ndp_buffer_clear(&confirm->pending[i].text);
        ndp_buffer_clear(&confirm->pending[i].generated);
    }
    confirm->pending_count = 0;
}

void ndp_confirm_clear(struct ndp_confirm *confirm) {
    clear_pending(confirm);
    free(confirm->pending);
    ndp_batch_free(confirm->scratch);
    ndp_batch_free(confirm->fresh);
    ndp_buffer_clear(&confirm->text);
    ndp_buffer_clear(&confirm->generated);
    ndp_dedup_clear(&confirm->dedup);
    *confirm = (struct ndp_confirm){0};
}

static enum ndp_status set_text(struct ndp_buffer *to, const struct ndp_buffer *from) {
    to->size_bytes = 0;
    return ndp_buffer_add(to, from->data, from->size_bytes);
}

static bool is_stopped(const struct ndp_confirm *confirm) {
    return confirm->stop != NULL && *confirm->stop != 0;
}

/* ---- single steps ---- */

/* Prints the case into `confirm->text` with the properties that judge it: that of the divergence, or for a process
 * death all that judged the case. A dict is judged by all properties of dicts, because races show in any of them. */
static enum ndp_status print_case(struct ndp_confirm *confirm, const struct ndp_descriptor *descriptor,
                                  struct ndp_property_set properties, const struct ndp_divergence *divergence) {
    const bool is_dict = descriptor->value.kind == NDP_VALUE_DICT;
    const struct ndp_property *property;
    struct ndp_descriptor single = *descriptor;
    single.property_count = 0;
    if (is_dict) properties = ndp_property_set_all(false);
    if (!is_dict && divergence->property != NULL) properties = ndp_property_set_of(divergence->property);
    for (uint32_t at = 0; (property = ndp_property_set_next(properties, &at)) != NULL; at++) {
        if (is_dict && (property->values & NDP_VALUE_BIT(DICT)) == 0) continue;
        snprintf(single.properties[single.property_count++], NDP_WORD_BYTES, "%s", property->name);
    }
    confirm->text.size_bytes = 0;
    return ndp_descriptor_print(&confirm->text, &single);
}

/* The time at which minimising ends; 0 after the grace period. */
static uint64_t minimise_until_ns(const struct ndp_confirm *confirm) {
    const uint64_t now_ns = ndp_clock_ns();
    const uint64_t left_ns = confirm->end_ns > now_ns ? confirm->end_ns - now_ns : 0;
    uint64_t most_ns = MOST_MINIMISE_NS;
    if (confirm->end_ns != 0 && now_ns >= confirm->end_ns + GRACE_NS) return 0;
    if (confirm->end_ns != 0 && left_ns / PART_OF_REST < most_ns) most_ns = left_ns / PART_OF_REST;
    return now_ns + (most_ns > LEAST_MINIMISE_NS ? most_ns : LEAST_MINIMISE_NS);
}

/* Replaces `confirm->text` by the smallest descriptor that keeps the core. */
static enum ndp_status minimise_text(struct ndp_confirm *confirm, const struct ndp_divergence *divergence,
                                     struct ndp_error *error) {
    const bool is_fatal = divergence->verdict != NDP_VERDICT_DIVERGES;
    const struct ndp_minimise_limits patience = {.stop = confirm->stop, .until_ns = minimise_until_ns(confirm)};
    uint32_t runs;
    if (patience.until_ns == 0) return NDP_OK;
    return ndp_minimise(confirm->scratch, &confirm->text, &divergence->signature,
                        is_fatal ? MINIMISE_RUNS_WHEN_FATAL : MINIMISE_RUNS, &patience, &runs, error);
}

/* Runs `confirm->text` and fills the finding with its divergence, or with `divergence` if it does not reproduce. */
static enum ndp_status run_finding(struct ndp_confirm *confirm, const struct ndp_divergence *divergence,
                                   struct ndp_finding *finding, bool *is_shown, struct ndp_error *error) {
    finding->descriptor = ndp_buffer_view(&confirm->text);
    NDP_TRY(
        ndp_batch_run_text(confirm->scratch, finding->first_case, finding->descriptor, false, &finding->result, error));
    const struct ndp_divergence *shown = ndp_result_find(finding->result, &divergence->signature);
    finding->divergence = shown != NULL ? shown : divergence;
    *is_shown = shown != NULL;
    return NDP_OK;
}

enum ndp_status ndp_confirm_text(struct ndp_batch *batch, struct ndp_bytes text, const struct ndp_signature *wanted,
                                 uint32_t runs, uint32_t *hits, struct ndp_error *error) {
    uint32_t shown = 0;
    for (uint32_t run = 0; run < runs; run++) {
        const struct ndp_result *result;
        NDP_TRY(ndp_batch_run_text(batch, 0, text, true, &result, error));
        if (ndp_result_find(result, wanted) != NULL) shown++;
    }
    *hits = shown;
    return NDP_OK;
}

static enum ndp_status confirm_separately(struct ndp_confirm *confirm, const struct ndp_divergence *divergence,
                                          struct ndp_finding *finding, struct ndp_error *error) {
    return ndp_confirm_text(confirm->fresh, ndp_buffer_view(&confirm->text), &divergence->signature,
                            finding->confirm_runs, &finding->confirm_hits, error);
}

/* Fills the blame of a finding that run_finding() filled. A run that is stopped makes no more experiments. */
static enum ndp_status blame_finding(struct ndp_confirm *confirm, struct ndp_finding *finding,
                                     struct ndp_error *error) {
    if (is_stopped(confirm)) {
        ndp_blame_assume(finding->divergence, &finding->blame);
        return NDP_OK;
    }
    return ndp_blame_find(confirm->fresh, ndp_batch_descriptor(confirm->scratch, 0), finding->divergence,
                          &finding->blame, error);
}

/* ---- shared rounds ---- */

void ndp_confirm_count(struct ndp_confirm *confirm, const struct ndp_signature *finding,
                       const struct ndp_route *route) {
    for (uint32_t i = 0; i < confirm->pending_count; i++) {
        if (!ndp_signature_is_same(&confirm->pending[i].signature, finding)) continue;
        confirm->pending[i].duplicates++;
        return;
    }
    if (confirm->events->on_duplicate != NULL) confirm->events->on_duplicate(confirm->events->context, finding, route);
}

/* Runs all pending cases on the targets of case `first`, starting with it, in one fresh process per target. `done` is a
 * mask of the cases that ran in this round. */
static enum ndp_status run_pair(struct ndp_confirm *confirm, uint32_t first, uint32_t round, uint32_t *done,
                                struct ndp_error *error) {
    struct ndp_pending *ran[NDP_MAX_PENDING];
    const struct ndp_route *pair = &confirm->pending[first].route;
    uint32_t count = 0;
    ndp_batch_clear(confirm->fresh);
    for (uint32_t i = 0; i < confirm->pending_count; i++) {
        const uint32_t at = (first + i) % confirm->pending_count;
        struct ndp_pending *one = &confirm->pending[at];
        struct ndp_descriptor descriptor;
        if (one->is_separate || (*done & 1u << at) != 0 || !ndp_bytes_word_is(one->route.encoder, pair->encoder) ||
            !ndp_bytes_word_is(one->route.decoder, pair->decoder))
            continue;
        *done |= 1u << at;
        if (one->runs <= round) continue;
        NDP_TRY(ndp_descriptor_read(ndp_batch_arena(confirm->fresh), ndp_buffer_view(&one->text),
                                    &ndp_describe_default_limits, &descriptor, error));
        NDP_TRY(ndp_batch_add(confirm->fresh, one->first_case, &descriptor, (struct ndp_property_set){0}, error));
        ran[count++] = one;
    }
    if (count == 0) return NDP_OK;
    NDP_TRY(ndp_batch_refresh(confirm->fresh, error));
    NDP_TRY(ndp_batch_start(confirm->fresh, error));
    NDP_TRY(ndp_batch_finish(confirm->fresh, error));
    for (uint32_t i = 0; i < count; i++)
        ran[i]->hits += ndp_result_find(ndp_batch_result(confirm->fresh, i), &ran[i]->divergence.signature) != NULL;
    return NDP_OK;
}

static enum ndp_status run_rounds(struct ndp_confirm *confirm, struct ndp_error *error) {
    const uint32_t count = confirm->pending_count;
    for (uint32_t round = 0; round < NDP_CONFIRM_RUNS; round++) {
        uint32_t done = 0;
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t first = (round + i) % count;
            if (!confirm->pending[first].is_separate && (done & 1u << first) == 0)
                NDP_TRY(run_pair(confirm, first, round, &done, error));
        }
    }
    return NDP_OK;
}

static void report_finding(struct ndp_confirm *confirm, struct ndp_pending *one, const struct ndp_finding *finding) {
    const struct ndp_signature *signature = &finding->divergence->signature;
    const bool is_other = !ndp_signature_is_same(signature, &one->signature);
    if (is_other && ndp_dedup_has(&confirm->dedup, signature)) {
        one->duplicates++;
    } else {
        confirm->events->on_finding(confirm->events->context, finding);
    }
    if (is_other) ndp_dedup_rename(&confirm->dedup, &one->signature, signature);
    for (uint32_t i = 0; i < one->duplicates && confirm->events->on_duplicate != NULL; i++)
        confirm->events->on_duplicate(confirm->events->context, signature, &one->route);
}

static enum ndp_status finish_pending(struct ndp_confirm *confirm, struct ndp_pending *one, struct ndp_error *error) {
    struct ndp_finding finding = {.first_case = one->first_case, .confirm_runs = one->runs, .confirm_hits = one->hits};
    bool is_shown;
    NDP_TRY(set_text(&confirm->text, &one->text));
    if (one->hits < one->runs) NDP_TRY(confirm_separately(confirm, &one->divergence, &finding, error));
    if (finding.confirm_hits < finding.confirm_runs && one->generated.size_bytes > 0) {
        NDP_TRY(set_text(&confirm->text, &one->generated));
        NDP_TRY(confirm_separately(confirm, &one->divergence, &finding, error));
    }
    NDP_TRY(run_finding(confirm, &one->divergence, &finding, &is_shown, error));
    NDP_TRY(blame_finding(confirm, &finding, error));
    report_finding(confirm, one, &finding);
    return NDP_OK;
}

enum ndp_status ndp_confirm_finish(struct ndp_confirm *confirm, struct ndp_error *error) {
    NDP_TRY(run_rounds(confirm, error));
    for (uint32_t i = 0; i < confirm->pending_count; i++) NDP_TRY(finish_pending(confirm, &confirm->pending[i], error));
    clear_pending(confirm);
    return NDP_OK;
}

/* ---- taking divergences ---- */

/* Makes `confirm->text` pending; `is_minimal`: it was minimised from `confirm->generated`. */
static enum ndp_status add_pending(struct ndp_confirm *confirm, const struct ndp_descriptor *descriptor,
                                   bool is_minimal, const struct ndp_divergence *divergence,
                                   const struct ndp_finding *finding) {
    struct ndp_pending *one = &confirm->pending[confirm->pending_count++];
    const bool is_defect = divergence->verdict != NDP_VERDICT_DIVERGES || ndp_result_is_defect(divergence);
    *one = (struct ndp_pending){
        .route = descriptor->route,
        .divergence = *divergence,
        .signature = finding->divergence->signature,
        .first_case = finding->first_case,
        /* A documented loss is expected, and a run that is stopped must end soon: one run confirms them. */
        .runs = is_defect && !is_stopped(confirm) ? NDP_CONFIRM_RUNS : 1,
        .is_separate = divergence->verdict != NDP_VERDICT_DIVERGES || divergence->property->by_repetition,
    };
    ndp_buffer_init(&one->text, DESCRIPTOR_TEXT_BYTES);
    ndp_buffer_init(&one->generated, DESCRIPTOR_TEXT_BYTES);
    NDP_TRY(set_text(&one->text, &confirm->text));
    return is_minimal ? set_text(&one->generated, &confirm->generated) : NDP_OK;
}

/* A divergence that does not depend on chance. */
static enum ndp_status take_steady(struct ndp_confirm *confirm, const struct ndp_descriptor *descriptor,
                                   const struct ndp_divergence *divergence, struct ndp_finding *finding,
                                   struct ndp_error *error) {
    bool is_shown, is_still_shown;
    NDP_TRY(set_text(&confirm->generated, &confirm->text));
    NDP_TRY(run_finding(confirm, divergence, finding, &is_shown, error));
    if (is_shown) {
        NDP_TRY(minimise_text(confirm, divergence, error));
        NDP_TRY(run_finding(confirm, divergence, finding, &is_still_shown, error));
    }
    if (!ndp_dedup_has(&confirm->dedup, &finding->divergence->signature))
        return add_pending(confirm, descriptor, is_shown, divergence, finding);
    ndp_confirm_count(confirm, &finding->divergence->signature, &divergence->route);
    return NDP_OK;
}

/* A hazard. If it does not reproduce every time, nothing is reported, and a later case may confirm it. */
static enum ndp_status take_hazard(struct ndp_confirm *confirm, const struct ndp_divergence *divergence,
                                   struct ndp_finding *finding, struct ndp_error *error) {
    bool is_shown;
    finding->confirm_runs = NDP_CONFIRM_RUNS;
    NDP_TRY(confirm_separately(confirm, divergence, finding, error));
    if (finding->confirm_hits < finding->confirm_runs) return NDP_OK;
    NDP_TRY(minimise_text(confirm, divergence, error));
    NDP_TRY(run_finding(confirm, divergence, finding, &is_shown, error));
    if (ndp_dedup_has(&confirm->dedup, &finding->divergence->signature)) {
        ndp_confirm_count(confirm, &finding->divergence->signature, &divergence->route);
        return NDP_OK;
    }
    NDP_TRY(blame_finding(confirm, finding, error));
    confirm->events->on_finding(confirm->events->context, finding);
    return NDP_OK;
}

bool ndp_confirm_has(struct ndp_confirm *confirm, const struct ndp_divergence *divergence) {
    const struct ndp_signature *finding = ndp_dedup_find(&confirm->dedup, divergence);
    if (finding != NULL) ndp_confirm_count(confirm, finding, &divergence->route);
    return finding != NULL || confirm->events->on_finding == NULL;
}

enum ndp_status ndp_confirm_take(struct ndp_confirm *confirm, const struct ndp_descriptor *descriptor,
                                 struct ndp_property_set properties, uint64_t case_id,
                                 const struct ndp_divergence *divergence, struct ndp_error *error) {
    struct ndp_finding finding = {.first_case = case_id};
    if (confirm->pending_count == NDP_MAX_PENDING) NDP_TRY(ndp_confirm_finish(confirm, error));
    NDP_TRY(print_case(confirm, descriptor, properties, divergence));
    NDP_TRY(divergence->signature.is_hazard ? take_hazard(confirm, divergence, &finding, error)
                                            : take_steady(confirm, descriptor, divergence, &finding, error));
    if (finding.divergence == NULL) return NDP_OK;
    return ndp_dedup_add(&confirm->dedup, divergence, &finding.divergence->signature);
}

enum ndp_status ndp_confirm_take_batch(struct ndp_confirm *confirm, const struct ndp_batch *batch,
                                       ndp_confirm_make_idle *make_idle, void *context, struct ndp_error *error) {
    const struct ndp_sweep_events *events = confirm->events;
    for (uint32_t i = 0; i < ndp_batch_count(batch); i++) {
        const struct ndp_descriptor *descriptor = ndp_batch_descriptor(batch, i);
        const struct ndp_result *result = ndp_batch_result(batch, i);
        if (events->on_case != NULL) events->on_case(events->context, descriptor, result);
        for (uint32_t k = 0; k < result->divergence_count; k++) {
            const struct ndp_divergence *divergence = &result->divergences[k];
            if (ndp_confirm_has(confirm, divergence)) continue;
            if (make_idle != NULL) NDP_TRY(make_idle(context, error));
            NDP_TRY(ndp_confirm_take(confirm, descriptor, ndp_batch_properties(batch, i), ndp_batch_case_id(batch, i),
                                     divergence, error));
        }
    }
    NDP_TRY(ndp_confirm_finish(confirm, error));
    if (events->on_tick != NULL) events->on_tick(events->context);
    return NDP_OK;
}
