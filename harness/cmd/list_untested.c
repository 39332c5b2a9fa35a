#include "cmd/list_untested.h"

#include <limits.h>
#include <string.h>

#include "cmd/library_list.h"
#include "cmd/load_case.h"
#include "model/graph/array_class.h"

#define LIST_BYTES (UINT64_C(1) << 16)

/* ---- the request ---- */

static bool is_among(const struct ndp_words *words, const char *word) {
    for (uint32_t i = 0; i < words->count; i++)
        if (strcmp(words->list[i], word) == 0) return true;
    return words->count == 0;
}

/* Whether --target names the library, in whichever environment. */
static bool is_named(const struct ndp_settings *settings, const char *name) {
    for (uint32_t i = 0; i < settings->targets.count; i++) {
        const char *named = settings->targets.list[i];
        if (strcmp(named, name) == 0) return true;
        if (strchr(named, '@') == NULL && ndp_untested_is_same_library(named, name)) return true;
    }
    return false;
}

/* Whether --target names the target: by its own name, or, if no target has that name, by its library. */
static bool is_target_named(const struct ndp_untested_request *request, const struct ndp_target_info *info) {
    const struct ndp_words *named = &request->settings->targets;
    for (uint32_t i = 0; i < named->count; i++) {
        if (strcmp(named->list[i], info->name) == 0) return true;
        if (ndp_bench_find(&request->opened->bench, named->list[i]) == NULL &&
            ndp_untested_is_same_library(named->list[i], info->implementation))
            return true;
    }
    return false;
}

/* Whether --format leaves work for a library that is not there: its formats begin with its name ("joblib.hash"). */
static bool has_format(const struct ndp_settings *settings, const char *library) {
    const size_t length = strlen(library);
    for (uint32_t i = 0; i < settings->formats.count; i++) {
        const char *format = settings->formats.list[i];
        if (strncmp(format, library, length) == 0 && (format[length] == '\0' || format[length] == '.')) return true;
    }
    return settings->formats.count == 0;
}

/* Whether the request leaves work for an entry point. */
static bool is_entry_asked(const struct ndp_untested_request *request, const struct ndp_entry *entry) {
    if (!is_among(&request->settings->formats, entry->format)) return false;
    if (ndp_property_set_is_empty(request->properties)) return true;
    uint32_t values = entry->takes_dicts ? NDP_VALUE_BIT(DICT) : 0;
    if (!entry->takes_dicts && !entry->takes_no_arrays) values |= NDP_VALUE_BIT(ARRAY);
    if (entry->takes_graphs) values |= NDP_VALUE_BIT(GRAPH);
    const struct ndp_property *property;
    for (uint32_t at = 0; (property = ndp_property_set_next(request->properties, &at)) != NULL; at++)
        if ((property->values & values) != 0) return true;
    return false;
}

static bool is_target_asked(const struct ndp_untested_request *request, const struct ndp_target_info *info) {
    for (uint32_t i = 0; i < info->entry_count; i++)
        if (is_entry_asked(request, &info->entries[i])) return true;
    return false;
}

/* ---- the list of an environment ---- */

/* Fills *out with the list of an environment of this tree for its version of Python; *is_found: it has one. */
static enum ndp_status read_list(const struct ndp_opened *opened, const char *environment, struct ndp_library_list *out,
                                 bool *is_found, struct ndp_error *error) {
    static const char prefix[] = "CPython ";
    char name[64 + NDP_WORD_BYTES], path[PATH_MAX];
    const char *python = "";
    struct ndp_bytes text = {NULL, 0};
    snprintf(name, sizeof name, ".ci/env/%s.txt", environment);
    *is_found = ndp_open_targets_tree_file(name, path, sizeof path);
    if (!*is_found) return NDP_OK;
    for (uint32_t i = 0; i < opened->bench.count; i++) {
        const struct ndp_target_info *info = &opened->bench.targets[i]->info;
        if (strcmp(info->environment, environment) == 0 && strncmp(info->language, prefix, strlen(prefix)) == 0)
            python = info->language + strlen(prefix);
    }
    NDP_ARENA_SCOPED(arena, 4 * LIST_BYTES);
    NDP_TRY(ndp_load_case_file(&arena, path, LIST_BYTES, &text, error));
    return ndp_library_list_read(text, python, out, error);
}

static bool is_listed(const struct ndp_library_list *list, const char *library) {
    const struct ndp_listed_library *listed = ndp_library_list_find(list, library);
    return listed != NULL && listed->is_for_python;
}

/* The reason why a library is not expected. */
static const char *omission_of(const struct ndp_library_list *list, const char *library) {
    return ndp_library_list_find(list, library) != NULL ? "its environment has none for this Python"
                                                        : "its environment does not list it";
}

