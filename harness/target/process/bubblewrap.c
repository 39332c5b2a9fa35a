/* Builds the command line of bwrap(1).
 *
 * Problem: as root, bwrap must set up the view with root's rights, because only root may be able to reach the
 * interpreter; the testee must have none of these rights.
 *
 * Method: without root, or when other users cannot read the testee's files, bwrap makes a user namespace and drops all
 * capabilities. Otherwise it keeps those that setpriv(1) needs to become nobody, and setpriv drops them.
 *
 * Cost: two or three exec calls. Limits: an exit code from 129 to 192 cannot be told from a signal.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "target/process/bubblewrap.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"

enum { MAX_WORDS = 1024, NUMBER_BYTES = 24, NUMBERS = 4, SIGNAL_BASE = 128, FOLDERS_BYTES = 1 << 14 };

struct command {
    const char *words[MAX_WORDS + 1]; /* NULL-terminated */
    size_t count;
    char numbers[NUMBERS][NUMBER_BYTES];
    size_t number_count;
    char folders[FOLDERS_BYTES]; /* the texts of folders above visible files */
    size_t folders_bytes;
};

static void add(struct command *command, const char *word) {
    if (command->count < MAX_WORDS) command->words[command->count++] = word;
}

static void add_all(struct command *command, const char *const *words) {
    for (; *words != NULL; words++) add(command, *words);
}

static void add_number(struct command *command, const char *option, unsigned long long number) {
    char *text = command->numbers[command->number_count++];
    snprintf(text, NUMBER_BYTES, "%llu", number);
    add(command, option);
    add(command, text);
}

static void add_namespaces(struct command *command, const struct ndp_sandbox *sandbox) {
    static const char *const always[] = {"bwrap",
                                         "--unshare-pid",
                                         "--unshare-net",
                                         "--unshare-ipc",
                                         "--unshare-uts",
                                         "--unshare-cgroup-try",
                                         "--die-with-parent",
                                         "--cap-drop",
                                         "ALL",
                                         NULL};
    /* The last one is for bwrap itself, which enters nobody's folder. */
    static const char *const for_setpriv[] = {"--cap-add",  "CAP_SETUID",          "--cap-add",
                                              "CAP_SETGID", "--cap-add",           "CAP_SETPCAP",
                                              "--cap-add",  "CAP_DAC_READ_SEARCH", NULL};
    add_all(command, always);
    if (!ndp_sandbox_needs_user_namespace(sandbox)) {
        add_all(command, for_setpriv);
        return;
    }
    add(command, "--unshare-user");
    add_number(command, "--uid", ndp_sandbox_user(sandbox));
    add_number(command, "--gid", ndp_sandbox_group(sandbox));
}

/* Makes the folders above a path. bwrap itself makes some of them for root alone. */
static void add_parents(struct command *command, const char *path) {
    for (const char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        const size_t length = (size_t)(slash - path);
        char *folder = command->folders + command->folders_bytes;
        if (length + 1 > FOLDERS_BYTES - command->folders_bytes) return;
        memcpy(folder, path, length);
        folder[length] = '\0';
        command->folders_bytes += length + 1;
        add(command, "--dir");
        add(command, folder);
    }
}

static void add_files(struct command *command, const struct ndp_sandbox *sandbox) {
    static const char *const kernel[] = {"--proc", "/proc", "--dev", "/dev", "--perms", "1777", NULL};
    for (uint32_t i = 0; i < sandbox->files->count; i++) {
        const struct ndp_visible *item = &sandbox->files->list[i];
        const bool is_link = item->link[0] != '\0';
        if (!item->is_system) add_parents(command, item->path);
        add(command, is_link ? "--symlink" : "--ro-bind");
        add(command, is_link ? item->link : item->path);
        add(command, item->path);
    }
    add_all(command, kernel);
    add_number(command, "--size", sandbox->shared_bytes);
    add(command, "--tmpfs");
    add(command, NDP_SHARED_MEMORY);
    if (ndp_sandbox_has_shared_folder(sandbox)) {
        static const char *const new_folder[] = {"--perms", "0777", "--dir", NULL};
        add_all(command, new_folder);
    } else {
        add_parents(command, sandbox->folder);
        add(command, "--bind");
        add(command, sandbox->folder);
    }
    add(command, sandbox->folder);
    add(command, "--remount-ro");
    add(command, "/");
    add(command, "--chdir");
    add(command, sandbox->folder);
}

static void add_program(struct command *command, const struct ndp_sandbox *sandbox, char *const *argv) {
    static const char *const become_nobody[] = {
        "setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--inh-caps=-all", "--bounding-set=-all",
        "--",      NULL};
    add(command, "--");
    if (!ndp_sandbox_needs_user_namespace(sandbox)) add_all(command, become_nobody);
    for (; *argv != NULL; argv++) add(command, *argv);
}

void ndp_bubblewrap_exec(const struct ndp_sandbox *sandbox, const struct ndp_system_calls *rules, char *const *argv) {
    struct command command = {.count = 0};
    char bwrap[NDP_VISIBLE_PATH_BYTES];
    add_namespaces(&command, sandbox);
    add_files(&command, sandbox);
    const int filter = ndp_system_calls_file(rules);
    if (filter >= 0) add_number(&command, "--seccomp", (unsigned)filter);
    add_program(&command, sandbox, argv);
    if (command.count == MAX_WORDS || !ndp_visible_files_program("bwrap", bwrap, sizeof bwrap)) return;
    char *words[MAX_WORDS + 1];
    memcpy(words, command.words, sizeof words);
    (void)execv(bwrap, words);
}

int ndp_bubblewrap_status(int wait_status) {
    const int code = wait_status >> 8 & 0xff;
    const bool is_exit = (wait_status & 0x7f) == 0;
    return is_exit && code > SIGNAL_BASE && code < SIGNAL_BASE + NSIG ? code - SIGNAL_BASE : wait_status;
}
