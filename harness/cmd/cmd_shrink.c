#include <string.h>

#include "cmd/command.h"
#include "cmd/evidence.h"
#include "cmd/load_case.h"
#include "cmd/open_targets.h"
#include "engine/minimise.h"
#include "engine/routes.h"

#define ARENA_BYTES (UINT64_C(1) << 30)
#define TEXT_BYTES  (UINT64_C(64) << 20)
enum { MAX_RUNS = 5000 };

struct shrink {
    const struct ndp_opened *opened;
    struct ndp_batch *batch;
    struct ndp_buffer text;
};

/* The context of a visit to the routes of a case, up to the first divergence. */
struct visit {
    struct shrink *shrink;
    const struct ndp_loaded_case *item;
    bool is_found;
    struct ndp_error *error;
};

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
    NDP_TRY(ndp_minimise(shrink->batch, &shrink->text, &first.signature, MAX_RUNS, &(struct ndp_minimise_limits){0},
                         &runs, error));
    printf("%.*s\n", (int)shrink->text.size_bytes, (const char *)shrink->text.data);
    fprintf(stderr, "%u cases tried; %s\n", (unsigned)runs, core);
    visit->is_found = true;
    return NDP_OK;
}

/* Minimises the case on the first of its routes that diverges. */
static enum ndp_exit shrink_case(struct shrink *shrink, const struct ndp_loaded_case *item) {
    const struct ndp_route_filter everything = {0};
    struct ndp_route_list routes;
    if (ndp_routes_list(&shrink->opened->bench, &everything, &routes) != NDP_OK) return NDP_EXIT_FAULT;
    struct ndp_error error = {0};
    struct visit visit = {.shrink = shrink, .item = item, .error = &error};
    enum ndp_status status = ndp_routes_visit(&routes, &shrink->opened->bench, item->descriptor.kind,
                                              &item->descriptor.route, shrink_route, &visit);
    ndp_routes_clear(&routes);
    if (status != NDP_OK) {
        fprintf(stderr, "ndproof shrink: %s\n", error.text[0] != '\0' ? error.text : ndp_status_text(status));
        return NDP_EXIT_FAULT;
    }
    if (!visit.is_found)
        fprintf(stderr, "ndproof shrink: the case diverges on no route, so there is nothing to minimise\n");
    return visit.is_found ? NDP_EXIT_DIVERGES : NDP_EXIT_CLEAN;
}

static enum ndp_exit shrink_file(struct shrink *shrink, const char *path) {
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    struct ndp_loaded loaded;
    enum ndp_exit code = NDP_EXIT_USAGE;
    if (ndp_load_case_or_print(&arena, path, &loaded)) {
        code = NDP_EXIT_CLEAN;
        for (uint32_t i = 0; i < loaded.count && (code == NDP_EXIT_CLEAN || code == NDP_EXIT_DIVERGES); i++) {
            enum ndp_exit one = shrink_case(shrink, &loaded.cases[i]);
            if (one != NDP_EXIT_CLEAN) code = one;
        }
    }
    return code;
}

static enum ndp_exit run_shrink(const struct ndp_settings *settings) {
    struct ndp_opened opened;
    if (!ndp_load_case_all_readable(&settings->files)) return NDP_EXIT_USAGE;
    enum ndp_exit code = ndp_open_targets(settings, &opened);
    if (code != NDP_EXIT_CLEAN) return code;
    ndp_open_targets_print(&opened, stderr);
    struct shrink shrink = {.opened = &opened};
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
    .summary = "minimise a case: print the smallest descriptor with the same signature",
    .options = 1u << NDP_OPTION_TRUST | 1u << NDP_OPTION_ENV | 1u << NDP_OPTION_PYTHON | 1u << NDP_OPTION_CONFIG |
               1u << NDP_OPTION_IN_PROCESS,
    .min_files = 1,
    .max_files = 1,
    .run = run_shrink,
};
