#include "cmd/command.h"
#include "cmd/export_report.h"

static enum ndp_exit run_export(const struct ndp_settings *settings) {
    return ndp_export_report(settings->files.list[0], settings);
}

const struct ndp_command ndp_command_export = {
    .name = "export",
    .arguments = "REPORT",
    .summary = "write a report as a page, Markdown, JUnit XML, SARIF or CTRF",
    .options = NDP_OPTION_BIT(HTML) | NDP_OPTION_BIT(MARKDOWN) | NDP_OPTION_BIT(JUNIT) | NDP_OPTION_BIT(SARIF) |
               NDP_OPTION_BIT(CTRF),
    .min_files = 1,
    .max_files = 1,
    .run = run_export,
};
