/* command.h: a command of the command line. cmd_<name>.c defines ndp_command_<name>; the build generates the registry
 * from the file names. */
#ifndef NDP_COMMAND_H
#define NDP_COMMAND_H

#include <stdio.h>

#include "cmd/settings.h"
#include "report/gate.h"

struct ndp_command {
    const char *name;
    const char *arguments; /* "FILE..." for the usage line; "" if it takes none */
    const char *summary;   /* one line for the help */
    uint64_t options;      /* mask of NDP_OPTION_BIT */
    uint32_t min_files;
    uint32_t max_files; /* UINT32_MAX is any number */
    enum ndp_exit (*run)(const struct ndp_settings *settings);
};

/* Sorted by name. */
const struct ndp_command *const *ndp_commands(uint32_t *count);

#endif
