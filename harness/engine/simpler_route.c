#include "engine/simpler_route.h"

#include <stdio.h>
#include <string.h>

/* Entry point number `earlier` among those that the target claims before `entry` for this end of the route, or NULL. */
static const char *find_earlier(const struct ndp_target_info *info, const struct ndp_route *route, const char *entry,
                                enum ndp_end end, uint32_t earlier) {
    const char *before[NDP_MAX_ENTRIES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < info->entry_count; i++) {
        const struct ndp_entry *one = &info->entries[i];
        const bool is_of_end = end == NDP_END_ENCODER ? one->encodes : one->decodes;
        if (!(route->is_transport ? one->transports : is_of_end) || !ndp_entry_is_on(one, route, end)) continue;
        if (ndp_bytes_word_is(one->entry, entry)) return earlier < count ? before[earlier] : NULL;
        before[count++] = one->entry;
    }
    return NULL;
}

/* Whether both ends claim the route with this protocol. */
static bool is_claimed(const struct ndp_target *encoder, const struct ndp_target *decoder,
                       const struct ndp_route *route, int32_t protocol) {
    struct ndp_route other = *route;
    other.protocol = protocol;
    return ndp_entry_find(&encoder->info, &other, NDP_END_ENCODER) != NULL &&
           ndp_entry_find(&decoder->info, &other, NDP_END_DECODER) != NULL;
}

/* The protocol number `step` among those below the route's that both ends claim, lowest first. */
static bool find_lower_protocol(const struct ndp_target *const ends[2], const struct ndp_route *route, uint32_t step,
                                int32_t *protocol) {
    if (ends[0] == NULL || ends[1] == NULL || route->is_transport) return false;
    for (int32_t lower = 0; lower < route->protocol; lower++) {
        if (!is_claimed(ends[0], ends[1], route, lower) || step-- > 0) continue;
        *protocol = lower;
        return true;
    }
    return false;
}

/* Simpler settings number *step; if there are fewer, subtracts their count from *step and returns false. */
static bool has_simpler_settings(const struct ndp_route *route, uint32_t *step, struct ndp_route *out) {
    *out = *route;
    if (route->history != NDP_HISTORY_NONE && (*step)-- == 0) {
        out->history = NDP_HISTORY_NONE;
        return true;
    }
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
    /* The lowest bound allows the smallest array. */
    if (route->max_nbytes != 0 && route->max_nbytes != 1 && (*step)-- == 0) {
        out->max_nbytes = 1;
        return true;
    }
    return false;
}

/* Earlier entry points of either end; *step as above. */
static bool has_earlier_entry(const struct ndp_target *const ends[2], const struct ndp_route *route, uint32_t *step,
                              struct ndp_route *out) {
    *out = *route;
    for (int i = 0; i < (route->is_transport ? 1 : 2); i++) {
        if (ends[i] == NULL) continue;
        const enum ndp_end end = i == 0 ? NDP_END_ENCODER : NDP_END_DECODER;
        const char *entry = i == 0 ? route->encode : route->decode;
        uint32_t earlier = 0;
        while (find_earlier(&ends[i]->info, route, entry, end, earlier) != NULL && *step > 0) {
            earlier++;
            (*step)--;
        }
        const char *simpler = find_earlier(&ends[i]->info, route, entry, end, earlier);
        if (simpler == NULL) continue;
        if (i == 0 || route->is_transport) snprintf(out->encode, NDP_WORD_BYTES, "%s", simpler);
        if (i == 1 || route->is_transport) snprintf(out->decode, NDP_WORD_BYTES, "%s", simpler);
        return true;
    }
    return false;
}

static bool has_simpler_route(const struct ndp_bench *bench, const struct ndp_route *route, uint32_t step,
                              struct ndp_route *out) {
    const struct ndp_target *const ends[] = {ndp_bench_find(bench, route->encoder),
                                             ndp_bench_find(bench, route->decoder)};
    if (has_simpler_settings(route, &step, out)) return true;
    uint32_t protocols = 0;
    for (int32_t lower; find_lower_protocol(ends, route, protocols, &lower); protocols++) {
        if (protocols < step) continue;
        *out = *route;
        out->protocol = lower;
        return true;
    }
    step -= protocols;
    return has_earlier_entry(ends, route, &step, out);
}

bool ndp_simpler_route_fill(const struct ndp_bench *bench, const struct ndp_descriptor *from, uint32_t step,
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
    return has_simpler_route(bench, &from->route, step, &out->route);
}

uint32_t ndp_simpler_route_count(const struct ndp_bench *bench, const struct ndp_descriptor *from) {
    struct ndp_descriptor out;
    uint32_t count = 0;
    while (ndp_simpler_route_fill(bench, from, count, &out)) count++;
    return count;
}
