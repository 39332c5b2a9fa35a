#include "report/report_cause.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ndp_report_causes_clear(struct ndp_report_causes *causes) {
    free(causes->items);
    *causes = (struct ndp_report_causes){.items = NULL};
}

uint32_t ndp_report_causes_find(const struct ndp_report_causes *causes, const char *id) {
    uint32_t i = 0;
    while (i < causes->count && strcmp(causes->items[i].cause.id, id) != 0) i++;
    return i;
}

enum ndp_status ndp_report_causes_add(struct ndp_report_causes *causes, const struct ndp_report_cause *cause,
                                      uint32_t *index) {
    *index = ndp_report_causes_find(causes, cause->cause.id);
    if (*index < causes->count) return NDP_OK;
    if (causes->count == causes->capacity) {
        const uint32_t capacity = causes->capacity > 0 ? 2 * causes->capacity : 16;
        struct ndp_report_cause *items = realloc(causes->items, capacity * sizeof *items);
        if (items == NULL) return NDP_NOMEM;
        causes->items = items;
        causes->capacity = capacity;
    }
    causes->items[causes->count++] = *cause;
    return NDP_OK;
}

enum ndp_status ndp_report_cause_add_route(struct ndp_arena *arena, struct ndp_report_cause *cause, const char *text) {
    struct ndp_cause_route **end = &cause->routes;
    for (; *end != NULL; end = &(*end)->next)
        if (strcmp((*end)->text, text) == 0) return NDP_OK;
    if (cause->route_count == NDP_MAX_CAUSE_ROUTES) return NDP_OK;
    struct ndp_cause_route *route = NDP_ARENA_NEW(arena, struct ndp_cause_route);
    if (route == NULL) return NDP_NOMEM;
    *route = (struct ndp_cause_route){.next = NULL};
    snprintf(route->text, sizeof route->text, "%s", text);
    *end = route;
    cause->route_count++;
    return NDP_OK;
}

bool ndp_report_finding_is_before(const struct ndp_report_finding *a, const struct ndp_report_finding *b) {
    if (a->first_case != b->first_case) return a->first_case < b->first_case;
    return strcmp(a->first_group, b->first_group) < 0;
}

void ndp_report_cause_view(const struct ndp_report_causes *causes, const struct ndp_report_findings *findings,
                           uint32_t index, struct ndp_cause_view *out) {
    *out = (struct ndp_cause_view){.cause = &causes->items[index]};
    for (uint32_t i = 0; i < findings->count; i++) {
        const struct ndp_report_finding *finding = &findings->items[i];
        if (finding->cause != index) continue;
        const bool is_first = out->finding_count++ == 0;
        const bool is_smaller = is_first || finding->descriptor.size_bytes < out->smallest->descriptor.size_bytes;
        if (is_smaller) out->smallest = finding;
        if (is_first || finding->severity == NDP_SEVERITY_DEFECT) out->severity = finding->severity;
        if (is_first || finding->status < out->status) out->status = finding->status;
        if (is_first || ndp_report_finding_is_before(finding, out->first)) out->first = finding;
        if (finding->found_after_ns > 0 && (out->found_after_ns == 0 || finding->found_after_ns < out->found_after_ns))
            out->found_after_ns = finding->found_after_ns;
        out->count += finding->count;
    }
}

enum ndp_cause_rank ndp_report_cause_rank(const struct ndp_cause_view *view) {
    static const char *const values[] = {"values", "shape", "dtype.kind", "dtype.order", "dtype.offsets", "source"};
    if (view->smallest->kind != NDP_VERDICT_DIVERGES) return NDP_CAUSE_CRASH;
    if (strstr(view->cause->cause.direction, "refuses") != NULL) return NDP_CAUSE_REFUSAL;
    if (strstr(view->cause->cause.direction, "accepts") != NULL) return NDP_CAUSE_WRONG_VALUE;
    for (size_t i = 0; i < NDP_ARRAY_LEN(values); i++)
        if (strcmp(view->smallest->field, values[i]) == 0) return NDP_CAUSE_WRONG_VALUE;
    return NDP_CAUSE_LOST_ATTRIBUTE;
}
