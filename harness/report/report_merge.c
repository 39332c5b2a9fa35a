/* report_merge.c: unites two reports of one run.
 *
 * Problem. A part of a run compared little by itself, and two parts found the same causes; the union must be the report
 * that a single run writes, in whatever order the parts come.
 *
 * Method. Sums and unions do not depend on the order. Two findings with one signature have first cases, and the lower
 * number decides, which does not depend on time. Every part lists the items that it did not test; the united counts
 * drop those that another part tested.
 *
 * Limits. Causes and findings keep the order in which the parts come. A cause keeps its first NDP_MAX_CAUSE_ROUTES
 * routes.
 */
#include "report/report_merge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- work ---- */

/* The index of a property of that name; NDP_MAX_PROPERTIES if there is no room. */
static uint32_t property_index(struct ndp_report *report, const char *name) {
    uint32_t i = 0;
    while (i < report->property_count && strcmp(report->properties[i], name) != 0) i++;
    if (i < report->property_count || i == NDP_MAX_PROPERTIES) return i;
    memcpy(report->properties[report->property_count++], name, NDP_WORD_BYTES);
    return i;
}

static enum ndp_status add_cells(struct ndp_report *into, const struct ndp_report *from) {
    for (uint32_t r = 0; r < from->route_count; r++) {
        const struct ndp_route_cells *theirs = &from->routes[r];
        struct ndp_route_cells *ours = ndp_report_route_row(into, theirs->route, theirs->format);
        if (ours == NULL) return NDP_NOMEM;
        for (uint32_t p = 0; p < from->property_count; p++) {
            const uint32_t index = property_index(into, from->properties[p]);
            if (index == NDP_MAX_PROPERTIES) return NDP_LIMIT;
            ours->cells[index].pass += theirs->cells[p].pass;
            ours->cells[index].diverges += theirs->cells[p].diverges;
            ours->cells[index].rejects += theirs->cells[p].rejects;
            ours->cells[index].unsupported += theirs->cells[p].unsupported;
            ours->cells[index].comparisons += theirs->cells[p].comparisons;
        }
    }
    return NDP_OK;
}

static void add_targets(struct ndp_report *into, const struct ndp_report *from) {
    for (uint32_t i = 0; i < from->target_count; i++) {
        const struct ndp_report_target *theirs = &from->targets[i];
        const uint32_t count = into->target_count;
        struct ndp_report_target *ours = ndp_report_target_row(into, theirs->name);
        if (ours == NULL) return;
        if (into->target_count > count) {
            *ours = *theirs;
            continue;
        }
        ours->restarts += theirs->restarts;
        ours->crashes += theirs->crashes;
        ours->timeouts += theirs->timeouts;
        ours->cases += theirs->cases;
        ours->comparisons += theirs->comparisons;
    }
}

static struct ndp_floor *find_floor(struct ndp_report *report, enum ndp_floor_kind kind, const char *name) {
    for (uint32_t i = 0; i < report->floor_count; i++) {
        struct ndp_floor *floor = &report->floors[i];
        if (floor->kind == kind && strcmp(floor->name, name) == 0) return floor;
    }
    return NULL;
}

static void add_floors(struct ndp_report *into, const struct ndp_report *from) {
    for (uint32_t i = 0; i < from->floor_count; i++) {
        const struct ndp_floor *theirs = &from->floors[i];
        struct ndp_floor *ours = find_floor(into, theirs->kind, theirs->name);
        if (ours != NULL) {
            ours->done += theirs->done;
        } else if (into->floor_count < NDP_MAX_FLOORS) {
            into->floors[into->floor_count++] = *theirs;
        }
    }
    ndp_report_fill_floors(into);
}

static enum ndp_status add_workers(struct ndp_report *into, const struct ndp_report *from) {
    for (uint32_t i = 0; i < from->lost_worker_count; i++) {
        const struct ndp_lost_worker *lost = &from->lost_workers[i];
        NDP_TRY(ndp_report_add_lost_worker(into, lost->worker, lost->unit, lost->ending));
        into->lost_workers[into->lost_worker_count - 1].is_repeated = lost->is_repeated;
    }
    return NDP_OK;
}

