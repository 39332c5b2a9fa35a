#include "engine/routes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe/fault.h"

/* From this cost on, a transport starts a process or a pool for each case. */
enum { SLOW_COST = 12 };

static bool is_among(const char *word, const char *const *words, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (ndp_bytes_word_is(words[i], word)) return true;
    return count == 0;
}

/* Whether there is a named fault for encodings of the format. */
static bool has_faults(const char *format) {
    uint32_t count;
    const struct ndp_fault_row *rows = ndp_fault_rows(&count);
    for (uint32_t i = 0; i < count; i++)
        if (ndp_bytes_word_is(rows[i].format, format)) return true;
    return false;
}

static bool is_word_fitting(const char *named, const char *word) {
    return named[0] == '\0' || ndp_bytes_word_is(named, word);
}

/* If the run has no target of that exact name, "numpy" and "numpy-1.26.4" select every target that implements numpy. */
static bool is_target_fitting(const char *named, const char *name, const struct ndp_bench *bench) {
    if (is_word_fitting(named, name)) return true;
    const struct ndp_target *target = ndp_bench_find(bench, name);
    if (target == NULL || ndp_bench_find(bench, named) != NULL) return false;
    const size_t length = strlen(target->info.implementation);
    return strcspn(named, "-#@") == length && strncmp(named, target->info.implementation, length) == 0;
}

uint32_t ndp_routes_count_targets(const struct ndp_bench *bench, const char *named) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < bench->count; i++) count += is_target_fitting(named, bench->targets[i]->info.name, bench);
    return count;
}

static bool is_target_wanted(const struct ndp_route_filter *filter, const struct ndp_target *target,
                             const struct ndp_bench *bench) {
    for (uint32_t i = 0; i < filter->target_count; i++)
        if (is_target_fitting(filter->targets[i], target->info.name, bench)) return true;
    return filter->target_count == 0;
}

static bool is_pair_wanted(const struct ndp_route_filter *filter, const struct ndp_bench *bench,
                           const struct ndp_target *a, const struct ndp_target *b) {
    if (filter->involved != NULL && !ndp_bytes_word_is(a->info.name, filter->involved) &&
        !ndp_bytes_word_is(b->info.name, filter->involved))
        return false;
    return is_target_wanted(filter, a, bench) && is_target_wanted(filter, b, bench);
}

static enum ndp_status append_route(struct ndp_route_group *group, const struct ndp_route *route) {
    struct ndp_route *grown = realloc(group->routes, (group->count + 1) * sizeof *grown);
    if (grown == NULL) return NDP_NOMEM;
    group->routes = grown;
    grown[group->count++] = *route;
    return NDP_OK;
}

static struct ndp_route start_route(const struct ndp_route_group *group, const struct ndp_entry *entry) {
    struct ndp_route route = {.protocol = entry->protocol};
    memcpy(route.format, entry->format, sizeof route.format);
    memcpy(route.buffers, entry->buffers, sizeof route.buffers);
    memcpy(route.encoder, group->encoder->info.name, sizeof route.encoder);
    memcpy(route.decoder, group->decoder->info.name, sizeof route.decoder);
    return route;
}

/* Adds a route from `entry` to every decoder of the same format. Plain bytes travel between variants, so those of both
 * ends are independent of each other: a sweep combines each with the ordinary entries of the other end, and with the
 * variant of its own name. */
static enum ndp_status add_decoders(struct ndp_route_group *group, const struct ndp_entry *entry, bool is_generated) {
    const struct ndp_target_info *decoder = &group->decoder->info;
    for (uint32_t i = 0; i < decoder->entry_count; i++) {
        const struct ndp_entry *other = &decoder->entries[i];
        struct ndp_route route = start_route(group, entry);
        if (!other->decodes || !ndp_entry_is_on(other, &route, NDP_END_DECODER)) continue;
        if (group->encoder != group->decoder && (entry->is_local || other->is_local)) continue;
        if (is_generated && entry->is_variant && other->is_variant && !ndp_bytes_word_is(entry->entry, other->entry))
            continue;
        if (is_generated && (entry->is_variant || other->is_variant) != group->is_of_variants) continue;
        memcpy(route.encode, entry->entry, sizeof route.encode);
        memcpy(route.decode, other->entry, sizeof route.decode);
        NDP_TRY(append_route(group, &route));
    }
    return NDP_OK;
}

