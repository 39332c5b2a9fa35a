#include "engine/pursuit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/batch.h"
#include "engine/minimise.h"
#include "engine/retell.h"
#include "engine/signature.h"

enum { MINIMISE_RUNS = 600, MINIMISE_RUNS_WHEN_DEADLY = 80 };
#define SECOND_NS             UINT64_C(1000000000)
#define LEAST_PURSUIT_NS      SECOND_NS        /* also when the time of the run is over */
#define PURSUIT_NS            (10 * SECOND_NS) /* of one finding; only slow targets come near it */
#define LEFT_PER_PURSUIT      16               /* nor more than such a part of what is left of the run */
#define GRACE_NS              (3 * SECOND_NS)  /* after the time of the run nothing more is made minimal */
#define LEG_ARENA_BYTES       (UINT64_C(512) << 20)
#define DESCRIPTOR_TEXT_BYTES (UINT64_C(16) << 20)

/* A divergence that is minimal, or as it was drawn when it did not show again. */
struct ndp_waiting {
    struct ndp_buffer text;
    struct ndp_buffer drawn; /* empty when the text is that */
    struct ndp_route route;
    struct ndp_divergence raw;
    char signature[NDP_SIGNATURE_BYTES];
    uint64_t first_case;
    uint32_t runs;
    uint32_t hits;
    uint32_t again; /* how often it was seen while it waited */
    bool is_alone;  /* it is confirmed by itself */
};

enum ndp_status ndp_pursuit_init(struct ndp_pursuit *pursuit, const struct ndp_bench *bench,
                                 const struct ndp_sweep_events *events) {
    *pursuit = (struct ndp_pursuit){.bench = bench, .events = events};
    ndp_buffer_init(&pursuit->text, DESCRIPTOR_TEXT_BYTES);
    ndp_buffer_init(&pursuit->drawn, DESCRIPTOR_TEXT_BYTES);
    pursuit->waiting = calloc(NDP_MAX_WAITING, sizeof *pursuit->waiting);
    enum ndp_status status = pursuit->waiting != NULL ? NDP_OK : NDP_NOMEM;
    if (status == NDP_OK) status = ndp_batch_new(bench, LEG_ARENA_BYTES, &pursuit->scratch);
    if (status == NDP_OK) status = ndp_batch_new(bench, LEG_ARENA_BYTES, &pursuit->fresh);
    if (status != NDP_OK) ndp_pursuit_clear(pursuit);
    return status;
}

static void forget_waiting(struct ndp_pursuit *pursuit) {
    for (uint32_t i = 0; i < pursuit->waiting_count; i++) {
        ndp_buffer_clear(&pursuit->waiting[i].text);
        ndp_buffer_clear(&pursuit->waiting[i].drawn);
    }
    pursuit->waiting_count = 0;
}

void ndp_pursuit_clear(struct ndp_pursuit *pursuit) {
    forget_waiting(pursuit);
    free(pursuit->waiting);
    ndp_batch_free(pursuit->scratch);
    ndp_batch_free(pursuit->fresh);
    ndp_buffer_clear(&pursuit->text);
    ndp_buffer_clear(&pursuit->drawn);
    ndp_known_clear(&pursuit->known);
    *pursuit = (struct ndp_pursuit){0};
}

/* The descriptor that shows only this divergence: it names the property, or for a death all that judged the case. */
static enum ndp_status print_case(struct ndp_pursuit *pursuit, const struct ndp_sighting *seen,
                                  const struct ndp_divergence *shown) {
    struct ndp_descriptor single = *seen->descriptor;
    single.property_count = 0;
    uint32_t count;
    const struct ndp_property *const *all = ndp_properties(&count);
    for (uint32_t i = 0; i < count; i++) {
        bool is_named = shown->property != NULL ? all[i] == shown->property : (seen->properties & (1u << i)) != 0;
        /* Whatever threads do to a dict is one thing: all that judges dicts is asked. */
        if (single.value.kind == NDP_VALUE_DICT) is_named = all[i]->for_dicts;
        if (!is_named) continue;
        snprintf(single.properties[single.property_count++], NDP_WORD_BYTES, "%s", all[i]->name);
    }
    pursuit->text.size_bytes = 0;
    return ndp_descriptor_print(&pursuit->text, &single);
}

static enum ndp_status put_text(struct ndp_buffer *to, const struct ndp_buffer *from) {
    to->size_bytes = 0;
    return ndp_buffer_add(to, from->data, from->size_bytes);
}

