#include "cmd/live_report.h"

#include <stdio.h>
#include <time.h>

#include "cmd/evidence.h"
#include "cmd/replay_command.h"
#include "report/report_json.h"

#define SECOND_NS     UINT64_C(1000000000)
#define WRITE_STEP_NS (2 * SECOND_NS)
enum { MAX_FAULTS_PRINTED = 10 };

static void print_fault(struct ndp_live_report *live, const struct ndp_descriptor *descriptor,
                        const struct ndp_result *result) {
    if (live->report.faults > MAX_FAULTS_PRINTED) return;
    ndp_progress_pause(&live->progress);
    NDP_BUFFER_SCOPED(text, 1 << 20);
    if (ndp_descriptor_print(&text, descriptor) != NDP_OK) text.size_bytes = 0;
    fprintf(stderr, "FAULT %s\n  %.*s\n", result->detail, (int)text.size_bytes, (const char *)text.data);
}

static void on_case(void *context, const struct ndp_descriptor *descriptor, const struct ndp_result *result) {
    struct ndp_live_report *live = context;
    live->progress.cases++;
    if (ndp_report_add_result(&live->report, &descriptor->route, result) != NDP_OK) live->is_short_of_memory = true;
    if (result->verdict == NDP_VERDICT_FAULT) print_fault(live, descriptor, result);
}

void ndp_live_report_add(struct ndp_live_report *live, const struct ndp_finding *finding, uint64_t count,
                         const char *replay) {
    if (ndp_report_add_finding(&live->report, finding, count, replay) != NDP_OK) live->is_short_of_memory = true;
    ndp_progress_pause(&live->progress);
}

static void on_finding(void *context, const struct ndp_finding *finding) {
    struct ndp_live_report *live = context;
    char replay[NDP_REPLAY_COMMAND_BYTES];
    ndp_replay_command(live->settings, live->opened, finding, replay);
    ndp_live_report_add(live, finding, live->counts != NULL ? live->counts[finding->first_case] : 1, replay);
    if (!ndp_result_is_defect(finding->divergence)) return;
    live->progress.findings++;
    ndp_evidence_print(stdout, finding->divergence, 0);
    if (finding->blame.evidence[0] != '\0')
        printf("  to blame: %s, on %s. %s\n", finding->blame.library, finding->blame.format, finding->blame.evidence);
    printf("  case %llu, confirmed in %u of %u fresh processes; to reproduce it:\n  %s\n\n",
           (unsigned long long)finding->first_case, (unsigned)finding->confirm_hits, (unsigned)finding->confirm_runs,
           replay);
    fflush(stdout);
}

static void on_duplicate(void *context, const struct ndp_signature *of_finding) {
    struct ndp_live_report *live = context;
    ndp_report_count_duplicate(&live->report, of_finding);
}

static void on_tick(void *context) {
    struct ndp_live_report *live = context;
    struct ndp_gate gate;
    ndp_progress_tick(&live->progress);
    if (ndp_clock_ns() - live->written_ns >= WRITE_STEP_NS) ndp_live_report_write(live, &gate);
}

struct ndp_sweep_events ndp_live_report_events(struct ndp_live_report *live) {
    return (struct ndp_sweep_events){.context = live,
                                     .on_case = on_case,
                                     .on_finding = on_finding,
                                     .on_duplicate = on_duplicate,
                                     .on_tick = on_tick};
}

void ndp_live_report_write(struct ndp_live_report *live, struct ndp_gate *gate) {
    struct ndp_baseline none = {.count = 0};
    time_t now = time(NULL);
    struct tm day;
    char today[16] = "";
    for (uint32_t i = 0; i < live->opened->bench.count; i++)
        ndp_report_target(&live->report, live->opened->bench.targets[i]);
    if (gmtime_r(&now, &day) != NULL) strftime(today, sizeof today, "%Y-%m-%d", &day);
    ndp_report_fill_floors(&live->report);
    ndp_baseline_apply(live->baseline != NULL ? live->baseline : &none, &live->report, today);
    ndp_gate_judge(&live->report, live->baseline, gate);
    if (live->settings->report == NULL) return;
    live->write_error.text[0] = '\0';
    if (ndp_report_write(live->settings->report, &live->report, live->baseline, gate, &live->write_error) != NDP_OK) {
        ndp_progress_pause(&live->progress);
        fprintf(stderr, "ndproof: cannot write %s: %s\n", live->settings->report, live->write_error.text);
    }
    live->written_ns = ndp_clock_ns();
}