static void add_ends(struct ndp_report *into, const struct ndp_report *from) {
    static const enum ndp_report_stop worst[] = {NDP_REPORT_STOP_RUNNING, NDP_REPORT_STOP_FAULT,
                                                 NDP_REPORT_STOP_SIGNAL,  NDP_REPORT_STOP_DURATION,
                                                 NDP_REPORT_STOP_CASES,   NDP_REPORT_STOP_NO_ROUTES};
    uint32_t i = 0;
    while (worst[i] != into->stop && worst[i] != from->stop) i++;
    into->stop = worst[i];
    if (from->started[0] != '\0' && strcmp(from->started, into->started) < 0)
        memcpy(into->started, from->started, sizeof into->started);
    if (strcmp(from->ended, into->ended) > 0) memcpy(into->ended, from->ended, sizeof into->ended);
    if (from->jobs > into->jobs) into->jobs = from->jobs;
}

/* ---- what was not tested ---- */

/* Whether the counts contradict an item of the list. */
static bool is_tested(struct ndp_report *report, const struct ndp_untested *item) {
    const struct ndp_floor *floor = NULL;
    if (item->kind == NDP_UNTESTED_FORMAT) floor = find_floor(report, NDP_FLOOR_FORMAT, item->name);
    if (item->kind == NDP_UNTESTED_PROPERTY) floor = find_floor(report, NDP_FLOOR_PROPERTY, item->name);
    if (floor != NULL) return floor->done > 0;
    for (uint32_t i = 0; item->kind == NDP_UNTESTED_TARGET && i < report->target_count; i++) {
        const struct ndp_report_target *target = &report->targets[i];
        if (strcmp(target->name, item->name) == 0 && target->unavailable[0] == '\0' && target->comparisons > 0)
            return true;
    }
    return false;
}

static enum ndp_status unite_untested(struct ndp_report *into, const struct ndp_report *from) {
    struct ndp_untested_list *list = &into->untested;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < from->untested.count; i++) {
        const struct ndp_untested *theirs = &from->untested.items[i];
        NDP_TRY(ndp_untested_add(list, theirs));
        for (uint32_t k = 0; k < list->count && !theirs->is_allowed; k++)
            if (list->items[k].kind == theirs->kind && strcmp(list->items[k].name, theirs->name) == 0)
                list->items[k].is_allowed = false;
    }
    for (uint32_t i = 0; i < list->count; i++)
        if (!is_tested(into, &list->items[i])) list->items[kept++] = list->items[i];
    list->count = kept;
    ndp_untested_allow(list, list->allowed, list->allowed_count);
    return NDP_OK;
}

/* ---- causes and findings ---- */

static enum ndp_status copy_text(struct ndp_arena *arena, struct ndp_bytes *text) {
    const uint8_t *copy = ndp_arena_copy(arena, text->data, text->size_bytes);
    if (copy == NULL) return NDP_NOMEM;
    text->data = copy;
    return NDP_OK;
}

static enum ndp_status add_routes(struct ndp_report *into, uint32_t cause, const struct ndp_cause_route *route) {
    for (; route != NULL; route = route->next)
        NDP_TRY(ndp_report_cause_add_route(&into->arena, &into->causes.items[cause], route->text));
    return NDP_OK;
}

/* Whether the cause of `from` has a smaller descriptor than that of `into`, or `into` has no finding of it. */
static bool has_smaller(const struct ndp_report *into, uint32_t ours, const struct ndp_report *from, uint32_t theirs) {
    struct ndp_cause_view here, there;
    ndp_report_cause_view(&into->causes, &into->findings, ours, &here);
    ndp_report_cause_view(&from->causes, &from->findings, theirs, &there);
    if (here.smallest == NULL || there.smallest == NULL) return here.smallest == NULL;
    return there.smallest->descriptor.size_bytes < here.smallest->descriptor.size_bytes;
}

/* Adds or unites a cause; *index is its place in `into`. Its findings follow. */
static enum ndp_status unite_cause(struct ndp_report *into, const struct ndp_report *from, uint32_t theirs,
                                   uint32_t *index) {
    struct ndp_report_cause cause = from->causes.items[theirs];
    cause.routes = NULL;
    cause.route_count = 0;
    NDP_TRY(ndp_report_causes_add(&into->causes, &cause, index));
    struct ndp_report_cause *ours = &into->causes.items[*index];
    if (has_smaller(into, *index, from, theirs)) {
        NDP_TRY(copy_text(&into->arena, &cause.drawing));
        NDP_TRY(copy_text(&into->arena, &cause.script));
        ours->drawing = cause.drawing;
        ours->script = cause.script;
    }
    if (ours->evidence[0] == '\0') memcpy(ours->evidence, cause.evidence, sizeof ours->evidence);
    if (ours->history.first_seen[0] == '\0') ours->history = cause.history;
    return add_routes(into, *index, from->causes.items[theirs].routes);
}

