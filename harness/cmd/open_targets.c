#include "cmd/open_targets.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/load_case.h"
#include "cmd/warm_testee.h"
#include "cmd/withhold.h"
#include "engine/routes.h"
#include "model/graph/array_class.h"
#include "target/codec_name.h"
#include "target/config.h"
#include "target/plugin.h"
#include "target/registry.h"

#define PYTHON_TESTEE "harness/testees/python/ndproof_testee.py"
/* The testee for typed dicts that threads share; it needs numba. */
#define DICT_TESTEE "harness/testees/python/ndproof_numba_testee.py"

#define CONFIG_BYTES (UINT64_C(1) << 16)

/* The sources of the targets of a run. Borrowed. */
struct sources {
    const struct ndp_settings *settings;
    struct ndp_config config;
};

/* Looks for `name` in the folder of the running program and in its parents. */
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

bool ndp_open_targets_tree_file(const char *name, char *path, size_t path_bytes) {
    char root[PATH_MAX];
    return has_tree_file(name, root, sizeof root, path, path_bytes);
}

static const struct ndp_missing *find_missing(const struct ndp_opened *opened, const char *library,
                                              const char *environment) {
    for (uint32_t i = 0; i < opened->missing_count; i++) {
        const struct ndp_missing *missing = &opened->missing[i];
        if (strcmp(missing->library, library) == 0 && strcmp(missing->environment, environment) == 0) return missing;
    }
    return NULL;
}

/* Records a missing target once. */
static void add_missing(struct ndp_opened *opened, const char *library, const char *environment, bool is_main,
                        const char *reason) {
    if (find_missing(opened, library, environment) != NULL || opened->missing_count == NDP_MAX_MISSING) return;
    struct ndp_missing *one = &opened->missing[opened->missing_count++];
    one->is_main = is_main;
    const bool has_both = environment[0] != '\0' && strcmp(environment, library) != 0;
    snprintf(one->name, sizeof one->name, "%.14s%s%.14s", library, has_both ? "@" : "", has_both ? environment : "");
    snprintf(one->library, sizeof one->library, "%s", library);
    snprintf(one->environment, sizeof one->environment, "%s", environment);
    snprintf(one->reason, sizeof one->reason, "%s", reason);
}

static bool is_among(const struct ndp_words *words, const char *word) {
    for (uint32_t i = 0; i < words->count; i++)
        if (strcmp(words->list[i], word) == 0) return true;
    return false;
}

/* Fails the start if the main testee of a requested environment is missing and the user does not permit that. */
static enum ndp_status require_main(const struct ndp_settings *settings, struct ndp_opened *opened, const char *library,
                                    const char *environment, struct ndp_error *error) {
    const struct ndp_missing *missing = find_missing(opened, library, environment);
    if (missing == NULL) return NDP_OK;
    /* A path that does not run is a mistake of the command line. */
    if (environment[0] == '\0') return ndp_error_set(error, NDP_GONE, NDP_NO_OFFSET, "%s", missing->reason);
    const char *const names[] = {missing->name, library, environment};
    for (size_t i = 0; i < NDP_ARRAY_LEN(names); i++)
        if (is_among(&settings->allowed_missing, names[i])) return NDP_OK;
    opened->is_untested = true;
    return ndp_error_set(error, NDP_GONE, NDP_NO_OFFSET, "%s (%.200s)", missing->name, missing->reason);
}

static enum ndp_status add_target(struct ndp_opened *opened, struct ndp_target *target, struct ndp_error *error) {
    if (opened->bench.count == NDP_MAX_TARGETS) {
        ndp_target_close(target);
        return ndp_error_set(error, NDP_LIMIT, NDP_NO_OFFSET, "more than %d targets", NDP_MAX_TARGETS);
    }
    opened->bench.targets[opened->bench.count++] = target;
    return NDP_OK;
}

/* Opens a built-in plugin in this process, or in a separate process of this program. */
static enum ndp_status open_plugin(struct ndp_opened *opened, const struct ndp_plugin *plugin, const char *name,
                                   bool is_in_process, struct ndp_error *error) {
    struct ndp_target *target;
    if (is_in_process) {
        NDP_TRY(ndp_target_open_plugin(plugin, &target, error));
    } else {
        char self[PATH_MAX];
        ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
        if (length <= 0) return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "cannot read /proc/self/exe");
        self[length] = '\0';
        char command[] = "testee", option[] = "--target", plugin_name[NDP_WORD_BYTES];
        snprintf(plugin_name, sizeof plugin_name, "%s", plugin->name);
        char *const argv[] = {self, command, option, plugin_name, NULL};
        NDP_TRY(ndp_target_open_process(name, "", argv, &ndp_target_default_limits, &target, error));
    }
    snprintf(target->info.name, sizeof target->info.name, "%s", name);
    return add_target(opened, target, error);
}

