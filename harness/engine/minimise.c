/* minimise.c: finds the smallest case that still shows a divergence.
 *
 * Problem. A generated case contains far more than the defect needs, and signatures of different runs are comparable
 * only if they are computed from small cases.
 *
 * Method. Greedy descent over neighbours: first the simpler routes of the case (simpler_route.c), then the shrink steps
 * of its value (generate/shrink.c). A neighbour with a divergence of the same core replaces the case, and the search
 * continues at the same step number, because the earlier steps have just failed. The search ends after a whole round
 * without success. Neighbours run in batches, to keep a testee behind a pipe busy: one neighbour after a success, since
 * successes come in rows, then twice as many each time. A hazard must show CHANCE_RUNS times in a row. The bytes of a
 * decode case are minimised first (minimise_bytes.c), and again after a neighbour replaced the case.
 *
 * Cost. At most `max_runs` cases. Cases of a batch after its first success run but do not count, so the result does not
 * depend on the size of batches.
 *
 * Limits. The result is a local minimum: two changes that keep the divergence only together are not found, unless one
 * step makes both.
 */
#include "engine/minimise.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "engine/minimise_bytes.h"
#include "engine/simpler_route.h"
#include "generate/generate.h"

enum { MOST_TOGETHER = 16, MOST_TOGETHER_WHEN_FATAL = 2, CHANCE_RUNS = 6 };
#define MAX_TEXT_BYTES (UINT64_C(16) << 20)

struct search {
    struct ndp_batch *batch;
    const struct ndp_bench *bench;
    struct ndp_buffer *text;
    const struct ndp_signature *wanted;
    uint32_t most;     /* the largest batch */
    uint32_t together; /* the size of the next batch */
    uint32_t runs;
    uint32_t max_runs;
    uint32_t step;     /* of the first neighbour of the batch */
    bool has_progress; /* in this round */
    bool has_changed;  /* the text, in any round */
    bool is_done;
};

/* Adds neighbours until the batch has `together` of them, there are no more, or the budget is used up. Simpler routes
 * and simpler values never share a batch, because a change of the route ends the workers of a pool. */
static enum ndp_status add_neighbours(struct search *search, bool *is_last, struct ndp_error *error) {
    struct ndp_batch *batch = search->batch;
    struct ndp_arena *arena = ndp_batch_arena(batch);
    struct ndp_descriptor from, neighbour;
    const uint32_t left = search->max_runs - search->runs;
    const uint32_t most = search->together < left ? search->together : left;
    ndp_batch_clear(batch);
    NDP_TRY(ndp_descriptor_read(arena, ndp_buffer_view(search->text), &ndp_describe_default_limits, &from, error));
    const uint32_t routes = ndp_simpler_route_count(search->bench, &from);
    *is_last = false;
    for (uint32_t step = search->step; ndp_batch_count(batch) < most; step++) {
        if (search->step < routes && step == routes) return NDP_OK;
        if (!ndp_simpler_route_fill(search->bench, &from, step, &neighbour))
            NDP_TRY(ndp_shrink_step(arena, &from, step - routes, &neighbour, is_last));
        if (*is_last) return NDP_OK;
        NDP_TRY(ndp_batch_add(batch, 0, &neighbour, (struct ndp_property_set){0}, error));
    }
    return NDP_OK;
}

/* The index of the first neighbour that keeps the core, or the count. */
static uint32_t find_kept(const struct search *search) {
    const uint32_t count = ndp_batch_count(search->batch);
    uint32_t kept = 0;
    while (kept < count && ndp_result_find(ndp_batch_result(search->batch, kept), search->wanted) == NULL) kept++;
    return kept;
}

/* Runs a hazard CHANCE_RUNS times; *is_kept: it showed every time. */
static enum ndp_status check_every_time(struct search *search, struct ndp_bytes text, bool *is_kept,
                                        struct ndp_error *error) {
    *is_kept = true;
    for (uint32_t i = 0; i < CHANCE_RUNS && *is_kept; i++) {
        const struct ndp_result *result;
        NDP_TRY(ndp_batch_run_text(search->batch, 0, text, false, &result, error));
        *is_kept = ndp_result_find(result, search->wanted) != NULL;
        search->runs++;
    }
    return NDP_OK;
}

/* Replaces the text by neighbour `kept` of the batch, unless it is a hazard that does not always show. */
static enum ndp_status take_neighbour(struct search *search, uint32_t kept, bool *is_taken, struct ndp_error *error) {
    NDP_BUFFER_SCOPED(smaller, MAX_TEXT_BYTES);
    *is_taken = true;
    enum ndp_status status = ndp_descriptor_print(&smaller, ndp_batch_descriptor(search->batch, kept));
    if (status == NDP_OK && search->wanted->is_hazard)
        status = check_every_time(search, ndp_buffer_view(&smaller), is_taken, error);
    if (status == NDP_OK && *is_taken) {
        search->text->size_bytes = 0;
        status = ndp_buffer_add(search->text, smaller.data, smaller.size_bytes);
    }
    return status;
}

/* Runs one batch of neighbours and moves on. */
static enum ndp_status try_neighbours(struct search *search, struct ndp_error *error) {
    bool is_last, is_taken = false;
    NDP_TRY(add_neighbours(search, &is_last, error));
    const uint32_t count = ndp_batch_count(search->batch);
    if (count > 0) {
        NDP_TRY(ndp_batch_start(search->batch, error));
        NDP_TRY(ndp_batch_finish(search->batch, error));
    }
    const uint32_t kept = find_kept(search);
    search->runs += kept < count ? kept + 1 : count;
    search->together = kept < count ? 1 : search->together * 2 < search->most ? search->together * 2 : search->most;
    if (kept < count) NDP_TRY(take_neighbour(search, kept, &is_taken, error));
    search->has_progress = search->has_progress || is_taken;
    search->has_changed = search->has_changed || is_taken;
    search->step += is_taken ? kept : kept < count ? kept + 1 : count;
    if (kept < count || !is_last) return NDP_OK;
    search->is_done = !search->has_progress;
    search->has_progress = false;
    search->step = 0;
    return NDP_OK;
}

bool ndp_minimise_is_over(const struct ndp_minimise_limits *patience) {
    if (patience->stop != NULL && *patience->stop != 0) return true;
    return patience->until_ns != 0 && ndp_clock_ns() >= patience->until_ns;
}

enum ndp_status ndp_minimise(struct ndp_batch *batch, struct ndp_buffer *text, const struct ndp_signature *wanted,
                             uint32_t max_runs, const struct ndp_minimise_limits *patience, uint32_t *runs,
                             struct ndp_error *error) {
    struct search search = {
        .batch = batch,
        .bench = ndp_batch_bench(batch),
        .text = text,
        .wanted = wanted,
        .most = ndp_signature_is_fatal(wanted) ? MOST_TOGETHER_WHEN_FATAL : MOST_TOGETHER,
        .together = 1,
        .max_runs = max_runs,
    };
    do {
        uint32_t of_bytes;
        NDP_TRY(ndp_minimise_case_bytes(batch, text, wanted, max_runs - search.runs, patience, &of_bytes, error));
        search.runs += of_bytes;
        search.has_changed = search.is_done = false;
        while (search.runs < max_runs && !search.is_done && !ndp_minimise_is_over(patience))
            NDP_TRY(try_neighbours(&search, error));
    } while (search.has_changed && search.is_done);
    *runs = search.runs;
    return NDP_OK;
}
