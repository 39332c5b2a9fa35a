#include <string.h>

#include "base/clock.h"
#include "cmd/command.h"
#include "cmd/load_case.h"
#include "cmd/open_targets.h"
#include "cmd/replay_fuzz_target.h"
#include "cmd/shrink_fuzz_target.h"
#include "cmd/stop_signal.h"
#include "engine/minimise.h"
#include "engine/routes.h"

#define ARENA_BYTES (UINT64_C(1) << 30)
#define TEXT_BYTES  (UINT64_C(64) << 20)
enum { MAX_RUNS = 5000 };

/* Fuzz targets take up to seconds per run, and more for a timeout. */
#define FUZZ_NS (UINT64_C(600) * 1000000000)

struct shrink {
    const struct ndp_opened *opened;
    struct ndp_batch *batch;
    struct ndp_buffer text;
    struct ndp_minimise_limits patience;
};

/* The context of a visit to the routes of a case, up to the first divergence. */
struct visit {
    struct shrink *shrink;
    const struct ndp_loaded_case *item;
    const char *path;
    bool is_found;
    struct ndp_error *error;
};

/* States the sizes of the input of a decode case, and writes the smaller one as a file beside the file at `path`, if
 * that contains nothing but the input. Files of the corpus stay alone. */
static enum ndp_status report_bytes(const struct shrink *shrink, const char *path,
                                    const struct ndp_descriptor *before) {
    struct ndp_descriptor after;
    struct ndp_bytes file = {0};
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    if (before->kind != NDP_CASE_DECODE || before->bytes.size_bytes == 0) return NDP_OK;
    NDP_TRY(ndp_descriptor_read(&arena, ndp_buffer_view(&shrink->text), &ndp_describe_default_limits, &after, NULL));
    if (after.bytes.size_bytes == 0) return NDP_OK;
    fprintf(stderr, "%llu bytes before, %llu bytes after\n", (unsigned long long)before->bytes.size_bytes,
            (unsigned long long)after.bytes.size_bytes);
    const bool is_file = strcmp(path, "-") != 0 && before->file[0] == '\0' &&
                         ndp_load_case_file(&arena, path, ARENA_BYTES, &file, NULL) == NDP_OK &&
                         ndp_bytes_is_equal(file, before->bytes);
    if (is_file && !ndp_bytes_is_equal(file, after.bytes)) ndp_shrink_fuzz_target_write(path, after.bytes);
    return NDP_OK;
}

/* Runs the case on `route`; if it diverges, minimises it and prints the result. */
static enum ndp_status shrink_route(void *context, const struct ndp_route *route) {
    struct visit *visit = context;
    struct shrink *shrink = visit->shrink;
    const struct ndp_loaded_case *item = visit->item;
    struct ndp_error *error = visit->error;
    struct ndp_descriptor descriptor = item->descriptor;
    descriptor.route = *route;
    const struct ndp_result *result;
    if (visit->is_found) return NDP_OK;
    NDP_TRY(ndp_batch_run_one(shrink->batch, 0, &descriptor, (struct ndp_property_set){0}, &result, error));
    if (result->divergence_count == 0) return NDP_OK;
    struct ndp_divergence first = result->divergences[0];
    for (uint32_t i = 0; i < result->divergence_count; i++)
        if (ndp_signature_is_text(&result->divergences[i].signature, item->signature)) first = result->divergences[i];
    if (first.property != NULL) {
        descriptor.property_count = 1;
        snprintf(descriptor.properties[0], NDP_WORD_BYTES, "%s", first.property->name);
    }
    shrink->text.size_bytes = 0;
    NDP_TRY(ndp_descriptor_print(&shrink->text, &descriptor));
    uint32_t runs;
    char core[NDP_SIGNATURE_BYTES];
    ndp_signature_print_core(&first.signature, core);
    NDP_TRY(ndp_minimise(shrink->batch, &shrink->text, &first.signature, MAX_RUNS, &shrink->patience, &runs, error));
    printf("%.*s\n", (int)shrink->text.size_bytes, (const char *)shrink->text.data);
    fprintf(stderr, "%u cases tried; %s\n", (unsigned)runs, core);
    visit->is_found = true;
    return report_bytes(shrink, visit->path, &item->descriptor);
}