static enum ndp_status copy_finding(struct ndp_report *into, const struct ndp_report *from,
                                    const struct ndp_report_finding *theirs, struct ndp_report_finding *out) {
    *out = *theirs;
    NDP_TRY(copy_text(&into->arena, &out->descriptor));
    NDP_TRY(copy_text(&into->arena, &out->observations));
    NDP_TRY(copy_text(&into->arena, &out->stderr_tail));
    NDP_TRY(copy_text(&into->arena, &out->replay));
    if (from->coverage.count == 0) ndp_report_name_case(into, out);
    return NDP_OK;
}

static bool is_confirmed(const struct ndp_report_finding *finding) {
    return finding->confirm_hits == finding->confirm_runs;
}

/* Keeps the better of two findings with one signature, with their counts and the shorter time. */
static void unite_findings(struct ndp_report_finding *ours, const struct ndp_report_finding *theirs) {
    const uint64_t count = ours->count + theirs->count;
    uint64_t after_ns = ours->found_after_ns;
    if (after_ns == 0 || (theirs->found_after_ns > 0 && theirs->found_after_ns < after_ns))
        after_ns = theirs->found_after_ns;
    const bool is_better =
        is_confirmed(ours) == is_confirmed(theirs) ? ndp_report_finding_is_before(theirs, ours) : is_confirmed(theirs);
    if (is_better) *ours = *theirs;
    ours->count = count;
    ours->found_after_ns = after_ns;
}

/* Removes causes without a finding: their last finding was replaced by one of another cause. */
static void remove_bare_causes(struct ndp_report *report) {
    for (uint32_t i = 0; i < report->causes.count;) {
        struct ndp_cause_view view;
        ndp_report_cause_view(&report->causes, &report->findings, i, &view);
        if (view.finding_count > 0) {
            i++;
            continue;
        }
        struct ndp_report_cause *items = report->causes.items;
        memmove(&items[i], &items[i + 1], (--report->causes.count - i) * sizeof *items);
        for (uint32_t k = 0; k < report->findings.count; k++)
            if (report->findings.items[k].cause > i) report->findings.items[k].cause--;
    }
}

static enum ndp_status add_findings(struct ndp_report *into, const struct ndp_report *from, const uint32_t *places) {
    for (uint32_t i = 0; i < from->findings.count; i++) {
        struct ndp_report_finding copy;
        NDP_TRY(copy_finding(into, from, &from->findings.items[i], &copy));
        copy.cause = places[copy.cause];
        struct ndp_report_finding *ours = ndp_report_findings_find(&into->findings, copy.signature);
        if (ours != NULL)
            unite_findings(ours, &copy);
        else
            NDP_TRY(ndp_report_findings_add(&into->findings, &copy));
    }
    into->findings.dropped += from->findings.dropped;
    remove_bare_causes(into);
    return NDP_OK;
}

static enum ndp_status unite_causes(struct ndp_report *into, const struct ndp_report *from) {
    uint32_t *places = calloc(from->causes.count + 1, sizeof *places);
    enum ndp_status status = places != NULL ? NDP_OK : NDP_NOMEM;
    for (uint32_t i = 0; i < from->causes.count && status == NDP_OK; i++)
        status = unite_cause(into, from, i, &places[i]);
    if (status == NDP_OK) status = add_findings(into, from, places);
    free(places);
    return status;
}

enum ndp_status ndp_report_merge(struct ndp_report *into, const struct ndp_report *from) {
    NDP_TRY(unite_causes(into, from));
    /* The report of a run that was killed has no bits. */
    if (from->stop != NDP_REPORT_STOP_RUNNING && into->stop != NDP_REPORT_STOP_RUNNING)
        NDP_TRY(ndp_report_coverage_unite(&into->coverage, &from->coverage));
    into->cases += from->cases;
    into->comparisons += from->comparisons;
    into->faults += from->faults;
    NDP_TRY(add_cells(into, from));
    NDP_TRY(add_workers(into, from));
    add_targets(into, from);
    add_floors(into, from);
    add_ends(into, from);
    return unite_untested(into, from);
}

