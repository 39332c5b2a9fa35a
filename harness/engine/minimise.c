#include "engine/minimise.h"

#include <stdio.h>
#include <string.h>

#include "engine/batch.h"
#include "engine/clock.h"
#include "engine/signature.h"
#include "generate/generate.h"

/* Neighbours are tried together, so that a testee on the other end of a pipe is kept busy, but not more than may be for
 * nothing: one after a success, where the next often is one too, then twice as many each time. What keeps the
 * divergence may cost a process or a pool of them, and what does not is cheap. */
enum { MOST_TOGETHER = 16, MOST_TOGETHER_WHEN_DEADLY = 2, CHANCE_RUNS = 6 };
#define MAX_TEXT_BYTES (UINT64_C(16) << 20)

const struct ndp_divergence *ndp_result_find(const struct ndp_result *result, const char *core) {
    for (uint32_t i = 0; i < result->divergence_count; i++) {
        if (strcmp(result->divergences[i].core, core) == 0) return &result->divergences[i];
    }
    return NULL;
}

static enum ndp_status read_into(struct ndp_batch *batch, struct ndp_bytes text, struct ndp_descriptor *out,
                                 struct ndp_error *error) {
    ndp_batch_clear(batch);
    return ndp_descriptor_read(ndp_batch_arena(batch), text, &ndp_describe_default_limits, out, error);
}

enum ndp_status ndp_confirm(struct ndp_batch *batch, struct ndp_bytes text, const char *core, uint32_t runs,
                            uint32_t *hits, struct ndp_error *error) {
    uint32_t seen = 0;
    for (uint32_t run = 0; run < runs; run++) {
        struct ndp_descriptor descriptor;
        NDP_TRY(read_into(batch, text, &descriptor, error));
        NDP_TRY(ndp_batch_add(batch, 0, &descriptor, 0, error));
        NDP_TRY(ndp_batch_refresh(batch, error));
        NDP_TRY(ndp_batch_start(batch, error));
        NDP_TRY(ndp_batch_finish(batch, error));
        if (ndp_result_find(ndp_batch_result(batch, 0), core) != NULL) seen++;
    }
    *hits = seen;
    return NDP_OK;
}

/* The entry that is `earlier` places before `entry` among those that `info` claims for the same way, or NULL: what a
 * target claims first is the simplest. */
static const char *find_earlier(const struct ndp_target_info *info, const struct ndp_route *route, const char *entry,
                                bool to_encode, uint32_t earlier) {
    const char *before[NDP_MAX_ENTRIES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < info->entry_count; i++) {
        const struct ndp_entry *one = &info->entries[i];
        const bool is_way = route->is_transport ? one->transports : to_encode ? one->encodes : one->decodes;
        if (!is_way || strcmp(one->format, route->format) != 0 || one->protocol != route->protocol ||
            strcmp(one->buffers, route->buffers) != 0) {
            continue;
        }
        if (strcmp(one->entry, entry) == 0) return earlier < count ? before[earlier] : NULL;
        before[count++] = one->entry;
    }
    return NULL;
}

/* Whether `info` claims the entry with this protocol. */
static bool has_protocol(const struct ndp_target_info *info, const struct ndp_route *route, const char *entry,
                         bool to_encode, int32_t protocol) {
    for (uint32_t i = 0; i < info->entry_count; i++) {
        const struct ndp_entry *one = &info->entries[i];
        const bool is_way = to_encode ? one->encodes : one->decodes;
        if (is_way && one->protocol == protocol && strcmp(one->format, route->format) == 0 &&
            strcmp(one->buffers, route->buffers) == 0 && strcmp(one->entry, entry) == 0) {
            return true;
        }
    }
    return false;
}

