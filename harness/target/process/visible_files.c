/* Finds the files that a testee needs.
 *
 * Problem: a testee must not see the user's files, but its interpreter and its libraries may lie anywhere, also in the
 * user's home.
 *
 * Method: a program in a folder "bin" or "shims" belongs to the installation above that folder; any other file belongs
 * to its folder. Symbolic links are followed step by step, and each step counts, because a virtual environment links to
 * the interpreter that it was made from. The absolute paths in a script of a few lines (a wrapper) count, too. So do
 * the folders in PYTHONPATH, LD_LIBRARY_PATH and NDPROOF_VISIBLE, the sources of editable installations, and the
 * folders that path configuration files (*.pth) name.
 *
 * Cost: some dozen system calls. Limits: NDP_MAX_VISIBLE paths; further ones are left out.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "target/process/visible_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"

enum { LINKS = 16, SCRIPT_BYTES = 4096, PUBLIC_LEVELS = 4 };

static const char *const system_paths[] = {
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix",
    "/gnu",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/sys/devices/system/cpu",
};

/* Folders that contain files of other programs or users. */
static const char *const wide_paths[] = {"/",    "/home", "/root", "/tmp", "/var", "/var/tmp", "/dev",  "/dev/shm",
                                         "/etc", "/opt",  "/srv",  "/mnt", "/run", "/media",   "/proc", "/sys"};

/* ---- the list ---- */

static bool is_below(const char *path, const char *folder) {
    const size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '\0' || path[length] == '/');
}

static bool is_too_wide(const char *path) {
    const char *home = getenv("HOME"), *temporary = getenv("TMPDIR");
    for (size_t i = 0; i < NDP_ARRAY_LEN(wide_paths); i++)
        if (strcmp(path, wide_paths[i]) == 0) return true;
    return (home != NULL && is_below(home, path)) || (temporary != NULL && is_below(temporary, path));
}

static void add(struct ndp_visible_files *files, const char *path, bool is_system) {
    struct stat info;
    if (path[0] != '/' || strlen(path) >= NDP_VISIBLE_PATH_BYTES || lstat(path, &info) != 0) return;
    for (uint32_t i = 0; i < files->count; i++)
        if (is_below(path, files->list[i].path)) return;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < files->count; i++)
        if (!is_below(files->list[i].path, path)) files->list[kept++] = files->list[i];
    files->count = kept;
    if (files->count == NDP_MAX_VISIBLE) return;
    struct ndp_visible *item = &files->list[files->count];
    memset(item, 0, sizeof *item);
    snprintf(item->path, sizeof item->path, "%s", path);
    item->is_system = is_system;
    if (is_system && S_ISLNK(info.st_mode) && readlink(path, item->link, sizeof item->link - 1) <= 0) return;
    files->count++;
}

/* Adds a folder under its name and, if a link is part of that, under its real name. */
static void add_folder(struct ndp_visible_files *files, const char *path) {
    char real[PATH_MAX];
    if (is_too_wide(path) || realpath(path, real) == NULL || is_too_wide(real)) return;
    add(files, path, false);
    add(files, real, false);
}

/* ---- the testee's program ---- */

static void cut_name(char *path) {
    char *slash = strrchr(path, '/');
    if (slash != NULL) *(slash == path ? slash + 1 : slash) = '\0';
}

