#include "base/byteorder.h"
#include "cmd/command.h"
#include "cmd/draw.h"
#include "cmd/load_case.h"
#include "cmd/open_targets.h"

#define ARENA_BYTES (UINT64_C(1) << 30)
enum { MAX_BYTE_ROWS = 16 };

/* The context of a visit to the routes of an array. */
struct visit {
    struct ndp_arena *arena;
    const struct ndp_bench *bench;
    const struct ndp_array *array;
};

static enum ndp_status draw_route(void *context, const struct ndp_route *route) {
    const struct visit *visit = context;
    ndp_draw_promises(stdout, visit->bench, route, ndp_contract_features(visit->array, route));
    return NDP_OK;
}

static enum ndp_status draw_case(struct ndp_arena *arena, const struct ndp_opened *opened,
                                 const struct ndp_loaded_case *item, struct ndp_error *error) {
    const struct ndp_descriptor *descriptor = &item->descriptor;
    NDP_BUFFER_SCOPED(text, ARENA_BYTES);
    enum ndp_status status = ndp_descriptor_print(&text, descriptor);
    if (status == NDP_OK) printf("%.*s\n", (int)text.size_bytes, (const char *)text.data);
    NDP_TRY(status);
    if (descriptor->kind == NDP_CASE_DECODE && descriptor->fault.name[0] == '\0') {
        printf("%llu bytes to decode\n", (unsigned long long)descriptor->bytes.size_bytes);
        ndp_draw_bytes(stdout, descriptor->bytes, MAX_BYTE_ROWS);
        return NDP_OK;
    }
    if (descriptor->value.kind == NDP_VALUE_GRAPH) {
        ndp_draw_graph(stdout, descriptor->value.graph);
        return NDP_OK;
    }
    struct ndp_array array;
    struct ndp_observation observation;
    NDP_TRY(ndp_array_build(arena, &descriptor->value.array, ndp_byteorder_host_is_little(), &array, error));
    NDP_TRY(ndp_array_observe(arena, &array, &observation));
    ndp_draw_array(stdout, &array, &observation);

    const struct ndp_route_filter everything = {0};
    struct ndp_route_list routes;
    NDP_TRY(ndp_routes_list(&opened->bench, &everything, &routes));
    printf("\npromises other than \"as in the source\", by route\n");
    struct visit visit = {.arena = arena, .bench = &opened->bench, .array = &array};
    status = ndp_routes_visit(&routes, &opened->bench, descriptor->kind, &descriptor->route, draw_route, &visit);
    ndp_routes_clear(&routes);
    return status;
}

static enum ndp_exit show_file(const struct ndp_opened *opened, const char *path) {
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    struct ndp_loaded loaded;
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    enum ndp_exit code = NDP_EXIT_USAGE;
    if (ndp_load_case_or_print(&arena, path, &loaded)) {
        enum ndp_status status = NDP_OK;
        for (uint32_t i = 0; status == NDP_OK && i < loaded.count; i++)
            status = draw_case(&arena, opened, &loaded.cases[i], &error);
        if (status == NDP_OK) code = NDP_EXIT_CLEAN;
        if (status != NDP_OK) ndp_load_case_print_error(path, (struct ndp_bytes){NULL, 0}, &error);
    }
    return code;
}

static enum ndp_exit run_show(const struct ndp_settings *settings) {
    struct ndp_opened opened;
    if (!ndp_load_case_all_readable(&settings->files)) return NDP_EXIT_USAGE;
    enum ndp_exit code = ndp_open_targets(settings, &opened);
    if (code != NDP_EXIT_CLEAN) return code;
    code = show_file(&opened, settings->files.list[0]);
    ndp_open_targets_close(&opened);
    return code;
}

const struct ndp_command ndp_command_show = {
    .name = "show",
    .arguments = "FILE",
    .summary = "print a value: layout, strides, bytes, and the promises of each route",
    .options = 1u << NDP_OPTION_TRUST | 1u << NDP_OPTION_ENV | 1u << NDP_OPTION_PYTHON | 1u << NDP_OPTION_CONFIG,
    .min_files = 1,
    .max_files = 1,
    .run = run_show,
};