/* The protocol that is the `step`-th lowest of those which both ends claim, below that of the route. */
static bool find_lower_protocol(const struct ndp_target *encoder, const struct ndp_target *decoder,
                                const struct ndp_route *route, uint32_t step, int32_t *protocol) {
    if (encoder == NULL || decoder == NULL || route->is_transport) return false;
    for (int32_t lower = 0; lower < route->protocol; lower++) {
        if (!has_protocol(&encoder->info, route, route->encode, true, lower) ||
            !has_protocol(&decoder->info, route, route->decode, false, lower)) {
            continue;
        }
        if (step-- > 0) continue;
        *protocol = lower;
        return true;
    }
    return false;
}

/* Simpler settings of a route: the `*step`-th, or *step less as many as there are. */
static bool has_simpler_settings(const struct ndp_route *route, uint32_t *step, struct ndp_route *out) {
    *out = *route;
    if (route->offset_bytes != 0 && (*step)-- == 0) {
        out->offset_bytes = 0;
        return true;
    }
    if (route->level != 0 && (*step)-- == 0) {
        out->level = 0;
        return true;
    }
    if (route->map_mode[0] != '\0' && (*step)-- == 0) {
        out->map_mode[0] = '\0';
        return true;
    }
    if (route->max_nbytes != 0 && (*step)-- == 0) {
        out->max_nbytes = 0;
        return true;
    }
    /* The lowest bound lets the array become as small as it can. */
    if (route->max_nbytes != 0 && route->max_nbytes != 1 && (*step)-- == 0) {
        out->max_nbytes = 1;
        return true;
    }
    return false;
}

/* Earlier entries of either end, as above. */
static bool has_earlier_entry(const struct ndp_target *const ends[2], const struct ndp_route *route, uint32_t *step,
                              struct ndp_route *out) {
    *out = *route;
    for (int way = 0; way < (route->is_transport ? 1 : 2); way++) {
        const struct ndp_target *target = ends[way];
        if (target == NULL) continue;
        const char *entry = way == 0 ? route->encode : route->decode;
        uint32_t earlier = 0;
        while (find_earlier(&target->info, route, entry, way == 0, earlier) != NULL && *step > 0) {
            earlier++;
            (*step)--;
        }
        const char *simpler = find_earlier(&target->info, route, entry, way == 0, earlier);
        if (simpler == NULL) continue;
        if (way == 0 || route->is_transport) snprintf(out->encode, NDP_WORD_BYTES, "%s", simpler);
        if (way == 1 || route->is_transport) snprintf(out->decode, NDP_WORD_BYTES, "%s", simpler);
        return true;
    }
    return false;
}

/* No offset, no settings, lower protocols, earlier entries: of a route, or of one leg. */
static bool has_simpler_way(const struct ndp_batch *batch, const struct ndp_route *route, uint32_t *step,
                            struct ndp_route *out) {
    const struct ndp_target *const ends[] = {ndp_bench_find(batch->bench, route->encoder),
                                             ndp_bench_find(batch->bench, route->decoder)};
    if (has_simpler_settings(route, step, out)) return true;
    uint32_t protocols = 0;
    for (int32_t lower; find_lower_protocol(ends[0], ends[1], route, protocols, &lower); protocols++) {
        if (protocols < *step) continue;
        *out = *route;
        out->protocol = lower;
        return true;
    }
    *step -= protocols;
    return has_earlier_entry(ends, route, step, out);
}

/* The first way in another format that the two ends of a leg claim: `*step` counts such formats, which stand before the
 * leg's own in what its encoder claims. */