/* Adds what `path`, a file, belongs to. */
static void add_surroundings(struct ndp_visible_files *files, const char *path) {
    char folder[PATH_MAX], above[PATH_MAX], real[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", path);
    cut_name(folder);
    snprintf(above, sizeof above, "%s", folder);
    cut_name(above);
    const char *name = strrchr(folder, '/');
    const bool is_installation = name != NULL && (strcmp(name, "/bin") == 0 || strcmp(name, "/shims") == 0);
    if (is_installation && !is_too_wide(above)) {
        add_folder(files, above);
    } else if (!is_too_wide(folder)) {
        add_folder(files, folder);
    } else if (realpath(path, real) != NULL) {
        add(files, path, false);
        add(files, real, false);
    }
}

static void add_file(struct ndp_visible_files *files, const char *path, bool reads_scripts);

/* Adds the interpreter of a script, and the files that a short script names. */
static void add_script(struct ndp_visible_files *files, const char *path) {
    static const char between[] = " \t\r\n'\"`;:=,()[]{}<>|&$";
    char text[SCRIPT_BYTES + 1], program[PATH_MAX], *rest = NULL;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t size = fd >= 0 ? read(fd, text, SCRIPT_BYTES) : -1;
    if (fd >= 0) (void)close(fd);
    if (size < 2 || text[0] != '#' || text[1] != '!') return;
    text[size] = '\0';
    if (size == SCRIPT_BYTES) text[strcspn(text, "\n")] = '\0';
    char *line_end = strchr(text, '\n');
    bool is_first_line = true;
    for (char *word = strtok_r(text + 2, between, &rest); word != NULL; word = strtok_r(NULL, between, &rest)) {
        is_first_line = is_first_line && (line_end == NULL || word < line_end);
        if (word[0] == '/') add_file(files, word, false);
        /* "#!/usr/bin/env node" */
        else if (is_first_line && ndp_visible_files_program(word, program, sizeof program))
            add_file(files, program, false);
    }
}

/* Adds a file or folder with everything that the links on the way belong to. */
static void add_file(struct ndp_visible_files *files, const char *path, bool reads_scripts) {
    char at[PATH_MAX], target[PATH_MAX];
    struct stat info;
    if (stat(path, &info) != 0) return;
    if (S_ISDIR(info.st_mode)) {
        add_folder(files, path);
        return;
    }
    if (!S_ISREG(info.st_mode)) return;
    snprintf(at, sizeof at, "%s", path);
    for (int i = 0; i < LINKS; i++) {
        add_surroundings(files, at);
        const ssize_t length = readlink(at, target, sizeof target - 1);
        if (length <= 0) break;
        target[length] = '\0';
        char folder[PATH_MAX];
        snprintf(folder, sizeof folder, "%s", at);
        cut_name(folder);
        const int written = target[0] == '/' ? snprintf(at, sizeof at, "%s", target)
                                             : snprintf(at, sizeof at, "%.2000s/%.2000s", folder, target);
        if (written <= 0 || (size_t)written >= sizeof at) break;
    }
    if (reads_scripts) add_script(files, path);
}

bool ndp_visible_files_program(const char *name, char *out, uint32_t out_bytes) {
    const char *search = getenv("PATH");
    if (strchr(name, '/') != NULL) {
        const int length = snprintf(out, out_bytes, "%s", name);
        return length > 0 && (uint32_t)length < out_bytes && access(out, X_OK) == 0;
    }
    for (const char *at = search != NULL ? search : "/usr/bin:/bin"; *at != '\0';) {
        const size_t length = strcspn(at, ":");
        struct stat info;
        const int written = snprintf(out, out_bytes, "%.*s/%s", (int)length, at, name);
        if (at[0] == '/' && written > 0 && (uint32_t)written < out_bytes && access(out, X_OK) == 0 &&
            stat(out, &info) == 0 && S_ISREG(info.st_mode))
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}

/* ---- the environment ---- */

/* Adds the folders of a variable such as PYTHONPATH. */
static void add_variable(struct ndp_visible_files *files, const char *name) {
    const char *at = getenv(name);
    while (at != NULL && *at != '\0') {
        char path[NDP_VISIBLE_PATH_BYTES];
        const size_t length = strcspn(at, ":");
        snprintf(path, sizeof path, "%.*s", (int)length, at);
        add_file(files, path, false);
        at += length + (at[length] == ':');
    }
}

/* The packages of the user, without the other files in the same folder. */
static void add_user_packages(struct ndp_visible_files *files) {
    const char *base = getenv("PYTHONUSERBASE"), *home = getenv("HOME");
    char path[NDP_VISIBLE_PATH_BYTES];
    if (base != NULL)
        snprintf(path, sizeof path, "%s/lib", base);
    else
        snprintf(path, sizeof path, "%s/.local/lib", home != NULL ? home : "");
    add_folder(files, path);
}

/* Adds the sources of an editable installation: PEP 610 states them as {"dir_info": {"editable": true}, "url":
 * "file:///..."}. */
static void add_editable(struct ndp_visible_files *files, const char *record) {
    static const char before[] = "\"file://";
    char text[SCRIPT_BYTES + 1];
    const int fd = open(record, O_RDONLY | O_CLOEXEC);
    const ssize_t size = fd >= 0 ? read(fd, text, SCRIPT_BYTES) : -1;
    if (fd >= 0) (void)close(fd);
    if (size <= 0) return;
    text[size] = '\0';
    char *url = strstr(text, before);
    if (url == NULL || strstr(text, "\"editable\"") == NULL) return;
    url += sizeof before - 1;
    url[strcspn(url, "\"")] = '\0';
    add_folder(files, url);
}

/* Adds the folders that a path configuration file names, a line each or in a line of code (the module site of Python).
 */
static void add_path_file(struct ndp_visible_files *files, const char *path) {
    char text[SCRIPT_BYTES + 1], *rest = NULL;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t size = fd >= 0 ? read(fd, text, SCRIPT_BYTES) : -1;
    if (fd >= 0) (void)close(fd);
    if (size <= 0) return;
    text[size] = '\0';
    for (char *word = strtok_r(text, "\r\n'\"(),;", &rest); word != NULL; word = strtok_r(NULL, "\r\n'\"(),;", &rest))
        if (word[0] == '/') add_folder(files, word);
}

/* Calls `add_one` for each file of the packages of an installation that fits the pattern. */
static void add_packages(struct ndp_visible_files *files, const char *pattern,
                         void (*add_one)(struct ndp_visible_files *files, const char *path)) {
    const uint32_t count = files->count;
    for (uint32_t i = 0; i < count && i < files->count; i++) {
        char whole[NDP_VISIBLE_PATH_BYTES + 64];
        glob_t found;
        if (files->list[i].is_system) continue;
        snprintf(whole, sizeof whole, "%s/lib/python3*/site-packages/%s", files->list[i].path, pattern);
        if (glob(whole, GLOB_NOSORT, NULL, &found) != 0) continue;
        for (size_t k = 0; k < found.gl_pathc; k++) add_one(files, found.gl_pathv[k]);
        globfree(&found);
    }
}

/* ---- all ---- */

/* The system's folders of programs, and that of the testee's program. */
static void fill_search(struct ndp_visible_files *files, const char *program) {
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", program);
    cut_name(folder);
    snprintf(files->search, sizeof files->search, "%.900s%s/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
             program[0] == '/' ? folder : "", program[0] == '/' ? ":" : "");
}

void ndp_visible_files_find(char *const *argv, const char *compiled, struct ndp_visible_files *out) {
    char program[PATH_MAX] = "";
    out->count = 0;
    for (size_t i = 0; i < NDP_ARRAY_LEN(system_paths); i++) add(out, system_paths[i], true);
    if (ndp_visible_files_program(argv[0], program, sizeof program)) add_file(out, program, true);
    for (size_t i = 1; argv[i] != NULL; i++)
        if (argv[i][0] == '/') add_file(out, argv[i], false);
    if (compiled != NULL && compiled[0] != '\0') add_folder(out, compiled);
    add_variable(out, "PYTHONPATH");
    add_variable(out, "LD_LIBRARY_PATH");
    add_variable(out, "NDPROOF_VISIBLE");
    add_user_packages(out);
    add_packages(out, "*.dist-info/direct_url.json", add_editable);
    add_packages(out, "*.pth", add_path_file);
    fill_search(out, program);
}

/* Whether others can read the folder's content. `levels` is a constant of the caller, so recursion is bounded. */
static bool is_public(int parent, const char *name, int levels) {
    struct stat info;
    if (fstatat(parent, name, &info, 0) != 0) return true; /* a broken link */
    const mode_t wanted = S_ISDIR(info.st_mode) ? S_IROTH | S_IXOTH : S_IROTH;
    if ((info.st_mode & wanted) != wanted) return false;
    if (!S_ISDIR(info.st_mode) || levels == 0) return true;
    const int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    if (folder == NULL) {
        if (fd >= 0) (void)close(fd);
        return false;
    }
    bool is_all = true;
    for (const struct dirent *entry = readdir(folder); entry != NULL && is_all; entry = readdir(folder)) {
        const bool is_worth_it = entry->d_name[0] != '.' && (levels > 1 || entry->d_type == DT_DIR);
        if (is_worth_it) is_all = is_public(fd, entry->d_name, levels - 1);
    }
    (void)closedir(folder);
    return is_all;
}

bool ndp_visible_files_are_public(const struct ndp_visible_files *files) {
    for (uint32_t i = 0; i < files->count; i++)
        if (!files->list[i].is_system && !is_public(AT_FDCWD, files->list[i].path, PUBLIC_LEVELS)) return false;
    return true;
}
