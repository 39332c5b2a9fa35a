#include "cmd/replay_case.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd/evidence_groups.h"
#include "cmd/progress.h"
#include "cmd/render_script.h"
#include "cmd/route_table.h"
#include "engine/sweep.h"
#include "report/report_json.h"

/* Bounds the evidence of one case. */
#define ARENA_BYTES (UINT64_C(256) << 20)

/* The runs without its finding after which a case counts as fixed. */
enum { HAZARD_RUNS = 20, DEFECT_RUNS = 3 };

/* After timeouts on so many routes, the case is skipped on the others. */
enum { MAX_TIMEOUTS = 2 };

/* A large value takes minutes on all routes; the routes left after this time are skipped. */
#define PATIENCE_NS (UINT64_C(300) * 1000000000)

#define MAX_SCRIPT_BYTES (UINT64_C(1) << 30)

/* Replaces a regular file; writes to anything else, such as a terminal. */
static enum ndp_status put_text(const char *path, struct ndp_bytes text, struct ndp_error *error) {
    struct stat old;
    if (stat(path, &old) != 0 || S_ISREG(old.st_mode)) return ndp_report_replace_file(path, text, error);
    FILE *file = fopen(path, "we");
    bool is_complete = file != NULL && fwrite(text.data, 1, text.size_bytes, file) == text.size_bytes;
    if (file != NULL && fclose(file) != 0) is_complete = false;
    return is_complete ? NDP_OK : ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "cannot write %s", path);
}

/* Writes the requested script for the divergence of the finding, else for the first defect. */
static void write_script(struct ndp_replay *replay, const struct ndp_loaded_case *item,
                         const struct ndp_descriptor *descriptor, const struct ndp_result *result) {
    const struct ndp_divergence *about = NULL;
    for (uint32_t i = 0; i < result->divergence_count; i++) {
        const struct ndp_divergence *divergence = &result->divergences[i];
        if (about == NULL && divergence->judgement.severity == NDP_SEVERITY_DEFECT) about = divergence;
        if (ndp_signature_is_text(&divergence->signature, item->signature)) about = divergence;
    }
    if (replay->script == NULL || about == NULL) return;
    struct ndp_error error = {0};
    NDP_BUFFER_SCOPED(script, MAX_SCRIPT_BYTES);
    enum ndp_status status = ndp_render_script(replay->opened, descriptor, about, result, &script, &error);
    if (status == NDP_OK) status = put_text(replay->script, ndp_buffer_view(&script), &error);
    replay->is_script_failed = status != NDP_OK;
    if (status != NDP_OK) {
        fprintf(stderr, "ndproof replay: no script: %s\n",
                error.text[0] != '\0' ? error.text : ndp_status_text(status));
        return;
    }
    printf("  script: %s\n", replay->script);
    replay->script = NULL;
}

/* ---- one route ---- */

/* The context of a visit to the routes of a case. */
struct visit {
    struct ndp_replay *replay;
    const struct ndp_loaded_case *item;
    struct ndp_route_table table;
    struct ndp_evidence_groups evidence;
    enum ndp_replay_result worst;
    bool has_documented;          /* a documented loss or hazard showed */
    bool has_finding;             /* the finding showed, perhaps as such */
    uint32_t timeouts;            /* routes on which the case timed out */
    uint32_t skipped_timeout;     /* routes skipped because the case keeps timing out */
    uint32_t skipped_late;        /* routes skipped because PATIENCE_NS passed */
    struct ndp_progress progress; /* counts routes, and those with a divergence */
};

/* Whether anything was compared. A refusal that the contract allows counts. */
static bool is_compared(const struct ndp_result *result) {
    return result->comparisons > 0 || result->divergence_count > 0 || result->verdict == NDP_VERDICT_REJECTS;
}

/* Whether the property of the finding was judged, so that its silence means something. Every comparison needs a living
 * process and the right source, and no value is left to judge after an allowed refusal. */
static bool is_finding_judged(const struct ndp_loaded_case *item, const struct ndp_result *result) {
    struct ndp_signature signature;
    if (ndp_signature_parse(item->signature, &signature) != NDP_OK || signature.property[0] == '\0') return true;
    if (strcmp(signature.field, "source") == 0 || result->verdict == NDP_VERDICT_REJECTS) return true;
    uint32_t count;
    const struct ndp_property *const *all = ndp_property_all(&count);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(all[i]->name, signature.property) == 0)
            return result->by_property[i].is_judged && result->by_property[i].verdict != NDP_VERDICT_UNSUPPORTED;
    return true;
}

