#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/withhold.h"
#include "version.h"

static void print_overview(FILE *out) {
    uint32_t count;
    const struct ndp_command *const *commands = ndp_commands(&count);
    fprintf(
        out,
        "ndproof %s: tests whether n-dimensional arrays survive serialization\n\nusage: ndproof COMMAND [OPTION]... "
        "[FILE]...\n\n",
        NDP_VERSION);
    for (uint32_t i = 0; i < count; i++) fprintf(out, "  %-9s %s\n", commands[i]->name, commands[i]->summary);
    fprintf(
        out,
        "\nChoose the libraries to test with --env NAME (built by 'make env NAME=...': current, seeds, bigendian),\n"
        "--python PATH or --config FILE, {\"environments\": {NAME: PYTHON, NAME: {\"command\": [WORD, ...]}}}; see\n"
        "README.md. 'ndproof COMMAND --help' lists the options of a command.\n"
        "\nExit codes: 0 clean, 1 new divergence or crash, 2 wrong usage or bad input file, 3 ndproof or a testee\n"
        "failed, 4 baseline stale or expired, 5 too little was compared or something expected was not tested\n"
        "(--allow-missing NAME permits that), 6 only flaky findings.\n");
}

static void print_usage(const struct ndp_command *command, FILE *out) {
    fprintf(out, "usage: ndproof %s [OPTION]...%s%s\n%s\n\n", command->name, command->arguments[0] != '\0' ? " " : "",
            command->arguments, command->summary);
    for (int i = 0; i < NDP_OPTION_COUNT; i++) {
        if ((command->options >> i & 1) == 0) continue;
        const struct ndp_option_row *row = ndp_option_row((enum ndp_option)i);
        char left[64];
        snprintf(left, sizeof left, "--%s %s", row->word, row->argument);
        fprintf(out, "  %-18s %s%s%s%s\n", left, row->help, row->initial[0] != '\0' ? " (default: " : "", row->initial,
                row->initial[0] != '\0' ? ")" : "");
    }
}

static const struct ndp_command *find_command(const char *name) {
    uint32_t count;
    const struct ndp_command *const *commands = ndp_commands(&count);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(commands[i]->name, name) == 0) return commands[i];
    return NULL;
}

/* Replaces the exit code if the output could not be written. */
static enum ndp_exit flush_output(enum ndp_exit code) {
    if (fflush(stdout) == 0 && ferror(stdout) == 0) return code;
    fprintf(stderr, "ndproof: cannot write the result: %s\n", strerror(errno));
    return NDP_EXIT_FAULT;
}

int main(int argc, char **argv) {
    /* A file size limit must be a write error, not a process death. */
    signal(SIGXFSZ, SIG_IGN);
    if (argc < 2) {
        print_overview(stderr);
        return NDP_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
        print_overview(stdout);
        return (int)flush_output(NDP_EXIT_CLEAN);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("ndproof %s\n", NDP_VERSION);
        return NDP_EXIT_CLEAN;
    }
    const struct ndp_command *command = find_command(argv[1]);
    if (command == NULL) {
        fprintf(stderr, "ndproof: unknown command '%s'; 'ndproof help' lists the commands\n", argv[1]);
        return NDP_EXIT_USAGE;
    }
    struct ndp_settings settings;
    struct ndp_error error = {0};
    if (ndp_settings_read(argc, argv, 2, command->options, &settings, &error) != NDP_OK) {
        fprintf(stderr, "ndproof %s: %s\n", command->name, error.text);
        return NDP_EXIT_USAGE;
    }
    if (settings.is_help) {
        print_usage(command, stdout);
        return (int)flush_output(NDP_EXIT_CLEAN);
    }
    if (settings.files.count < command->min_files || settings.files.count > command->max_files) {
        fprintf(stderr, "ndproof %s: ", command->name);
        if (settings.files.count < command->min_files)
            fprintf(stderr, "missing argument, expected %s\n", command->arguments);
        else
            fprintf(stderr, "unexpected argument '%s'\n", settings.files.list[command->max_files]);
        print_usage(command, stderr);
        return NDP_EXIT_USAGE;
    }
    ndp_withhold_start(&settings, command->options);
    return (int)flush_output(ndp_withhold_finish(command->run(&settings)));
}