/* ---- the check ---- */

static enum ndp_status differ(struct ndp_error *error, const char *what, const char *a, const char *b) {
    return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "%s differs: '%.80s' and '%.80s'", what, a, b);
}

/* "numpy 2.4.6, CPython 3.11.2, environment current; numpy 2.4.6 joblib 1.6.0" */
static void print_target(const struct ndp_report_target *target, char *out, size_t out_bytes) {
    int length = snprintf(out, out_bytes, "%s %s, %s, environment '%s'%s;", target->implementation, target->version,
                          target->language, target->environment, target->unavailable[0] != '\0' ? ", missing" : "");
    for (uint32_t i = 0; i < target->library_count && length > 0 && (size_t)length < out_bytes; i++) {
        const struct ndp_library *library = &target->libraries[i];
        length += snprintf(out + length, out_bytes - (size_t)length, " %s %s", library->name, library->version);
    }
}

static enum ndp_status check_targets(const struct ndp_report *a, const struct ndp_report *b, struct ndp_error *error) {
    enum { TARGET_BYTES = 256 + NDP_MAX_LIBRARIES * 2 * (NDP_WORD_BYTES + 1) };
    char count_a[16], count_b[16], one[TARGET_BYTES], other[TARGET_BYTES], what[64];
    snprintf(count_a, sizeof count_a, "%u", (unsigned)a->target_count);
    snprintf(count_b, sizeof count_b, "%u", (unsigned)b->target_count);
    if (a->target_count != b->target_count) return differ(error, "the number of targets", count_a, count_b);
    for (uint32_t i = 0; i < a->target_count; i++) {
        if (strcmp(a->targets[i].name, b->targets[i].name) != 0)
            return differ(error, "the name of a target", a->targets[i].name, b->targets[i].name);
        print_target(&a->targets[i], one, sizeof one);
        print_target(&b->targets[i], other, sizeof other);
        snprintf(what, sizeof what, "target %s", a->targets[i].name);
        if (strcmp(one, other) != 0) return differ(error, what, one, other);
        if (memcmp(a->targets[i].lacks_class, b->targets[i].lacks_class, sizeof a->targets[i].lacks_class) != 0)
            return differ(error, what, "some classes", "others have a stand-in");
    }
    return NDP_OK;
}

static enum ndp_status check_groups(const struct ndp_report *a, const struct ndp_report *b, struct ndp_error *error) {
    for (uint32_t i = 0; i < a->coverage.count || i < b->coverage.count; i++) {
        const char *one = i < a->coverage.count ? a->coverage.groups[i].name : "";
        const char *other = i < b->coverage.count ? b->coverage.groups[i].name : "";
        if (strcmp(one, other) != 0) return differ(error, "a group of routes", one, other);
    }
    for (uint32_t i = 0; i < a->floor_count || i < b->floor_count; i++) {
        const char *one = i < a->floor_count ? a->floors[i].name : "none";
        const char *other = i < b->floor_count ? b->floors[i].name : "none";
        if (strcmp(one, other) != 0) return differ(error, "a format or property that was asked for", one, other);
    }
    return NDP_OK;
}

enum ndp_status ndp_report_merge_check(const struct ndp_report *a, const struct ndp_report *b,
                                       struct ndp_error *error) {
    char one[32], other[32];
    snprintf(one, sizeof one, "%llu", (unsigned long long)a->seed);
    snprintf(other, sizeof other, "%llu", (unsigned long long)b->seed);
    if (a->seed != b->seed) return differ(error, "the seed", one, other);
    snprintf(one, sizeof one, "%u", (unsigned)a->shard_count);
    snprintf(other, sizeof other, "%u", (unsigned)b->shard_count);
    if (a->shard_count != b->shard_count) return differ(error, "the number of shards", one, other);
    if (strcmp(a->version, b->version) != 0) return differ(error, "the version of ndproof", a->version, b->version);
    if (strcmp(a->commit, b->commit) != 0) return differ(error, "the commit of ndproof", a->commit, b->commit);
    NDP_TRY(check_targets(a, b, error));
    return check_groups(a, b, error);
}
