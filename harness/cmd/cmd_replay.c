#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/evidence.h"
#include "cmd/load_case.h"
#include "cmd/open_targets.h"
#include "cmd/oracle_case.h"
#include "cmd/progress.h"
#include "cmd/write_script.h"
#include "engine/routes.h"
#include "engine/sweep.h"

#define ARENA_BYTES (UINT64_C(1) << 30)

/* What replaying one case said. */
enum answer { ANSWER_FIXED, ANSWER_DIVERGES, ANSWER_CHANGED, ANSWER_ERROR };
static const char *const answer_words[] = {"FIXED", "DIVERGES", "CHANGED", "ERROR"};

/* How often a case is run whose finding shows by chance. */
enum { CHANCES = 20 };

/* A case that did not end in time on so many routes is not waited for on the others. */
enum { WAITS = 2 };

/* A large value takes minutes on all routes; what is not run until then is not waited for. */
#define PATIENCE_NS (UINT64_C(300) * 1000000000)

struct replay {
    const struct ndp_opened *opened;
    struct ndp_route_list routes;
    struct ndp_batch *batch;
    const char *script; /* the file to write a script to; NULL is none, or it is written already */
    bool has_no_script; /* one was asked for, and cannot be */
    bool has_run;       /* a target took the case, and did not call it unsupported */
    bool has_no_route;  /* no target here offers one of the case's */
    uint32_t waits;     /* routes on which the case did not end in time */
};

/* Writes the script that was asked for: of the divergence that the finding is about, or of the first defect. */
static void write_script(struct replay *replay, const struct ndp_loaded_case *item,
                         const struct ndp_descriptor *descriptor, const struct ndp_result *result) {
    const struct ndp_divergence *about = NULL;
    for (uint32_t i = 0; i < result->divergence_count; i++) {
        const struct ndp_divergence *divergence = &result->divergences[i];
        if (about == NULL && divergence->judgement.severity == NDP_SEVERITY_DEFECT) about = divergence;
        if (ndp_signature_is_text(&divergence->signature, item->signature)) about = divergence;
    }
    if (replay->script == NULL || about == NULL) return;
    struct ndp_error error = {0};
    enum ndp_status status = ndp_script_write(replay->script, replay->opened, descriptor, about, result, &error);
    if (status != NDP_OK) {
        fprintf(stderr, "ndproof replay: no script: %s\n",
                error.text[0] != '\0' ? error.text : ndp_status_text(status));
        replay->has_no_script = true;
        return;
    }
    printf("  script: %s\n", replay->script);
    replay->script = NULL;
    replay->has_no_script = false;
}

/* Runs the case on one complete route, once. */
static enum answer replay_once(struct replay *replay, const struct ndp_loaded_case *item,
                               const struct ndp_route *route) {
    struct ndp_descriptor descriptor = item->descriptor;
    descriptor.route = *route;
    const struct ndp_result *result;
    struct ndp_error error = {0};
    if (ndp_batch_run_one(replay->batch, 0, &descriptor, (struct ndp_property_set){0}, &result, &error) != NDP_OK) {
        printf("  cannot run: %s\n", error.text);
        return ANSWER_ERROR;
    }
    if (result->verdict == NDP_VERDICT_FAULT) {
        printf("  %s\n", result->detail);
        return ANSWER_ERROR;
    }
    /* One that says no more ran, and nobody can tell what is right. */
    if (result->verdict == NDP_VERDICT_UNSUPPORTED && result->detail[0] != '\0') {
        printf("  unsupported: %s\n", result->detail);
        return ANSWER_FIXED;
    }
    replay->has_run = true;
    if (result->verdict == NDP_VERDICT_TIMEOUT) replay->waits++;
    write_script(replay, item, &descriptor, result);
    bool is_same = item->signature[0] == '\0';
    bool has_defect = false;
    for (uint32_t i = 0; i < result->divergence_count; i++) {
        const struct ndp_divergence *divergence = &result->divergences[i];
        ndp_evidence_print(stdout, divergence, 2);
        bool is_named = ndp_signature_is_text(&divergence->signature, item->signature);
        if (is_named) is_same = true;
        /* What is documented is told, and is no answer unless it is what the finding is about. */
        if (is_named || divergence->judgement.severity == NDP_SEVERITY_DEFECT) has_defect = true;
    }
    if (!has_defect) return ANSWER_FIXED;
    return is_same ? ANSWER_DIVERGES : ANSWER_CHANGED;
}

