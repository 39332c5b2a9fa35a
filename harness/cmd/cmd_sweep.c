#include "cmd/command.h"
#include "cmd/run_sweep.h"

static enum ndp_exit run_sweep(const struct ndp_settings *settings) {
    return ndp_run_sweep(settings, NULL);
}

const struct ndp_command ndp_command_sweep = {
    .name = "sweep",
    .arguments = "",
    .summary = "generate cases from a seed, run them on every route and report divergences",
    .options = 1u << NDP_OPTION_SEED | 1u << NDP_OPTION_CASES | 1u << NDP_OPTION_SECONDS | 1u << NDP_OPTION_ENV |
               1u << NDP_OPTION_PYTHON | 1u << NDP_OPTION_CONFIG | 1u << NDP_OPTION_TARGET | 1u << NDP_OPTION_FORMAT |
               1u << NDP_OPTION_PROPERTY | 1u << NDP_OPTION_REPORT | 1u << NDP_OPTION_BASELINE |
               1u << NDP_OPTION_ALLOW_MISSING | 1u << NDP_OPTION_TWIN | 1u << NDP_OPTION_IN_PROCESS |
               1u << NDP_OPTION_HTML,
    .run = run_sweep,
};
