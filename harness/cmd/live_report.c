#include "cmd/live_report.h"

#include <stdio.h>
#include <stdlib.h>

#include "cmd/draw.h"
#include "cmd/evidence.h"
#include "cmd/load_baseline.h"
#include "cmd/render_script.h"
#include "cmd/replay_command.h"
#include "report/baseline_untested.h"
#include "report/report_json.h"
#include "report/report_packed.h"

#define SECOND_NS           UINT64_C(1000000000)
#define WRITE_STEP_NS       (2 * SECOND_NS)
#define DRAWING_ARENA_BYTES (UINT64_C(256) << 20)
#define MAX_SCRIPT_BYTES    (UINT64_C(32) << 20)
enum { MAX_FAULTS_PRINTED = 10, MAX_TEXT_BYTES = 1 << 16 };

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

/* A text for which there is no memory is left empty. */
static void keep_text(struct ndp_live_report *live, struct ndp_bytes text, struct ndp_bytes *out) {
    if (ndp_report_finding_clean_text(&live->report.arena, text, out) != NDP_OK) live->is_short_of_memory = true;
}

static struct ndp_bytes draw_value(struct ndp_live_report *live, struct ndp_bytes descriptor_text) {
    char *text = NULL;
    size_t size = 0;
    struct ndp_bytes clean = {NULL, 0};
    struct ndp_error error = {0};
    struct ndp_descriptor descriptor;
    FILE *stream = open_memstream(&text, &size);
    if (stream == NULL) return clean;
    NDP_ARENA_SCOPED(arena, DRAWING_ARENA_BYTES);
    enum ndp_status status =
        ndp_descriptor_read(&arena, descriptor_text, &ndp_describe_default_limits, &descriptor, &error);
    if (status == NDP_OK) status = ndp_draw_descriptor(stream, &arena, &descriptor, &error);
    if (fclose(stream) == 0 && status == NDP_OK && size <= MAX_TEXT_BYTES)
        keep_text(live, (struct ndp_bytes){(const uint8_t *)text, size}, &clean);
    free(text);
    return clean;
}

/* Keeps the drawing and the script of the smallest descriptor of a cause. */
static void illustrate_cause(struct ndp_live_report *live, const char *signature, struct ndp_bytes script) {
    struct ndp_report *report = &live->report;
    const struct ndp_report_finding *kept = ndp_report_findings_find(&report->findings, signature);
    struct ndp_cause_view view;
    if (kept == NULL) return;
    ndp_report_cause_view(&report->causes, &report->findings, kept->cause, &view);
    if (view.smallest != kept) return;
    struct ndp_report_cause *cause = &report->causes.items[kept->cause];
    cause->drawing = draw_value(live, kept->descriptor);
    if (script.size_bytes <= MAX_TEXT_BYTES) keep_text(live, script, &cause->script);
}

void ndp_live_report_add(struct ndp_live_report *live, const struct ndp_finding *finding, uint64_t count,
                         const char *replay) {
    char signature[NDP_SIGNATURE_BYTES];
    ndp_signature_print(&finding->divergence->signature, signature);
    if (ndp_report_add_finding(&live->report, finding, count, replay) != NDP_OK) live->is_short_of_memory = true;
    illustrate_cause(live, signature, (struct ndp_bytes){NULL, 0});
    ndp_progress_pause(&live->progress);
}

/* The evidence of a defect goes to standard error during the run; the summary lists the causes. */
static void print_evidence(FILE *out, const struct ndp_finding *finding) {
    if (!ndp_result_is_defect(finding->divergence)) return;
    ndp_evidence_print(out, finding->divergence, 0);
    if (finding->blame.evidence[0] != '\0')
        fprintf(out, "  to blame: %s, on %s. %s\n", finding->blame.library, finding->blame.format,
                finding->blame.evidence);
    if (finding->confirm_runs == 0)
        fprintf(out, "  not minimised and not confirmed, because the time was over; to reproduce it:\n");
    else
        fprintf(out, "  confirmed in %u of %u fresh processes; to reproduce it:\n", (unsigned)finding->confirm_hits,
                (unsigned)finding->confirm_runs);
}

/* Renders the script of the finding. The error states why there is none. */
static enum ndp_status render(const struct ndp_live_report *live, const struct ndp_finding *finding,
                              struct ndp_buffer *script, struct ndp_error *error) {
    struct ndp_descriptor descriptor;
    if (live->settings->report == NULL) return NDP_OK;
    NDP_ARENA_SCOPED(arena, DRAWING_ARENA_BYTES);
    NDP_TRY(ndp_descriptor_read(&arena, finding->descriptor, &ndp_describe_default_limits, &descriptor, error));
    return ndp_render_script(live->opened, &descriptor, finding->divergence, finding->result, script, error);
}

static enum ndp_status pack_finding(void *context, const struct ndp_finding *finding, struct ndp_buffer *out) {
    struct ndp_live_report *live = context;
    struct ndp_error error = {0};
    char *evidence = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&evidence, &size);
    if (stream == NULL) return NDP_NOMEM;
    NDP_BUFFER_SCOPED(script, MAX_SCRIPT_BYTES);
    const enum ndp_status rendered = render(live, finding, &script, &error);
    const char *reason = error.text[0] != '\0' ? error.text : ndp_status_text(rendered);
    print_evidence(stream, finding);
    enum ndp_status status = fclose(stream) == 0 ? NDP_OK : NDP_NOMEM;
    const struct ndp_report_texts texts = {.script = ndp_buffer_view(&script),
                                           .no_script = ndp_bytes_view(rendered == NDP_OK ? "" : reason),
                                           .evidence = {(const uint8_t *)evidence, size}};
    if (status == NDP_OK)
        status = ndp_report_pack(finding, live->counts != NULL ? live->counts[finding->first_case] : 1, &texts, out);
    free(evidence);
    return status;
}