/* Runs the case on one complete route; what shows by chance has several chances. */
static enum answer replay_route(struct replay *replay, const struct ndp_loaded_case *item,
                                const struct ndp_route *route) {
    enum answer answer = replay_once(replay, item, route);
    struct ndp_signature signature;
    const bool is_hazard = ndp_signature_parse(item->signature, &signature) == NDP_OK && signature.is_hazard;
    for (int i = 1; i < CHANCES && answer == ANSWER_FIXED && is_hazard; i++) answer = replay_once(replay, item, route);
    return answer;
}

/* A case on its ways. */
struct ways {
    struct replay *replay;
    const struct ndp_loaded_case *item;
    enum answer worst;
    uint32_t left_out;            /* because it does not end in time */
    uint32_t late;                /* because others took all of the time */
    struct ndp_progress progress; /* counts the ways, and those that show something */
};

static enum ndp_status count_way(void *context, const struct ndp_route *route) {
    struct ways *ways = context;
    (void)route;
    ways->progress.case_bound++;
    return NDP_OK;
}

static enum ndp_status replay_way(void *context, const struct ndp_route *route) {
    struct ways *ways = context;
    const bool is_endless = ways->replay->waits >= WAITS;
    const bool is_late = !is_endless && ndp_clock_ns() - ways->progress.start_ns > PATIENCE_NS;
    ways->left_out += is_endless;
    ways->late += is_late;
    if (is_endless || is_late) return NDP_OK;
    ndp_progress_pause(&ways->progress);
    enum answer answer = replay_route(ways->replay, ways->item, route);
    if (answer > ways->worst) ways->worst = answer;
    if (answer == ANSWER_DIVERGES || answer == ANSWER_CHANGED) ways->progress.findings++;
    ways->progress.cases++;
    ndp_progress_tick(&ways->progress);
    return NDP_OK;
}

static enum ndp_status visit_ways(struct ways *ways, ndp_route_visit *visit) {
    const struct ndp_descriptor *descriptor = &ways->item->descriptor;
    return ndp_routes_visit(&ways->replay->routes, &ways->replay->opened->bench, descriptor->kind, &descriptor->route,
                            visit, ways);
}

/* Says what was left out. Whether what was run stands for all. */
static bool tell_left_out(const struct ways *ways) {
    if (ways->left_out > 0)
        printf("  %lu more routes are left out, it does not end in time\n", (unsigned long)ways->left_out);
    if (ways->late > 0)
        printf("  %lu more routes are left out, it takes too long on all: --format and --target choose\n",
               (unsigned long)ways->late);
    return ways->late == 0;
}

/* Runs the case on every route that it names. The worst answer counts; a case that names no route of this run's
 * targets is an error, and so is one that all of them call unsupported, or that nothing showed of until the time was
 * over. */
static enum answer replay_case(struct replay *replay, const struct ndp_loaded_case *item) {
    struct ways ways = {.replay = replay, .item = item, .worst = ANSWER_FIXED};
    replay->has_run = replay->has_no_route = false;
    replay->waits = 0;
    ndp_progress_init(&ways.progress, &replay->opened->bench, 0, 0);
    if (visit_ways(&ways, count_way) != NDP_OK || visit_ways(&ways, replay_way) != NDP_OK) return ANSWER_ERROR;
    ndp_progress_pause(&ways.progress);
    const bool is_whole = tell_left_out(&ways);
    if (ways.progress.cases == 0) {
        char route[NDP_ROUTE_TEXT_BYTES];
        ndp_route_print(&item->descriptor.route, route);
        printf("  no target here offers the route %s\n", route);
        replay->has_no_route = true;
        return ANSWER_ERROR;
    }
    if (ways.worst == ANSWER_FIXED && !is_whole) return ANSWER_ERROR;
    return replay->has_run ? ways.worst : ANSWER_ERROR;
}

static enum ndp_exit worst_exit(const bool *seen) {
    if (seen[ANSWER_ERROR]) return NDP_EXIT_FAULT;
    if (seen[ANSWER_DIVERGES] || seen[ANSWER_CHANGED]) return NDP_EXIT_DIVERGES;
    return NDP_EXIT_CLEAN;
}

/* What oracles of fuzz targets said of a file. */
struct said {
    enum answer answer;
    bool is_deadly; /* one died of it or did not end: it must not be run in this process, which judges by the reference
                     */
    bool is_fault;  /* one failed at its own work, which is no answer that another's could take the place of */
};

/* What the word of the oracle of fuzz target `fuzzer` means, and prints it; ERROR, and why in `error`, when it cannot
 * say. */