/* Opens a testee of an environment; a testee that does not start becomes missing. */
static enum ndp_status open_testee(struct ndp_opened *opened, const char *name, const char *environment, bool is_main,
                                   char *const *argv, const char *compiled, struct ndp_error *error) {
    struct ndp_target *target;
    struct ndp_error why = {0};
    struct ndp_target_limits limits = ndp_target_default_limits;
    limits.compiled = compiled;
    enum ndp_status status = ndp_target_open_process(name, environment, argv, &limits, &target, &why);
    if (status == NDP_NOMEM || status == NDP_FAULT) return status;
    if (status == NDP_OK) return add_target(opened, target, error);
    char reason[240];
    snprintf(reason, sizeof reason, "%.60s does not run as a testee: %.160s", argv[0], why.text);
    add_missing(opened, name, environment, is_main, reason);
    return NDP_OK;
}

enum { MAX_TESTEE_WORDS = 4 * NDP_MAX_CODECS + 3 };

static void add_codec(struct ndp_opened *opened, const char *codec, char **argv, uint32_t *count) {
    static char option[] = "--codec";
    argv[(*count)++] = option;
    argv[(*count)++] = (char *)(uintptr_t)codec; /* ndp_target_open_process copies it */
    bool is_known = strlen(codec) >= NDP_CODEC_BYTES || opened->codec_count == NDP_MAX_OPENED_CODECS;
    for (uint32_t i = 0; i < opened->codec_count; i++) is_known = is_known || strcmp(opened->codecs[i], codec) == 0;
    if (!is_known) snprintf(opened->codecs[opened->codec_count++], NDP_CODEC_BYTES, "%s", codec);
}

/* Appends the codecs of the command line and of the configuration to the words of the NumPy testee. */
static enum ndp_status add_codecs(const struct ndp_settings *settings, char *const *codecs, struct ndp_opened *opened,
                                  char **argv, struct ndp_error *error) {
    uint32_t count = 2;
    for (uint32_t i = 0; i < settings->codecs.count; i++) {
        struct ndp_error why = {.text = ""};
        const char *codec = settings->codecs.list[i];
        if (i == NDP_MAX_CODECS)
            return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "more than %d codecs", NDP_MAX_CODECS);
        if (ndp_codec_name_check(codec, &why) != NDP_OK)
            return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "--codec '%.60s', character %u: %.120s", codec,
                                 (unsigned)why.offset_bytes + 1, why.text);
        add_codec(opened, codec, argv, &count);
    }
    for (; codecs != NULL && *codecs != NULL; codecs++) add_codec(opened, *codecs, argv, &count);
    argv[count] = NULL;
    return NDP_OK;
}

/* Opens a Python testee; `codecs` (NULL: none) are those of the environment. */
static enum ndp_status open_python(const struct ndp_settings *settings, struct ndp_opened *opened, const char *name,
                                   const char *environment, const char *python, const char *testee, char *const *codecs,
                                   struct ndp_error *error) {
    const bool is_main = strcmp(testee, PYTHON_TESTEE) == 0;
    char root[PATH_MAX], script[PATH_MAX];
    if (!has_tree_file(testee, root, sizeof root, script, sizeof script)) {
        add_missing(opened, name, environment, is_main, "the Python testee is not in the source tree of this program");
        return NDP_OK;
    }
    char interpreter[PATH_MAX];
    snprintf(interpreter, sizeof interpreter, "%s", python);
    char *argv[MAX_TESTEE_WORDS] = {interpreter, script, NULL};
    if (is_main) NDP_TRY(add_codecs(settings, codecs, opened, argv, error));
    const uint32_t index = opened->bench.count;
    const bool is_numba = strcmp(testee, DICT_TESTEE) == 0;
    char compiled[PATH_MAX + 32];
    snprintf(compiled, sizeof compiled, "%s/build/%s", root, is_numba ? "numba-cache" : "pycache");
    ndp_warm_testee(interpreter, script, root);
    NDP_TRY(open_testee(opened, name, environment, is_main, argv, compiled, error));
    if (opened->bench.count > index)
        snprintf(opened->interpreters[index], sizeof opened->interpreters[index], "%s", interpreter);
    return NDP_OK;
}