static void on_finding(void *context, struct ndp_bytes bytes, uint64_t after_ns) {
    struct ndp_live_report *live = context;
    struct ndp_report_packed packed;
    char replay[NDP_REPLAY_COMMAND_BYTES];
    if (ndp_report_unpack(bytes, &packed) != NDP_OK) return;
    const bool is_known = ndp_report_findings_find(&live->report.findings, packed.finding.signature) != NULL;
    if (!is_known) {
        ndp_replay_command(live->settings, &packed, replay);
        packed.finding.replay = ndp_bytes_view(replay);
    }
    if (ndp_report_add_packed(&live->report, &packed, after_ns) != NDP_OK) {
        live->is_short_of_memory = true;
        return;
    }
    if (is_known) return;
    illustrate_cause(live, packed.finding.signature, packed.script);
    ndp_progress_pause(&live->progress);
    if (packed.evidence.size_bytes == 0) return;
    live->progress.findings++;
    fprintf(stderr, "%.*s  %s\n\n", (int)packed.evidence.size_bytes, (const char *)packed.evidence.data, replay);
}

static void on_duplicate(void *context, const struct ndp_signature *of_finding, const struct ndp_route *route) {
    struct ndp_live_report *live = context;
    if (ndp_report_count_duplicate(&live->report, of_finding, route) != NDP_OK) live->is_short_of_memory = true;
}

/* A request that narrows the routes leaves cases out on purpose. */
static void on_given(void *context, uint32_t number, bool is_compared) {
    struct ndp_live_report *live = context;
    const struct ndp_settings *settings = live->settings;
    struct ndp_untested item = {.kind = NDP_UNTESTED_ROUTE,
                                .is_expected = settings->targets.count == 0 && settings->formats.count == 0,
                                .reason = "no available target supports its case"};
    if (is_compared) return;
    ndp_report_finding_print_route(&live->given[number].descriptor.route, item.name);
    if (ndp_untested_add(&live->report.untested, &item) != NDP_OK) live->is_short_of_memory = true;
}

static void on_tick(void *context) {
    struct ndp_live_report *live = context;
    struct ndp_gate gate;
    ndp_progress_tick(&live->progress);
    if (ndp_clock_ns() - live->written_ns >= WRITE_STEP_NS) ndp_live_report_write(live, &gate);
}

static void on_coverage(void *context, const struct ndp_group_coverage *coverage) {
    struct ndp_live_report *live = context;
    if (ndp_report_set_coverage(&live->report, coverage->group, &coverage->counts, coverage->bits,
                                coverage->pair_bits) != NDP_OK)
        live->is_short_of_memory = true;
}

/* A unit that is not lost was given to another worker. */
static void on_dead_worker(void *context, const struct ndp_dead_worker *worker) {
    struct ndp_live_report *live = context;
    if (ndp_report_add_lost_worker(&live->report, worker->name, worker->unit, worker->ending) != NDP_OK)
        live->is_short_of_memory = true;
    if (!worker->is_lost) ndp_report_repeat_unit(&live->report, worker->unit);
}

struct ndp_sweep_events ndp_live_report_events(struct ndp_live_report *live) {
    return (struct ndp_sweep_events){.context = live,
                                     .on_case = on_case,
                                     .pack_finding = pack_finding,
                                     .on_finding = on_finding,
                                     .on_duplicate = on_duplicate,
                                     .on_given = on_given,
                                     .on_coverage = on_coverage,
                                     .on_dead_worker = on_dead_worker,
                                     .on_tick = on_tick};
}

void ndp_live_report_write(struct ndp_live_report *live, struct ndp_gate *gate) {
    struct ndp_baseline none = {.count = 0};
    char today[NDP_DAY_BYTES];
    for (uint32_t i = 0; i < live->opened->bench.count; i++)
        ndp_report_target(&live->report, live->opened->bench.targets[i]);
    ndp_load_baseline_today(today);
    ndp_report_fill_floors(&live->report);
    ndp_baseline_apply(live->baseline != NULL ? live->baseline : &none, &live->report, today);
    /* The entries are replayed at the end of a run. */
    if (live->report.stop != NDP_REPORT_STOP_RUNNING &&
        ndp_baseline_untested_list(live->baseline, true, &live->report) != NDP_OK)
        live->is_short_of_memory = true;
    ndp_gate_judge(&live->report, live->baseline, gate);
    if (live->settings->report == NULL) return;
    live->write_error.text[0] = '\0';
    if (ndp_report_write(live->settings->report, &live->report, live->baseline, gate, &live->write_error) != NDP_OK) {
        ndp_progress_pause(&live->progress);
        fprintf(stderr, "ndproof: cannot write %s: %s\n", live->settings->report, live->write_error.text);
    }
    live->written_ns = ndp_clock_ns();
}
