#include "cmd/forward_command.h"

static enum ndp_exit run_bisect(const struct ndp_settings *settings) {
    return ndp_forward_command("harness/cmd/upstream/bisect_releases.py", settings);
}

const struct ndp_command ndp_command_bisect = {
    .name = "bisect",
    .arguments = "FINDING",
    .summary = "find the releases of a package on PyPI that show a finding",
    .options = 1u << NDP_OPTION_PACKAGE | 1u << NDP_OPTION_FROM | 1u << NDP_OPTION_TO | 1u << NDP_OPTION_CAUSE |
               1u << NDP_OPTION_TRUST,
    .min_files = 1,
    .max_files = 1,
    .run = run_bisect,
};