static struct said tell_word(const char *fuzzer, enum ndp_status status, const struct ndp_oracle_word *word,
                             struct ndp_error *error) {
    if (status != NDP_OK) return (struct said){ANSWER_ERROR, false, false};
    if (word->verdict == NDP_VERDICT_PASS) return (struct said){ANSWER_FIXED, false, false};
    if (word->verdict == NDP_VERDICT_FAULT) {
        (void)ndp_error_set(error, NDP_FAULT, NDP_NO_OFFSET, "%s says: %s", fuzzer, word->signature);
        return (struct said){ANSWER_ERROR, false, true};
    }
    printf("  %s says: %s\n", fuzzer, word->signature);
    if (word->verdict == NDP_VERDICT_CRASH)
        printf("  it printed:\n%.*s\n", (int)word->printed.size_bytes, (const char *)word->printed.data);
    return (struct said){ANSWER_DIVERGES, word->verdict != NDP_VERDICT_DIVERGES, false};
}

/* Asks the oracles of the fuzz targets that the file may come from. Of all, one that cannot say is told; that none can,
 * or that the others say nothing where the one it is of is not here, is an error. A file of which no engine made
 * anything needs none. */
static struct said ask_oracles(struct ndp_arena *arena, const char *path, const struct ndp_oracles *oracles) {
    struct said all = {oracles->is_artifact ? ANSWER_ERROR : ANSWER_FIXED, false, false};
    if (oracles->is_artifact && oracles->count == 0)
        printf("  cannot run: there is no program of a fuzz target here: make all\n");
    for (uint32_t i = 0; i < oracles->count; i++) {
        struct ndp_error error = {0};
        struct ndp_oracle_word word;
        const enum ndp_status status = ndp_oracle_ask(arena, oracles->names[i], path, NULL, &word, &error);
        const struct said said = tell_word(oracles->names[i], status, &word, &error);
        if (said.answer == ANSWER_ERROR)
            printf("  cannot run: %s\n", error.text);
        else if (said.answer == ANSWER_DIVERGES || (all.answer == ANSWER_ERROR && !oracles->is_absent))
            all.answer = said.answer;
        if (said.is_deadly) all.is_deadly = true;
        if (said.is_fault) all.is_fault = true;
    }
    if (all.is_fault && all.answer == ANSWER_FIXED) all.answer = ANSWER_ERROR;
    return all;
}

/* Asks the fuzz target whose oracle alone sees what the finding is about. */
static enum answer ask_finding(struct ndp_arena *arena, const char *fuzzer, const struct ndp_loaded_case *item) {
    struct ndp_oracle_word word;
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    const enum ndp_status status = ndp_oracle_ask_case(arena, fuzzer, &item->descriptor, NULL, &word, &error);
    const struct said said = tell_word(fuzzer, status, &word, &error);
    if (said.answer == ANSWER_ERROR)
        printf("  cannot run: %s\n", error.text[0] != '\0' ? error.text : ndp_status_text(status));
    if (said.answer != ANSWER_DIVERGES) return said.answer;
    return strcmp(word.signature, item->signature) == 0 ? ANSWER_DIVERGES : ANSWER_CHANGED;
}

/* Runs everything that the file says. What oracles said of a case that broke nothing on the routes here counts, and of
 * an artifact that has no route here: its target may have libraries that this run has not. */
static void replay_loaded(struct replay *replay, struct ndp_arena *arena, const char *path, const struct said *said,
                          bool is_artifact, const struct ndp_loaded *loaded, bool *seen) {
    for (uint32_t k = 0; k < loaded->count; k++) {
        struct ndp_loaded_case *item = &loaded->cases[k];
        char fuzzer[NDP_FUZZER_NAME_BYTES];
        const bool is_oracles = ndp_oracle_of_signature(item->signature, fuzzer);
        enum answer answer = is_oracles ? ask_finding(arena, fuzzer, item) : replay_case(replay, item);
        const bool has_shown_nothing = answer == ANSWER_FIXED || (is_artifact && replay->has_no_route);
        if (!is_oracles && has_shown_nothing) answer = said->answer;
        seen[answer] = true;
        printf("%s %s%s%s\n", answer_words[answer], path, item->signature[0] != '\0' ? " " : "", item->signature);
    }
}

/* Inputs that no target of a run takes, such as frames, and texts that are no descriptor: only their oracle knows them.
 */
