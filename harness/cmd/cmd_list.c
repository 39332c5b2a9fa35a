#include <string.h>

#include "cmd/command.h"
#include "cmd/open_targets.h"
#include "engine/routes.h"

static void list_properties(void) {
    uint32_t count;
    const struct ndp_property *const *properties = ndp_property_all(&count);
    for (uint32_t i = 0; i < count; i++) printf("%-14s %s\n", properties[i]->name, properties[i]->statement);
}

static void print_entry(const struct ndp_entry *entry) {
    printf("  %-8s", entry->format);
    if (entry->protocol != 0 || strcmp(entry->format, "pickle") == 0) printf(" protocol %d", entry->protocol);
    printf(" %s%s%s%s%s%s\n", entry->entry, entry->encodes ? " encodes" : "", entry->decodes ? " decodes" : "",
           entry->transports ? " transports" : "", entry->buffers[0] != '\0' ? " " : "", entry->buffers);
}

static void list_formats(const struct ndp_bench *bench) {
    for (uint32_t i = 0; i < bench->count; i++) {
        const struct ndp_target_info *info = &bench->targets[i]->info;
        printf("%s\n", info->name);
        for (uint32_t k = 0; k < info->entry_count; k++) print_entry(&info->entries[k]);
    }
}

static enum ndp_exit list_routes(const struct ndp_bench *bench, const struct ndp_settings *settings) {
    const struct ndp_route_filter filter = {.targets = settings->targets.list,
                                            .target_count = settings->targets.count,
                                            .formats = settings->formats.list,
                                            .format_count = settings->formats.count};
    struct ndp_route_list routes;
    if (ndp_routes_list(bench, &filter, &routes) != NDP_OK) return NDP_EXIT_FAULT;
    for (uint32_t i = 0; i < routes.count; i++) {
        const struct ndp_route_group *group = &routes.groups[i];
        for (uint32_t k = 0; k < group->count; k++) {
            char text[NDP_ROUTE_TEXT_BYTES];
            ndp_descriptor_print_route(&group->routes[k], text);
            if (group->kind == NDP_CASE_DECODE) {
                printf("%-40s bytes -> %s\n", text, group->decoder->info.name);
            } else {
                printf("%-40s %s -> %s\n", text, group->encoder->info.name, group->decoder->info.name);
            }
        }
    }
    ndp_routes_clear(&routes);
    return NDP_EXIT_CLEAN;
}

static enum ndp_exit run_list(const struct ndp_settings *settings) {
    const char *what = settings->files.count > 0 ? settings->files.list[0] : "targets";
    if (strcmp(what, "properties") == 0) {
        list_properties();
        return NDP_EXIT_CLEAN;
    }
    if (strcmp(what, "targets") != 0 && strcmp(what, "formats") != 0 && strcmp(what, "routes") != 0) {
        fprintf(stderr, "ndproof list: expected targets, formats, routes or properties, not '%s'\n", what);
        return NDP_EXIT_USAGE;
    }
    struct ndp_opened opened;
    enum ndp_exit code = ndp_open_targets(settings, &opened);
    if (code != NDP_EXIT_CLEAN) return code;
    if (strcmp(what, "targets") == 0) ndp_open_targets_print(&opened, stdout);
    if (strcmp(what, "formats") == 0) list_formats(&opened.bench);
    if (strcmp(what, "routes") == 0) code = list_routes(&opened.bench, settings);
    ndp_open_targets_close(&opened);
    return code;
}

const struct ndp_command ndp_command_list = {
    .name = "list",
    .arguments = "[targets|formats|routes|properties]",
    .summary = "list the targets, formats, routes or properties",
    .options = NDP_OPTION_BIT(ENV) | NDP_OPTION_BIT(PYTHON) | NDP_OPTION_BIT(CONFIG) | NDP_OPTION_BIT(CODEC) |
               NDP_OPTION_BIT(TARGET) | NDP_OPTION_BIT(FORMAT) | NDP_OPTION_BIT(TWIN) | NDP_OPTION_BIT(IN_PROCESS),
    .max_files = 1,
    .run = run_list,
};
