#include "cmd/open_targets.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "target/plugin.h"
#include "target/registry.h"

#define PYTHON_TESTEE "harness/testees/python/ndproof_testee.py"
/* Dicts that threads share have a testee of their own, where the interpreter has the library. */
#define DICT_TESTEE "harness/testees/python/ndproof_numba_testee.py"

/* The folder of the running program and those above it are tried until one holds `name`. */
static bool has_tree_file(const char *name, char *root, size_t root_bytes, char *path, size_t path_bytes) {
    ssize_t length = readlink("/proc/self/exe", root, root_bytes - 1);
    if (length <= 0) return false;
    root[length] = '\0';
    for (char *slash = strrchr(root, '/'); slash != NULL; slash = strrchr(root, '/')) {
        *slash = '\0';
        int written = snprintf(path, path_bytes, "%s/%s", root, name);
        if (written > 0 && (size_t)written < path_bytes && access(path, R_OK) == 0) return true;
    }
    return false;
}

static void add_missing(struct ndp_opened *opened, const char *name, const char *reason) {
    if (opened->missing_count == NDP_MAX_MISSING) return;
    struct ndp_missing *missing = &opened->missing[opened->missing_count++];
    snprintf(missing->name, sizeof missing->name, "%s", name);
    snprintf(missing->reason, sizeof missing->reason, "%s", reason);
}

static enum ndp_status add_target(struct ndp_opened *opened, struct ndp_target *target, struct ndp_error *error) {
    if (opened->bench.count == NDP_MAX_TARGETS) {
        ndp_target_close(target);
        return ndp_error_set(error, NDP_LIMIT, NDP_NO_OFFSET, "a run takes %d targets at most", NDP_MAX_TARGETS);
    }
    opened->bench.targets[opened->bench.count++] = target;
    return NDP_OK;
}

/* Opens one built-in codec: in this process, or served by this program in a process of its own. */
static enum ndp_status open_plugin(struct ndp_opened *opened, const struct ndp_plugin *plugin, const char *name,
                                   bool is_in_process, struct ndp_error *error) {
    struct ndp_target *target;
    if (is_in_process) {
        NDP_TRY(ndp_target_open_plugin(plugin, &target, error));
    } else {
        char self[PATH_MAX];
        ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
        if (length <= 0) return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "cannot find the running program");
        self[length] = '\0';
        char command[] = "testee", option[] = "--target", which[NDP_WORD_BYTES];
        snprintf(which, sizeof which, "%s", plugin->name);
        char *const argv[] = {self, command, option, which, NULL};
        NDP_TRY(ndp_target_open_process(name, "", argv, &ndp_target_default_limits, &target, error));
    }
    snprintf(target->info.name, sizeof target->info.name, "%s", name);
    return add_target(opened, target, error);
}

static enum ndp_status open_python(struct ndp_opened *opened, const char *name, const char *environment,
                                   const char *python, const char *testee, struct ndp_error *error) {
    char root[PATH_MAX], script[PATH_MAX];
    if (!has_tree_file(testee, root, sizeof root, script, sizeof script)) {
        add_missing(opened, name, "the Python testee is not beside this program");
        return NDP_OK;
    }
    char interpreter[PATH_MAX];
    snprintf(interpreter, sizeof interpreter, "%s", python);
    char *const argv[] = {interpreter, script, NULL};
    struct ndp_target *target;
    struct ndp_error why = {0};
    enum ndp_status status =
        ndp_target_open_process(name, environment, argv, &ndp_target_default_limits, &target, &why);
    if (status == NDP_NOMEM || status == NDP_FAULT) return status;
    if (status != NDP_OK) {
        char reason[240];
        snprintf(reason, sizeof reason, "%s does not run the Python testee: %.160s", python, why.text);
        add_missing(opened, name, reason);
        return NDP_OK;
    }
    return add_target(opened, target, error);
}

/* The interpreter of an environment of this tree (make env NAME=...); for `current`, else that of the set-up or of the
 * machine. */
static void find_python(const char *environment, char *out, size_t out_bytes) {
    char root[PATH_MAX], script[PATH_MAX];
    snprintf(out, out_bytes, "python3");
    if (!has_tree_file(PYTHON_TESTEE, root, sizeof root, script, sizeof script)) return;
    char path[PATH_MAX + 64];
    bool is_current = strcmp(environment, "current") == 0;
    snprintf(path, sizeof path, "%s/build/env/%s/bin/python3", root, environment);
    if (is_current && access(path, X_OK) != 0) snprintf(path, sizeof path, "%s/build/venv/bin/python3", root);
    /* Another interpreter than that of the environment that was asked for would speak for other versions. */
    if (!is_current || access(path, X_OK) == 0) snprintf(out, out_bytes, "%s", path);
}

/* Targets of the same library get their environment or its version into their names, and a number when that is not
 * enough. */
