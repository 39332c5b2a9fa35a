#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd/command.h"
#include "cmd/fuzz_target_case.h"
#include "cmd/load_case.h"
#include "cmd/run_sweep.h"
#include "cmd/stop_signal.h"

#define ARENA_BYTES        (UINT64_C(2) << 30)
#define MAX_ARTIFACT_BYTES (UINT64_C(16) << 20)
enum { MAX_ARTIFACTS = 4096, MAX_DEPTH = 16, PATH_BYTES = 1024 };

/* The artifacts of fuzzing and their results. */
struct import {
    struct ndp_arena arena;
    char (*paths)[PATH_BYTES]; /* sorted */
    uint32_t path_count;
    struct ndp_given_case *cases;
    uint32_t case_count;
    struct ndp_fuzz_target_finding *findings;
    uint32_t finding_count;
    uint32_t fault_count; /* findings that are faults */
    uint32_t quiet_count; /* artifacts that no fuzz target reproduces any more */
    bool is_partial;      /* an artifact was skipped with a message */
    const volatile sig_atomic_t *stop;
};

/* ---- finding the files ---- */

/* Returns whether a file is an artifact, and no other file of an engine or of .ci/fuzz.py. */
static bool is_artifact(const char *name) {
    static const char *const others[] = {"README.txt", "fuzzer_stats", "fuzzer_setup", "fuzz_bitmap",   "plot_data",
                                         "cmdline",    "target_hash",  ".cur_input",   "fastresume.bin"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(others); i++)
        if (strcmp(name, others[i]) == 0) return false;
    const char *ending = strrchr(name, '.');
    return name[0] != '.' && (ending == NULL || strcmp(ending, ".signature") != 0);
}

/* Skips the queue and the saved session of AFL++, which are no findings. */
static bool is_folder_of_artifacts(const char *name) {
    return name[0] != '.' && strcmp(name, "queue") != 0 && strcmp(name, "_resume") != 0;
}

/* Skips an artifact with a message; the command goes on and ends with 3. */
static void skip_artifact(struct import *import, const char *path, const char *reason) {
    fprintf(stderr, "ndproof import: %s: %s\n", path, reason);
    import->is_partial = true;
}

static void add_file(struct import *import, const char *path) {
    if (import->path_count < MAX_ARTIFACTS)
        memcpy(import->paths[import->path_count++], path, strlen(path) + 1);
    else
        skip_artifact(import, path, "skipped: too many artifacts");
}

/* Adds the files below `folder`, MAX_DEPTH levels deep. */
static void collect_artifacts(struct import *import, const char *folder, uint32_t depth) {
    DIR *entries = depth < MAX_DEPTH ? opendir(folder) : NULL;
    if (entries == NULL) {
        skip_artifact(import, folder, depth < MAX_DEPTH ? strerror(errno) : "skipped: too many folder levels");
        return;
    }
    for (const struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
        char path[PATH_BYTES];
        struct stat status;
        int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (length <= 0 || (size_t)length >= sizeof path)
            skip_artifact(import, folder, "skipped: the path of a file in it is too long");
        else if (stat(path, &status) != 0)
            skip_artifact(import, path, strerror(errno));
        else if (S_ISDIR(status.st_mode) && is_folder_of_artifacts(entry->d_name))
            collect_artifacts(import, path, depth + 1);
        else if (S_ISREG(status.st_mode) && is_artifact(entry->d_name))
            add_file(import, path);
    }
    closedir(entries);
}

static int by_name(const void *a, const void *b) {
    return strcmp(a, b);
}

/* ---- one artifact ---- */

/* The content of the file <artifact>.signature: signature and number of duplicates. */
struct sidecar {
    const char *signature; /* "" without such a file (arena) */
    uint64_t count;
};

static struct sidecar read_sidecar(struct import *import, const char *path) {
    char name[PATH_BYTES + 16];
    struct ndp_bytes file;
    struct sidecar sidecar = {"", 1};
    snprintf(name, sizeof name, "%s.signature", path);
    if (ndp_load_case_file(&import->arena, name, 4096, &file, NULL) != NDP_OK) return sidecar;
    char *text = ndp_arena_alloc(&import->arena, file.size_bytes + 1);
    if (text == NULL) return sidecar;
    if (file.size_bytes > 0) memcpy(text, file.data, (size_t)file.size_bytes);
    text[file.size_bytes] = '\0';
    const char *count = strstr(text, "\ncount ");
    if (count != NULL) sidecar.count = strtoull(count + 7, NULL, 10);
    if (sidecar.count == 0) sidecar.count = 1;
    text[strcspn(text, "\n")] = '\0';
    sidecar.signature = text;
    return sidecar;
}

/* Returns whether the signature is complete and that of a case, not of a fuzz target. */
static bool is_case_signature(const char *text) {
    struct ndp_signature signature;
    return ndp_signature_parse(text, &signature) == NDP_OK && !signature.is_of_fuzzer;
}

/* Returns the descriptor in the input if the fuzz target has the same result for its canonical text; else NULL, because
 * the checks of a fuzz target depend on the exact bytes. */
