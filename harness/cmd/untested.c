#include "cmd/untested.h"

#include <string.h>

static void add(struct ndp_report *report, enum ndp_untested_kind kind, const char *name, const char *reason,
                bool is_expected) {
    struct ndp_untested untested = {.kind = kind, .is_expected = is_expected};
    snprintf(untested.name, sizeof untested.name, "%s", name);
    snprintf(untested.reason, sizeof untested.reason, "%s", reason[0] != '\0' ? reason : "unknown reason");
    ndp_report_add_untested(report, &untested);
}

static bool is_named(const struct ndp_words *words, const char *name) {
    for (uint32_t i = 0; i < words->count; i++) {
        const size_t length = strlen(words->list[i]);
        if (strncmp(words->list[i], name, length) == 0 && (name[length] == '\0' || strchr("@-#", name[length]) != NULL))
            return true;
    }
    return false;
}

/* A run of all formats and properties must compare every target that it opened; a narrower one only named targets. */
static void add_targets(struct ndp_report *report, const struct ndp_settings *settings,
                        const struct ndp_opened *opened) {
    const bool is_narrow = settings->targets.count > 0 || settings->formats.count > 0 || settings->properties.count > 0;
    for (uint32_t i = 0; i < opened->missing_count; i++) {
        const struct ndp_missing *missing = &opened->missing[i];
        const bool is_expected = missing->is_expected || is_named(&settings->targets, missing->name);
        add(report, NDP_UNTESTED_TARGET, missing->name, missing->reason, is_expected);
    }
    for (uint32_t i = 0; i < report->target_count; i++) {
        const struct ndp_report_target *target = &report->targets[i];
        if (target->unavailable[0] != '\0' || target->comparisons > 0) continue;
        if (is_narrow && !is_named(&settings->targets, target->name)) continue;
        add(report, NDP_UNTESTED_TARGET, target->name, "nothing that it encoded or decoded was compared", true);
    }
}

static void add_floors(struct ndp_report *report) {
    for (uint32_t i = 0; i < report->floor_count; i++) {
        const struct ndp_floor *floor = &report->floors[i];
        if (floor->done > 0 || floor->kind == NDP_FLOOR_CASES) continue;
        add(report, floor->kind == NDP_FLOOR_FORMAT ? NDP_UNTESTED_FORMAT : NDP_UNTESTED_PROPERTY, floor->name,
            "no case of it was compared", true);
    }
}

static void add_entries(struct ndp_report *report, const struct ndp_baseline *baseline) {
    for (uint32_t i = 0; baseline != NULL && i < baseline->count; i++) {
        const struct ndp_baseline_entry *entry = &baseline->entries[i];
        if (entry->is_seen || entry->is_replayed || entry->descriptor == NULL) continue;
        add(report, NDP_UNTESTED_BASELINE, ndp_baseline_name(entry),
            "the run did not generate this accepted cause, and no available target supports its descriptor", true);
    }
}

void ndp_untested_allow(struct ndp_report *report, const struct ndp_settings *settings) {
    for (uint32_t i = 0; i < settings->allowed_missing.count; i++) {
        const char *name = settings->allowed_missing.list[i];
        if (!ndp_report_allow_missing(report, name))
            fprintf(stderr, "ndproof: --allow-missing %s: nothing of this name is missing\n", name);
    }
}

void ndp_untested_fill(struct ndp_report *report, const struct ndp_settings *settings, const struct ndp_opened *opened,
                       const struct ndp_baseline *baseline) {
    add_targets(report, settings, opened);
    add_floors(report);
    add_entries(report, baseline);
    ndp_untested_allow(report, settings);
}

void ndp_untested_print(FILE *out, const struct ndp_report *report) {
    bool has_more = false;
    for (uint32_t i = 0; i < report->untested_count; i++) {
        const struct ndp_untested *one = &report->untested[i];
        const char *note = !one->is_expected ? " (not expected)" : one->is_allowed ? " (allowed)" : "";
        has_more = has_more || (one->is_expected && !one->is_allowed);
        fprintf(out, "%s%s %s%s", i == 0 ? "NOT TESTED: " : ", ", ndp_report_untested_word(one->kind), one->name, note);
    }
    if (has_more) fprintf(out, "; --allow-missing NAME accepts that");
    if (report->untested_count > 0) fputc('\n', out);
}
