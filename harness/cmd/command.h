/* command.h: one command of the command line, one file each: cmd_<name>.c defines ndp_command_<name>. The
 * registry is made from the file names. */
#ifndef NDP_COMMAND_H
#define NDP_COMMAND_H

#include <stdio.h>

#include "cmd/settings.h"
#include "report/gate.h"

struct ndp_command {
    const char *name;
    const char *arguments; /* "FILE..." for the usage line; "" is none */
    const char *summary;   /* one line for the help */
    uint32_t options;      /* 1 << enum ndp_option of those it takes */
    uint32_t min_files;
    uint32_t max_files; /* 0 is no files; UINT32_MAX is any number */
    enum ndp_exit (*run)(const struct ndp_settings *settings);
};

/* In the order of their names. */
const struct ndp_command *const *ndp_commands(uint32_t *count);

#endif