enum { PROGRAM_PATH_BYTES = PATH_MAX + 64, FOLDER_BYTES = NDP_WORD_BYTES + 8 };

/* Fills `out` with the path of a program in a folder under build/, and returns whether it is executable. */
static bool has_program(const char *folder, const char *program, char *out) {
    char root[PATH_MAX], script[PATH_MAX];
    if (!has_tree_file(PYTHON_TESTEE, root, sizeof root, script, sizeof script)) return false;
    snprintf(out, PROGRAM_PATH_BYTES, "%s/build/%s/bin/%s", root, folder, program);
    return access(out, X_OK) == 0;
}

/* Finds the interpreter of an environment of this tree. `current` falls back to build/venv and to the machine's
 * python3; other environments have no fallback, because it would have other library versions. */
static bool has_python(const char *environment, char *out) {
    char folder[FOLDER_BYTES];
    snprintf(folder, sizeof folder, "env/%.31s", environment);
    if (has_program(folder, "python3", out)) return true;
    if (strcmp(environment, "current") != 0) return false;
    if (!has_program("venv", "python3", out)) snprintf(out, PROGRAM_PATH_BYTES, "python3");
    return true;
}

/* Adds the environment or the version to the names of targets of the same library, and a number if they are still
 * equal. */
static void make_names_unique(struct ndp_bench *bench) {
    for (uint32_t i = 0; i < bench->count; i++) {
        struct ndp_target_info *info = &bench->targets[i]->info;
        uint32_t same = 0;
        for (uint32_t k = 0; k < bench->count; k++)
            same += strcmp(bench->targets[k]->info.implementation, info->implementation) == 0;
        bool is_python = strncmp(info->language, "CPython", strlen("CPython")) == 0;
        if (same > 1 && info->environment[0] != '\0') {
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
        if (number > 1 && length + 4 < NDP_WORD_BYTES)
            snprintf(bench->targets[i]->info.name + length, NDP_WORD_BYTES - length, "#%u", (unsigned)number);
    }
}

/* Returns whether a target of this library may be requested: target names begin with the library. */
static bool is_wanted(const struct ndp_settings *settings, const char *library) {
    bool is_named = settings->targets.count == 0;
    for (uint32_t i = 0; i < settings->targets.count; i++)
        is_named = is_named || strncmp(settings->targets.list[i], library, strlen(library)) == 0;
    return is_named;
}

/* Opens both Python testees of an interpreter. The first must run. The second needs numba, which may be missing, and is
 * skipped unless requested, because it compiles for seconds. */
static enum ndp_status open_interpreter(const struct ndp_settings *settings, struct ndp_opened *opened,
                                        const char *environment, const char *python, char *const *codecs,
                                        bool is_requested, struct ndp_error *error) {
    NDP_TRY(open_python(settings, opened, "numpy", environment, python, PYTHON_TESTEE, codecs, error));
    if (is_requested) NDP_TRY(require_main(settings, opened, "numpy", environment, error));
    if (!is_wanted(settings, "numba")) return NDP_OK;
    return open_python(settings, opened, "numba", environment, python, DICT_TESTEE, NULL, error);
}

/* Opens the testee of a command in the configuration. */
static enum ndp_status open_command(const struct ndp_settings *settings, struct ndp_opened *opened,
                                    const struct ndp_environment *environment, struct ndp_error *error) {
    const uint32_t count = opened->bench.count;
    NDP_TRY(open_testee(opened, environment->name, environment->name, true, environment->command, NULL, error));
    if (opened->bench.count == count)
        return require_main(settings, opened, environment->name, environment->name, error);
    struct ndp_target_info *info = &opened->bench.targets[opened->bench.count - 1]->info;
    memcpy(info->name, info->implementation, sizeof info->name);
    return NDP_OK;
}

/* Opens the reference of an environment that is built for another machine. */
static enum ndp_status open_reference(struct ndp_opened *opened, const char *environment, struct ndp_error *error) {
    char program[PROGRAM_PATH_BYTES], command[] = "testee", folder[FOLDER_BYTES];
    snprintf(folder, sizeof folder, "env/%.31s", environment);
    if (!has_program(folder, "ndproof", program)) return NDP_OK;
    char *const argv[] = {program, command, NULL};
    return open_testee(opened, "reference", environment, true, argv, NULL, error);
}

static enum ndp_status open_environment(const struct sources *from, struct ndp_opened *opened, const char *name,
                                        bool is_requested, struct ndp_error *error) {
    const struct ndp_environment *own = ndp_config_find(&from->config, name);
    if (own != NULL && own->python != NULL)
        return open_interpreter(from->settings, opened, name, own->python, own->codecs, true, error);
    if (own != NULL) return open_command(from->settings, opened, own, error);
    char python[PROGRAM_PATH_BYTES];
    if (opened->own_count < NDP_MAX_OWN) snprintf(opened->own[opened->own_count++], sizeof opened->own[0], "%s", name);
    if (!has_python(name, python)) {
        char reason[240];
        snprintf(reason, sizeof reason,
                 "no environment %.31s found; 'make env NAME=%.31s' builds the environments of the project", name,
                 name);
        add_missing(opened, "numpy", name, true, reason);
        return require_main(from->settings, opened, "numpy", name, error);
    }
    NDP_TRY(open_interpreter(from->settings, opened, name, python, NULL, is_requested, error));
    return open_reference(opened, name, error);
}

static enum ndp_status open_environments(const struct sources *from, struct ndp_opened *opened,
                                         struct ndp_error *error) {
    const struct ndp_settings *settings = from->settings;
    for (uint32_t i = 0; i < settings->pythons.count; i++)
        NDP_TRY(open_interpreter(from->settings, opened, "", settings->pythons.list[i], NULL, true, error));
    for (uint32_t i = 0; i < settings->environments.count; i++)
        NDP_TRY(open_environment(from, opened, settings->environments.list[i], true, error));
    if (settings->environments.count > 0) return NDP_OK;
    for (uint32_t i = 0; i < from->config.count; i++)
        NDP_TRY(open_environment(from, opened, from->config.environments[i].name, true, error));
    if (settings->pythons.count > 0 || from->config.count > 0) return NDP_OK;
    return open_environment(from, opened, "current", false, error);
}

static enum ndp_status open_plugins(const struct ndp_settings *settings, struct ndp_opened *opened,
                                    struct ndp_error *error) {
    uint32_t count;
    const struct ndp_plugin *const *plugins = ndp_registry_plugins(&count);
    for (uint32_t i = 0; i < count; i++) {
        NDP_TRY(open_plugin(opened, plugins[i], plugins[i]->name, settings->is_in_process, error));
        if (strcmp(plugins[i]->name, "reference") == 0)
            NDP_TRY(ndp_target_open_plugin(plugins[i], &opened->bench.oracle, error));
        if (settings->twin == NULL || strcmp(settings->twin, plugins[i]->name) != 0) continue;
        char name[NDP_WORD_BYTES];
        snprintf(name, sizeof name, "%.24s-twin", plugins[i]->name);
        NDP_TRY(open_plugin(opened, plugins[i], name, settings->is_in_process, error));
    }
    return NDP_OK;
}

/* Rejects unknown target names, which would leave the run without cases. Missing targets are known. */
static enum ndp_status check_target_names(const struct ndp_settings *settings, const struct ndp_opened *opened,
                                          struct ndp_error *error) {
    for (uint32_t i = 0; i < settings->targets.count; i++) {
        const char *named = settings->targets.list[i];
        bool is_known = ndp_routes_count_targets(&opened->bench, named) > 0;
        for (uint32_t k = 0; k < opened->missing_count; k++)
            is_known = is_known || ndp_untested_is_same_library(opened->missing[k].name, named);
        if (!is_known)
            return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET,
                                 "unknown target '%.40s'; 'ndproof list targets' lists the targets", named);
    }
    return NDP_OK;
}