/* The smallest descriptor that keeps the core takes the place of `pursuit->text`. */
static enum ndp_status make_minimal(struct ndp_pursuit *pursuit, const struct ndp_divergence *raw,
                                    struct ndp_error *error) {
    uint32_t budget = raw->verdict == NDP_VERDICT_DIVERGES ? MINIMISE_RUNS : MINIMISE_RUNS_WHEN_DEADLY;
    const uint64_t now_ns = ndp_clock_ns();
    uint64_t until_ns = now_ns + PURSUIT_NS;
    if (pursuit->end_ns != 0 && now_ns >= pursuit->end_ns + GRACE_NS) return NDP_OK;
    const uint64_t left_ns = pursuit->end_ns > now_ns ? pursuit->end_ns - now_ns : 0;
    if (pursuit->end_ns != 0 && left_ns / LEFT_PER_PURSUIT < PURSUIT_NS) until_ns = now_ns + left_ns / LEFT_PER_PURSUIT;
    if (until_ns < now_ns + LEAST_PURSUIT_NS) until_ns = now_ns + LEAST_PURSUIT_NS;
    const struct ndp_patience patience = {.stop = pursuit->stop, .until_ns = until_ns};
    uint32_t runs;
    return ndp_minimise(pursuit->scratch, &pursuit->text, raw->core, budget, &patience, &runs, error);
}

/* Runs `pursuit->text`, whose result then is what is told. Without the divergence there the raw one stays. */
static enum ndp_status look_again(struct ndp_pursuit *pursuit, const struct ndp_divergence *raw,
                                  struct ndp_found *found, struct ndp_error *error) {
    struct ndp_descriptor descriptor;
    ndp_batch_clear(pursuit->scratch);
    NDP_TRY(ndp_descriptor_read(ndp_batch_arena(pursuit->scratch), ndp_buffer_view(&pursuit->text),
                                &ndp_describe_default_limits, &descriptor, error));
    NDP_TRY(ndp_batch_add(pursuit->scratch, found->first_case, &descriptor, 0, error));
    NDP_TRY(ndp_batch_start(pursuit->scratch, error));
    NDP_TRY(ndp_batch_finish(pursuit->scratch, error));
    found->result = ndp_batch_result(pursuit->scratch, 0);
    found->descriptor = ndp_buffer_view(&pursuit->text);
    const struct ndp_divergence *kept = ndp_result_find(found->result, raw->core);
    found->divergence = kept != NULL ? kept : raw;
    return NDP_OK;
}

static bool is_stopped(const struct ndp_pursuit *pursuit) {
    return pursuit->stop != NULL && *pursuit->stop != 0;
}

static enum ndp_status confirm(struct ndp_pursuit *pursuit, const struct ndp_divergence *raw, struct ndp_found *found,
                               struct ndp_error *error) {
    return ndp_confirm(pursuit->fresh, ndp_buffer_view(&pursuit->text), raw->core, found->confirm_runs,
                       &found->confirm_hits, error);
}

static bool is_known(const struct ndp_pursuit *pursuit, const char *signature) {
    for (uint32_t i = 0; i < pursuit->known.count; i++) {
        if (strcmp(pursuit->known.entries[i].finding, signature) == 0) return true;
    }
    return false;
}

/* ---- confirming together ---- */

void ndp_pursuit_again(struct ndp_pursuit *pursuit, const char *finding) {
    for (uint32_t i = 0; i < pursuit->waiting_count; i++) {
        if (strcmp(pursuit->waiting[i].signature, finding) != 0) continue;
        pursuit->waiting[i].again++;
        return;
    }
    if (pursuit->events->on_again != NULL) pursuit->events->on_again(pursuit->events->context, finding);
}

static bool meets_same_targets(const struct ndp_route *a, const struct ndp_route *b) {
    return strcmp(a->encoder, b->encoder) == 0 && strcmp(a->decoder, b->decoder) == 0 &&
           a->is_relayed == b->is_relayed && (!a->is_relayed || strcmp(a->via.target, b->via.target) == 0);
}

/* Runs those of the waiting ones that meet the targets of `first`, in processes that are started for them. `done` is a
 * mask of those that ran in this round. */