static bool has_earlier_format(const struct ndp_batch *batch, const struct ndp_route *leg, uint32_t *step,
                               struct ndp_route *out) {
    const struct ndp_target *encoder = ndp_bench_find(batch->bench, leg->encoder);
    const struct ndp_target *decoder = ndp_bench_find(batch->bench, leg->decoder);
    const char *last = "";
    if (encoder == NULL || decoder == NULL) return false;
    for (uint32_t i = 0; i < encoder->info.entry_count; i++) {
        const struct ndp_entry *in = &encoder->info.entries[i];
        if (strcmp(in->format, leg->format) == 0) return false;
        if (!in->encodes || strcmp(in->format, last) == 0) continue;
        for (uint32_t k = 0; k < decoder->info.entry_count; k++) {
            const struct ndp_entry *other = &decoder->info.entries[k];
            if (!other->decodes || strcmp(other->format, in->format) != 0 || other->protocol != in->protocol ||
                strcmp(other->buffers, in->buffers) != 0)
                continue;
            last = in->format;
            if ((*step)-- > 0) break;
            *out = *leg;
            snprintf(out->format, NDP_WORD_BYTES, "%s", in->format);
            snprintf(out->buffers, NDP_WORD_BYTES, "%s", in->buffers);
            snprintf(out->encode, NDP_WORD_BYTES, "%s", in->entry);
            snprintf(out->decode, NDP_WORD_BYTES, "%s", other->entry);
            out->protocol = in->protocol;
            out->offset_bytes = 0;
            out->level = 0;
            return true;
        }
    }
    return false;
}

/* The first leg of a relay may become any other that leads to the middle; the second keeps the format in which it is
 * wrong. */
static bool has_simpler_relay(const struct ndp_batch *batch, const struct ndp_route *route, uint32_t *step,
                              struct ndp_route *out) {
    struct ndp_route legs[2], simpler;
    for (uint32_t i = 0; i < 2; i++) ndp_route_leg(route, i, &legs[i]);
    if (has_earlier_format(batch, &legs[0], step, &simpler) || has_simpler_way(batch, &legs[0], step, &simpler)) {
        ndp_route_join(&simpler, &legs[1], out);
        return true;
    }
    if (!has_simpler_way(batch, &legs[1], step, &simpler)) return false;
    ndp_route_join(&legs[0], &simpler, out);
    return true;
}

/* Simpler ways come before simpler values: one property in place of several (with what it alone asks for), then simpler
 * routes. Whether there is a `step`-th one. */
static bool has_simpler_route(const struct ndp_batch *batch, const struct ndp_descriptor *from, uint32_t step,
                              struct ndp_descriptor *out) {
    *out = *from;
    if (from->property_count > 1) {
        if (step < from->property_count) {
            memcpy(out->properties[0], from->properties[step], sizeof out->properties[0]);
            out->property_count = 1;
            return true;
        }
        step -= from->property_count;
    }
    return from->route.is_relayed ? has_simpler_relay(batch, &from->route, &step, &out->route)
                                  : has_simpler_way(batch, &from->route, &step, &out->route);
}

/* How many simpler routes there are: the first steps of all. */
static uint32_t count_simpler_routes(const struct ndp_batch *batch, const struct ndp_descriptor *from) {
    struct ndp_descriptor out;
    uint32_t count = 0;
    while (has_simpler_route(batch, from, count, &out)) count++;
    return count;
}

/* Adds neighbours from *step on until the batch has `together` of them or there are no more; simpler routes and simpler
 * values never together, because workers that are kept for one route end with another. */
static enum ndp_status add_neighbours(struct ndp_batch *batch, const struct ndp_descriptor *from, uint32_t together,
                                      uint32_t *step, bool *is_done, struct ndp_error *error) {
    *is_done = false;
    uint32_t routes = count_simpler_routes(batch, from);
    const bool is_route = *step < routes;
    while (ndp_batch_count(batch) < together) {
        struct ndp_descriptor neighbour;
        if (is_route && *step == routes) return NDP_OK;
        if (!has_simpler_route(batch, from, *step, &neighbour)) {
            NDP_TRY(ndp_shrink_step(ndp_batch_arena(batch), from, *step - routes, &neighbour, is_done));
        }
        if (*is_done) return NDP_OK;
        (*step)++;
        NDP_TRY(ndp_batch_add(batch, 0, &neighbour, 0, error));
    }
    return NDP_OK;
}

