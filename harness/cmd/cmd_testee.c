#include <string.h>

#include "cmd/command.h"
#include "planted/planted.h"
#include "target/protocol/serve.h"
#include "target/registry.h"

/* Finds the plugin or planted defect of that name; NULL if there is none. */
static const struct ndp_plugin *find_codec(const char *name) {
    uint32_t count;
    const struct ndp_plugin *const *plugins = ndp_registry_plugins(&count);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(plugins[i]->name, name) == 0) return plugins[i];
    const struct ndp_planted *const *planted = ndp_planted_list(&count);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(planted[i]->name, name) == 0) return &planted[i]->plugin;
    return NULL;
}

static enum ndp_exit run_testee(const struct ndp_settings *settings) {
    const char *name = settings->targets.count > 0 ? settings->targets.list[0] : "reference";
    const struct ndp_plugin *codec = find_codec(name);
    struct ndp_error error = {0};
    if (codec == NULL) {
        fprintf(stderr, "ndproof testee: no built-in codec is named '%s'\n", name);
        return NDP_EXIT_USAGE;
    }
    if (ndp_serve(codec, NDP_TESTEE_READ_FD, NDP_TESTEE_WRITE_FD, &error) == NDP_OK) return NDP_EXIT_CLEAN;
    fprintf(stderr, "ndproof testee: %s\n", error.text);
    return NDP_EXIT_FAULT;
}

const struct ndp_command ndp_command_testee = {
    .name = "testee",
    .arguments = "",
    .summary = "serve a built-in codec on file descriptors 3 and 4 (harness/testees/README.md)",
    .options = NDP_OPTION_BIT(TARGET),
    .run = run_testee,
};