static enum ndp_status run_round(struct ndp_pursuit *pursuit, uint32_t first, uint32_t round, uint32_t *done,
                                 struct ndp_error *error) {
    struct ndp_waiting *ran[NDP_MAX_WAITING];
    uint32_t count = 0;
    ndp_batch_clear(pursuit->fresh);
    for (uint32_t i = 0; i < pursuit->waiting_count; i++) {
        const uint32_t at = (first + i) % pursuit->waiting_count;
        struct ndp_waiting *one = &pursuit->waiting[at];
        if (one->is_alone || (*done & 1u << at) != 0 ||
            !meets_same_targets(&one->route, &pursuit->waiting[first].route))
            continue;
        *done |= 1u << at;
        if (one->runs <= round) continue;
        struct ndp_descriptor descriptor;
        NDP_TRY(ndp_descriptor_read(ndp_batch_arena(pursuit->fresh), ndp_buffer_view(&one->text),
                                    &ndp_describe_default_limits, &descriptor, error));
        NDP_TRY(ndp_batch_add(pursuit->fresh, one->first_case, &descriptor, 0, error));
        ran[count++] = one;
    }
    if (count == 0) return NDP_OK;
    NDP_TRY(ndp_batch_refresh(pursuit->fresh, error));
    NDP_TRY(ndp_batch_start(pursuit->fresh, error));
    NDP_TRY(ndp_batch_finish(pursuit->fresh, error));
    for (uint32_t i = 0; i < count; i++)
        ran[i]->hits += ndp_result_find(ndp_batch_result(pursuit->fresh, i), ran[i]->raw.core) != NULL;
    return NDP_OK;
}

/* Confirmed, by itself where it did not show among the others; where the smallest case does not show, the case as it
 * was drawn has the word. */
static enum ndp_status tell_waiting(struct ndp_pursuit *pursuit, struct ndp_waiting *one, struct ndp_error *error) {
    struct ndp_found found = {.first_case = one->first_case, .confirm_runs = one->runs, .confirm_hits = one->hits};
    NDP_TRY(put_text(&pursuit->text, &one->text));
    if (one->hits < one->runs) NDP_TRY(confirm(pursuit, &one->raw, &found, error));
    if (found.confirm_hits < found.confirm_runs && one->drawn.size_bytes > 0) {
        NDP_TRY(put_text(&pursuit->text, &one->drawn));
        NDP_TRY(confirm(pursuit, &one->raw, &found, error));
    }
    NDP_TRY(look_again(pursuit, &one->raw, &found, error));
    const char *signature = found.divergence->signature;
    const bool is_other = strcmp(signature, one->signature) != 0;
    if (is_other && is_known(pursuit, signature)) {
        one->again++;
    } else {
        pursuit->events->on_found(pursuit->events->context, &found);
    }
    if (is_other) ndp_known_rename(&pursuit->known, one->signature, signature);
    for (uint32_t i = 0; i < one->again && pursuit->events->on_again != NULL; i++)
        pursuit->events->on_again(pursuit->events->context, signature);
    return NDP_OK;
}

enum ndp_status ndp_pursuit_settle(struct ndp_pursuit *pursuit, struct ndp_error *error) {
    const uint32_t count = pursuit->waiting_count;
    for (uint32_t round = 0; round < NDP_CONFIRM_RUNS; round++) {
        uint32_t done = 0;
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t first = (round + i) % count;
            if (!pursuit->waiting[first].is_alone && (done & 1u << first) == 0)
                NDP_TRY(run_round(pursuit, first, round, &done, error));
        }
    }
    for (uint32_t i = 0; i < count; i++) NDP_TRY(tell_waiting(pursuit, &pursuit->waiting[i], error));
    forget_waiting(pursuit);
    return NDP_OK;
}

/* ---- taking up ---- */

/* Lets `pursuit->text` wait for the next round. `is_minimal`: `pursuit->drawn` is what it comes from. */
static enum ndp_status let_wait(struct ndp_pursuit *pursuit, const struct ndp_route *route, bool is_minimal,
                                const struct ndp_divergence *raw, const struct ndp_found *found) {
    struct ndp_waiting *one = &pursuit->waiting[pursuit->waiting_count++];
    const bool is_defect = raw->verdict != NDP_VERDICT_DIVERGES || raw->judgement.severity == NDP_SEVERITY_DEFECT;
    *one = (struct ndp_waiting){.route = *route, .raw = *raw, .first_case = found->first_case};
    /* What is documented needs no proof that it is no accident. Whoever stops a run does not want to wait. */
    one->runs = is_defect && !is_stopped(pursuit) ? NDP_CONFIRM_RUNS : 1;
    one->is_alone = raw->verdict != NDP_VERDICT_DIVERGES || raw->property->by_repetition;
    memcpy(one->signature, found->divergence->signature, sizeof one->signature);
    ndp_buffer_init(&one->text, DESCRIPTOR_TEXT_BYTES);
    ndp_buffer_init(&one->drawn, DESCRIPTOR_TEXT_BYTES);
    NDP_TRY(put_text(&one->text, &pursuit->text));
    return is_minimal ? put_text(&one->drawn, &pursuit->drawn) : NDP_OK;
}

