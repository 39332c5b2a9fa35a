#include "report/gate.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *ndp_gate_status_word(enum ndp_exit code) {
    switch (code) {
    case NDP_EXIT_CLEAN:
        return "clean";
    case NDP_EXIT_DIVERGES:
        return "diverges";
    case NDP_EXIT_USAGE:
        return "usage";
    case NDP_EXIT_FAULT:
        return "fault";
    case NDP_EXIT_STALE:
        return "stale";
    case NDP_EXIT_VACUOUS:
        return "vacuous";
    case NDP_EXIT_FLAKY:
        return "flaky";
    }
    return "?";
}

/* The precedence of a code: 0 wins over all others. */
static int precedence(enum ndp_exit code) {
    static const enum ndp_exit order[] = {NDP_EXIT_FAULT, NDP_EXIT_DIVERGES, NDP_EXIT_STALE, NDP_EXIT_VACUOUS,
                                          NDP_EXIT_FLAKY};
    int i = 0;
    while (i < (int)NDP_ARRAY_LEN(order) && order[i] != code) i++;
    return i;
}

static void add_reason(struct ndp_gate *gate, enum ndp_exit code, const char *format, ...) NDP_PRINTF(3, 4);

static void add_reason(struct ndp_gate *gate, enum ndp_exit code, const char *format, ...) {
    if (precedence(code) < precedence(gate->exit)) gate->exit = code;
    if (gate->reason_count == NDP_MAX_REASONS) {
        gate->reasons_left_out++;
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(gate->reasons[gate->reason_count++], NDP_REASON_BYTES, format, arguments);
    va_end(arguments);
}

static void judge_work(const struct ndp_report *report, struct ndp_gate *gate) {
    if (report->stop == NDP_REPORT_STOP_RUNNING) add_reason(gate, NDP_EXIT_FAULT, "the run did not finish");
    if (report->stop == NDP_REPORT_STOP_FAULT) add_reason(gate, NDP_EXIT_FAULT, "the run stopped on an internal error");
    if (report->faults > 0) {
        add_reason(gate, NDP_EXIT_FAULT, "%llu cases failed inside ndproof or a testee",
                   (unsigned long long)report->faults);
    }
}

/* A unit of a worker that died must have been done by another one. */
static void judge_workers(const struct ndp_report *report, struct ndp_gate *gate) {
    for (uint32_t i = 0; i < report->lost_worker_count; i++) {
        const struct ndp_lost_worker *lost = &report->lost_workers[i];
        if (lost->is_repeated) continue;
        add_reason(gate, NDP_EXIT_FAULT, "%s died (%.80s), and its work was not done: %s", lost->worker, lost->ending,
                   lost->unit);
    }
}

static void judge_causes(const struct ndp_report *report, enum ndp_finding_status status, enum ndp_exit code,
                         struct ndp_gate *gate) {
    for (uint32_t i = 0; i < report->causes.count; i++) {
        struct ndp_cause_view view;
        ndp_report_cause_view(&report->causes, &report->findings, i, &view);
        if (view.severity != NDP_SEVERITY_DEFECT || view.status != status) continue;
        if (gate->reason_count < NDP_MAX_REASONS) gate->is_of_cause[gate->reason_count] = true;
        add_reason(gate, code, "%s: %s %s, %s", ndp_report_finding_status_word(status), view.cause->cause.id,
                   view.cause->library, view.cause->cause.title);
    }
}

static void judge_dropped(const struct ndp_report *report, struct ndp_gate *gate) {
    if (report->findings.dropped == 0) return;
    add_reason(gate, NDP_EXIT_DIVERGES, "new: %llu divergences beyond the %d that a report can store",
               (unsigned long long)report->findings.dropped, (int)NDP_MAX_FINDINGS);
}

static void judge_baseline(const struct ndp_baseline *baseline, struct ndp_gate *gate) {
    for (uint32_t i = 0; baseline != NULL && i < baseline->count; i++) {
        const struct ndp_baseline_entry *entry = &baseline->entries[i];
        if (entry->state == NDP_BASELINE_STALE) {
            add_reason(gate, NDP_EXIT_STALE, "fixed, remove it from the baseline: %s %s", ndp_baseline_name(entry),
                       entry->title);
        } else if (entry->state == NDP_BASELINE_EXPIRED) {
            add_reason(gate, NDP_EXIT_STALE, "acceptance expired after %s: %s %s", entry->expires,
                       ndp_baseline_name(entry), entry->title);
        }
    }
}

/* Nothing passes without a test: what the run was asked for must have been compared. */
static void judge_untested(const struct ndp_report *report, struct ndp_gate *gate) {
    for (uint32_t i = 0; i < report->untested.count; i++) {
        const struct ndp_untested *item = &report->untested.items[i];
        if (!ndp_untested_gates(item)) continue;
        add_reason(gate, NDP_EXIT_VACUOUS, "%s %.100s was not tested: %s", ndp_untested_word(item->kind), item->name,
                   item->reason);
    }
}

/* A floor of a format or property that compared nothing is also an untested item, which is judged instead. */
static bool is_listed_untested(const struct ndp_report *report, const struct ndp_floor *floor) {
    const bool is_format = floor->kind == NDP_FLOOR_FORMAT;
    const enum ndp_untested_kind kind = is_format ? NDP_UNTESTED_FORMAT : NDP_UNTESTED_PROPERTY;
    return (is_format || floor->kind == NDP_FLOOR_PROPERTY) && floor->done == 0 &&
           ndp_untested_find(&report->untested, kind, floor->name) != NULL;
}

/* "pairs: 40 % in numpy>reference npy, expected at least 90 % in every group" */
static void judge_share(const struct ndp_report *report, const struct ndp_floor *floor, struct ndp_gate *gate) {
    const struct ndp_report_group *group;
    (void)ndp_report_coverage_share(&report->coverage, floor->kind == NDP_FLOOR_TRIPLES, &group);
    add_reason(gate, NDP_EXIT_VACUOUS, "%s: %llu %% in %s, expected at least %llu %% in every group",
               ndp_report_floor_word(floor->kind), (unsigned long long)floor->done,
               group != NULL ? group->name : "a run without groups", (unsigned long long)floor->least);
}

static void judge_floors(const struct ndp_report *report, struct ndp_gate *gate) {
    for (uint32_t i = 0; i < report->floor_count; i++) {
        const struct ndp_floor *floor = &report->floors[i];
        if (floor->done >= floor->least || is_listed_untested(report, floor)) continue;
        if (floor->kind == NDP_FLOOR_PAIRS || floor->kind == NDP_FLOOR_TRIPLES) {
            judge_share(report, floor, gate);
            continue;
        }
        add_reason(gate, NDP_EXIT_VACUOUS, "%s%s%s: %llu %s, expected at least %llu",
                   ndp_report_floor_word(floor->kind), floor->name[0] != '\0' ? " " : "", floor->name,
                   (unsigned long long)floor->done, floor->kind == NDP_FLOOR_CASES ? "done" : "comparisons",
                   (unsigned long long)floor->least);
    }
    /* A run without floors has a list of given cases, which must all be judged. */
    if (report->stop == NDP_REPORT_STOP_SIGNAL && report->floor_count == 0)
        add_reason(gate, NDP_EXIT_VACUOUS, "a signal ended the run before all given cases were judged");
    if (report->comparisons == 0) add_reason(gate, NDP_EXIT_VACUOUS, "nothing was compared");
}

void ndp_gate_judge(const struct ndp_report *report, const struct ndp_baseline *baseline, struct ndp_gate *out) {
    *out = (struct ndp_gate){.exit = NDP_EXIT_CLEAN};
    judge_work(report, out);
    judge_workers(report, out);
    judge_causes(report, NDP_FINDING_NEW, NDP_EXIT_DIVERGES, out);
    judge_dropped(report, out);
    judge_baseline(baseline, out);
    judge_untested(report, out);
    judge_floors(report, out);
    judge_causes(report, NDP_FINDING_FLAKY, NDP_EXIT_FLAKY, out);
}
