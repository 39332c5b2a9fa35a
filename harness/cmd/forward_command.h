/* forward_command.h: commands that are Python programs of the source tree. */
#ifndef NDP_FORWARD_COMMAND_H
#define NDP_FORWARD_COMMAND_H

#include "cmd/command.h"

/* Runs `program` (a path in the source tree) with the path of this program and the words of the command line after the
 * command, which ndp_settings_read has accepted. Borrows both. Returns the program's exit code, or FAULT with a message
 * if it cannot run or ends with another code. An interrupt from the terminal ends the program, not this process, so
 * that the program prints its result first. */
enum ndp_exit ndp_forward_command(const char *program, const struct ndp_settings *settings);

#endif
