#include <string.h>

#include "cmd/command.h"
#include "target/plugin.h"
#include "target/registry.h"
#include "target/serve.h"

static enum ndp_exit run(const struct ndp_settings *settings) {
    const char *name = settings->targets.count > 0 ? settings->targets.list[0] : "reference";
    uint32_t count;
    const struct ndp_plugin *const *plugins = ndp_plugins(&count);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(plugins[i]->name, name) != 0) continue;
        struct ndp_error error = {0};
        if (ndp_serve(plugins[i], NDP_TESTEE_READ_FD, NDP_TESTEE_WRITE_FD, &error) == NDP_OK) return NDP_EXIT_CLEAN;
        fprintf(stderr, "ndproof testee: %s\n", error.text);
        return NDP_EXIT_FAULT;
    }
    fprintf(stderr, "ndproof testee: no codec named %s is built in\n", name);
    return NDP_EXIT_USAGE;
}

const struct ndp_command ndp_command_testee = {
    .name = "testee",
    .arguments = "",
    .summary = "serve a built-in codec on descriptors 3 and 4 (harness/testees/README.md)",
    .options = 1u << NDP_OPTION_TARGET,
    .run = run,
};
