#include "cmd/floors.h"

#include <stdio.h>
#include <string.h>

enum { FLOOR_CASES = 100, FLOOR_COMPARISONS = 10 };

/* Returns whether any target takes values that the property judges. */
static bool has_values_for(const struct ndp_bench *bench, const struct ndp_property *property) {
    if ((property->values & NDP_VALUE_BIT(ARRAY)) != 0) return true;
    for (uint32_t i = 0; i < bench->count; i++) {
        const struct ndp_target_info *info = &bench->targets[i]->info;
        for (uint32_t k = 0; k < info->entry_count; k++) {
            const struct ndp_entry *entry = &info->entries[k];
            if ((property->values & NDP_VALUE_BIT(GRAPH)) != 0 && entry->takes_graphs) return true;
            if ((property->values & NDP_VALUE_BIT(DICT)) != 0 && entry->takes_dicts) return true;
        }
    }
    return false;
}

/* A property judged by repetition has no floor unless requested: it is compared only if a target grows. */
static bool is_required(const struct ndp_settings *settings, const struct ndp_bench *bench,
                        const struct ndp_property *property) {
    const bool is_narrow = settings->formats.count > 0 || settings->targets.count > 0;
    const bool lacks_pair = strcmp(property->name, "cross") == 0 && bench->count < 2;
    return !is_narrow && !lacks_pair && !property->by_repetition && has_values_for(bench, property);
}

enum ndp_exit ndp_floors_check(const struct ndp_settings *settings) {
    const bool is_of_pairs = settings->min_pairs > 100;
    if (!is_of_pairs && settings->min_triples <= 100) return NDP_EXIT_CLEAN;
    fprintf(stderr, "ndproof: --min-%s takes a percentage up to 100, not '%llu'\n", is_of_pairs ? "pairs" : "triples",
            (unsigned long long)(is_of_pairs ? settings->min_pairs : settings->min_triples));
    return NDP_EXIT_USAGE;
}

static void set_share(struct ndp_report *report, enum ndp_floor_kind kind, uint64_t percent) {
    for (uint32_t i = 0; i < report->floor_count; i++) {
        if (report->floors[i].kind != kind) continue;
        report->floors[i].least = percent;
        return;
    }
    ndp_report_add_floor(report, kind, "", percent);
}

void ndp_floors_set_shares(struct ndp_report *report, const struct ndp_settings *settings) {
    if (ndp_settings_has(settings, NDP_OPTION_MIN_PAIRS)) set_share(report, NDP_FLOOR_PAIRS, settings->min_pairs);
    if (ndp_settings_has(settings, NDP_OPTION_MIN_TRIPLES)) set_share(report, NDP_FLOOR_TRIPLES, settings->min_triples);
}

void ndp_floors_set(struct ndp_report *report, const struct ndp_settings *settings, const struct ndp_bench *bench,
                    struct ndp_property_set properties) {
    uint32_t count;
    const struct ndp_property *const *all = ndp_property_all(&count);
    ndp_report_add_floor(report, NDP_FLOOR_CASES, "", FLOOR_CASES);
    for (uint32_t i = 0; i < count; i++) {
        if (ndp_property_set_is_empty(properties) ? is_required(settings, bench, all[i])
                                                  : ndp_property_set_has(properties, all[i]))
            ndp_report_add_floor(report, NDP_FLOOR_PROPERTY, all[i]->name, FLOOR_COMPARISONS);
    }
    for (uint32_t i = 0; i < settings->formats.count; i++)
        ndp_report_add_floor(report, NDP_FLOOR_FORMAT, settings->formats.list[i], FLOOR_COMPARISONS);
    ndp_floors_set_shares(report, settings);
}
