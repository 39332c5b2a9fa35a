#include "engine/relay_draw.h"

#include <string.h>

/* How often legs are drawn that do not fit each other before there are taken to be none. */
enum { ATTEMPTS = 16, MAX_FORMATS = 32 };

bool ndp_relay_draw_groups(const struct ndp_route_list *list, uint64_t number, struct ndp_relay_groups *out) {
    uint64_t count = 0;
    /* The first time round they are counted. */
    for (int round = 0; round < 2; round++) {
        uint64_t left = round == 0 || count == 0 ? UINT64_MAX : number % count;
        for (uint32_t i = 0; i < list->count; i++) {
            for (uint32_t k = 0; k < list->count; k++) {
                const struct ndp_route_group *first = &list->groups[i], *second = &list->groups[k];
                if (!ndp_routes_are_legs(first) || !ndp_routes_are_legs(second) || first->decoder != second->encoder)
                    continue;
                if (round == 0) count++;
                if (round == 0 || left-- > 0) continue;
                *out = (struct ndp_relay_groups){first, second};
                return true;
            }
        }
    }
    return false;
}

static const struct ndp_entry *find_entry(const struct ndp_target_info *info, const struct ndp_route *route,
                                          bool to_encode) {
    const char *word = to_encode ? route->encode : route->decode;
    for (uint32_t i = 0; i < info->entry_count; i++) {
        const struct ndp_entry *entry = &info->entries[i];
        if ((to_encode ? entry->encodes : entry->decodes) && strcmp(entry->format, route->format) == 0 &&
            strcmp(entry->entry, word) == 0 && strcmp(entry->buffers, route->buffers) == 0 &&
            entry->protocol == route->protocol)
            return entry;
    }
    return NULL;
}

/* Whether the bytes mean something to another program, at little cost. */
static bool is_drawn(const struct ndp_route_group *group, const struct ndp_route *route) {
    const struct ndp_entry *encode = find_entry(&group->encoder->info, route, true);
    const struct ndp_entry *decode = find_entry(&group->decoder->info, route, false);
    return encode != NULL && decode != NULL && !encode->is_local && !decode->is_local && encode->cost <= 1 &&
           decode->cost <= 1;
}

/* The formats of a group, each once. */
static uint32_t list_formats(const struct ndp_route_group *group, const char *formats[MAX_FORMATS]) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < group->count && count < MAX_FORMATS; i++) {
        uint32_t k = 0;
        while (k < count && strcmp(formats[k], group->routes[i].format) != 0) k++;
        if (k == count && is_drawn(group, &group->routes[i])) formats[count++] = group->routes[i].format;
    }
    return count;
}

static const struct ndp_route *draw_leg(const struct ndp_route_group *group, struct ndp_choices *choices) {
    const char *formats[MAX_FORMATS];
    const uint32_t format_count = list_formats(group, formats);
    if (format_count == 0) return NULL;
    const char *format = formats[ndp_choose(choices, format_count)];
    for (int round = 0, count = 0; round < 2; round++) {
        int64_t left = round == 0 ? -1 : (int64_t)ndp_choose(choices, (uint32_t)count);
        for (uint32_t i = 0; i < group->count; i++) {
            const struct ndp_route *route = &group->routes[i];
            if (strcmp(route->format, format) != 0 || !is_drawn(group, route)) continue;
            if (round == 0) count++;
            if (round == 1 && left-- == 0) return route;
        }
    }
    return NULL;
}

static bool takes_graphs(const struct ndp_route_group *group, const struct ndp_route *route) {
    return ndp_target_takes_graphs(&group->encoder->info, route->format, route->encode, route->buffers,
                                   route->protocol) &&
           ndp_target_takes_graphs(&group->decoder->info, route->format, route->decode, route->buffers,
                                   route->protocol);
}

static bool takes_arrays(const struct ndp_route_group *group, const struct ndp_route *route) {
    return ndp_target_takes_arrays(&group->encoder->info, route->format, route->encode);
}

bool ndp_relay_draw_legs(const struct ndp_relay_groups *groups, struct ndp_choices *choices, struct ndp_route legs[2],
                         bool *is_graph) {
    for (int i = 0; i < ATTEMPTS; i++) {
        const struct ndp_route *first = draw_leg(groups->first, choices);
        const struct ndp_route *second = draw_leg(groups->second, choices);
        if (first == NULL || second == NULL) return false;
        const bool are_graphs = takes_graphs(groups->first, first) && takes_graphs(groups->second, second);
        const bool are_arrays = takes_arrays(groups->first, first) && takes_arrays(groups->second, second);
        if (!are_graphs && !are_arrays) continue;
        legs[0] = *first;
        legs[1] = *second;
        *is_graph = are_graphs && (!are_arrays || ndp_choose(choices, 2) == 1);
        return true;
    }
    return false;
}