/* The smallest case is what is confirmed, because it is what is told; and only when it is a new one. */
static enum ndp_status pursue_steady(struct ndp_pursuit *pursuit, const struct ndp_route *route,
                                     const struct ndp_divergence *raw, struct ndp_found *found,
                                     struct ndp_error *error) {
    NDP_TRY(put_text(&pursuit->drawn, &pursuit->text));
    NDP_TRY(look_again(pursuit, raw, found, error));
    const bool is_shown = ndp_result_find(found->result, raw->core) != NULL;
    if (is_shown) {
        NDP_TRY(make_minimal(pursuit, raw, error));
        NDP_TRY(look_again(pursuit, raw, found, error));
    }
    if (!is_known(pursuit, found->divergence->signature)) return let_wait(pursuit, route, is_shown, raw, found);
    ndp_pursuit_again(pursuit, found->divergence->signature);
    return NDP_OK;
}

/* What happens by chance is only worth shrinking when it is sure to come; else some later case shows it more surely. */
static enum ndp_status pursue_chance(struct ndp_pursuit *pursuit, const struct ndp_divergence *raw,
                                     struct ndp_found *found, struct ndp_error *error) {
    found->confirm_runs = NDP_CONFIRM_RUNS;
    NDP_TRY(confirm(pursuit, raw, found, error));
    if (found->confirm_hits < found->confirm_runs) return NDP_OK;
    NDP_TRY(make_minimal(pursuit, raw, error));
    NDP_TRY(look_again(pursuit, raw, found, error));
    if (!is_known(pursuit, found->divergence->signature)) {
        pursuit->events->on_found(pursuit->events->context, found);
    } else {
        ndp_pursuit_again(pursuit, found->divergence->signature);
    }
    return NDP_OK;
}

/* `shown` is the divergence as the case shows it: of a relay's leg that shows it alone another than `seen->raw`. */
static enum ndp_status pursue_case(struct ndp_pursuit *pursuit, const struct ndp_sighting *seen,
                                   const struct ndp_divergence *shown, struct ndp_error *error) {
    struct ndp_found found = {.first_case = seen->case_id};
    NDP_TRY(print_case(pursuit, seen, shown));
    NDP_TRY(ndp_divergence_is_chance(shown) ? pursue_chance(pursuit, shown, &found, error)
                                            : pursue_steady(pursuit, &seen->descriptor->route, shown, &found, error));
    if (found.divergence == NULL) return NDP_OK;
    NDP_TRY(ndp_known_add(&pursuit->known, seen->raw, found.divergence->signature));
    return seen->raw != shown ? ndp_known_add(&pursuit->known, shown, found.divergence->signature) : NDP_OK;
}

/* ---- relays ---- */

/* One leg of a relay as a case by itself. */
struct leg {
    struct ndp_descriptor alone;
    bool is_shown; /* it shows the divergence */
    struct ndp_divergence shown;
};

/* Runs the leg. What shows there is a divergence under `core`, which that of the relay would have there. */
static enum ndp_status try_leg(struct ndp_pursuit *pursuit, const char *core, struct leg *leg,
                               struct ndp_error *error) {
    pursuit->text.size_bytes = 0;
    NDP_TRY(ndp_descriptor_print(&pursuit->text, &leg->alone));
    struct ndp_descriptor descriptor;
    ndp_batch_clear(pursuit->scratch);
    enum ndp_status status = ndp_descriptor_read(ndp_batch_arena(pursuit->scratch), ndp_buffer_view(&pursuit->text),
                                                 &ndp_describe_default_limits, &descriptor, error);
    if (status == NDP_OK) status = ndp_batch_add(pursuit->scratch, 0, &descriptor, 0, error);
    if (status == NDP_OK) status = ndp_batch_start(pursuit->scratch, error);
    /* What a target says that it got need not be a value that can be made. */
    if (status == NDP_INVALID) return NDP_OK;
    NDP_TRY(status);
    NDP_TRY(ndp_batch_finish(pursuit->scratch, error));
    const struct ndp_divergence *kept = ndp_result_find(ndp_batch_result(pursuit->scratch, 0), core);
    leg->is_shown = kept != NULL;
    if (kept != NULL) leg->shown = *kept;
    return NDP_OK;
}

