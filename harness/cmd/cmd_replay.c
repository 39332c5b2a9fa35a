#include <string.h>

#include "cmd/command.h"
#include "cmd/replay_fuzz_target.h"
#include "cmd/snippet.h"
#include "cmd/withhold.h"

#define ARENA_BYTES (UINT64_C(1) << 30)

/* Prints "FIXED PATH SIGNATURE". */
static void print_result(enum ndp_replay_result result, const char *path, const char *signature) {
    printf("%s %s%s%s\n", ndp_replay_word(result), path, signature[0] != '\0' ? " " : "", signature);
}

/* Runs all cases of a file. The result of the fuzz targets replaces that of a case without a divergence: their
 * libraries may be missing in this run. */
static void replay_loaded(struct ndp_replay *replay, struct ndp_arena *arena, const char *path,
                          const struct ndp_replay_fuzz_target *oracle, const struct ndp_fuzz_target_list *oracles,
                          const struct ndp_loaded *loaded, bool *seen) {
    for (uint32_t k = 0; k < loaded->count; k++) {
        struct ndp_loaded_case *item = &loaded->cases[k];
        char fuzzer[NDP_FUZZER_NAME_BYTES];
        enum ndp_replay_result result;
        if (ndp_fuzz_target_case_of_signature(item->signature, fuzzer)) {
            result = ndp_replay_fuzz_target_finding(arena, fuzzer, item);
        } else {
            const bool is_recorded = oracles->is_reported || (item->signature[0] != '\0' && !item->is_documented);
            result = ndp_replay_case(replay, item, is_recorded);
            if (oracles->is_artifact && result < NDP_REPLAY_DIVERGES && oracle->result != NDP_REPLAY_HOLDS)
                result = oracle->result;
            else if (oracles->is_artifact && result == NDP_REPLAY_UNSUPPORTED)
                result = is_recorded ? NDP_REPLAY_FIXED : NDP_REPLAY_HOLDS;
        }
        ndp_withhold_end_case(&replay->opened->bench, &item->descriptor);
        seen[result] = true;
        print_result(result, path, item->signature);
    }
}

/* Loads the file, and returns whether only its fuzz target can run it: no target takes frames or invalid descriptors.
 */
static bool load_or_leave_to_fuzz_target(struct ndp_arena *arena, const char *path,
                                         const struct ndp_fuzz_target_list *oracles, struct ndp_loaded *loaded,
                                         struct ndp_error *error, enum ndp_status *status) {
    *status = ndp_load_case(arena, path, loaded, error);
    if (!oracles->is_artifact) return false;
    if (*status != NDP_OK) return *status == NDP_INVALID || *status == NDP_LIMIT || *status == NDP_UNSUPPORTED;
    return ndp_replay_fuzz_target_only(oracles, loaded);
}

/* ---- snippets ---- */

/* Replays the last value of a Python snippet. Nothing records it as broken. */
static enum ndp_exit replay_snippet(struct ndp_replay *replay, struct ndp_arena *arena, const char *path, bool *seen) {
    struct ndp_bytes text = {NULL, 0};
    struct ndp_loaded loaded;
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    enum ndp_status status = ndp_snippet_describe(arena, replay->opened, path, &text, &error);
    if (status == NDP_OK) status = ndp_load_case_text(arena, text, &loaded, &error);
    enum ndp_replay_result result = NDP_REPLAY_ERROR;
    if (status == NDP_INVALID) {
        ndp_load_case_print_error(path, text, &error);
        return NDP_EXIT_USAGE;
    }
    if (status == NDP_OK) {
        result = ndp_replay_case(replay, &loaded.cases[0], false);
    } else {
        if (status == NDP_UNSUPPORTED) result = NDP_REPLAY_UNSUPPORTED;
        printf("  %s%s\n", status == NDP_UNSUPPORTED ? "a descriptor cannot express " : "cannot run: ",
               error.text[0] != '\0' ? error.text : ndp_status_text(status));
    }
    seen[result] = true;
    print_result(result, path, "");
    return NDP_EXIT_CLEAN;
}

/* ---- files ---- */