static const struct ndp_descriptor *equivalent_descriptor(struct import *import, const char *fuzzer,
                                                          const struct ndp_descriptor *loaded, const char *signature) {
    char form[NDP_WORD_BYTES];
    struct ndp_fuzz_target_result word;
    ndp_run_fuzz_target_form(fuzzer, form);
    if (loaded == NULL || strcmp(form, "descriptor") != 0) return NULL;
    const enum ndp_status status = ndp_fuzz_target_case_run(&import->arena, fuzzer, loaded, import->stop, &word, NULL);
    return status == NDP_OK && strcmp(word.signature, signature) == 0 ? loaded : NULL;
}

/* The results of all fuzz targets for a file. */
struct fuzz_results {
    bool is_quiet; /* all passed */
    bool is_fatal; /* one crashed, exceeded a limit or failed internally: the file must not run in this process */
};

static void fill_finding(struct ndp_fuzz_target_finding *out, const char *fuzzer,
                         const struct ndp_fuzz_target_result *word) {
    struct ndp_divergence *divergence = &out->divergence;
    *out = (struct ndp_fuzz_target_finding){.printed = word->printed};
    divergence->verdict = word->verdict;
    divergence->judgement.severity = NDP_SEVERITY_DEFECT;
    divergence->death = word->death;
    ndp_signature_set_fuzzer(&divergence->signature, word->verdict, word->signature);
    snprintf(divergence->signature.outlier, NDP_WORD_BYTES, "reference");
    snprintf(divergence->route.decoder, NDP_WORD_BYTES, "%s", fuzzer);
    ndp_run_fuzz_target_form(fuzzer, divergence->route.format);
}

/* Runs one fuzz target and adds its finding. */
static enum ndp_status run_fuzz_target(struct import *import, const char *path, const char *fuzzer,
                                       const struct ndp_descriptor *loaded, struct fuzz_results *results,
                                       struct ndp_error *error) {
    struct ndp_fuzz_target_result word;
    struct ndp_bytes bytes = {NULL, 0};
    NDP_TRY(ndp_run_fuzz_target(&import->arena, fuzzer, path, import->stop, &word, error));
    if (word.verdict != NDP_VERDICT_PASS) results->is_quiet = false;
    if (word.verdict != NDP_VERDICT_PASS && word.verdict != NDP_VERDICT_DIVERGES) results->is_fatal = true;
    /* A divergence of a case is not added here: the run reproduces, confirms and minimises it. */
    if (word.verdict == NDP_VERDICT_PASS || is_case_signature(word.signature) || import->finding_count == MAX_ARTIFACTS)
        return NDP_OK;
    struct ndp_fuzz_target_finding *finding = &import->findings[import->finding_count];
    fill_finding(finding, fuzzer, &word);
    finding->path = path;
    finding->count = read_sidecar(import, path).count;
    NDP_TRY(ndp_load_case_file(&import->arena, path, MAX_ARTIFACT_BYTES, &bytes, error));
    NDP_TRY(ndp_fuzz_target_case_print(&import->arena, fuzzer, bytes,
                                       equivalent_descriptor(import, fuzzer, loaded, word.signature),
                                       &finding->descriptor));
    import->finding_count++;
    if (word.verdict == NDP_VERDICT_FAULT) import->fault_count++;
    return NDP_OK;
}

/* Runs the fuzz targets of a file; skips the file if none can run. Returns whether it may be a case of this run. */
static bool run_fuzz_targets(struct import *import, const char *path, const struct ndp_fuzz_target_list *oracles,
                             const struct ndp_descriptor *loaded) {
    struct ndp_error error = {.text = "no fuzz target binary found; run make all"};
    struct fuzz_results results = {true, false};
    uint32_t result_count = 0;
    bool has_error = false;
    for (uint32_t i = 0; i < oracles->count; i++) {
        struct ndp_error why = {0};
        const enum ndp_status status = run_fuzz_target(import, path, oracles->names[i], loaded, &results, &why);
        if (status == NDP_OK) result_count++;
        if (status != NDP_OK && !has_error)
            snprintf(error.text, sizeof error.text, "%s", why.text[0] != '\0' ? why.text : ndp_status_text(status));
        if (status != NDP_OK) has_error = true;
    }
    if (oracles->is_absent && results.is_quiet) result_count = 0; /* its own fuzz target did not run */
    if (result_count == 0 && *import->stop == 0)
        skip_artifact(import, path, error.text);
    else if (results.is_quiet && result_count > 0)
        import->quiet_count++;
    return !results.is_fatal;
}

/* Adds the cases of a file. `form` is the input form of its fuzz target, "" if unknown. */
static void add_cases(struct import *import, const struct sidecar *sidecar, const char *form,
                      const struct ndp_loaded *loaded) {
    for (uint32_t i = 0; i < loaded->count && import->case_count < MAX_ARTIFACTS; i++) {
        struct ndp_descriptor *descriptor = &loaded->cases[i].descriptor;
        if (form[0] != '\0' && strcmp(form, "descriptor") != 0 && descriptor->bytes.size_bytes > 0)
            snprintf(descriptor->route.format, NDP_WORD_BYTES, "%s", form);
        struct ndp_given_case *item = &import->cases[import->case_count++];
        *item = (struct ndp_given_case){.descriptor = *descriptor, .count = sidecar->count};
        item->has_signature =
            ndp_signature_parse(sidecar->signature, &item->signature) == NDP_OK && !item->signature.is_of_fuzzer;
    }
}

