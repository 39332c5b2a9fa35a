#include "cmd/command.h"
#include "cmd/run_sweep.h"

static enum ndp_exit run_sweep(const struct ndp_settings *settings) {
    return ndp_run_sweep(settings, NULL);
}

const struct ndp_command ndp_command_sweep = {
    .name = "sweep",
    .arguments = "",
    .summary = "generate cases from a seed, run them on every route and report divergences",
    .options = NDP_OPTION_BIT(SEED) | NDP_OPTION_BIT(CASES) | NDP_OPTION_BIT(SECONDS) | NDP_OPTION_BIT(ENV) |
               NDP_OPTION_BIT(PYTHON) | NDP_OPTION_BIT(CONFIG) | NDP_OPTION_BIT(CODEC) | NDP_OPTION_BIT(TARGET) |
               NDP_OPTION_BIT(FORMAT) | NDP_OPTION_BIT(PROPERTY) | NDP_OPTION_BIT(REPORT) | NDP_OPTION_BIT(BASELINE) |
               NDP_OPTION_BIT(ALLOW_MISSING) | NDP_OPTION_BIT(TWIN) | NDP_OPTION_BIT(IN_PROCESS) |
               NDP_OPTION_BIT(HTML) | NDP_OPTION_BIT(JOBS) | NDP_OPTION_BIT(SHARD) | NDP_OPTION_BIT(MIN_PAIRS) |
               NDP_OPTION_BIT(MIN_TRIPLES),
    .run = run_sweep,
};