static enum ndp_status fill_transports(struct ndp_route_group *group) {
    const struct ndp_target_info *target = &group->encoder->info;
    for (uint32_t i = 0; i < target->entry_count; i++) {
        const struct ndp_entry *entry = &target->entries[i];
        if (!entry->transports || !ndp_bytes_word_is(entry->format, group->format)) continue;
        if ((entry->cost >= SLOW_COST && !entry->takes_dicts) != group->is_slow) continue;
        struct ndp_route route = start_route(group, entry);
        route.is_transport = true;
        memcpy(route.encode, entry->entry, sizeof route.encode);
        memcpy(route.decode, entry->entry, sizeof route.decode);
        group->is_waiting = group->is_waiting || entry->cost > 1;
        NDP_TRY(append_route(group, &route));
    }
    return NDP_OK;
}

static enum ndp_status fill_round_trips(struct ndp_route_group *group, bool is_generated) {
    const struct ndp_target_info *encoder = &group->encoder->info;
    for (uint32_t i = 0; i < encoder->entry_count; i++) {
        const struct ndp_entry *entry = &encoder->entries[i];
        if (entry->encodes && ndp_bytes_word_is(entry->format, group->format))
            NDP_TRY(add_decoders(group, entry, is_generated));
    }
    return NDP_OK;
}

static enum ndp_status fill_decodes(struct ndp_route_group *group, bool is_generated) {
    const struct ndp_target_info *decoder = &group->decoder->info;
    for (uint32_t i = 0; i < decoder->entry_count; i++) {
        const struct ndp_entry *entry = &decoder->entries[i];
        if (!entry->decodes || !ndp_bytes_word_is(entry->format, group->format)) continue;
        if (is_generated && entry->is_variant) continue;
        struct ndp_route route = start_route(group, entry);
        route.encoder[0] = '\0';
        memcpy(route.decode, entry->entry, sizeof route.decode);
        NDP_TRY(append_route(group, &route));
    }
    return NDP_OK;
}

/* Adds the group that `like` starts, with its routes; a group without routes is left out. */
static enum ndp_status add_group(struct ndp_route_list *list, const struct ndp_route_group *like,
                                 const struct ndp_route_filter *filter) {
    struct ndp_route_group *grown = realloc(list->groups, (list->count + 1) * sizeof *grown);
    if (grown == NULL) return NDP_NOMEM;
    list->groups = grown;
    struct ndp_route_group *group = &grown[list->count];
    *group = *like;
    snprintf(group->name, sizeof group->name, "%s>%s %s%s",
             group->kind == NDP_CASE_DECODE ? "" : group->encoder->info.name, group->decoder->info.name, group->format,
             group->is_slow          ? " slow"
             : group->is_of_variants ? " variants"
                                     : "");
    list->count++;
    if (group->is_transport) {
        NDP_TRY(fill_transports(group));
    } else {
        NDP_TRY(group->kind == NDP_CASE_DECODE ? fill_decodes(group, filter->is_generated)
                                               : fill_round_trips(group, filter->is_generated));
    }
    if (group->count == 0) list->count--;
    return NDP_OK;
}

/* Adds a group for each format of the decoder, in the order of its entries. */
static enum ndp_status add_formats(struct ndp_route_list *list, const struct ndp_route_filter *filter,
                                   const struct ndp_route_group *like) {
    const struct ndp_target_info *info = &like->decoder->info;
    if ((filter->without_kinds & (1u << like->kind)) != 0) return NDP_OK;
    for (uint32_t i = 0; i < info->entry_count; i++) {
        struct ndp_route_group group = *like;
        bool is_first = is_among(info->entries[i].format, filter->formats, filter->format_count);
        for (uint32_t k = 0; k < i; k++)
            is_first = is_first && strcmp(info->entries[k].format, info->entries[i].format) != 0;
        if (like->kind == NDP_CASE_DECODE && filter->is_generated)
            is_first = is_first && has_faults(info->entries[i].format);
        memcpy(group.format, info->entries[i].format, sizeof group.format);
        if (is_first) NDP_TRY(add_group(list, &group, filter));
        group.is_slow = group.is_transport;
        group.is_of_variants = group.kind == NDP_CASE_ROUND_TRIP && !group.is_transport && filter->is_generated;
        if (is_first && (group.is_slow || group.is_of_variants)) NDP_TRY(add_group(list, &group, filter));
    }
    return NDP_OK;
}

static enum ndp_status add_groups(const struct ndp_bench *bench, const struct ndp_route_filter *filter,
                                  struct ndp_route_list *list) {
    for (uint32_t i = 0; i < bench->count; i++) {
        for (uint32_t k = 0; k < bench->count; k++) {
            const struct ndp_route_group pair = {
                .kind = NDP_CASE_ROUND_TRIP, .encoder = bench->targets[i], .decoder = bench->targets[k]};
            if (!is_pair_wanted(filter, bench, pair.encoder, pair.decoder)) continue;
            NDP_TRY(add_formats(list, filter, &pair));
        }
    }
    for (uint32_t i = 0; i < bench->count; i++) {
        struct ndp_route_group own = {.kind = NDP_CASE_ROUND_TRIP,
                                      .is_transport = true,
                                      .encoder = bench->targets[i],
                                      .decoder = bench->targets[i]};
        if (!is_pair_wanted(filter, bench, own.encoder, own.decoder)) continue;
        NDP_TRY(add_formats(list, filter, &own));
        own.kind = NDP_CASE_DECODE;
        own.is_transport = false;
        NDP_TRY(add_formats(list, filter, &own));
    }
    return NDP_OK;
}

