#include "engine/experiment.h"

#include <string.h>

#include "engine/case.h"
#include "engine/format_layers.h"
#include "engine/routes.h"

/* ---- comparing failures ---- */

static const struct ndp_difference *first_of(const struct ndp_divergence *failure) {
    static const struct ndp_difference none = {.path = ""};
    return failure->judgement.comparison.count > 0 ? &failure->judgement.comparison.list[0] : &none;
}

bool ndp_experiment_is_of_errors(const struct ndp_divergence *failure) {
    const struct ndp_contract_row *row = failure->judgement.row;
    if (failure->property == NULL || row == NULL) return false;
    return row->field == NDP_FIELD_ACCEPTED || row->field == NDP_FIELD_TRUNCATION || row->field == NDP_FIELD_HISTORY;
}

/* The error of a failure, without the side that raised it. */
static const char *error_of(const struct ndp_divergence *failure) {
    const char *text = strstr(failure->failure, ": ");
    return text != NULL ? text : "";
}

static bool is_same_death(const struct ndp_death *a, const struct ndp_death *b) {
    return a->signal == b->signal && (a->signal != 0 || a->exit_code == b->exit_code) &&
           strcmp(a->frame, b->frame) == 0;
}

/* Up to the first dot, behind which the class of an error stands. */
static bool is_same_base(const char *a, const char *b) {
    const size_t length = strcspn(a, ".");
    return length == strcspn(b, ".") && strncmp(a, b, length) == 0;
}

bool ndp_experiment_is_same(const struct ndp_divergence *a, const struct ndp_divergence *b) {
    const struct ndp_judgement *left = &a->judgement, *right = &b->judgement;
    const bool is_wrapped = ndp_format_layers_carries(a->route.format, b->route.format) ||
                            ndp_format_layers_carries(b->route.format, a->route.format);
    const bool has_transport = a->route.is_transport || b->route.is_transport;
    if (a->verdict != b->verdict || a->property != b->property || left->severity != right->severity) return false;
    if (a->verdict == NDP_VERDICT_CRASH) return is_same_death(&a->death, &b->death);
    if (a->property == NULL) return true;
    if (!has_transport && left->operation != NULL && right->operation != NULL &&
        strcmp(left->operation, right->operation) != 0)
        return false;
    if (!ndp_experiment_is_of_errors(a)) return strcmp(left->field, right->field) == 0;
    const bool is_refused = strcmp(first_of(a)->got, "accepted") != 0;
    if (is_refused != (strcmp(first_of(b)->got, "accepted") != 0)) return false;
    if (is_wrapped) return is_same_base(left->field, right->field);
    return strcmp(left->field, right->field) == 0 && strcmp(error_of(a), error_of(b)) == 0;
}

/* ---- running ---- */

/* Whether the case promised what the failure broke. */
static bool is_promised(const struct ndp_batch *batch, const struct ndp_divergence *failure) {
    const struct ndp_contract_row *broken = failure->judgement.row;
    if (broken == NULL || ndp_experiment_is_of_errors(failure)) return true;
    const struct ndp_contract_row *row =
        ndp_contract_find(broken->field, &batch->cases[0].descriptor.route, &batch->encoder->info,
                          &batch->decoder->info, batch->cases[0].features);
    return row->promise == broken->promise;
}

static enum ndp_experiment_end end_without(const struct ndp_batch *batch, const struct ndp_result *result,
                                           const struct ndp_divergence *failure) {
    const bool is_judged = result->verdict != NDP_VERDICT_UNSUPPORTED && result->verdict != NDP_VERDICT_FAULT;
    if (failure->property == NULL) return is_judged ? NDP_EXPERIMENT_KEPT : NDP_EXPERIMENT_SILENT;
    uint32_t place = 0;
    const struct ndp_property_set one = ndp_property_set_of(failure->property);
    (void)ndp_property_set_next(one, &place);
    const bool is_kept = is_judged && result->by_property[place].is_judged &&
                         result->by_property[place].verdict == NDP_VERDICT_PASS &&
                         result->by_property[place].comparisons > 0;
    return is_kept && is_promised(batch, failure) ? NDP_EXPERIMENT_KEPT : NDP_EXPERIMENT_SILENT;
}

enum ndp_status ndp_experiment_run(struct ndp_batch *batch, const struct ndp_descriptor *descriptor,
                                   const struct ndp_divergence *failure, struct ndp_experiment *out,
                                   struct ndp_error *error) {
    const struct ndp_result *result;
    NDP_TRY(ndp_batch_run_one(batch, 0, descriptor, (struct ndp_property_set){0}, &result, error));
    struct ndp_experiment seen = {.end = end_without(batch, result, failure)};
    for (uint32_t i = 0; i < result->divergence_count && seen.end != NDP_EXPERIMENT_SAME; i++) {
        const struct ndp_divergence *one = &result->divergences[i];
        const bool is_same = ndp_experiment_is_same(one, failure);
        if (!is_same && (one->property != failure->property || !ndp_result_is_defect(one))) continue;
        seen.end = is_same ? NDP_EXPERIMENT_SAME : NDP_EXPERIMENT_OTHER;
        seen.divergence = *one;
    }
    *out = seen;
    return NDP_OK;
}

/* ---- routes ---- */

static uint32_t nearness_of(const struct ndp_route *route, const struct ndp_route *like) {
    return (route->protocol == like->protocol ? 8u : 0) + (ndp_bytes_word_is(route->buffers, like->buffers) ? 4u : 0) +
           (ndp_bytes_word_is(route->decode, like->decode) ? 2u : 0) +
           (ndp_bytes_word_is(route->encode, like->encode) ? 1u : 0);
}

static const struct ndp_route *nearest_in(const struct ndp_route_group *group, const struct ndp_route *like,
                                          enum ndp_value_kind kind) {
    const struct ndp_route *nearest = NULL;
    for (uint32_t i = 0; i < group->count; i++) {
        const struct ndp_route *route = &group->routes[i];
        if (!ndp_route_takes(&group->encoder->info, &group->decoder->info, route, kind)) continue;
        if (nearest == NULL || nearness_of(route, like) > nearness_of(nearest, like)) nearest = route;
    }
    return nearest;
}

enum ndp_status ndp_experiment_find_route(const struct ndp_bench *bench, const char *format,
                                          const struct ndp_route *like, const char *encoder, const char *decoder,
                                          enum ndp_value_kind kind, struct ndp_route *out, bool *is_found) {
    const char *const ends[] = {encoder, decoder};
    const struct ndp_route_filter filter = {.targets = ends,
                                            .target_count = 2,
                                            .formats = &format,
                                            .format_count = 1,
                                            .without_kinds = 1u << NDP_CASE_DECODE};
    struct ndp_route_list list;
    NDP_TRY(ndp_routes_list(bench, &filter, &list));
    *is_found = false;
    for (uint32_t i = 0; i < list.count && !*is_found; i++) {
        const struct ndp_route_group *group = &list.groups[i];
        if (!ndp_bytes_word_is(group->encoder->info.name, encoder) ||
            !ndp_bytes_word_is(group->decoder->info.name, decoder))
            continue;
        const struct ndp_route *route = nearest_in(group, like, kind);
        if (route == NULL) continue;
        *out = *route;
        out->history = like->history;
        if (!ndp_route_takes(&group->encoder->info, &group->decoder->info, out, kind)) out->history = NDP_HISTORY_NONE;
        *is_found = true;
    }
    ndp_routes_clear(&list);
    return NDP_OK;
}