/* Judges a result by its defects alone: a documented loss or hazard means the same in a file and in a record. */
static enum ndp_replay_result judge(const struct ndp_loaded_case *item, const struct ndp_result *result) {
    bool has_defect = false, is_same = item->signature[0] == '\0';
    if (result->verdict == NDP_VERDICT_FAULT) return NDP_REPLAY_ERROR;
    if (!is_compared(result)) return NDP_REPLAY_UNSUPPORTED;
    for (uint32_t i = 0; i < result->divergence_count; i++) {
        const struct ndp_divergence *divergence = &result->divergences[i];
        if (!ndp_result_is_defect(divergence)) continue;
        has_defect = true;
        is_same |= ndp_signature_is_text(&divergence->signature, item->signature);
    }
    if (!has_defect) return is_finding_judged(item, result) ? NDP_REPLAY_HOLDS : NDP_REPLAY_UNSUPPORTED;
    return is_same ? NDP_REPLAY_DIVERGES : NDP_REPLAY_CHANGED;
}

/* Adds the result to table and evidence. */
static enum ndp_status keep_result(struct visit *visit, const struct ndp_descriptor *descriptor,
                                   const struct ndp_result *result) {
    NDP_TRY(ndp_route_table_add(&visit->table, &visit->replay->opened->bench, descriptor, result));
    for (uint32_t i = 0; i < result->divergence_count; i++) {
        NDP_TRY(ndp_evidence_groups_add(&visit->evidence, &result->divergences[i]));
        visit->has_documented |= !ndp_result_is_defect(&result->divergences[i]);
    }
    return NDP_OK;
}

static bool shows_finding(const struct ndp_loaded_case *item, const struct ndp_result *result) {
    for (uint32_t i = 0; i < result->divergence_count; i++)
        if (ndp_signature_is_text(&result->divergences[i].signature, item->signature)) return true;
    return false;
}

/* Runs the case in new processes, as a finding is confirmed. */
static enum ndp_status run_fresh(struct ndp_batch *batch, const struct ndp_descriptor *descriptor,
                                 const struct ndp_result **result, struct ndp_error *error) {
    ndp_batch_clear(batch);
    NDP_TRY(ndp_batch_add(batch, 0, descriptor, (struct ndp_property_set){0}, error));
    NDP_TRY(ndp_batch_refresh(batch, error));
    NDP_TRY(ndp_batch_start(batch, error));
    NDP_TRY(ndp_batch_finish(batch, error));
    *result = ndp_batch_result(batch, 0);
    return NDP_OK;
}

/* Runs the case on a complete route. A recorded finding may show by chance, so it runs until it shows: a hazard up to
 * HAZARD_RUNS times, a defect up to DEFECT_RUNS times. Anything else runs once. */
static enum ndp_status run_route(struct visit *visit, const struct ndp_route *route, enum ndp_replay_result *out,
                                 struct ndp_error *error) {
    const struct ndp_loaded_case *item = visit->item;
    struct ndp_batch *batch = visit->replay->batch;
    struct ndp_descriptor descriptor = item->descriptor;
    descriptor.route = *route;
    const struct ndp_result *result;
    struct ndp_signature signature;
    const bool is_finding = ndp_signature_parse(item->signature, &signature) == NDP_OK;
    const bool is_hazard = is_finding && signature.is_hazard;
    const int max_runs = is_hazard ? HAZARD_RUNS : is_finding ? DEFECT_RUNS : 1;
    NDP_TRY(ndp_batch_run_one(batch, 0, &descriptor, (struct ndp_property_set){0}, &result, error));
    *out = judge(item, result);
    for (int runs = 1; runs < max_runs && *out == NDP_REPLAY_HOLDS && !shows_finding(item, result); runs++) {
        if (is_hazard)
            NDP_TRY(ndp_batch_run_one(batch, 0, &descriptor, (struct ndp_property_set){0}, &result, error));
        else
            NDP_TRY(run_fresh(batch, &descriptor, &result, error));
        *out = judge(item, result);
    }
    visit->has_finding |= shows_finding(item, result);
    if (result->verdict == NDP_VERDICT_TIMEOUT) visit->timeouts++;
    write_script(visit->replay, item, &descriptor, result);
    return keep_result(visit, &descriptor, result);
}

/* ---- all routes ---- */

static enum ndp_status count_route(void *context, const struct ndp_route *route) {
    struct visit *visit = context;
    (void)route;
    visit->progress.case_bound++;
    return NDP_OK;
}