static enum ndp_status open_all(const struct sources *from, struct ndp_opened *opened, struct ndp_error *error) {
    char root[PATH_MAX], path[PATH_MAX];
    const char *twin = from->settings->twin;
    if (has_tree_file("corpus", root, sizeof root, path, sizeof path)) {
        snprintf(opened->corpus, sizeof opened->corpus, "%.1000s", path);
        opened->bench.corpus = opened->corpus;
    }
    opened->bench.withheld = ndp_withhold_list();
    NDP_TRY(open_plugins(from->settings, opened, error));
    NDP_TRY(open_environments(from, opened, error));
    if (twin != NULL && strcmp(twin, "numpy") == 0) NDP_TRY(open_environments(from, opened, error));
    make_names_unique(&opened->bench);
    return check_target_names(from->settings, opened, error);
}

/* Prints an error with its line and column, for which the caller's error has no member. */
static enum ndp_status read_config(struct ndp_arena *arena, struct sources *from, struct ndp_error *error) {
    const char *path = from->settings->config;
    struct ndp_bytes text = {0};
    struct ndp_error why = {.offset_bytes = NDP_NO_OFFSET};
    if (path == NULL) return NDP_OK;
    enum ndp_status status = ndp_load_case_file(arena, path, CONFIG_BYTES, &text, &why);
    if (status == NDP_OK) status = ndp_config_read(arena, path, text, &from->config, &why);
    if (status == NDP_OK) return NDP_OK;
    ndp_load_case_print_error(path, text, &why);
    return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "invalid configuration");
}

