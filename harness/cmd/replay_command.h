/* replay_command.h: the command that shows a finding again, and the file that it names. */
#ifndef NDP_REPLAY_COMMAND_H
#define NDP_REPLAY_COMMAND_H

#include "cmd/open_targets.h"
#include "engine/sweep.h"

enum { NDP_REPLAY_COMMAND_BYTES = 2048 };

/* Fills `out` (NDP_REPLAY_COMMAND_BYTES) with a command that works as typed where this one was typed. With a report,
 * the descriptor goes into a file of its own in the folder findings/ beside it, which names the script that shows the
 * finding where there is one; without, into the command. */
void ndp_replay_command(const struct ndp_settings *settings, const struct ndp_opened *opened,
                        const struct ndp_finding *finding, char *out);

#endif
