#include "target/config.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "describe/json_read.h"
#include "target/codec_name.h"

static const struct ndp_describe_limits config_limits = {.text_bytes = 1 << 16, .depth = 8};

struct reader {
    struct ndp_json_reader json;
    char folder[PATH_MAX]; /* the absolute folder of the file with a final slash; "" when it cannot be determined */
};

/* Finds the absolute folder of the file. It is needed because a testee has another working folder. */
static void find_folder(const char *path, char *out) {
    const char *slash = strrchr(path, '/');
    const int length = slash == NULL ? 0 : (int)(slash + 1 - path);
    char here[PATH_MAX];
    int written = -1;
    if (path[0] == '/') {
        written = snprintf(out, PATH_MAX, "%.*s", length, path);
    } else if (getcwd(here, sizeof here) != NULL) {
        written = snprintf(out, PATH_MAX, "%s/%.*s", here, length, path);
    }
    if (written < 0 || written >= PATH_MAX) out[0] = '\0';
}

static enum ndp_status read_word(struct reader *reader, const cJSON *item, char **out) {
    if (!cJSON_IsString(item) || item->valuestring[0] == '\0')
        return ndp_json_blame(&reader->json, item, NDP_INVALID, "expected a string that is not empty");
    char path[PATH_MAX];
    const char *word = item->valuestring;
    const int written = snprintf(path, sizeof path, "%s%s", reader->folder, word);
    const bool is_beside = word[0] != '/' && word[0] != '-' && reader->folder[0] != '\0' && written > 0 &&
                           written < PATH_MAX && access(path, F_OK) == 0;
    if (is_beside) word = path;
    *out = ndp_arena_copy(reader->json.arena, word, strlen(word) + 1);
    return *out == NULL ? NDP_NOMEM : NDP_OK;
}

static enum ndp_status read_command(struct reader *reader, const cJSON *item, struct ndp_environment *out) {
    uint32_t count = 0;
    if (!cJSON_IsArray(item) || item->child == NULL)
        return ndp_json_blame(&reader->json, item, NDP_INVALID, "expected a list of strings for the command");
    for (const cJSON *word = item->child; word != NULL; word = word->next) {
        if (count == NDP_MAX_COMMAND_WORDS)
            return ndp_json_blame(&reader->json, word, NDP_LIMIT, "more than %d words", NDP_MAX_COMMAND_WORDS);
        NDP_TRY(read_word(reader, word, &out->command[count++]));
    }
    return NDP_OK;
}

static enum ndp_status read_codecs(struct reader *reader, const cJSON *item, struct ndp_environment *out) {
    uint32_t count = 0;
    if (!cJSON_IsArray(item))
        return ndp_json_blame(&reader->json, item, NDP_INVALID, "expected a list of strings for the codecs");
    for (const cJSON *word = item->child; word != NULL; word = word->next) {
        struct ndp_error why = {.text = ""};
        if (count == NDP_MAX_CODECS)
            return ndp_json_blame(&reader->json, word, NDP_LIMIT, "more than %d codecs", NDP_MAX_CODECS);
        if (!cJSON_IsString(word)) return ndp_json_blame(&reader->json, word, NDP_INVALID, "expected a string");
        const enum ndp_status status = ndp_codec_name_check(word->valuestring, &why);
        if (status != NDP_OK)
            return ndp_json_blame(&reader->json, word, status, "character %u: %s", (unsigned)why.offset_bytes + 1,
                                  why.text);
        out->codecs[count] = ndp_arena_copy(reader->json.arena, word->valuestring, strlen(word->valuestring) + 1);
        if (out->codecs[count++] == NULL) return NDP_NOMEM;
    }
    return NDP_OK;
}

static enum ndp_status read_environment(struct reader *reader, const cJSON *item, struct ndp_environment *out) {
    static const char *const keys[] = {"python", "command", "codecs"};
    const cJSON *members[NDP_ARRAY_LEN(keys)];
    const size_t name_bytes = strlen(item->string);
    if (name_bytes == 0 || name_bytes >= sizeof out->name ||
        strspn(item->string, "abcdefghijklmnopqrstuvwxyz"
                             "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                             "0123456789_.+-") != name_bytes)
        return ndp_json_blame(&reader->json, item, NDP_INVALID,
                              "expected a name of up to %d characters of A-Z a-z 0-9 _ . + -", NDP_WORD_BYTES - 1);
    memcpy(out->name, item->string, name_bytes + 1);
    if (cJSON_IsString(item)) return read_word(reader, item, &out->python);
    NDP_TRY(ndp_json_members(&reader->json, item, keys, NDP_ARRAY_LEN(keys), members));
    if ((members[0] == NULL) == (members[1] == NULL))
        return ndp_json_blame(&reader->json, item, NDP_INVALID, "expected either \"python\" or \"command\"");
    if (members[2] != NULL && members[0] == NULL)
        return ndp_json_blame(&reader->json, members[2], NDP_INVALID, "codecs need \"python\"");
    if (members[2] != NULL) NDP_TRY(read_codecs(reader, members[2], out));
    return members[0] != NULL ? read_word(reader, members[0], &out->python) : read_command(reader, members[1], out);
}

static enum ndp_status read_tree(struct reader *reader, const cJSON *tree, struct ndp_config *out) {
    static const char *const keys[] = {"environments"};
    const cJSON *table;
    NDP_TRY(ndp_json_members(&reader->json, tree, keys, NDP_ARRAY_LEN(keys), &table));
    if (!cJSON_IsObject(table))
        return ndp_json_blame(&reader->json, table, NDP_INVALID, "expected an object in \"environments\"");
    for (const cJSON *item = table->child; item != NULL; item = item->next) {
        if (out->count == NDP_MAX_ENVIRONMENTS)
            return ndp_json_blame(&reader->json, item, NDP_LIMIT, "more than %d environments", NDP_MAX_ENVIRONMENTS);
        if (ndp_config_find(out, item->string) != NULL)
            return ndp_json_blame(&reader->json, item, NDP_INVALID, "duplicate environment");
        NDP_TRY(read_environment(reader, item, &out->environments[out->count]));
        out->count++;
    }
    return NDP_OK;
}

enum ndp_status ndp_config_read(struct ndp_arena *arena, const char *path, struct ndp_bytes text,
                                struct ndp_config *out, struct ndp_error *error) {
    cJSON *tree;
    NDP_TRY(ndp_json_parse(text, &config_limits, &tree, error));
    struct reader reader = {.json = {.arena = arena, .limits = &config_limits, .error = error}};
    struct ndp_config config = {.count = 0};
    find_folder(path, reader.folder);
    const enum ndp_status status = read_tree(&reader, tree, &config);
    if (status == NDP_OK) *out = config;
    if (status != NDP_OK) ndp_json_locate(&reader.json, tree, text);
    cJSON_Delete(tree);
    return status;
}

const struct ndp_environment *ndp_config_find(const struct ndp_config *config, const char *name) {
    for (uint32_t i = 0; i < config->count; i++)
        if (strcmp(config->environments[i].name, name) == 0) return &config->environments[i];
    return NULL;
}
