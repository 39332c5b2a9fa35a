#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/command.h"
#include "cmd/load_baseline.h"
#include "cmd/load_report.h"
#include "report/report_json.h"

#define ARENA_BYTES (UINT64_C(128) << 20)

/* Whether the user chose the cause: by its id, or, without ids, every new cause of a defect. */
static bool is_chosen(const struct ndp_settings *settings, const struct ndp_cause_view *view) {
    if (settings->causes.count == 0) return view->severity == NDP_SEVERITY_DEFECT && view->status != NDP_FINDING_KNOWN;
    for (uint32_t i = 0; i < settings->causes.count; i++)
        if (strcmp(settings->causes.list[i], view->cause->cause.id) == 0) return true;
    return false;
}

/* Fills an entry for the cause; its views borrow the report and the settings. */
static void fill_entry(const struct ndp_settings *settings, const struct ndp_cause_view *view,
                       struct ndp_baseline_entry *entry) {
    *entry =
        (struct ndp_baseline_entry){.reason = ndp_bytes_view(settings->reason), .text = view->smallest->descriptor};
    memcpy(entry->cause, view->cause->cause.id, sizeof entry->cause);
    memcpy(entry->title, view->cause->cause.title, sizeof entry->title);
    if (settings->link != NULL) entry->link = ndp_bytes_view(settings->link);
    if (settings->expires != NULL) snprintf(entry->expires, sizeof entry->expires, "%s", settings->expires);
}

/* Replaces the entry of the cause in place, or adds one; *count counts the entries. */
static bool accept_cause(const struct ndp_settings *settings, const struct ndp_cause_view *view,
                         struct ndp_baseline *baseline) {
    struct ndp_baseline_entry *entry = ndp_baseline_find(baseline, &view->cause->cause);
    const bool is_added = entry == NULL || entry->pattern[0] != '\0';
    if (is_added && baseline->count == NDP_MAX_BASELINE) {
        fprintf(stderr, "ndproof accept: the baseline has %d entries, which is the limit\n", (int)NDP_MAX_BASELINE);
        return false;
    }
    fill_entry(settings, view, is_added ? &baseline->entries[baseline->count++] : entry);
    printf("%s %s %s: %s\n", is_added ? "accepted" : "updated", view->cause->cause.id, view->cause->library,
           view->cause->cause.title);
    return true;
}

static bool has_unknown_cause(const struct ndp_settings *settings, const struct ndp_report *report) {
    for (uint32_t i = 0; i < settings->causes.count; i++) {
        if (ndp_report_causes_find(&report->causes, settings->causes.list[i]) < report->causes.count) continue;
        fprintf(stderr, "ndproof accept: the report has no cause '%s'; 'ndproof gate' lists them\n",
                settings->causes.list[i]);
        return true;
    }
    return false;
}

static enum ndp_exit write_baseline(const struct ndp_settings *settings, const struct ndp_baseline *baseline) {
    struct ndp_error error = {0};
    NDP_BUFFER_SCOPED(text, ARENA_BYTES);
    enum ndp_status status = ndp_baseline_print(&text, baseline);
    if (status == NDP_OK) {
        /* The file must be readable again: it fails here for a date such as 2027-13-01. */
        struct ndp_baseline again;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        status = ndp_baseline_read(&arena, settings->baseline, ndp_buffer_view(&text), &again, &error);
    }
    if (status != NDP_OK) {
        fprintf(stderr, "ndproof accept: %s\n", error.text[0] != '\0' ? error.text : ndp_status_text(status));
        return NDP_EXIT_USAGE;
    }
    status = ndp_report_replace_file(settings->baseline, ndp_buffer_view(&text), &error);
    if (status == NDP_OK) return NDP_EXIT_CLEAN;
    fprintf(stderr, "ndproof accept: %s\n", error.text);
    return NDP_EXIT_FAULT;
}

static enum ndp_exit accept_causes(const struct ndp_settings *settings, struct ndp_report *report,
                                   struct ndp_arena *arena) {
    struct ndp_baseline old = {0}, baseline = {0};
    char today[NDP_DAY_BYTES];
    uint32_t accepted = 0;
    if (access(settings->baseline, F_OK) == 0 && !ndp_load_baseline(arena, settings->baseline, &old))
        return NDP_EXIT_USAGE;
    if (has_unknown_cause(settings, report)) return NDP_EXIT_USAGE;
    baseline.entries = NDP_ARENA_ITEMS(arena, struct ndp_baseline_entry, NDP_MAX_BASELINE);
    if (baseline.entries == NULL) return NDP_EXIT_FAULT;
    for (; baseline.count < old.count; baseline.count++) baseline.entries[baseline.count] = old.entries[baseline.count];
    ndp_load_baseline_today(today);
    ndp_baseline_apply(&baseline, report, today);
    for (uint32_t i = 0; i < report->causes.count; i++) {
        struct ndp_cause_view view;
        ndp_report_cause_view(&report->causes, &report->findings, i, &view);
        if (!is_chosen(settings, &view)) continue;
        if (!accept_cause(settings, &view, &baseline)) return NDP_EXIT_USAGE;
        accepted++;
    }
    if (accepted == 0) printf("nothing to accept: the baseline has every cause of a defect in the report\n");
    return accepted == 0 ? NDP_EXIT_CLEAN : write_baseline(settings, &baseline);
}

static enum ndp_exit run_accept(const struct ndp_settings *settings) {
    if (settings->baseline == NULL || settings->reason == NULL || settings->reason[0] == '\0') {
        fprintf(stderr, "ndproof accept: missing --%s; an entry states where it is stored, and its reason\n",
                settings->baseline == NULL ? "baseline FILE" : "reason TEXT");
        return NDP_EXIT_USAGE;
    }
    struct ndp_report *report = calloc(1, sizeof *report);
    if (report == NULL) return NDP_EXIT_FAULT;
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    enum ndp_exit code = NDP_EXIT_USAGE;
    if (ndp_load_report(settings->files.list[0], report)) code = accept_causes(settings, report, &arena);
    ndp_report_clear(report);
    free(report);
    return code;
}

const struct ndp_command ndp_command_accept = {
    .name = "accept",
    .arguments = "REPORT",
    .summary = "write the causes of a report into a baseline, with a reason",
    .options = NDP_OPTION_BIT(BASELINE) | NDP_OPTION_BIT(CAUSE) | NDP_OPTION_BIT(REASON) | NDP_OPTION_BIT(LINK) |
               NDP_OPTION_BIT(EXPIRES),
    .min_files = 1,
    .max_files = 1,
    .run = run_accept,
};
