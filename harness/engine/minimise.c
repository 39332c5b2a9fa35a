/* minimise.c: the smallest case that still shows a divergence.
 *
 * Problem. A generated case that shows a defect contains far more than the defect needs, and a signature is only
 * comparable between runs when it is computed from a small case.
 *
 * Method. Greedy descent over neighbours: the simpler routes of the case first (simpler_route.c), then the shrink steps
 * of its value (generate/shrink.c). A neighbour that shows a divergence with the same core replaces the case, and the
 * search goes on from the same step number: the steps before it failed a moment ago. It ends when a whole round has no
 * success. Neighbours run in batches, so that a testee on the other end of a pipe is kept busy: one after a success,
 * where the next is often one too, then twice as many each time. A divergence that shows by chance must show
 * CHANCE_RUNS times in a row.
 *
 * Cost. At most `max_runs` cases; those of a batch behind its first success run but do not count, so that the result
 * does not depend on the size of batches.
 *
 * Limits. A local minimum: two changes that only keep the divergence together are never found, unless one step makes
 * both.
 */
#include "engine/minimise.h"

#include <stdio.h>
#include <string.h>

#include "engine/clock.h"
#include "engine/simpler_route.h"
#include "generate/generate.h"

enum { MOST_TOGETHER = 16, MOST_TOGETHER_WHEN_FATAL = 2, CHANCE_RUNS = 6 };
#define MAX_TEXT_BYTES (UINT64_C(16) << 20)

struct search {
    struct ndp_batch *batch;
    const struct ndp_bench *bench;
    struct ndp_buffer *text;
    const struct ndp_signature *wanted;
    uint32_t most;     /* neighbours in a batch */
    uint32_t together; /* of the next batch */
    uint32_t runs;
    uint32_t max_runs;
    uint32_t step;     /* of the first neighbour of the batch */
    bool has_progress; /* in this round */
    bool is_done;
};

/* Adds neighbours until the batch has `together` of them, the last has been reached, or the budget is used up. Simpler
 * routes and simpler values never share a batch, because workers that are kept for one route end with another. */
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

/* The first neighbour that keeps the core, or the count when none does. */
static uint32_t find_kept(const struct search *search) {
    const uint32_t count = ndp_batch_count(search->batch);
    uint32_t kept = 0;
    while (kept < count && ndp_result_find(ndp_batch_result(search->batch, kept), search->wanted) == NULL) kept++;
    return kept;
}

/* Whether a divergence that shows by chance shows every time. */
static enum ndp_status shows_every_time(struct search *search, struct ndp_bytes text, bool *is_kept,
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

/* Puts neighbour `kept` of the batch in place of the text, if it can be relied on. */
static enum ndp_status take_neighbour(struct search *search, uint32_t kept, bool *is_taken, struct ndp_error *error) {
    struct ndp_buffer smaller;
    ndp_buffer_init(&smaller, MAX_TEXT_BYTES);
    *is_taken = true;
    enum ndp_status status = ndp_descriptor_print(&smaller, ndp_batch_descriptor(search->batch, kept));
    if (status == NDP_OK && search->wanted->is_hazard)
        status = shows_every_time(search, ndp_buffer_view(&smaller), is_taken, error);
    if (status == NDP_OK && *is_taken) {
        search->text->size_bytes = 0;
        status = ndp_buffer_add(search->text, smaller.data, smaller.size_bytes);
    }
    ndp_buffer_clear(&smaller);
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
    search->step += is_taken ? kept : kept < count ? kept + 1 : count;
    if (kept < count || !is_last) return NDP_OK;
    search->is_done = !search->has_progress;
    search->has_progress = false;
    search->step = 0;
    return NDP_OK;
}

static bool is_over(const struct ndp_patience *patience) {
    if (patience->stop != NULL && *patience->stop != 0) return true;
    return patience->until_ns != 0 && ndp_clock_ns() >= patience->until_ns;
}

enum ndp_status ndp_minimise(struct ndp_batch *batch, struct ndp_buffer *text, const struct ndp_signature *wanted,
                             uint32_t max_runs, const struct ndp_patience *patience, uint32_t *runs,
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
    while (search.runs < max_runs && !search.is_done && !is_over(patience)) NDP_TRY(try_neighbours(&search, error));
    *runs = search.runs;
    return NDP_OK;
}
