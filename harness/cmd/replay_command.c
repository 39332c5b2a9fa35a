#include "cmd/replay_command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/rng.h"

/* Appends a word quoted for a shell; what does not fit is left out whole. */
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

/* Puts signature and descriptor into findings/<hash>.json beside the report. Whether it is there. */
static bool has_file(const struct ndp_settings *settings, const struct ndp_found *found, char *path,
                     size_t path_bytes) {
    const char *slash = strrchr(settings->report, '/');
    int folder_length = slash == NULL ? 1 : (int)(slash - settings->report);
    const char *folder = slash == NULL ? "." : settings->report;
    uint64_t hash = ndp_hash_bytes(found->divergence->signature, strlen(found->divergence->signature), NDP_HASH_START);
    snprintf(path, path_bytes, "%.*s/findings", folder_length, folder);
    if (mkdir(path, 0777) != 0 && errno != EEXIST) return false;
    snprintf(path, path_bytes, "%.*s/findings/%016llx.json", folder_length, folder, (unsigned long long)hash);
    FILE *file = fopen(path, "we");
    if (file == NULL) return false;
    int written = fprintf(file, "{\"signature\":\"%s\",\n\"descriptor\":%.*s}\n", found->divergence->signature,
                          (int)found->descriptor.size_bytes, (const char *)found->descriptor.data);
    return fclose(file) == 0 && written > 0;
}

void ndp_replay_command(const struct ndp_settings *settings, const struct ndp_found *found, char *out) {
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
    for (uint32_t i = 0; i < settings->environments.count; i++) {
        add_word(out, &length, "--env");
        add_word(out, &length, settings->environments.list[i]);
    }
    char path[1024];
    if (settings->report != NULL && has_file(settings, found, path, sizeof path)) {
        add_word(out, &length, path);
        return;
    }
    snprintf(out + length, NDP_REPLAY_COMMAND_BYTES - length, " - <<'END'\n%.*s\nEND",
             (int)found->descriptor.size_bytes, (const char *)found->descriptor.data);
}