static void make_names_unique(struct ndp_bench *bench) {
    for (uint32_t i = 0; i < bench->count; i++) {
        struct ndp_target_info *info = &bench->targets[i]->info;
        uint32_t same = 0;
        for (uint32_t k = 0; k < bench->count; k++)
            same += strcmp(bench->targets[k]->info.implementation, info->implementation) == 0;
        bool is_python = strncmp(info->language, "CPython", strlen("CPython")) == 0;
        if (same > 1 && is_python && info->environment[0] != '\0') {
            snprintf(info->name, sizeof info->name, "%.14s@%.14s", info->implementation, info->environment);
        } else if (same > 1 && is_python)
            snprintf(info->name, sizeof info->name, "%.14s-%.14s", info->implementation, info->version);
    }
    for (uint32_t i = 0; i < bench->count; i++) {
        uint32_t number = 1;
        for (uint32_t k = 0; k < i; k++) {
            if (strncmp(bench->targets[k]->info.name, bench->targets[i]->info.name,
                        strlen(bench->targets[i]->info.name)) == 0)
                number++;
        }
        size_t length = strlen(bench->targets[i]->info.name);
        if (number > 1 && length + 4 < NDP_WORD_BYTES) {
            snprintf(bench->targets[i]->info.name + length, NDP_WORD_BYTES - length, "#%u", (unsigned)number);
        }
    }
}

static enum ndp_status open_pythons(const struct ndp_settings *settings, struct ndp_opened *opened,
                                    struct ndp_error *error) {
    for (uint32_t i = 0; i < settings->pythons.count; i++) {
        uint32_t missing = opened->missing_count;
        NDP_TRY(open_python(opened, "numpy", "", settings->pythons.list[i], PYTHON_TESTEE, error));
        /* A run without the very interpreter that it was started for would pass for a clean one. */
        if (opened->missing_count > missing)
            return ndp_error_set(error, NDP_GONE, NDP_NO_OFFSET, "%s", opened->missing[missing].reason);
        NDP_TRY(open_python(opened, "numba", "", settings->pythons.list[i], DICT_TESTEE, error));
    }
    uint32_t environments = settings->environments.count;
    if (environments == 0 && settings->pythons.count > 0) return NDP_OK;
    for (uint32_t i = 0; i < (environments == 0 ? 1 : environments); i++) {
        const char *environment = environments == 0 ? "current" : settings->environments.list[i];
        char python[PATH_MAX + 64];
        find_python(environment, python, sizeof python);
        NDP_TRY(open_python(opened, "numpy", environment, python, PYTHON_TESTEE, error));
        NDP_TRY(open_python(opened, "numba", environment, python, DICT_TESTEE, error));
    }
    return NDP_OK;
}

static enum ndp_status open_plugins(const struct ndp_settings *settings, struct ndp_opened *opened,
                                    struct ndp_error *error) {
    uint32_t count;
    const struct ndp_plugin *const *plugins = ndp_plugins(&count);
    for (uint32_t i = 0; i < count; i++) {
        NDP_TRY(open_plugin(opened, plugins[i], plugins[i]->name, settings->is_in_process, error));
        if (strcmp(plugins[i]->name, "reference") == 0) {
            NDP_TRY(ndp_target_open_plugin(plugins[i], &opened->bench.oracle, error));
        }
        if (settings->twin == NULL || strcmp(settings->twin, plugins[i]->name) != 0) continue;
        char name[NDP_WORD_BYTES];
        snprintf(name, sizeof name, "%.24s-twin", plugins[i]->name);
        NDP_TRY(open_plugin(opened, plugins[i], name, settings->is_in_process, error));
    }
    return NDP_OK;
}

static enum ndp_status open_all(const struct ndp_settings *settings, struct ndp_opened *opened,
                                struct ndp_error *error) {
    char root[PATH_MAX], path[PATH_MAX];
    if (has_tree_file("corpus", root, sizeof root, path, sizeof path)) {
        snprintf(opened->corpus, sizeof opened->corpus, "%.1000s", path);
        opened->bench.corpus = opened->corpus;
    }
    NDP_TRY(open_plugins(settings, opened, error));
    NDP_TRY(open_pythons(settings, opened, error));
    if (settings->twin != NULL && strcmp(settings->twin, "numpy") == 0) NDP_TRY(open_pythons(settings, opened, error));
    make_names_unique(&opened->bench);
    return NDP_OK;
}

enum ndp_status ndp_targets_open(const struct ndp_settings *settings, struct ndp_opened *out, struct ndp_error *error) {
    memset(out, 0, sizeof *out);
    enum ndp_status status = open_all(settings, out, error);
    if (status != NDP_OK) ndp_targets_close(out);
    return status;
}

void ndp_targets_close(struct ndp_opened *opened) {
    for (uint32_t i = 0; i < opened->bench.count; i++) ndp_target_close(opened->bench.targets[i]);
    ndp_target_close(opened->bench.oracle);
    opened->bench = (struct ndp_bench){0};
}

void ndp_targets_print(const struct ndp_opened *opened, FILE *out) {
    for (uint32_t i = 0; i < opened->bench.count; i++) {
        const struct ndp_target_info *info = &opened->bench.targets[i]->info;
        const bool is_open = strcmp(info->network, "open") == 0;
        fprintf(out, "target %-16s %s %s, %s%s%s%s\n", info->name, info->implementation, info->version, info->language,
                info->environment[0] != '\0' ? ", environment " : "", info->environment,
                is_open ? ", CAN REACH THE NETWORK: this system lets no process give it up" : "");
    }
    for (uint32_t i = 0; i < opened->missing_count; i++) {
        fprintf(out, "target %-16s NOT AVAILABLE: %s\n", opened->missing[i].name, opened->missing[i].reason);
    }
}