/* ---- missing targets and libraries ---- */

static enum ndp_status add(struct ndp_report *report, enum ndp_untested_kind kind, const char *name, bool is_expected,
                           const char *reason) {
    struct ndp_untested item = {.kind = kind, .is_expected = is_expected};
    snprintf(item.name, sizeof item.name, "%s", name);
    snprintf(item.reason, sizeof item.reason, "%s", reason);
    return ndp_untested_add(&report->untested, &item);
}

static enum ndp_status add_library(struct ndp_report *report, const char *library, const char *environment,
                                   bool is_expected, const char *reason) {
    char name[2 * NDP_WORD_BYTES];
    snprintf(name, sizeof name, "%s%s%s", library, environment[0] != '\0' ? "@" : "", environment);
    return add(report, NDP_UNTESTED_LIBRARY, name, is_expected, reason);
}

/* A missing target is expected if it is named; without names, if it is the main one of its environment or `list` (NULL
 * for none) contains its library. */
static enum ndp_status add_missing(const struct ndp_untested_request *request, const struct ndp_missing *missing,
                                   const struct ndp_library_list *list, struct ndp_report *report) {
    const struct ndp_settings *settings = request->settings;
    const bool is_of_list = list != NULL && is_listed(list, missing->library);
    /* The request leaves no work for it. */
    if (!missing->is_main && !has_format(settings, missing->library)) return NDP_OK;
    bool is_expected = is_named(settings, missing->name);
    if (settings->targets.count == 0 && !request->is_given) is_expected = missing->is_main || is_of_list;
    const bool is_omitted = list != NULL && !is_of_list && !is_expected;
    return add(report, NDP_UNTESTED_TARGET, missing->name, is_expected,
               is_omitted ? omission_of(list, missing->library) : missing->reason);
}

/* Whether a target of the environment has the library, or is missing itself and is listed as that. */
static bool has_library(const struct ndp_opened *opened, const char *environment, const char *library) {
    for (uint32_t i = 0; i < opened->bench.count; i++) {
        const struct ndp_target_info *info = &opened->bench.targets[i]->info;
        if (strcmp(info->environment, environment) != 0) continue;
        for (uint32_t k = 0; k < info->library_count; k++)
            if (ndp_library_list_is(library, info->libraries[k].name)) return true;
    }
    for (uint32_t i = 0; i < opened->missing_count; i++) {
        const struct ndp_missing *missing = &opened->missing[i];
        if (strcmp(missing->environment, environment) == 0 && strcmp(missing->library, library) == 0) return true;
    }
    return false;
}

/* Adds the libraries of the list that no target of the environment has. */
static enum ndp_status add_listed(const struct ndp_untested_request *request, const char *environment,
                                  const struct ndp_library_list *list, struct ndp_report *report) {
    const struct ndp_settings *settings = request->settings;
    /* A run of given cases, or of named targets, asks for no further library. */
    if (request->is_given || settings->targets.count > 0) return NDP_OK;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct ndp_listed_library *library = &list->items[i];
        if (!library->is_tested || !has_format(settings, library->name) ||
            has_library(request->opened, environment, library->name))
            continue;
        NDP_TRY(add_library(report, library->name, environment, library->is_for_python,
                            library->is_for_python ? "not installed" : omission_of(list, library->name)));
    }
    return NDP_OK;
}

/* Adds the libraries of array classes that a target lacks and its environment does not list. */
static enum ndp_status add_classes(const struct ndp_target_info *info, const struct ndp_library_list *list,
                                   struct ndp_report *report) {
    for (int i = 0; i < NDP_CLASS_COUNT; i++) {
        const enum ndp_array_class class = (enum ndp_array_class)i;
        const char *library = ndp_class_library(class);
        if (!ndp_target_lacks_class(info, class) || (list != NULL && is_listed(list, library))) continue;
        NDP_TRY(add_library(report, library, info->environment, false,
                            list != NULL ? omission_of(list, library) : "not installed"));
    }
    return NDP_OK;
}

/* Adds everything that one environment lacks. */
static enum ndp_status add_environment(const struct ndp_untested_request *request, const char *environment,
                                       const struct ndp_library_list *list, struct ndp_report *report) {
    const struct ndp_opened *opened = request->opened;
    for (uint32_t i = 0; i < opened->missing_count; i++)
        if (strcmp(opened->missing[i].environment, environment) == 0)
            NDP_TRY(add_missing(request, &opened->missing[i], list, report));
    if (list != NULL) NDP_TRY(add_listed(request, environment, list, report));
    for (uint32_t i = 0; i < opened->bench.count; i++) {
        const struct ndp_target_info *info = &opened->bench.targets[i]->info;
        const bool is_unnamed = request->settings->targets.count > 0 && !is_target_named(request, info);
        if (strcmp(info->environment, environment) == 0 && !is_unnamed) NDP_TRY(add_classes(info, list, report));
    }
    return NDP_OK;
}