enum ndp_exit ndp_open_targets(const struct ndp_settings *settings, struct ndp_opened *out) {
    struct sources from = {.settings = settings};
    struct ndp_error error = {.status = NDP_OK};
    NDP_ARENA_SCOPED(arena, 4 * CONFIG_BYTES);
    memset(out, 0, sizeof *out);
    enum ndp_status status = read_config(&arena, &from, &error);
    if (status == NDP_OK) status = open_all(&from, out, &error);
    if (status == NDP_OK) return NDP_EXIT_CLEAN;
    if (out->is_untested) {
        fprintf(stderr, "NOT TESTED: %s\n", error.text);
        ndp_open_targets_close(out);
        return NDP_EXIT_VACUOUS;
    }
    fprintf(stderr, "ndproof: %s\n", error.text[0] != '\0' ? error.text : ndp_status_text(status));
    ndp_open_targets_close(out);
    return status == NDP_INVALID ? NDP_EXIT_USAGE : NDP_EXIT_FAULT;
}

void ndp_open_targets_close(struct ndp_opened *opened) {
    for (uint32_t i = 0; i < opened->bench.count; i++) ndp_target_close(opened->bench.targets[i]);
    ndp_target_close(opened->bench.oracle);
    opened->bench = (struct ndp_bench){0};
}

/* Prints the libraries besides the main one and Python, and the missing ones. */
static void print_libraries(const struct ndp_target_info *info, FILE *out) {
    const char *between = " with ";
    for (uint32_t i = 0; i < info->library_count; i++) {
        const struct ndp_library *library = &info->libraries[i];
        if (strcmp(library->name, info->implementation) == 0 || strcmp(library->name, "python") == 0) continue;
        fprintf(out, "%s%s %s", between, library->name, library->version);
        between = ", ";
    }
    for (int i = 0; i < NDP_CLASS_COUNT; i++) {
        const enum ndp_array_class class = (enum ndp_array_class)i;
        if (!ndp_target_lacks_class(info, class)) continue;
        fprintf(out, ", no %s (class %s replaces it)", ndp_class_library(class), ndp_class_stand_in(class));
    }
}

/* Prints the protection of this machine from the testees. */
static void print_protection(const struct ndp_bench *bench, FILE *out) {
    const char *before = "";
    for (uint32_t i = 0; i < bench->count; i++) {
        const char *protection = bench->targets[i]->info.protection;
        if (protection[0] != '\0' && strcmp(protection, before) != 0) fprintf(out, "protection: %s\n", protection);
        if (protection[0] != '\0') before = protection;
    }
}

void ndp_open_targets_print(const struct ndp_opened *opened, FILE *out) {
    for (uint32_t i = 0; i < opened->bench.count; i++) {
        const struct ndp_target_info *info = &opened->bench.targets[i]->info;
        fprintf(out, "target %-16s %s %s, %s%s%s%s", info->name, info->implementation, info->version, info->language,
                info->is_little_endian ? "" : ", big-endian", info->environment[0] != '\0' ? ", environment " : "",
                info->environment);
        print_libraries(info, out);
        fputc('\n', out);
    }
    for (uint32_t i = 0; i < opened->missing_count; i++)
        fprintf(out, "target %-16s NOT AVAILABLE: %s\n", opened->missing[i].name, opened->missing[i].reason);
    print_protection(&opened->bench, out);
}
