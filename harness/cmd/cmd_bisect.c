#include "cmd/forward_command.h"

static enum ndp_exit run_bisect(const struct ndp_settings *settings) {
    return ndp_forward_command("harness/cmd/upstream/bisect_releases.py", settings);
}

const struct ndp_command ndp_command_bisect = {
    .name = "bisect",
    .arguments = "FINDING",
    .summary = "find the releases of a package on PyPI that show a finding",
    .options = NDP_OPTION_BIT(PACKAGE) | NDP_OPTION_BIT(FROM) | NDP_OPTION_BIT(TO) | NDP_OPTION_BIT(CAUSE) |
               NDP_OPTION_BIT(TRUST),
    .min_files = 1,
    .max_files = 1,
    .run = run_bisect,
};
