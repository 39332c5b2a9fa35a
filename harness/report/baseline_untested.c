#include "report/baseline_untested.h"

#include <stdio.h>
#include <string.h>

/* Whether a target of that name, or of that library, compared anything. */
static bool has_compared(const struct ndp_report *report, const char *name) {
    for (uint32_t i = 0; i < report->target_count; i++) {
        const struct ndp_report_target *target = &report->targets[i];
        const bool is_named = ndp_untested_is_same_library(target->name, name) ||
                              ndp_untested_is_same_library(target->implementation, name);
        if (is_named && target->unavailable[0] == '\0' && target->comparisons > 0) return true;
    }
    return false;
}

/* Fills `out` with the library of a missing target or library that is a word of the pattern. */
static bool names_untested_library(const struct ndp_report *report, const char *pattern, char out[NDP_WORD_BYTES]) {
    for (const char *at = pattern; *at != '\0'; at += strspn(at, "|*")) {
        const size_t size = strcspn(at, "|*");
        for (uint32_t i = 0; i < report->untested.count; i++) {
            const struct ndp_untested *item = &report->untested.items[i];
            if (item->kind != NDP_UNTESTED_TARGET && item->kind != NDP_UNTESTED_LIBRARY) continue;
            if (strcspn(item->name, "-#@") != size || strncmp(item->name, at, size) != 0) continue;
            snprintf(out, NDP_WORD_BYTES, "%.*s", (int)size, at);
            return true;
        }
        at += size;
    }
    return false;
}

/* Fills `out` with the target or library that the entry needs and the report did not compare. */
static bool lacks_target(const struct ndp_report *report, const struct ndp_baseline_entry *entry,
                         char out[NDP_WORD_BYTES]) {
    if (entry->descriptor == NULL) return names_untested_library(report, entry->pattern, out);
    const struct ndp_route *route = &entry->descriptor->route;
    const char *const ends[] = {route->encoder, route->decoder};
    for (size_t i = 0; i < NDP_ARRAY_LEN(ends); i++) {
        if (ends[i][0] == '\0' || has_compared(report, ends[i])) continue;
        snprintf(out, NDP_WORD_BYTES, "%s", ends[i]);
        return true;
    }
    return false;
}

static enum ndp_status add_entry(const struct ndp_baseline_entry *entry, bool is_replayed, struct ndp_report *report) {
    struct ndp_untested item = {.kind = NDP_UNTESTED_BASELINE, .is_expected = true};
    snprintf(item.name, sizeof item.name, "%s", ndp_baseline_name(entry));
    if (lacks_target(report, entry, item.needs))
        snprintf(item.reason, sizeof item.reason, "%s was not compared", item.needs);
    else if (is_replayed && entry->descriptor != NULL)
        snprintf(item.reason, sizeof item.reason, "its replay compared nothing");
    else
        return NDP_OK;
    return ndp_untested_add(&report->untested, &item);
}

enum ndp_status ndp_baseline_untested_list(const struct ndp_baseline *baseline, bool is_replayed,
                                           struct ndp_report *report) {
    ndp_untested_remove(&report->untested, NDP_UNTESTED_BASELINE);
    for (uint32_t i = 0; baseline != NULL && i < baseline->count; i++) {
        if (baseline->entries[i].state == NDP_BASELINE_UNTESTED)
            NDP_TRY(add_entry(&baseline->entries[i], is_replayed, report));
    }
    return NDP_OK;
}
