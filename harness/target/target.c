#include "target/target.h"

#include "model/graph/array_class.h"
#include "target/plugin.h"
#include "target/registry.h"

#include <string.h>

#define SECOND_NS UINT64_C(1000000000)

const struct ndp_target_limits ndp_target_default_limits = {
    .case_deadline_ns = 20 * SECOND_NS,
    .start_deadline_ns = 60 * SECOND_NS,
    .memory_bytes = UINT64_C(2) << 30,
    .frame_bytes = UINT64_C(1) << 30,
};

void ndp_target_close(struct ndp_target *target) {
    if (target) target->ops->close(target);
}

const char *ndp_target_library_version(const struct ndp_target_info *info, const char *library) {
    for (uint32_t i = 0; i < info->library_count; i++)
        if (ndp_bytes_word_is(info->libraries[i].name, library)) return info->libraries[i].version;
    return NULL;
}

bool ndp_target_lacks_class(const struct ndp_target_info *info, enum ndp_array_class class) {
    const char *library = ndp_class_library(class);
    if (info->library_count < 2) return false;
    if (library[0] == '\0' || ndp_target_library_version(info, library) != NULL) return false;
    for (uint32_t i = 0; i < info->entry_count; i++)
        if (info->entries[i].takes_graphs) return true;
    return false;
}

bool ndp_entry_is_on(const struct ndp_entry *entry, const struct ndp_route *route, enum ndp_end end) {
    const bool is_of_end = end == NDP_END_ENCODER ? entry->encodes : entry->decodes;
    return (is_of_end || entry->transports) && entry->protocol == route->protocol &&
           ndp_bytes_word_is(entry->format, route->format) && ndp_bytes_word_is(entry->buffers, route->buffers);
}

const struct ndp_entry *ndp_entry_find(const struct ndp_target_info *info, const struct ndp_route *route,
                                       enum ndp_end end) {
    const char *word = end == NDP_END_ENCODER ? route->encode : route->decode;
    for (uint32_t i = 0; i < info->entry_count; i++) {
        const struct ndp_entry *entry = &info->entries[i];
        if (ndp_entry_is_on(entry, route, end) && ndp_bytes_word_is(entry->entry, word)) return entry;
    }
    return NULL;
}

const char *ndp_entry_library(const struct ndp_target_info *info, const struct ndp_route *route, enum ndp_end end) {
    const struct ndp_entry *entry = ndp_entry_find(info, route, end);
    return entry != NULL && entry->library[0] != '\0' ? entry->library : info->implementation;
}

static const char *objection_of(const struct ndp_entry *entry, const struct ndp_route *route,
                                enum ndp_value_kind kind) {
    if (entry == NULL) return "the route is not claimed";
    if (route->history != NDP_HISTORY_NONE && (entry->histories & NDP_HISTORY_BIT(route->history)) == 0)
        return "the route does not claim the history";
    switch (kind) {
    case NDP_VALUE_ARRAY:
        if (entry->takes_dicts) return "the route takes dicts only";
        return entry->takes_no_arrays ? "the route takes graphs only" : NULL;
    case NDP_VALUE_GRAPH:
        return entry->takes_graphs ? NULL : "the route takes no graphs";
    case NDP_VALUE_DICT:
        return entry->takes_dicts && entry->transports ? NULL : "the route takes no dicts";
    case NDP_VALUE_KIND_COUNT:
        break;
    }
    return "no route takes such a value";
}

const char *ndp_route_objection(const struct ndp_target_info *encoder, const struct ndp_target_info *decoder,
                                const struct ndp_route *route, enum ndp_value_kind kind) {
    const struct ndp_entry *entry = ndp_entry_find(encoder, route, NDP_END_ENCODER);
    const char *objection = objection_of(entry, route, kind);
    if (objection != NULL || entry->transports || route->decode[0] == '\0') return objection;
    return objection_of(ndp_entry_find(decoder, route, NDP_END_DECODER), route, kind);
}

const struct ndp_plugin *ndp_registry_find(const char *name) {
    uint32_t count;
    const struct ndp_plugin *const *plugins = ndp_registry_plugins(&count);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(plugins[i]->name, name) == 0) return plugins[i];
    return NULL;
}

void ndp_target_counts_add(struct ndp_target_counts *counts, const struct ndp_target_counts *more) {
    counts->cases += more->cases;
    counts->restarts += more->restarts;
    counts->crashes += more->crashes;
    counts->timeouts += more->timeouts;
    counts->ooms += more->ooms;
    counts->faults += more->faults;
    counts->orphans += more->orphans;
}
