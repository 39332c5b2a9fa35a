#include "cmd/replay_command.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/rng.h"
#include "cmd/write_script.h"
#include "describe/json_write.h"
#include "engine/cause.h"

#define ARENA_BYTES (UINT64_C(256) << 20)
enum { REASON_BYTES = 4096 };

/* Appends a word quoted for a shell; leaves out a word that does not fit. */
static void add_word(char *out, size_t *length, const char *word) {
    char quoted[NDP_REPLAY_COMMAND_BYTES];
    size_t size = 0;
    bool is_plain =
        word[0] != '\0' &&
        word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=@%+,-")] == '\0';
    if (!is_plain) quoted[size++] = '\'';
    for (const char *at = word; *at != '\0' && size + 8 < sizeof quoted; at++) {
        if (*at == '\'') {
            memcpy(quoted + size, "'\\''", 4);
            size += 4;
        } else {
            quoted[size++] = *at;
        }
    }
    if (!is_plain) quoted[size++] = '\'';
    if (*length + size + 2 > NDP_REPLAY_COMMAND_BYTES) return;
    if (*length > 0) out[(*length)++] = ' ';
    memcpy(out + *length, quoted, size);
    *length += size;
    out[*length] = '\0';
}

/* Writes the script of the finding. The error states why there is none. */
static enum ndp_status write_finding_script(const struct ndp_opened *opened, const struct ndp_finding *finding,
                                            const char *path, struct ndp_error *error) {
    struct ndp_descriptor descriptor;
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    NDP_TRY(ndp_descriptor_read(&arena, finding->descriptor, &ndp_describe_default_limits, &descriptor, error));
    return ndp_write_script(path, opened, &descriptor, finding->divergence, finding->result, error);
}

/* Replaces the file of a finding; after an error, such as a full disk, the old file stays. */
static bool write_finding_json(const char *path, const struct ndp_finding *finding, const char *script,
                               const char *why_none) {
    char fresh[PATH_MAX];
    /* Two workers may find the same. */
    const int length = snprintf(fresh, sizeof fresh, "%s.%ld.new", path, (long)getpid());
    FILE *file = length > 0 && (size_t)length < sizeof fresh ? fopen(fresh, "we") : NULL;
    if (file == NULL) return false;
    char signature[NDP_SIGNATURE_BYTES];
    ndp_signature_print(&finding->divergence->signature, signature);
    struct ndp_cause cause;
    ndp_cause_of_finding(finding, &cause);
    fprintf(file, "{\"cause\":\"%s\",\n\"signature\":\"%s\",\n", cause.id, signature);
    fprintf(file, "\"severity\":\"%s\",\n", ndp_contract_severity_word(finding->divergence->judgement.severity));
    if (script != NULL) fprintf(file, "\"script\":\"%s\",\n", script);
    NDP_BUFFER_SCOPED(reason, REASON_BYTES);
    if (script == NULL && ndp_json_add_text(&reason, ndp_bytes_view(why_none)) == NDP_OK)
        fprintf(file, "\"no_script\":%.*s,\n", (int)reason.size_bytes, (const char *)reason.data);
    fprintf(file, "\"descriptor\":%.*s}\n", (int)finding->descriptor.size_bytes,
            (const char *)finding->descriptor.data);
    const bool is_complete = ferror(file) == 0;
    if (fclose(file) == 0 && is_complete && rename(fresh, path) == 0) return true;
    (void)unlink(fresh);
    return false;
}

/* Writes signature, descriptor and script, or the reason for its absence, to findings/<hash>.json next to the report,
 * and returns whether that succeeded. */
static bool write_finding_files(const struct ndp_settings *settings, const struct ndp_opened *opened,
                                const struct ndp_finding *finding, char *path, size_t path_bytes) {
    const char *slash = strrchr(settings->report, '/');
    int folder_length = slash == NULL ? 1 : (int)(slash - settings->report);
    const char *folder = slash == NULL ? "." : settings->report;
    char signature[NDP_SIGNATURE_BYTES];
    ndp_signature_print(&finding->divergence->signature, signature);
    const uint64_t hash = ndp_hash_bytes(signature, strlen(signature), NDP_HASH_START);
    snprintf(path, path_bytes, "%.*s/findings", folder_length, folder);
    if (mkdir(path, 0777) != 0 && errno != EEXIST) return false;
    char script[64];
    snprintf(script, sizeof script, "%016llx.py", (unsigned long long)hash);
    snprintf(path, path_bytes, "%.*s/findings/%s", folder_length, folder, script);
    struct ndp_error error = {0};
    const bool has_script = write_finding_script(opened, finding, path, &error) == NDP_OK;
    snprintf(path, path_bytes, "%.*s/findings/%016llx.json", folder_length, folder, (unsigned long long)hash);
    return write_finding_json(path, finding, has_script ? script : NULL, error.text);
}

bool ndp_replay_command_script(const char *command, char *path, size_t path_bytes) {
    const char *space = strrchr(command, ' ');
    const char *word = space != NULL ? space + 1 : command;
    const size_t length = strlen(word);
    if (length < 5 || strcmp(word + length - 5, ".json") != 0) return false;
    const int size = snprintf(path, path_bytes, "%.*s.py", (int)(length - 5), word);
    return size > 0 && (size_t)size < path_bytes && access(path, R_OK) == 0;
}

void ndp_replay_command(const struct ndp_settings *settings, const struct ndp_opened *opened,
                        const struct ndp_finding *finding, char *out) {
    size_t length = 0;
    out[0] = '\0';
    add_word(out, &length, settings->argv[0]);
    add_word(out, &length, "replay");
    for (uint32_t i = 0; i < settings->pythons.count; i++) {
        add_word(out, &length, "--python");
        add_word(out, &length, settings->pythons.list[i]);
    }
    if (settings->config != NULL) {
        add_word(out, &length, "--config");
        add_word(out, &length, settings->config);
    }
    for (uint32_t i = 0; i < settings->codecs.count; i++) {
        add_word(out, &length, "--codec");
        add_word(out, &length, settings->codecs.list[i]);
    }
    for (uint32_t i = 0; i < settings->environments.count; i++) {
        add_word(out, &length, "--env");
        add_word(out, &length, settings->environments.list[i]);
    }
    char path[1024];
    if (settings->report != NULL && write_finding_files(settings, opened, finding, path, sizeof path)) {
        add_word(out, &length, path);
        return;
    }
    snprintf(out + length, NDP_REPLAY_COMMAND_BYTES - length, " - <<'END'\n%.*s\nEND",
             (int)finding->descriptor.size_bytes, (const char *)finding->descriptor.data);
}