static bool is_own(const struct ndp_opened *opened, const char *environment) {
    for (uint32_t i = 0; i < opened->own_count; i++)
        if (strcmp(opened->own[i], environment) == 0) return true;
    return false;
}

/* Environments of this tree come first; the others have no list. */
static enum ndp_status add_environments(const struct ndp_untested_request *request, struct ndp_report *report,
                                        struct ndp_error *error) {
    const struct ndp_opened *opened = request->opened;
    for (uint32_t i = 0; i < opened->own_count; i++) {
        struct ndp_library_list list;
        bool is_found;
        NDP_TRY(read_list(opened, opened->own[i], &list, &is_found, error));
        NDP_TRY(add_environment(request, opened->own[i], is_found ? &list : NULL, report));
    }
    for (uint32_t i = 0; i < opened->missing_count; i++)
        if (!is_own(opened, opened->missing[i].environment))
            NDP_TRY(add_environment(request, opened->missing[i].environment, NULL, report));
    for (uint32_t i = 0; i < opened->bench.count; i++)
        if (!is_own(opened, opened->bench.targets[i]->info.environment))
            NDP_TRY(add_environment(request, opened->bench.targets[i]->info.environment, NULL, report));
    return NDP_OK;
}

/* ---- targets without comparisons ---- */

static const struct ndp_report_target *find_row(const struct ndp_report *report, const char *name) {
    for (uint32_t i = 0; i < report->target_count; i++)
        if (strcmp(report->targets[i].name, name) == 0) return &report->targets[i];
    return NULL;
}

static bool has_compared(const struct ndp_report *report, const char *name) {
    const struct ndp_report_target *row = find_row(report, name);
    return row != NULL && row->comparisons > 0;
}

/* A target in a process that the request started; the others are built in. */
static bool is_requested(const struct ndp_opened *opened, uint32_t index) {
    return opened->bench.targets[index]->info.environment[0] != '\0' || opened->interpreters[index][0] != '\0';
}

/* Whether another target of the same environment and interpreter compared something. */
static bool has_compared_peer(const struct ndp_opened *opened, const struct ndp_report *report, uint32_t index) {
    for (uint32_t i = 0; i < opened->bench.count; i++) {
        const struct ndp_target_info *info = &opened->bench.targets[i]->info;
        if (strcmp(info->environment, opened->bench.targets[index]->info.environment) == 0 &&
            strcmp(opened->interpreters[i], opened->interpreters[index]) == 0 && has_compared(report, info->name))
            return true;
    }
    return false;
}

/* A target without work under --format and --property is expected only for its environment, if all of it did nothing.
 */
static bool is_target_expected(const struct ndp_untested_request *request, const struct ndp_report *report,
                               uint32_t index) {
    const struct ndp_target_info *info = &request->opened->bench.targets[index]->info;
    if (request->settings->targets.count > 0) return is_target_named(request, info);
    if (request->is_given) return false;
    if (is_target_asked(request, info)) return true;
    return is_requested(request->opened, index) && !has_compared_peer(request->opened, report, index);
}

static enum ndp_status add_uncompared(const struct ndp_untested_request *request, struct ndp_report *report) {
    for (uint32_t i = 0; i < request->opened->bench.count; i++) {
        const char *name = request->opened->bench.targets[i]->info.name;
        const struct ndp_report_target *row = find_row(report, name);
        char reason[96] = "no case reached it";
        if (has_compared(report, name) || !is_target_expected(request, report, i)) continue;
        if (row != NULL && row->cases > 0)
            snprintf(reason, sizeof reason, "it supported none of its %llu cases", (unsigned long long)row->cases);
        NDP_TRY(add(report, NDP_UNTESTED_TARGET, name, true, reason));
    }
    return NDP_OK;
}

/* ---- formats and properties ---- */

static enum ndp_status add_floors(struct ndp_report *report) {
    for (uint32_t i = 0; i < report->floor_count; i++) {
        const struct ndp_floor *floor = &report->floors[i];
        char reason[96];
        if (floor->kind != NDP_FLOOR_FORMAT && floor->kind != NDP_FLOOR_PROPERTY) continue;
        if (floor->done > 0) continue;
        snprintf(reason, sizeof reason, "0 comparisons, expected at least %llu", (unsigned long long)floor->least);
        NDP_TRY(add(report, floor->kind == NDP_FLOOR_FORMAT ? NDP_UNTESTED_FORMAT : NDP_UNTESTED_PROPERTY, floor->name,
                    true, reason));
    }
    return NDP_OK;
}

