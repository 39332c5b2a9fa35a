#include "engine/result.h"

#include <stdio.h>
#include <string.h>

#include "base/rng.h"

static int rank_of(enum ndp_verdict verdict) {
    static const enum ndp_verdict order[] = {NDP_VERDICT_PASS,  NDP_VERDICT_UNSUPPORTED, NDP_VERDICT_REJECTS,
                                             NDP_VERDICT_FLAKY, NDP_VERDICT_DIVERGES,    NDP_VERDICT_TIMEOUT,
                                             NDP_VERDICT_OOM,   NDP_VERDICT_CRASH,       NDP_VERDICT_FAULT};
    int rank = 0;
    while (rank < (int)NDP_ARRAY_LEN(order) && order[rank] != verdict) rank++;
    return rank;
}

bool ndp_result_is_worse_verdict(enum ndp_verdict a, enum ndp_verdict b) {
    return rank_of(a) > rank_of(b);
}

void ndp_result_worsen(struct ndp_result *result, enum ndp_verdict verdict) {
    if (ndp_result_is_worse_verdict(verdict, result->verdict)) result->verdict = verdict;
}

/* A documented loss or hazard has one signature for all routes and values. */
static bool is_documented(const struct ndp_divergence *divergence) {
    return divergence->signature.is_hazard || (divergence->verdict == NDP_VERDICT_DIVERGES &&
                                               divergence->judgement.severity == NDP_SEVERITY_DOCUMENTED_LOSS);
}

static uint32_t hash_failure(const char *failure) {
    const uint64_t hash = ndp_hash_bytes(failure, strlen(failure), NDP_HASH_START);
    const uint32_t folded = (uint32_t)(hash ^ hash >> 32);
    return folded != 0 ? folded : 1;
}

void ndp_result_sign_divergence(struct ndp_divergence *divergence, const char *outlier, const struct ndp_array *array,
                                uint64_t graph_features) {
    const struct ndp_contract_row *row = divergence->judgement.row;
    struct ndp_signature *signature = &divergence->signature;
    *signature = (struct ndp_signature){
        .verdict = divergence->verdict,
        .is_hazard = row != NULL && row->promise == NDP_PROMISE_HAZARD,
    };
    const bool has_property = divergence->property != NULL && !signature->is_hazard;
    snprintf(signature->property, sizeof signature->property, "%s", has_property ? divergence->property->name : "");
    snprintf(signature->field, sizeof signature->field, "%s",
             signature->is_hazard ? "process" : divergence->judgement.field);
    snprintf(signature->outlier, sizeof signature->outlier, "%s", outlier);
    memcpy(signature->format, divergence->route.format, sizeof signature->format);
    if (divergence->verdict == NDP_VERDICT_CRASH && !signature->is_hazard) signature->death = divergence->death;
    if (is_documented(divergence)) return;
    if (divergence->failure[0] != '\0') signature->failure = hash_failure(divergence->failure);
    ndp_signature_set_route(signature, &divergence->route);
    ndp_signature_set_value(signature, array, graph_features);
}

const struct ndp_divergence *ndp_result_find(const struct ndp_result *result, const struct ndp_signature *signature) {
    for (uint32_t i = 0; i < result->divergence_count; i++)
        if (ndp_signature_has_same_core(&result->divergences[i].signature, signature)) return &result->divergences[i];
    return NULL;
}