static enum ndp_exit replay_file(struct ndp_replay *replay, struct ndp_arena *arena, const char *path, bool *seen) {
    struct ndp_fuzz_target_list oracles;
    struct ndp_loaded loaded;
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    enum ndp_status status;
    ndp_run_fuzz_target_candidates(path, &oracles);
    const bool is_foreign = load_or_leave_to_fuzz_target(arena, path, &oracles, &loaded, &error, &status);
    struct ndp_replay_fuzz_target oracle = {.result = NDP_REPLAY_HOLDS};
    if (is_foreign || status == NDP_OK) oracle = ndp_replay_fuzz_target_file(arena, path, &oracles);
    if (is_foreign || oracle.is_fatal) {
        const bool is_fixed = oracle.result == NDP_REPLAY_HOLDS && oracles.is_reported;
        const enum ndp_replay_result result = is_fixed ? NDP_REPLAY_FIXED : oracle.result;
        seen[result] = true;
        print_result(result, path, "");
        return NDP_EXIT_CLEAN;
    }
    if (status != NDP_OK) {
        struct ndp_bytes text = {0};
        if (ndp_load_case_file(arena, path, ARENA_BYTES, &text, NULL) != NDP_OK) text.size_bytes = 0;
        ndp_load_case_print_error(path, text, &error);
        return NDP_EXIT_USAGE;
    }
    replay_loaded(replay, arena, path, &oracle, &oracles, &loaded, seen);
    return NDP_EXIT_CLEAN;
}

static enum ndp_exit replay_files(struct ndp_replay *replay, const struct ndp_settings *settings) {
    bool seen[NDP_REPLAY_RESULTS] = {false};
    enum ndp_exit code = NDP_EXIT_CLEAN;
    for (uint32_t i = 0; i < settings->files.count && code == NDP_EXIT_CLEAN; i++) {
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        const char *path = settings->files.list[i];
        code =
            ndp_snippet_is(path) ? replay_snippet(replay, &arena, path, seen) : replay_file(replay, &arena, path, seen);
    }
    return code != NDP_EXIT_CLEAN ? code : ndp_replay_exit(seen);
}

/* Checks that all files can be read as cases, except artifacts, which may be invalid, and snippets. */
static bool are_readable(const struct ndp_words *files) {
    struct ndp_words cases = {.count = 0};
    for (uint32_t i = 0; i < files->count; i++) {
        struct ndp_fuzz_target_list oracles;
        ndp_run_fuzz_target_candidates(files->list[i], &oracles);
        if (!oracles.is_artifact && !ndp_snippet_is(files->list[i])) cases.list[cases.count++] = files->list[i];
    }
    return ndp_load_case_all_readable(&cases);
}

static enum ndp_exit run_replay(const struct ndp_settings *settings) {
    struct ndp_opened opened;
    if (!are_readable(&settings->files)) return NDP_EXIT_USAGE;
    enum ndp_exit code = ndp_open_targets(settings, &opened);
    if (code != NDP_EXIT_CLEAN) return code;
    ndp_open_targets_print(&opened, stderr);
    const struct ndp_route_filter filter = {.targets = settings->targets.list,
                                            .target_count = settings->targets.count,
                                            .formats = settings->formats.list,
                                            .format_count = settings->formats.count};
    struct ndp_replay replay = {.opened = &opened, .script = settings->script};
    code = NDP_EXIT_FAULT;
    if (ndp_routes_list(&opened.bench, &filter, &replay.routes) == NDP_OK) {
        if (ndp_batch_new(&opened.bench, ARENA_BYTES, &replay.batch) == NDP_OK) code = replay_files(&replay, settings);
        if (replay.is_script_failed) code = NDP_EXIT_FAULT;
        ndp_batch_free(replay.batch);
        ndp_routes_clear(&replay.routes);
    }
    ndp_open_targets_close(&opened);
    return code;
}

const struct ndp_command ndp_command_replay = {
    .name = "replay",
    .arguments = "FILE...",
    .summary = "rerun descriptors, findings, reports, native files, crash inputs or Python snippets: FIXED, HOLDS, "
               "DIVERGES, CHANGED, "
               "UNSUPPORTED or ERROR",
    .options = NDP_OPTION_BIT(TRUST) | NDP_OPTION_BIT(ENV) | NDP_OPTION_BIT(PYTHON) | NDP_OPTION_BIT(CONFIG) |
               NDP_OPTION_BIT(CODEC) | NDP_OPTION_BIT(TARGET) | NDP_OPTION_BIT(FORMAT) | NDP_OPTION_BIT(IN_PROCESS) |
               NDP_OPTION_BIT(SCRIPT),
    .min_files = 1,
    .max_files = UINT32_MAX,
    .run = run_replay,
};