enum ndp_status ndp_routes_list(const struct ndp_bench *bench, const struct ndp_route_filter *filter,
                                struct ndp_route_list *out) {
    struct ndp_route_list list = {0};
    enum ndp_status status = add_groups(bench, filter, &list);
    if (status != NDP_OK) {
        ndp_routes_clear(&list);
        return status;
    }
    *out = list;
    return NDP_OK;
}

void ndp_routes_clear(struct ndp_route_list *list) {
    for (uint32_t i = 0; i < list->count; i++) free(list->groups[i].routes);
    free(list->groups);
    *list = (struct ndp_route_list){0};
}

/* Whether an entry point of the route is a variant that the descriptor does not name. */
static bool is_unnamed_variant(const struct ndp_route *named, const struct ndp_route *route,
                               const struct ndp_bench *bench) {
    const struct {
        const char *named;
        const char *target;
        enum ndp_end end;
    } ends[] = {{named->encode, route->encoder, NDP_END_ENCODER}, {named->decode, route->decoder, NDP_END_DECODER}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(ends); i++) {
        const struct ndp_target *target = ends[i].named[0] == '\0' ? ndp_bench_find(bench, ends[i].target) : NULL;
        const struct ndp_entry *entry = target != NULL ? ndp_entry_find(&target->info, route, ends[i].end) : NULL;
        if (entry != NULL && entry->is_variant) return true;
    }
    return false;
}

bool ndp_routes_fit(const struct ndp_route *named, const struct ndp_route *route, const struct ndp_bench *bench) {
    return is_word_fitting(named->format, route->format) && is_word_fitting(named->encode, route->encode) &&
           is_word_fitting(named->decode, route->decode) && is_word_fitting(named->buffers, route->buffers) &&
           (named->format[0] == '\0' || named->protocol == route->protocol) &&
           is_target_fitting(named->encoder, route->encoder, bench) &&
           is_target_fitting(named->decoder, route->decoder, bench) && !is_unnamed_variant(named, route, bench);
}

void ndp_routes_complete(const struct ndp_route *named, const struct ndp_route *route, struct ndp_route *out) {
    struct ndp_route complete = *route;
    complete.offset_bytes = named->offset_bytes;
    complete.level = named->level;
    complete.history = named->history;
    complete.max_nbytes = named->max_nbytes;
    memcpy(complete.map_mode, named->map_mode, sizeof complete.map_mode);
    *out = complete;
}

enum ndp_status ndp_routes_visit(const struct ndp_route_list *list, const struct ndp_bench *bench,
                                 enum ndp_case_kind kind, const struct ndp_route *named, ndp_routes_visitor *visit,
                                 void *context) {
    for (uint32_t g = 0; g < list->count; g++) {
        const struct ndp_route_group *group = &list->groups[g];
        for (uint32_t i = 0; i < group->count && group->kind == kind; i++) {
            if (!ndp_routes_fit(named, &group->routes[i], bench)) continue;
            struct ndp_route route;
            ndp_routes_complete(named, &group->routes[i], &route);
            NDP_TRY(visit(context, &route));
        }
    }
    return NDP_OK;
}

const struct ndp_route *ndp_routes_pick(const struct ndp_route_list *list, const struct ndp_bench *bench,
                                        enum ndp_case_kind kind, const struct ndp_route *named, uint64_t pick) {
    /* The first 256 routes that fit are kept, so most lists are walked once. */
    const struct ndp_route *found[256];
    uint64_t count = 0, wanted = UINT64_MAX;
    for (uint32_t walk = 0; walk < 2; walk++) {
        uint64_t at = 0;
        for (uint32_t g = 0; g < list->count; g++) {
            const struct ndp_route_group *group = &list->groups[g];
            for (uint32_t i = 0; i < group->count && group->kind == kind; i++) {
                if (!ndp_routes_fit(named, &group->routes[i], bench)) continue;
                if (at < NDP_ARRAY_LEN(found)) found[at] = &group->routes[i];
                if (at++ == wanted) return &group->routes[i];
            }
        }
        count = at;
        if (count == 0) return NULL;
        wanted = pick % count;
        if (wanted < NDP_ARRAY_LEN(found)) return found[wanted];
    }
    return NULL;
}