/* Minimises the case on the first of its routes that diverges. */
static enum ndp_exit shrink_case(struct shrink *shrink, const char *path, const struct ndp_loaded_case *item) {
    const struct ndp_route_filter everything = {0};
    struct ndp_route_list routes;
    if (ndp_routes_list(&shrink->opened->bench, &everything, &routes) != NDP_OK) return NDP_EXIT_FAULT;
    struct ndp_error error = {0};
    struct visit visit = {.shrink = shrink, .item = item, .path = path, .error = &error};
    enum ndp_status status = ndp_routes_visit(&routes, &shrink->opened->bench, item->descriptor.kind,
                                              &item->descriptor.route, shrink_route, &visit);
    ndp_routes_clear(&routes);
    if (status != NDP_OK) {
        fprintf(stderr, "ndproof shrink: %s\n", error.text[0] != '\0' ? error.text : ndp_status_text(status));
        return NDP_EXIT_FAULT;
    }
    return visit.is_found ? NDP_EXIT_DIVERGES : NDP_EXIT_CLEAN;
}

/* ---- artifacts of fuzzing ---- */

/* Minimises `input` for the fuzz target that fails on it and prints the result. */
static enum ndp_exit shrink_artifact(const struct shrink *shrink, const char *path, struct ndp_bytes input,
                                     const struct ndp_fuzz_target_failure *failure) {
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    NDP_BUFFER_SCOPED(bytes, ARENA_BYTES);
    struct ndp_error error = {0};
    struct ndp_bytes text;
    struct ndp_minimise_limits patience = shrink->patience;
    uint32_t runs = 0;
    patience.until_ns = ndp_clock_ns() + FUZZ_NS;
    enum ndp_status status = ndp_buffer_add(&bytes, input.data, input.size_bytes);
    if (status == NDP_OK) status = ndp_shrink_fuzz_target(failure, &bytes, MAX_RUNS, &patience, &runs, &error);
    if (status == NDP_OK)
        status = ndp_fuzz_target_case_print(&arena, failure->name, ndp_buffer_view(&bytes), NULL, &text);
    if (status == NDP_OK) {
        printf("%.*s\n", (int)text.size_bytes, (const char *)text.data);
        fprintf(stderr, "%u runs of %s; %s\n%llu bytes before, %llu bytes after\n", (unsigned)runs, failure->name,
                failure->result.signature, (unsigned long long)input.size_bytes, (unsigned long long)bytes.size_bytes);
        if (path != NULL && !ndp_bytes_is_equal(input, ndp_buffer_view(&bytes)))
            ndp_shrink_fuzz_target_write(path, ndp_buffer_view(&bytes));
        return NDP_EXIT_DIVERGES;
    }
    fprintf(stderr, "ndproof shrink: %s\n", error.text[0] != '\0' ? error.text : ndp_status_text(status));
    return NDP_EXIT_FAULT;
}

/* Minimises the bytes of a finding of fuzz target `name`. */
static enum ndp_exit shrink_finding(const struct shrink *shrink, const char *name, const struct ndp_loaded_case *item) {
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    struct ndp_error error = {0};
    struct ndp_fuzz_target_failure failure = {.run_count = 1};
    snprintf(failure.name, sizeof failure.name, "%s", name);
    const enum ndp_status status =
        ndp_fuzz_target_case_run(&arena, name, &item->descriptor, shrink->patience.stop, &failure.result, &error);
    if (status != NDP_OK) {
        fprintf(stderr, "ndproof shrink: %s\n", error.text[0] != '\0' ? error.text : ndp_status_text(status));
        return NDP_EXIT_FAULT;
    }
    if (failure.result.verdict == NDP_VERDICT_PASS || item->descriptor.bytes.size_bytes == 0) return NDP_EXIT_CLEAN;
    return shrink_artifact(shrink, NULL, item->descriptor.bytes, &failure);
}

/* ---- files ---- */

static enum ndp_exit shrink_loaded(struct shrink *shrink, const char *path, const struct ndp_loaded *loaded) {
    enum ndp_exit code = NDP_EXIT_CLEAN;
    for (uint32_t i = 0; i < loaded->count && (code == NDP_EXIT_CLEAN || code == NDP_EXIT_DIVERGES); i++) {
        char fuzzer[NDP_FUZZER_NAME_BYTES];
        const struct ndp_loaded_case *item = &loaded->cases[i];
        const bool is_of_fuzzer = ndp_fuzz_target_case_of_signature(item->signature, fuzzer);
        const enum ndp_exit one = is_of_fuzzer ? shrink_finding(shrink, fuzzer, item) : shrink_case(shrink, path, item);
        if (one != NDP_EXIT_CLEAN) code = one;
    }
    return code;
}