/* The first neighbour that keeps the core, or the count when none does. */
static uint32_t find_kept(const struct ndp_batch *batch, const char *core) {
    uint32_t count = ndp_batch_count(batch);
    for (uint32_t i = 0; i < count; i++) {
        if (ndp_result_find(ndp_batch_result(batch, i), core) != NULL) return i;
    }
    return count;
}

/* What happens by chance is only taken for smaller when it happens again and again. */
static enum ndp_status shows_again(struct ndp_batch *batch, struct ndp_bytes text, const char *core, bool *is_kept,
                                   uint32_t *runs, struct ndp_error *error) {
    *is_kept = true;
    for (uint32_t i = 0; i < CHANCE_RUNS && *is_kept; i++) {
        struct ndp_descriptor descriptor;
        NDP_TRY(read_into(batch, text, &descriptor, error));
        NDP_TRY(ndp_batch_add(batch, 0, &descriptor, 0, error));
        NDP_TRY(ndp_batch_start(batch, error));
        NDP_TRY(ndp_batch_finish(batch, error));
        *is_kept = ndp_result_find(ndp_batch_result(batch, 0), core) != NULL;
        (*runs)++;
    }
    return NDP_OK;
}

static bool is_over(const struct ndp_patience *patience) {
    if (patience->stop != NULL && *patience->stop != 0) return true;
    return patience->until_ns != 0 && ndp_clock_ns() >= patience->until_ns;
}

enum ndp_status ndp_minimise(struct ndp_batch *batch, struct ndp_buffer *text, const char *core, uint32_t max_runs,
                             const struct ndp_patience *patience, uint32_t *runs, struct ndp_error *error) {
    const bool is_deadly = strncmp(core, "DIVERGES", strlen("DIVERGES")) != 0;
    const uint32_t most = is_deadly ? MOST_TOGETHER_WHEN_DEADLY : MOST_TOGETHER;
    uint32_t together = 1;
    bool is_chance = ndp_signature_is_chance(core);
    struct ndp_buffer smaller;
    uint32_t done_runs = 0;
    uint32_t step = 0;
    bool has_progress = false;
    while (done_runs < max_runs && !is_over(patience)) {
        struct ndp_descriptor from;
        NDP_TRY(read_into(batch, ndp_buffer_view(text), &from, error));
        uint32_t first = step;
        bool is_done;
        const uint32_t left = max_runs - done_runs;
        NDP_TRY(add_neighbours(batch, &from, together < left ? together : left, &step, &is_done, error));
        uint32_t count = ndp_batch_count(batch);
        if (count > 0) {
            NDP_TRY(ndp_batch_start(batch, error));
            NDP_TRY(ndp_batch_finish(batch, error));
        }
        uint32_t kept = find_kept(batch, core);
        bool is_kept = kept < count;
        /* What comes after the kept one is not counted: how many there are is a matter of speed alone. */
        done_runs += is_kept ? kept + 1 : count;
        together = is_kept ? 1 : together * 2 < most ? together * 2 : most;
        if (is_kept) {
            ndp_buffer_init(&smaller, MAX_TEXT_BYTES);
            enum ndp_status status = ndp_descriptor_print(&smaller, ndp_batch_descriptor(batch, kept));
            if (status == NDP_OK && is_chance)
                status = shows_again(batch, ndp_buffer_view(&smaller), core, &is_kept, &done_runs, error);
            if (status == NDP_OK && is_kept) {
                text->size_bytes = 0;
                status = ndp_buffer_add(text, smaller.data, smaller.size_bytes);
            }
            ndp_buffer_clear(&smaller);
            NDP_TRY(status);
        }
        if (is_kept) {
            /* The steps of the smaller descriptor are others; those before this one failed a moment ago, so
             * going on from here and coming round once more finds what is left in the fewest runs. */
            step = first + kept;
            has_progress = true;
        } else if (kept < count) {
            step = first + kept + 1;
        } else if (is_done) {
            if (!has_progress) break;
            has_progress = false;
            step = 0;
        }
    }
    *runs = done_runs;
    return NDP_OK;
}
