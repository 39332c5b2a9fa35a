#include "cmd/forward_command.h"

#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "cmd/python_program.h"

/* A handler is replaced by the default in the program; an ignored signal would stay ignored there. */
static void on_interrupt(int number) {
    (void)number;
}

enum ndp_exit ndp_forward_command(const char *program, const struct ndp_settings *settings) {
    static const struct sigaction action = {.sa_handler = on_interrupt};
    char executable[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", executable, sizeof executable - 1);
    const int first = 2; /* after the program and the command */
    const char **arguments = calloc((size_t)settings->argc + 1, sizeof *arguments);
    struct ndp_error error = {0};
    int code = -1;
    if (arguments == NULL || length <= 0) {
        free(arguments);
        return NDP_EXIT_FAULT;
    }
    executable[length] = '\0';
    arguments[0] = executable;
    for (int i = first; i < settings->argc; i++) arguments[i - first + 1] = settings->argv[i];
    sigaction(SIGINT, &action, NULL);
    const enum ndp_status status = ndp_python_program_run(program, arguments, &code, &error);
    free(arguments);
    if (status != NDP_OK)
        fprintf(stderr, "ndproof %s: %s\n", settings->argv[1],
                error.text[0] != '\0' ? error.text : ndp_status_text(status));
    return status == NDP_OK && code >= 0 && code <= NDP_EXIT_FLAKY ? (enum ndp_exit)code : NDP_EXIT_FAULT;
}
