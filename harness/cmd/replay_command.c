#include "cmd/replay_command.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/rng.h"
#include "describe/json_write.h"
#include "report/report_json.h"

#define MAX_JSON_BYTES (UINT64_C(64) << 20)

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

static enum ndp_status print_json(const struct ndp_report_packed *packed, const char *script, struct ndp_buffer *out) {
    const struct ndp_report_finding *finding = &packed->finding;
    NDP_TRY(ndp_buffer_printf(
        out, "{\"cause\":\"%s\",\n\"signature\":\"%s\",\n\"severity\":\"%s\",\n\"%s\":", packed->cause.cause.id,
        finding->signature, ndp_contract_severity_word(finding->severity), script != NULL ? "script" : "no_script"));
    NDP_TRY(ndp_json_add_text(out, script != NULL ? ndp_bytes_view(script) : packed->no_script));
    return ndp_buffer_printf(out, ",\n\"descriptor\":%.*s}\n", (int)finding->descriptor.size_bytes,
                             (const char *)finding->descriptor.data);
}

/* Writes signature, descriptor and script, or the reason for its absence, to findings/<hash>.json next to the report.
 */
static enum ndp_status write_files(const struct ndp_settings *settings, const struct ndp_report_packed *packed,
                                   char *path, size_t path_bytes, struct ndp_error *error) {
    const char *slash = strrchr(settings->report, '/');
    const int folder_length = slash == NULL ? 1 : (int)(slash - settings->report);
    const char *folder = slash == NULL ? "." : settings->report, *signature = packed->finding.signature;
    const uint64_t hash = ndp_hash_bytes(signature, strlen(signature), NDP_HASH_START);
    const bool has_script = packed->script.size_bytes > 0;
    char script[64];
    snprintf(path, path_bytes, "%.*s/findings", folder_length, folder);
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "cannot make %s: %s", path, strerror(errno));
    snprintf(script, sizeof script, "%016llx.py", (unsigned long long)hash);
    snprintf(path, path_bytes, "%.*s/findings/%s", folder_length, folder, script);
    if (has_script) NDP_TRY(ndp_report_replace_file(path, packed->script, error));
    snprintf(path, path_bytes, "%.*s/findings/%016llx.json", folder_length, folder, (unsigned long long)hash);
    NDP_BUFFER_SCOPED(text, MAX_JSON_BYTES);
    NDP_TRY(print_json(packed, has_script ? script : NULL, &text));
    return ndp_report_replace_file(path, ndp_buffer_view(&text), error);
}

bool ndp_replay_command_script(const char *command, char *path, size_t path_bytes) {
    const char *space = strrchr(command, ' ');
    const char *word = space != NULL ? space + 1 : command;
    const size_t length = strlen(word);
    if (length < 5 || strcmp(word + length - 5, ".json") != 0) return false;
    const int size = snprintf(path, path_bytes, "%.*s.py", (int)(length - 5), word);
    return size > 0 && (size_t)size < path_bytes && access(path, R_OK) == 0;
}

void ndp_replay_command(const struct ndp_settings *settings, const struct ndp_report_packed *packed, char *out) {
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
    struct ndp_error error = {0};
    const enum ndp_status status =
        settings->report != NULL ? write_files(settings, packed, path, sizeof path, &error) : NDP_UNSUPPORTED;
    if (status == NDP_OK) {
        add_word(out, &length, path);
        return;
    }
    if (settings->report != NULL)
        fprintf(stderr, "ndproof: cannot write the files of a finding, which stays in the report: %s\n",
                error.text[0] != '\0' ? error.text : ndp_status_text(status));
    snprintf(out + length, NDP_REPLAY_COMMAND_BYTES - length, " - <<'END'\n%.*s\nEND",
             (int)packed->finding.descriptor.size_bytes, (const char *)packed->finding.descriptor.data);
}
