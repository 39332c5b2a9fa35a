#include <stdio.h>

#include "base/byteorder.h"
#include "cmd/command.h"
#include "cmd/draw.h"
#include "cmd/load_case.h"
#include "cmd/open_targets.h"
#include "cmd/show_bytes.h"

#define ARENA_BYTES (UINT64_C(1) << 30)
enum { MAX_HEX_BYTES = 4096 };

/* The context of a visit to the routes of an array. */
struct visit {
    const struct ndp_bench *bench;
    const struct ndp_array *array;
};

static enum ndp_status draw_route(void *context, const struct ndp_route *route) {
    const struct visit *visit = context;
    ndp_draw_promises(stdout, visit->bench, route, ndp_contract_features(visit->array, route));
    return NDP_OK;
}

/* Prints the promises of each route for the array of a descriptor. */
static enum ndp_status draw_routes(struct ndp_arena *arena, const struct ndp_bench *bench,
                                   const struct ndp_descriptor *descriptor, struct ndp_error *error) {
    const struct ndp_route_filter everything = {0};
    struct ndp_route_list routes;
    struct ndp_array array;
    NDP_TRY(ndp_array_build(arena, &descriptor->value.array, ndp_byteorder_host_is_little(), &array, error));
    NDP_TRY(ndp_routes_list(bench, &everything, &routes));
    printf("\npromises other than \"as in the source\", by route\n");
    struct visit visit = {.bench = bench, .array = &array};
    const enum ndp_status status =
        ndp_routes_visit(&routes, bench, descriptor->kind, &descriptor->route, draw_route, &visit);
    ndp_routes_clear(&routes);
    return status;
}

/* Prints the descriptor, unless it is nothing but the bytes that are dissected. */
static enum ndp_status draw_text(const struct ndp_descriptor *descriptor) {
    NDP_BUFFER_SCOPED(text, ARENA_BYTES);
    if (descriptor->kind == NDP_CASE_DECODE && descriptor->bytes.size_bytes > MAX_HEX_BYTES &&
        descriptor->file[0] == '\0')
        return NDP_OK;
    enum ndp_status status = ndp_descriptor_print(&text, descriptor);
    if (status == NDP_OK) printf("%.*s\n", (int)text.size_bytes, (const char *)text.data);
    return status;
}

/* Prints the bytes of a decode case; first the value that a fault corrupts. */
static enum ndp_status draw_bytes(struct ndp_arena *arena, const struct ndp_bench *bench,
                                  const struct ndp_descriptor *descriptor, struct ndp_error *error) {
    struct ndp_bytes bytes;
    const bool has_fault = descriptor->fault.name[0] != '\0';
    if (has_fault) NDP_TRY(ndp_draw_descriptor(stdout, arena, descriptor, error));
    NDP_TRY(ndp_show_bytes_find(arena, bench, descriptor, &bytes, error));
    if (has_fault) printf("\nthe input of the decoder\n");
    return ndp_show_bytes(stdout, arena, bench, descriptor, bytes, error);
}

static enum ndp_status draw_case(struct ndp_arena *arena, const struct ndp_opened *opened,
                                 const struct ndp_loaded_case *item, struct ndp_error *error) {
    const struct ndp_descriptor *descriptor = &item->descriptor;
    NDP_TRY(draw_text(descriptor));
    if (descriptor->kind == NDP_CASE_DECODE) return draw_bytes(arena, &opened->bench, descriptor, error);
    NDP_TRY(ndp_draw_descriptor(stdout, arena, descriptor, error));
    return descriptor->value.kind == NDP_VALUE_ARRAY ? draw_routes(arena, &opened->bench, descriptor, error) : NDP_OK;
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
    for (uint32_t i = 0; i < settings->files.count && code == NDP_EXIT_CLEAN; i++) {
        if (settings->files.count > 1) printf("%s== %s\n", i > 0 ? "\n" : "", settings->files.list[i]);
        code = show_file(&opened, settings->files.list[i]);
    }
    ndp_open_targets_close(&opened);
    return code;
}

const struct ndp_command ndp_command_show = {
    .name = "show",
    .arguments = "FILE...",
    .summary = "print a value, or the parts of a native file, and the promises of each route",
    .options = NDP_OPTION_BIT(ENV) | NDP_OPTION_BIT(PYTHON) | NDP_OPTION_BIT(CONFIG),
    .min_files = 1,
    .max_files = UINT32_MAX,
    .run = run_show,
};