enum ndp_status ndp_list_untested(const struct ndp_untested_request *request, struct ndp_report *report,
                                  struct ndp_error *error) {
    NDP_TRY(add_environments(request, report, error));
    NDP_TRY(add_uncompared(request, report));
    return add_floors(report);
}

/* ---- printing ---- */

enum { MOST_NAMES = 8, MOST_REASON = 160 }; /* of one reason, in bytes */

static bool is_in_group(const struct ndp_untested *item, bool is_gating, const char *reason) {
    return ndp_untested_gates(item) == is_gating && strcmp(item->reason, reason) == 0;
}

static bool is_first_of_group(const struct ndp_untested_list *list, uint32_t index, bool is_gating) {
    for (uint32_t i = 0; i < index; i++)
        if (is_in_group(&list->items[i], is_gating, list->items[index].reason)) return false;
    return true;
}

/* "numpy@current, numba@current (the reason)" */
static void print_group(FILE *out, const struct ndp_untested_list *list, bool is_gating, const char *reason) {
    uint32_t names = 0, entries = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct ndp_untested *item = &list->items[i];
        if (!is_in_group(item, is_gating, reason)) continue;
        if (item->kind == NDP_UNTESTED_BASELINE)
            entries++;
        else if (names++ < MOST_NAMES)
            fprintf(out, "%s%s%s", names > 1 ? ", " : "", item->kind == NDP_UNTESTED_SHARD ? "shard " : "", item->name);
    }
    if (names > MOST_NAMES) fprintf(out, " and %u more", (unsigned)(names - MOST_NAMES));
    if (entries > 0)
        fprintf(out, "%s%u %s of the baseline", names > 0 ? ", " : "", (unsigned)entries,
                entries == 1 ? "entry" : "entries");
    fprintf(out, " (%.*s%s)", MOST_REASON, reason, strlen(reason) > MOST_REASON ? "..." : "");
}

/* Prints the items by their reasons; false if there are none. */
static bool print_groups(FILE *out, const struct ndp_untested_list *list, bool is_gating, const char *title) {
    bool has_title = false;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct ndp_untested *item = &list->items[i];
        if (ndp_untested_gates(item) != is_gating || !is_first_of_group(list, i, is_gating)) continue;
        fputs(has_title ? "; " : title, out);
        has_title = true;
        print_group(out, list, is_gating, item->reason);
    }
    return has_title;
}

/* The name for --allow-missing if one name permits all items that gate; otherwise "NAME". */
static void find_permission(const struct ndp_untested_list *list, char out[NDP_CAUSE_KEY_BYTES]) {
    out[0] = '\0';
    for (uint32_t i = 0; i < list->count; i++) {
        const struct ndp_untested *item = &list->items[i];
        if (!ndp_untested_gates(item)) continue;
        const bool is_of_library = item->kind == NDP_UNTESTED_TARGET || item->kind == NDP_UNTESTED_LIBRARY;
        const char *name = item->needs[0] != '\0' ? item->needs : item->name;
        const size_t size = is_of_library || item->needs[0] != '\0' ? strcspn(name, "-#@") : strlen(name);
        if (out[0] != '\0' && (strlen(out) != size || strncmp(out, name, size) != 0)) {
            snprintf(out, NDP_CAUSE_KEY_BYTES, "NAME");
            return;
        }
        snprintf(out, NDP_CAUSE_KEY_BYTES, "%.*s", (int)size, name);
    }
}

static bool is_permission_used(const struct ndp_untested_list *list, const char *allowed) {
    for (uint32_t i = 0; i < list->count; i++)
        if (ndp_untested_is_permitted(&list->items[i], allowed)) return true;
    return false;
}

void ndp_list_untested_print(FILE *out, const struct ndp_report *report) {
    const struct ndp_untested_list *list = &report->untested;
    char name[NDP_CAUSE_KEY_BYTES];
    for (uint32_t i = 0; i < list->allowed_count; i++)
        if (!is_permission_used(list, list->allowed[i]))
            fprintf(out, "--allow-missing %s: nothing of this name is missing\n", list->allowed[i]);
    if (print_groups(out, list, false, "not tested, as permitted: ")) fputc('\n', out);
    if (print_groups(out, list, true, "NOT TESTED: ")) {
        find_permission(list, name);
        /* No permission turns a run without comparisons into evidence. */
        if (report->comparisons == 0)
            fprintf(out, "; nothing was compared\n");
        else
            fprintf(out, "; use --allow-missing %s to accept that\n", name);
    } else if (report->comparisons == 0) {
        fprintf(out, "NOT TESTED: nothing was compared\n");
    }
}