static bool is_for_oracle(struct ndp_arena *arena, const char *path, const struct ndp_oracles *oracles,
                          struct ndp_loaded *loaded, struct ndp_error *error, enum ndp_status *status) {
    char form[NDP_WORD_BYTES] = "";
    *status = ndp_case_load(arena, path, loaded, error);
    if (!oracles->is_artifact) return false;
    if (*status != NDP_OK) return *status == NDP_INVALID || *status == NDP_LIMIT || *status == NDP_UNSUPPORTED;
    if (!oracles->is_named) return false;
    ndp_fuzzer_form(oracles->names[0], form);
    if (strcmp(form, "descriptor") == 0) return false;
    if (strcmp(form, "frame") == 0 || strcmp(form, "memmap") == 0) return true;
    struct ndp_route *route = &loaded->cases[0].descriptor.route;
    if (loaded->cases[0].descriptor.bytes.size_bytes > 0) memcpy(route->format, form, sizeof route->format);
    return false;
}

static enum ndp_exit replay_file(struct replay *replay, struct ndp_arena *arena, const char *path, bool *seen) {
    struct ndp_oracles oracles;
    struct ndp_loaded loaded;
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    enum ndp_status status;
    ndp_oracles_of_path(path, &oracles);
    const bool is_foreign = is_for_oracle(arena, path, &oracles, &loaded, &error, &status);
    struct said said = {ANSWER_FIXED, false, false};
    if (is_foreign || status == NDP_OK) said = ask_oracles(arena, path, &oracles);
    if (is_foreign || said.is_deadly) {
        seen[said.answer] = true;
        printf("%s %s\n", answer_words[said.answer], path);
        return NDP_EXIT_CLEAN;
    }
    if (status != NDP_OK) {
        struct ndp_bytes text = {0};
        if (ndp_file_read(arena, path, ARENA_BYTES, &text, NULL) != NDP_OK) text.size_bytes = 0;
        ndp_error_print(path, text, &error);
        return NDP_EXIT_USAGE;
    }
    replay_loaded(replay, arena, path, &said, oracles.is_artifact, &loaded, seen);
    return NDP_EXIT_CLEAN;
}

static enum ndp_exit replay_files(struct replay *replay, const struct ndp_settings *settings) {
    bool seen[NDP_ARRAY_LEN(answer_words)] = {false};
    enum ndp_exit code = NDP_EXIT_CLEAN;
    for (uint32_t i = 0; i < settings->files.count && code == NDP_EXIT_CLEAN; i++) {
        struct ndp_arena arena;
        ndp_arena_init(&arena, ARENA_BYTES);
        code = replay_file(replay, &arena, settings->files.list[i], seen);
        ndp_arena_clear(&arena);
    }
    return code != NDP_EXIT_CLEAN ? code : worst_exit(seen);
}

/* Whether all files are cases, but those of fuzz targets: what breaks a parser need not be what it parses. */
static bool are_readable(const struct ndp_words *files) {
    struct ndp_words cases = {.count = 0};
    for (uint32_t i = 0; i < files->count; i++) {
        struct ndp_oracles oracles;
        ndp_oracles_of_path(files->list[i], &oracles);
        if (!oracles.is_artifact) cases.list[cases.count++] = files->list[i];
    }
    return ndp_cases_are_readable(&cases);
}

static enum ndp_exit run(const struct ndp_settings *settings) {
    struct ndp_opened opened;
    if (!are_readable(&settings->files)) return NDP_EXIT_USAGE;
    enum ndp_exit code = ndp_targets_open(settings, &opened);
    if (code != NDP_EXIT_CLEAN) return code;
    ndp_targets_print(&opened, stderr);
    const struct ndp_route_filter filter = {.targets = settings->targets.list,
                                            .target_count = settings->targets.count,
                                            .formats = settings->formats.list,
                                            .format_count = settings->formats.count};
    struct replay replay = {.opened = &opened, .script = settings->script};
    code = NDP_EXIT_FAULT;
    if (ndp_routes_list(&opened.bench, &filter, &replay.routes) == NDP_OK) {
        if (ndp_batch_new(&opened.bench, ARENA_BYTES, &replay.batch) == NDP_OK) code = replay_files(&replay, settings);
        if (replay.has_no_script) code = NDP_EXIT_FAULT;
        ndp_batch_free(replay.batch);
        ndp_routes_clear(&replay.routes);
    }
    ndp_targets_close(&opened);
    return code;
}

const struct ndp_command ndp_command_replay = {
    .name = "replay",
    .arguments = "FILE...",
    .summary = "run descriptors, findings or crash inputs again: FIXED, DIVERGES, CHANGED or ERROR",
    .options = 1u << NDP_OPTION_ENV | 1u << NDP_OPTION_PYTHON | 1u << NDP_OPTION_CONFIG | 1u << NDP_OPTION_TARGET |
               1u << NDP_OPTION_FORMAT | 1u << NDP_OPTION_IN_PROCESS | 1u << NDP_OPTION_SCRIPT,
    .min_files = 1,
    .max_files = UINT32_MAX,
    .run = run,
};