/* Fills *leg with the one that shows the divergence without the other, if any does: the second one with what the
 * middle got, or else with what was sent. */
static enum ndp_status find_leg(struct ndp_pursuit *pursuit, struct ndp_arena *arena, const struct ndp_sighting *seen,
                                struct leg *leg, struct ndp_error *error) {
    leg->is_shown = false;
    for (uint32_t i = 0; i < 2 && !leg->is_shown; i++) {
        if (seen->raw->alone[i][0] == '\0') continue;
        leg->alone = *seen->descriptor;
        ndp_route_leg(&seen->descriptor->route, i, &leg->alone.route);
        leg->alone.property_count = 0;
        if (seen->raw->property != NULL)
            snprintf(leg->alone.properties[leg->alone.property_count++], NDP_WORD_BYTES, "%s",
                     seen->raw->property->name);
        if (i == 1 && ndp_retell(arena, seen->descriptor, seen->result, &leg->alone.value))
            NDP_TRY(try_leg(pursuit, seen->raw->alone[i], leg, error));
        if (leg->is_shown) return NDP_OK;
        leg->alone.value = seen->descriptor->value;
        NDP_TRY(try_leg(pursuit, seen->raw->alone[i], leg, error));
    }
    return NDP_OK;
}

/* Fills *small with the smallest case of the relay that keeps the divergence, and *result with what comes of it (in
 * `pursuit->fresh`): a leg may show alone what it does not show of the case that was drawn. */
static enum ndp_status shrink_relay(struct ndp_pursuit *pursuit, struct ndp_arena *arena,
                                    const struct ndp_sighting *seen, struct ndp_descriptor *small,
                                    const struct ndp_result **result, struct ndp_error *error) {
    struct ndp_found found = {.first_case = 0};
    NDP_TRY(print_case(pursuit, seen, seen->raw));
    NDP_TRY(look_again(pursuit, seen->raw, &found, error));
    if (ndp_result_find(found.result, seen->raw->core) != NULL) NDP_TRY(make_minimal(pursuit, seen->raw, error));
    NDP_TRY(ndp_descriptor_read(arena, ndp_buffer_view(&pursuit->text), &ndp_describe_default_limits, small, error));
    ndp_batch_clear(pursuit->fresh);
    NDP_TRY(ndp_batch_add(pursuit->fresh, 0, small, 0, error));
    NDP_TRY(ndp_batch_start(pursuit->fresh, error));
    NDP_TRY(ndp_batch_finish(pursuit->fresh, error));
    *result = ndp_batch_result(pursuit->fresh, 0);
    return NDP_OK;
}

/* A divergence behind the first leg of a relay: told as a leg's when one shows it alone, as it was drawn or made
 * smaller, else as the relay's. */
static enum ndp_status pursue_relay(struct ndp_pursuit *pursuit, struct ndp_arena *arena,
                                    const struct ndp_sighting *seen, struct ndp_error *error) {
    struct ndp_sighting told = *seen;
    struct ndp_descriptor small;
    struct leg leg;
    NDP_TRY(find_leg(pursuit, arena, &told, &leg, error));
    if (!leg.is_shown && !ndp_divergence_is_chance(seen->raw)) {
        NDP_TRY(shrink_relay(pursuit, arena, seen, &small, &told.result, error));
        told.descriptor = &small;
        NDP_TRY(find_leg(pursuit, arena, &told, &leg, error));
    }
    if (leg.is_shown) told.descriptor = &leg.alone;
    return pursue_case(pursuit, &told, leg.is_shown ? &leg.shown : seen->raw, error);
}

enum ndp_status ndp_pursue(struct ndp_pursuit *pursuit, const struct ndp_sighting *seen, struct ndp_error *error) {
    if (pursuit->waiting_count == NDP_MAX_WAITING) NDP_TRY(ndp_pursuit_settle(pursuit, error));
    if (!seen->descriptor->route.is_relayed) return pursue_case(pursuit, seen, seen->raw, error);
    if (!seen->raw->route.is_relayed) {
        /* The first leg is told of as of itself. */
        struct ndp_descriptor alone = *seen->descriptor;
        struct ndp_sighting first = *seen;
        alone.route = seen->raw->route;
        first.descriptor = &alone;
        return pursue_case(pursuit, &first, seen->raw, error);
    }
    struct ndp_arena arena;
    ndp_arena_init(&arena, LEG_ARENA_BYTES);
    const enum ndp_status status = pursue_relay(pursuit, &arena, seen, error);
    ndp_arena_clear(&arena);
    return status;
}