/* Reads the cases of an artifact, which may be invalid as a case, and runs its fuzz targets. */
static enum ndp_status load_artifact(const struct shrink *shrink, struct ndp_arena *arena, const char *path,
                                     const struct ndp_fuzz_target_list *oracles, struct ndp_loaded *loaded,
                                     struct ndp_fuzz_target_failure *failure) {
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    const enum ndp_status status = ndp_load_case(arena, path, loaded, &error);
    if (status == NDP_IO || status == NDP_NOMEM) {
        ndp_load_case_print_error(path, (struct ndp_bytes){NULL, 0}, &error);
        return status;
    }
    if (status != NDP_OK || ndp_replay_fuzz_target_only(oracles, loaded)) loaded->count = 0;
    ndp_shrink_fuzz_target_find(arena, path, oracles, shrink->patience.stop, failure);
    return NDP_OK;
}

/* Prints why nothing was minimised. An artifact that its fuzz target did not run may still be broken. */
static enum ndp_exit report_nothing(const struct ndp_fuzz_target_list *oracles,
                                    const struct ndp_fuzz_target_failure *failure) {
    if (oracles->is_artifact && (failure->run_count == 0 || oracles->is_absent)) {
        fprintf(stderr, "ndproof shrink: the fuzz target of this artifact cannot run; run make all\n");
        return NDP_EXIT_FAULT;
    }
    fprintf(stderr, "ndproof shrink: the case diverges on no route, so there is nothing to minimise\n");
    return NDP_EXIT_CLEAN;
}

/* A file that kills its fuzz target must not run in this process. Otherwise a divergence of a case comes first: its
 * descriptor explains more than bytes. */
static enum ndp_exit shrink_file(struct shrink *shrink, const char *path) {
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    struct ndp_loaded loaded = {0};
    struct ndp_fuzz_target_list oracles;
    struct ndp_fuzz_target_failure failure = {.run_count = 0};
    struct ndp_bytes input;
    ndp_run_fuzz_target_candidates(path, &oracles);
    const bool is_read = oracles.is_artifact
                             ? load_artifact(shrink, &arena, path, &oracles, &loaded, &failure) == NDP_OK
                             : ndp_load_case_or_print(&arena, path, &loaded);
    if (!is_read) return NDP_EXIT_USAGE;
    const bool has_failure = failure.name[0] != '\0';
    const bool is_fatal = has_failure && failure.result.verdict != NDP_VERDICT_DIVERGES;
    const enum ndp_exit code = is_fatal ? NDP_EXIT_CLEAN : shrink_loaded(shrink, path, &loaded);
    if (code != NDP_EXIT_CLEAN) return code;
    if (has_failure && ndp_load_case_file(&arena, path, ARENA_BYTES, &input, NULL) == NDP_OK)
        return shrink_artifact(shrink, path, input, &failure);
    return report_nothing(&oracles, &failure);
}

/* Checks that the file can be read as a case, before targets start. An artifact may be invalid. */
static bool is_readable(const char *path) {
    struct ndp_fuzz_target_list oracles;
    struct ndp_words files = {.count = 0};
    ndp_run_fuzz_target_candidates(path, &oracles);
    if (!oracles.is_artifact) files.list[files.count++] = path;
    return ndp_load_case_all_readable(&files);
}

static enum ndp_exit run_shrink(const struct ndp_settings *settings) {
    struct ndp_opened opened;
    if (!is_readable(settings->files.list[0])) return NDP_EXIT_USAGE;
    enum ndp_exit code = ndp_open_targets(settings, &opened);
    if (code != NDP_EXIT_CLEAN) return code;
    ndp_open_targets_print(&opened, stderr);
    struct shrink shrink = {.opened = &opened, .patience = {.stop = ndp_stop_signal_install()}};
    ndp_buffer_init(&shrink.text, TEXT_BYTES);
    code = NDP_EXIT_FAULT;
    if (ndp_batch_new(&opened.bench, ARENA_BYTES, &shrink.batch) == NDP_OK)
        code = shrink_file(&shrink, settings->files.list[0]);
    ndp_batch_free(shrink.batch);
    ndp_buffer_clear(&shrink.text);
    ndp_open_targets_close(&opened);
    return code;
}

const struct ndp_command ndp_command_shrink = {
    .name = "shrink",
    .arguments = "FILE",
    .summary = "minimise a case or a crash input: print the smallest descriptor with the same signature",
    .options = NDP_OPTION_BIT(TRUST) | NDP_OPTION_BIT(ENV) | NDP_OPTION_BIT(PYTHON) | NDP_OPTION_BIT(CONFIG) |
               NDP_OPTION_BIT(CODEC) | NDP_OPTION_BIT(IN_PROCESS),
    .min_files = 1,
    .max_files = 1,
    .run = run_shrink,
};