static enum ndp_status replay_route(void *context, const struct ndp_route *route) {
    struct visit *visit = context;
    const bool is_timeout = visit->timeouts >= MAX_TIMEOUTS;
    const bool is_late = !is_timeout && ndp_clock_ns() - visit->progress.start_ns > PATIENCE_NS;
    visit->skipped_timeout += is_timeout;
    visit->skipped_late += is_late;
    if (is_timeout || is_late) return NDP_OK;
    ndp_progress_pause(&visit->progress);
    enum ndp_replay_result result = NDP_REPLAY_ERROR;
    struct ndp_error error = {0};
    const enum ndp_status status = run_route(visit, route, &result, &error);
    if (status != NDP_OK) {
        result = NDP_REPLAY_ERROR;
        printf("  cannot run: %s\n", error.text[0] != '\0' ? error.text : ndp_status_text(status));
    }
    if (result > visit->worst) visit->worst = result;
    if (result == NDP_REPLAY_DIVERGES || result == NDP_REPLAY_CHANGED) visit->progress.findings++;
    visit->progress.cases++;
    ndp_progress_tick(&visit->progress);
    return NDP_OK;
}

static enum ndp_status visit_routes(struct visit *visit, ndp_routes_visitor *on_route) {
    const struct ndp_descriptor *descriptor = &visit->item->descriptor;
    return ndp_routes_visit(&visit->replay->routes, &visit->replay->opened->bench, descriptor->kind, &descriptor->route,
                            on_route, visit);
}

static void print_skipped(const struct visit *visit) {
    if (visit->skipped_timeout > 0)
        printf("  skipped %lu routes: the case keeps timing out\n", (unsigned long)visit->skipped_timeout);
    if (visit->skipped_late > 0)
        printf("  skipped %lu routes: all routes together take too long; choose with --format and --target\n",
               (unsigned long)visit->skipped_late);
}

/* Prints what the visit saw. The routes of a native file answer its question also if there is only one. */
static void print_visit(struct visit *visit) {
    const struct ndp_table_row *only = visit->table.rows;
    const bool is_file = visit->item->descriptor.kind == NDP_CASE_DECODE;
    if (visit->table.count > 1 || (is_file && visit->table.count == 1))
        ndp_route_table_print(stdout, &visit->table);
    else if (visit->table.count == 1 && visit->worst != NDP_REPLAY_HOLDS)
        printf("  %s: %s: %s\n", only->library, only->outcome, only->value);
    ndp_evidence_groups_print(stdout, &visit->evidence, 2);
    print_skipped(visit);
}

static enum ndp_replay_result visit_case(struct visit *visit) {
    const struct ndp_descriptor *descriptor = &visit->item->descriptor;
    ndp_progress_init(&visit->progress, &visit->replay->opened->bench, 0, 0);
    if (visit_routes(visit, count_route) != NDP_OK || visit_routes(visit, replay_route) != NDP_OK)
        return NDP_REPLAY_ERROR;
    ndp_progress_pause(&visit->progress);
    print_visit(visit);
    if (visit->worst == NDP_REPLAY_UNSUPPORTED && visit->progress.cases > 0)
        printf("  nothing was compared%s\n", visit->item->signature[0] != '\0' ? " that can show the finding" : "");
    if (visit->progress.cases == 0) {
        char route[NDP_ROUTE_TEXT_BYTES];
        ndp_descriptor_print_route(&descriptor->route, route);
        printf("  no target here offers the route %s\n", route);
        visit->replay->has_no_route = true;
    }
    return visit->worst < NDP_REPLAY_DIVERGES && visit->skipped_late > 0 ? NDP_REPLAY_ERROR : visit->worst;
}

enum ndp_replay_result ndp_replay_case(struct ndp_replay *replay, const struct ndp_loaded_case *item,
                                       bool is_recorded) {
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    struct visit visit = {
        .replay = replay, .item = item, .worst = NDP_REPLAY_UNSUPPORTED, .evidence = {.arena = &arena}};
    replay->has_no_route = false;
    const enum ndp_replay_result result = visit_case(&visit);
    if (visit.has_documented && result == NDP_REPLAY_HOLDS)
        printf("  documented: each difference above is a loss or hazard that its source documents; none is a defect\n");
    ndp_route_table_clear(&visit.table);
    return result == NDP_REPLAY_HOLDS && is_recorded && !visit.has_finding ? NDP_REPLAY_FIXED : result;
}

const char *ndp_replay_word(enum ndp_replay_result result) {
    static const char *const words[] = {
#define WORD(name, word, code) word,
        NDP_REPLAY_LIST(WORD)
#undef WORD
    };
    return words[result];
}

enum ndp_exit ndp_replay_exit(const bool seen[NDP_REPLAY_RESULTS]) {
    static const enum ndp_exit codes[] = {
#define CODE(name, word, code) code,
        NDP_REPLAY_LIST(CODE)
#undef CODE
    };
    static const enum ndp_exit order[] = {NDP_EXIT_FAULT, NDP_EXIT_DIVERGES, NDP_EXIT_VACUOUS};
    for (size_t i = 0; i < NDP_ARRAY_LEN(order); i++)
        for (int result = 0; result < NDP_REPLAY_RESULTS; result++)
            if (seen[result] && codes[result] == order[i]) return order[i];
    return NDP_EXIT_CLEAN;
}