static void import_artifact(struct import *import, const char *path) {
    char form[NDP_WORD_BYTES] = "";
    struct ndp_loaded loaded = {NULL, 0};
    struct ndp_error error = {0};
    struct ndp_fuzz_target_list oracles;
    ndp_run_fuzz_target_candidates(path, &oracles);
    if (oracles.is_named) ndp_run_fuzz_target_form(oracles.names[0], form);
    /* No case of a run has these forms. */
    const bool is_bare = strcmp(form, "frame") == 0 || strcmp(form, "memmap") == 0;
    const enum ndp_status status = is_bare ? NDP_OK : ndp_load_case(&import->arena, path, &loaded, &error);
    if (status != NDP_OK) loaded.count = 0;
    if (status == NDP_IO || status == NDP_NOMEM || (status != NDP_OK && !oracles.is_artifact)) {
        skip_artifact(import, path, error.text[0] != '\0' ? error.text : ndp_status_text(status));
        return;
    }
    const struct ndp_descriptor *only = loaded.count == 1 ? &loaded.cases[0].descriptor : NULL;
    const struct sidecar sidecar = read_sidecar(import, path);
    /* The run reproduces a divergence of a case without the fuzz target, whose libraries take long to start. */
    const bool is_known = loaded.count > 0 && is_case_signature(sidecar.signature);
    if (!oracles.is_artifact || is_known || run_fuzz_targets(import, path, &oracles, only))
        add_cases(import, &sidecar, form, &loaded);
}

/* ---- the command ---- */

static enum ndp_exit import_folders(struct import *import, const struct ndp_settings *settings) {
    for (uint32_t i = 0; i < settings->files.count; i++) {
        struct stat status;
        const char *folder = settings->files.list[i];
        if (stat(folder, &status) != 0 || !S_ISDIR(status.st_mode)) {
            fprintf(stderr, "ndproof import: %s is not a folder\n", folder);
            return NDP_EXIT_USAGE;
        }
        collect_artifacts(import, folder, 0);
    }
    qsort(import->paths, import->path_count, sizeof import->paths[0], by_name);
    uint32_t done = 0;
    while (done < import->path_count && *import->stop == 0) import_artifact(import, import->paths[done++]);
    if (done < import->path_count)
        fprintf(stderr, "ndproof import: stopped by a signal, %u artifacts left\n",
                (unsigned)(import->path_count - done));
    printf("%u artifacts: %u cases, %u findings of fuzz targets only, %u that no fuzz target reproduces any more\n",
           (unsigned)import->path_count, (unsigned)import->case_count,
           (unsigned)(import->finding_count - import->fault_count), (unsigned)import->quiet_count);
    const struct ndp_sweep_given given = {.cases = import->cases,
                                          .count = import->case_count,
                                          .oracle_findings = import->findings,
                                          .oracle_finding_count = import->finding_count};
    const enum ndp_exit code = ndp_run_sweep(settings, &given);
    return import->is_partial ? NDP_EXIT_FAULT : code;
}

static enum ndp_exit run_import(const struct ndp_settings *settings) {
    struct import import = {.stop = ndp_stop_signal_install()};
    ndp_arena_init(&import.arena, ARENA_BYTES);
    import.paths = calloc(MAX_ARTIFACTS, sizeof import.paths[0]);
    import.cases = calloc(MAX_ARTIFACTS, sizeof *import.cases);
    import.findings = calloc(MAX_ARTIFACTS, sizeof *import.findings);
    enum ndp_exit code = NDP_EXIT_FAULT;
    if (import.paths != NULL && import.cases != NULL && import.findings != NULL)
        code = import_folders(&import, settings);
    free(import.paths);
    free(import.cases);
    free(import.findings);
    ndp_arena_clear(&import.arena);
    return code;
}

const struct ndp_command ndp_command_import = {
    .name = "import",
    .arguments = "DIR...",
    .summary = "turn the artifacts of fuzzing in a folder into findings of a report",
    .options = NDP_OPTION_BIT(TRUST) | NDP_OPTION_BIT(SEED) | NDP_OPTION_BIT(ENV) | NDP_OPTION_BIT(PYTHON) |
               NDP_OPTION_BIT(CONFIG) | NDP_OPTION_BIT(CODEC) | NDP_OPTION_BIT(TARGET) | NDP_OPTION_BIT(FORMAT) |
               NDP_OPTION_BIT(PROPERTY) | NDP_OPTION_BIT(REPORT) | NDP_OPTION_BIT(BASELINE) |
               NDP_OPTION_BIT(IN_PROCESS) | NDP_OPTION_BIT(ALLOW_MISSING),
    .min_files = 1,
    .max_files = UINT32_MAX,
    .run = run_import,
};
