/* replay_command.h: the command that reproduces a finding, and the files that it needs. */
#ifndef NDP_REPLAY_COMMAND_H
#define NDP_REPLAY_COMMAND_H

#include "cmd/settings.h"
#include "report/report_packed.h"

enum { NDP_REPLAY_COMMAND_BYTES = 2048 };

/* Fills `out` (NDP_REPLAY_COMMAND_BYTES) with a shell command for the working directory of this run. With a report,
 * writes the descriptor, and the script if there is one, into the folder findings/ next to it; otherwise, and if that
 * fails, the command contains the descriptor. */
void ndp_replay_command(const struct ndp_settings *settings, const struct ndp_report_packed *packed, char *out);

/* Fills `path` with the script next to the finding that the command names, and returns whether it exists. */
bool ndp_replay_command_script(const char *command, char *path, size_t path_bytes);

#endif
