#include "cmd/forward_command.h"

static enum ndp_exit run_issue(const struct ndp_settings *settings) {
    return ndp_forward_command("harness/cmd/upstream/write_issue.py", settings);
}

const struct ndp_command ndp_command_issue = {
    .name = "issue",
    .arguments = "FINDING",
    .summary = "write the text of a report to the library's maintainers, in Markdown",
    .options = NDP_OPTION_BIT(ENV) | NDP_OPTION_BIT(PYTHON) | NDP_OPTION_BIT(CONFIG) | NDP_OPTION_BIT(CAUSE) |
               NDP_OPTION_BIT(TRUST),
    .min_files = 1,
    .max_files = 1,
    .run = run_issue,
};
