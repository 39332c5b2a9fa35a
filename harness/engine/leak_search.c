#include "engine/leak_search.h"

#include "engine/case.h"
#include "engine/schedule.h"

/* The result of the last case that its targets supported; NULL without one. */
static struct ndp_result *last_supported(struct ndp_batch *batch) {
    for (uint32_t i = batch->count; i > 0; i--)
        if (batch->cases[i - 1].result.verdict != NDP_VERDICT_UNSUPPORTED) return &batch->cases[i - 1].result;
    return NULL;
}

/* Adds the samples to the result of the last supported case, for every property that is judged by repetition. A batch
 * without such a case did nothing, so its samples compare nothing. */
static void count_samples(struct ndp_batch *batch, uint64_t compared) {
    struct ndp_result *result = last_supported(batch);
    const struct ndp_property_set repeated = ndp_property_set_all(true);
    if (compared == 0 || result == NULL) return;
    for (uint32_t at = 0; ndp_property_set_next(repeated, &at) != NULL; at++) {
        result->comparisons += compared;
        result->by_property[at].is_judged = true;
        result->by_property[at].comparisons += compared;
    }
}

/* Repeats case `index` of the batch. If it leaks, *out is a copy of the divergence. */
static enum ndp_status repeat_case(struct ndp_confirm *confirm, const struct ndp_batch *batch, uint32_t index,
                                   bool *is_leaking, struct ndp_divergence *out, struct ndp_error *error) {
    struct ndp_batch *scratch = confirm->scratch;
    ndp_batch_clear(scratch);
    NDP_TRY(ndp_batch_add(scratch, ndp_batch_case_id(batch, index), ndp_batch_descriptor(batch, index),
                          ndp_property_set_all(true), error));
    NDP_TRY(ndp_batch_start(scratch, error));
    NDP_TRY(ndp_batch_finish(scratch, error));
    const struct ndp_result *result = ndp_batch_result(scratch, 0);
    *is_leaking = result->divergence_count > 0;
    if (*is_leaking) *out = result->divergences[0];
    return NDP_OK;
}

enum ndp_status ndp_leak_search_run(struct ndp_leak_watch *watch, const struct ndp_bench *bench,
                                    struct ndp_batch *batch, struct ndp_confirm *confirm,
                                    ndp_confirm_make_idle *make_idle, void *context, struct ndp_error *error) {
    struct ndp_divergence leak;
    uint64_t compared;
    bool is_suspect, is_leaking;
    enum { CASES_APART = 4 };
    ndp_leak_watch_sample(watch, bench, batch, &compared, &is_suspect);
    count_samples(batch, compared);
    for (uint32_t i = 0; is_suspect && i < batch->count; i += CASES_APART) {
        const enum ndp_verdict verdict = ndp_batch_result(batch, i)->verdict;
        if (verdict == NDP_VERDICT_UNSUPPORTED || verdict == NDP_VERDICT_FAULT) continue;
        NDP_TRY(repeat_case(confirm, batch, i, &is_leaking, &leak, error));
        if (!is_leaking) continue;
        ndp_leak_watch_relax(watch, bench, batch);
        if (ndp_confirm_has(confirm, &leak)) return NDP_OK;
        NDP_TRY(make_idle(context, error));
        NDP_TRY(ndp_confirm_take(confirm, ndp_batch_descriptor(batch, i), ndp_property_set_all(true),
                                 ndp_batch_case_id(batch, i), &leak, error));
        return ndp_confirm_finish(confirm, error);
    }
    return NDP_OK;
}
